"""Ways that are taken while a session is still being read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.look import press
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser
LATER = "() => new Promise((done) => setTimeout(done, 150))"  # by then it says that it reads


@pytest.fixture
def go_on(pages: Pages) -> Iterator[threading.Event]:
    """The session `held` is read once this is set."""
    event = threading.Event()

    def held() -> dict[str, Any]:
        event.wait(20)
        return payloads.small()

    pages.payloads["held"] = held
    yield event
    event.set()


def go(page: Any, fragment: str) -> None:
    """Go to another address, and wait until that session has been asked for."""
    with page.expect_request("**/api/sessions/held"):
        page.evaluate("(hash) => { window.location.hash = hash; }", fragment)


def test_a_session_that_was_asked_for_twice_is_one_page_that_does_once_what_a_key_says(
    visit: Any, go_on: threading.Event
) -> None:
    page = visit(color_scheme="light")
    go(page, "v=1&s=held")
    go(page, "v=1&s=held&row=toolu_00000")
    go_on.set()
    page.locator(".layer .line.selected").wait_for()
    page.evaluate(LATER)
    press(page, "t")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_whoever_turns_back_at_once_keeps_the_list(visit: Any, go_on: threading.Event) -> None:
    page = visit()
    go(page, "v=1&s=held")
    page.go_back()
    page.locator(".shelf").wait_for()
    page.evaluate(LATER)
    go_on.set()
    page.evaluate(LATER)
    assert page.locator(".shelf").is_visible()
    assert page.locator(".grid").count() == 0
