"""What can be taken out of the page: rows as text, the report, and nothing that a browser would run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.look import press, settle
from tests.browser.pageserver import Pages, report_blocks

pytestmark = pytest.mark.browser
FIELDS = ["id", "start", "durationMs", "tool", "name", "outcome", "outputTokens", "contextPercent"]


def chosen(page: Any, name: str) -> Any:
    """Open the menu and press an entry."""
    page.locator(".export summary").click()
    return page.locator(".export").get_by_role("button", name=name, exact=True)


def saved(page: Any, name: str) -> tuple[str, str]:
    """Press an entry that saves a file: its name and text."""
    with page.expect_download() as waiting:
        chosen(page, name).click()
        if name != "download the report":
            page.locator(".export .said", has_text="saved").wait_for()  # it is said for a moment
    path = Path(waiting.value.path())
    return waiting.value.suggested_filename, path.read_text(encoding="utf-8")


def test_the_calls_that_are_shown_are_saved_as_a_table_or_as_json(visit: Any) -> None:
    page = visit("#v=1&s=small&q=type:read")
    name, text = saved(page, "download as TSV")
    lines = [line.split("\t") for line in text.split("\n")]
    assert name == "waterglass-small-calls.tsv"
    assert lines[0] == FIELDS and [line[3] for line in lines[1:]] == ["Read", "Read", "Read"]
    name, text = saved(page, "download as JSON")
    rows = json.loads(text)
    assert name == "waterglass-small-calls.json"
    assert [list(row) for row in rows] == [FIELDS] * 3


def test_the_calls_that_are_shown_are_copied(visit: Any) -> None:
    page = visit("#v=1&s=small", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".export summary").click()
    page.get_by_text("12 of 18 calls shown, as the transcript has them, nothing hidden").wait_for()
    page.locator(".export").get_by_role("button", name="copy as JSON").click()
    page.get_by_text("copy as JSON copied").wait_for()
    assert len(json.loads(page.evaluate("navigator.clipboard.readText()"))) == 12


def test_a_report_of_the_session_is_saved_at_the_level_that_is_seen(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small")
    page.locator(".export summary").click()
    assert page.get_by_label("hide").input_value() == "secrets"
    assert page.get_by_text("Best effort: look at it before you pass it on.").is_visible()
    page.locator(".export summary").click()
    name, text = saved(page, "download the report")
    assert (name, text) == ("waterglass-small.html", "<!doctype html>")
    page.locator(".export summary").click()
    page.get_by_label("hide").select_option("nothing")
    assert page.get_by_text("Nothing will be hidden in it.").is_visible()
    with page.expect_download():
        page.get_by_role("button", name="download the report").click()
    asked = [path for path in pages.asked if "/report?" in path]
    assert asked == [f"/api/sessions/small/report?redact={level}" for level in ("secrets", "off")]


def test_a_report_that_cannot_be_made_says_why(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small", errors="Failed to load resource")
    pages.refuse = 409
    chosen(page, "download the report").click()
    page.get_by_text("refused: try later").wait_for()
    assert page.locator(".export details").get_attribute("open") is not None


def test_the_menu_goes_by_the_keyboard_and_escape_leaves_the_page_as_it_is(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00000")
    page.locator(".export summary").focus()
    press(page, "Enter", "ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "copy as TSV"
    press(page, "ArrowUp", "ArrowUp")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    press(page, "Escape")
    assert page.locator(".export details").get_attribute("open") is None
    assert page.locator(".detail").is_visible()
    press(page, "Enter", "Tab", "Tab")
    page.get_by_role("treegrid").click(position={"x": 40, "y": 300})
    settle(page)
    assert page.locator(".export details").get_attribute("open") is None


def test_a_report_offers_its_calls_and_no_report(visit: Any, pages: Pages) -> None:
    payload = payloads.small()
    payload["report"] = {"createdMs": payloads.BEGIN, "redaction": {"level": "secrets", "counts": {}}, "texts": {}}
    pages.blocks = report_blocks(payload, [{} for _ in payload["table"]["columns"]["id"]], {})
    page = visit(path="report")
    page.locator(".export summary").click()
    page.get_by_text("12 of 18 calls shown, as this report holds them").wait_for()
    assert page.get_by_role("button", name="download the report").count() == 0
    page.locator(".export summary").click()
    name, text = saved(page, "download as TSV")
    assert name == "waterglass-s-calls.tsv" and len(text.split("\n")) == 13
