"""The scorecard in a browser: tiles, their evidence, and the way from there to the lines."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import scorecards
from tests.browser.look import lines, press, selected, settle
from tests.browser.pageserver import Pages, report_blocks

pytestmark = pytest.mark.browser


@pytest.fixture
def scored(visit: Any, pages: Pages) -> Any:
    """Opens the session that has a scorecard."""
    pages.payloads["scored"] = scorecards.scored
    return lambda more="", **context: visit(f"#v=1&s=scored{more}", **context)


def tile(page: Any, name: str) -> Any:
    """The tile of a metric."""
    return page.locator(f'.tile[data-metric="{name}"]')


def test_six_tiles_say_status_value_and_sentence_in_the_order_of_the_payload(scored: Any) -> None:
    page = scored()
    said = [t.locator(".verdict").text_content() for t in page.locator("button.tile").all()]
    assert said == ["?cannot tell", "▲alert", "△warning", "✓ok", "–does not apply", "✓ok"]
    words = page.locator(".tilewords").all_text_contents()
    assert words[1] == "1 exchange last passing check is older than the last edit"
    assert words[2] == "12.5 edits for each passing check"
    assert words[4] == "no file was edited"


def test_without_metrics_and_health_there_is_no_scorecard(visit: Any) -> None:
    page = visit("#v=1&s=small")
    assert page.locator(".tile").count() == 0
    assert page.locator(".scorecard").is_hidden()


def test_a_metric_that_is_null_is_left_out(visit: Any, pages: Pages) -> None:
    pages.payloads["part"] = lambda: scorecards.scored() | {"metrics": [None, *scorecards.six()[:2]], "health": None}
    page = visit("#v=1&s=part")
    assert page.locator(".tile").count() == 2
    assert page.locator(".signal").count() == 0


def test_a_tile_opens_its_evidence_and_an_entry_jumps_to_the_call_wherever_it_lies(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").click()
    assert tile(page, "earlyVictory").get_attribute("aria-expanded") == "true"
    entries = page.locator(".evidence li")
    assert entries.locator(".why").all_text_contents()[:2] == [
        "the last edit",
        "a check that failed, deep in an agent",
    ]
    page.get_by_role("button", name="python -m pytest").click()
    settle(page)
    assert selected(page).startswith("python -m pytest")
    assert page.locator(".line.selected .bar:not(.gone)").count() == 1
    assert page.locator(".evidence").is_visible()


def test_an_entry_jumps_to_a_reply_even_where_replies_are_hidden(scored: Any) -> None:
    page = scored()
    page.get_by_role("button", name="Replies").click()
    tile(page, "earlyVictory").click()
    page.get_by_role("button", name="The table was read in local time").click()
    settle(page)
    assert selected(page).startswith("The table was read in local time")


def test_an_entry_that_the_filter_hides_clears_the_filter(scored: Any) -> None:
    page = scored("&q=ferry")
    tile(page, "earlyVictory").click()
    page.get_by_role("button", name="src/tides/zone.py").click()
    settle(page)
    assert page.get_by_label("Filter calls").input_value() == ""
    assert selected(page) == "src/tides/zone.py"


def test_evidence_that_is_in_no_line_is_said_without_a_button(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").click()
    gone = page.locator(".evidence li.gone")
    assert gone.text_content() == "a call that is in no file"
    assert gone.locator("button").count() == 0


def test_keys_alone_open_evidence_follow_it_and_come_back_to_the_tile(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").focus()
    press(page, "Enter")
    page.locator(".evidence .jump").first.focus()
    press(page, "Enter")
    assert selected(page) == "src/tides/zone.py"
    press(page, "Escape")
    assert page.locator(".detail").is_hidden()
    assert page.evaluate("document.activeElement.dataset.metric") == "earlyVictory"
    assert tile(page, "earlyVictory").get_attribute("aria-expanded") == "false"


def test_hostile_words_of_a_metric_are_text(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").click()
    assert "<img src=x" in page.locator(".verdictview .note").text_content()
    page.get_by_role("tab", name="Figures").click()
    page.locator(".detailbody").get_by_role("button", name="▸").click()
    assert "onerror" in page.locator(".detailbody").text_content()
    assert page.locator("img, #app script").count() == 0


def test_the_address_keeps_which_evidence_is_open(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").click()
    page.wait_for_url("**card=earlyVictory**")
    page.reload()
    page.locator(".evidence").wait_for()
    tile(page, "earlyVictory").click()
    assert page.locator(".detail").is_hidden()


def test_a_click_on_a_line_takes_the_place_of_the_evidence(scored: Any) -> None:
    page = scored()
    tile(page, "earlyVictory").click()
    page.locator(".layer .line.call .label").first.click()
    page.locator(".detailbody .text").first.wait_for()
    assert page.locator(".evidence").count() == 0
    assert tile(page, "earlyVictory").get_attribute("aria-expanded") == "false"


def test_signals_are_a_quiet_line_without_what_is_not_known(scored: Any) -> None:
    page = scored()
    assert page.locator(".signal").all_text_contents() == [
        "context fill 42 %",
        "re-reads 1 call",
        "compactions 1",
        "error rate first half 25 %",
    ]
    page.get_by_role("button", name="re-reads").click()
    page.get_by_role("button", name="src/tides/zone.py").click()
    settle(page)
    assert "Plan, how the conversions fit together" in lines(page)
    assert selected(page) == "src/tides/zone.py"


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_tiles_do_not_run_over_the_edge(scored: Any, width: int) -> None:
    page = scored(viewport={"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".layer .line").count() > 8


@pytest.mark.parametrize("width", [390, 1100, 1101, 1280, 1440])
def test_the_name_and_the_status_of_a_tile_are_read_whole_at_any_width(scored: Any, pages: Pages, width: int) -> None:
    long = {"label": "State read before editing", "status": "na"}
    longest = {"label": "Files changed beyond the scope", "status": "unknown"}
    pages.payloads["scored"] = lambda: (
        scorecards.scored()
        | {
            "metrics": [
                *scorecards.six()[:4],
                *({**m, **long} for m in scorecards.six()[4:5]),
                *({**m, **longest} for m in scorecards.six()[5:]),
            ]
        }
    )
    page = scored(viewport={"width": width, "height": 844})
    cut = """(parts) => parts
        .filter((part) => part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth)
        .map((part) => part.textContent)"""
    assert page.locator(".tilelabel", has_text=longest["label"]).count() == 1
    assert page.locator(".tilelabel, .verdict").evaluate_all(cut) == []


def test_a_scorecard_that_comes_later_takes_its_place(visit: Any, pages: Pages) -> None:
    pages.scorecards["small"] = {"metrics": scorecards.six(), "health": scorecards.signals()}
    page = visit("#v=1&s=small")
    page.locator(".tile").first.wait_for()
    assert page.locator(".tile").count() == 6
    tile(page, "earlyVictory").click()
    assert page.locator(".evidence li").count() == 4


def test_an_address_that_names_evidence_opens_it_when_the_scorecard_comes(visit: Any, pages: Pages) -> None:
    pages.scorecards["small"] = {"metrics": scorecards.six(), "health": None}
    page = visit("#v=1&s=small&card=earlyVictory")
    page.locator(".evidence").wait_for()
    assert tile(page, "earlyVictory").get_attribute("aria-expanded") == "true"


def test_a_report_has_its_scorecard_and_asks_for_none(visit: Any, pages: Pages) -> None:
    payload = scorecards.scored()
    payload["report"] = {"createdMs": 0, "redaction": {"level": "secrets", "counts": {}}, "texts": {}}
    pages.blocks = report_blocks(payload, [], {})
    page = visit(path="report")
    tile(page, "earlyVictory").click()
    page.get_by_role("button", name="python -m pytest").click()
    settle(page)
    assert selected(page).startswith("python -m pytest")
    assert not any(path.startswith("/api") for path in pages.asked)
