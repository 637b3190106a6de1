"""The detail while what it shows is still being read."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.browser import answers
from tests.browser.look import loaded, press
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser
ROW = "toolu_00009"


@pytest.fixture
def held(pages: Pages) -> threading.Event:
    """The first body is held back until this is set; the others come at once."""
    go_on, asked = threading.Event(), []

    def body(row: str) -> dict[str, Any]:
        asked.append(row)
        if len(asked) == 1:
            go_on.wait(20)
        return answers.body(row) | {"output": "what the call said"}

    pages.body = body
    return go_on


def test_of_two_tabs_the_one_that_was_chosen_last_is_shown_in_whatever_order_the_answers_come(
    visit: Any, held: threading.Event
) -> None:
    page = visit(f"#v=1&s=small&row={ROW}&tab=output")
    with page.expect_event("requestfinished", lambda request: "/rows/" in request.url):
        page.get_by_role("tab", name="Timing").click()
    loaded(page)
    shown = page.locator(".detailbody").text_content()
    with page.expect_event("requestfinished", lambda request: "/rows/" in request.url):
        held.set()
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    assert "Duration" in shown and page.locator(".detailbody").text_content() == shown
    assert page.locator('[role="tab"][aria-selected="true"]').text_content() == "Timing"


def test_what_takes_the_place_of_a_line_that_is_being_read_stays(visit: Any, held: threading.Event) -> None:
    page = visit("#v=1&s=small")
    page.locator(".layer .line.call .label").first.click()
    press(page, "i")
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")  # by then it says that it reads
    assert page.locator(".evidence li").count() == 3
    held.set()
