"""The session as a whole in the detail: outline of prompts, context over time, coverage."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.look import nodes, press, selected, settle
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser


def test_i_opens_the_prompts_as_an_outline_that_jumps(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "i")
    entries = page.locator(".evidence li")
    assert [e.locator(".jump").text_content()[:12] for e in entries.all()] == [
        "Find out why",
        "Then run the",
        "Anything lef",
    ]
    assert entries.first.locator(".why").text_content().endswith("12 calls · ✕ 2 errors · 4m 00s")
    entries.first.locator(".jump").click()
    settle(page)
    assert selected(page).startswith("Find out why")
    press(page, "Escape")
    assert page.locator(".detail").is_hidden()


def test_the_button_opens_and_closes_it_and_the_address_keeps_it(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_role("button", name="Overview").click()
    page.wait_for_url("**card=session**")
    page.reload()
    page.locator(".evidence").wait_for()
    page.get_by_role("button", name="Overview").click()
    assert page.locator(".detail").is_hidden()


def test_the_chart_shows_the_context_and_its_compactions_lead_to_their_lines(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "i")
    page.get_by_role("tab", name="Context").click()
    said = page.locator(".plot").get_attribute("aria-label")
    assert "84k of 200k, assumed (42 %), peak 169k, 1 compaction" in said
    assert page.locator(".plot path.size").get_attribute("d").startswith("M0 ")
    assert page.locator(".plot path.limit").count() == 1
    page.get_by_role("button", name="184k → 14k").click()
    settle(page)
    assert selected(page) == "compaction 184k → 14k"


def test_a_press_on_the_chart_goes_to_the_call_that_ran_then(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "i")
    page.get_by_role("tab", name="Context").click()
    page.locator(".plot").click(position={"x": 1_060, "y": 40})
    settle(page)
    assert selected(page) == "tail -f ferry.log"


def test_a_context_that_is_not_known_is_said(visit: Any, pages: Pages) -> None:
    pages.payloads["bare"] = lambda: payloads.small() | {"context": None, "coverage": None, "compactions": []}
    page = visit("#v=1&s=bare&card=session")
    page.get_by_role("tab", name="Context").click()
    assert page.locator(".detailbody").text_content() == "The size of the context is not known."
    page.get_by_role("tab", name="Coverage").click()
    assert page.locator(".detailbody").text_content() == "It is not known what was read."


def test_coverage_lists_what_was_read_and_what_was_odd(visit: Any, pages: Pages) -> None:
    payload = payloads.small()
    payload["coverage"] |= {"bytes": 120_000, "records": 310, "unknownRecordTypes": {payloads.HOSTILE: 2}}
    payload["session"]["files"] = [{"path": "/code/a.jsonl", "kind": "main", "bytes": 120_000}]
    pages.payloads["covered"] = lambda: payload
    page = visit("#v=1&s=covered&card=session")
    page.get_by_role("tab", name="Coverage").click()
    body = page.locator(".detailbody")
    assert "Records310" in body.text_content()
    assert "Lines that could not be read12" in body.text_content()
    assert body.locator(".problems code").text_content() == "bad_line"
    assert "/code/a.jsonl main 120 kB" in body.text_content()
    assert payloads.HOSTILE[:30] in body.text_content()


def test_a_long_session_has_a_light_outline(visit: Any) -> None:
    page = visit("#v=1&s=large&card=session")
    page.locator(".evidence").wait_for()
    assert nodes(page) < 2_500
    page.get_by_role("tab", name="Context").click()
    assert nodes(page) < 2_500
