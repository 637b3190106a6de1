"""Every key of the session's page does what the list of keys says."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.browser.look import copied, line, lines, press, selected, settle, window
from tests.browser.pageserver import WEB

pytestmark = pytest.mark.browser
TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(("down", "up"), [("ArrowDown", "ArrowUp"), ("j", "k")])
def test_lines_go_by_arrows_and_by_letters(visit: Any, down: str, up: str) -> None:
    page = visit("#v=1&s=small")
    press(page, "Home", down, down)
    third = selected(page)
    press(page, down, up)
    assert selected(page) == third == "src/tides/table.py"


def test_paging_goes_by_what_fits_on_the_screen(visit: Any) -> None:
    page = visit("#v=1&s=large")
    press(page, "Home")
    first = selected(page)
    press(page, "PageDown")
    paged = page.locator(".layer .line[aria-selected='true']").get_attribute("aria-rowindex")
    shown = page.evaluate("Math.floor(document.querySelector('.grid .scroller').clientHeight / 24)")
    assert abs(int(paged) - 2 - (shown - 1)) <= 1
    press(page, "PageUp")
    assert selected(page) == first


@pytest.mark.parametrize(
    ("key", "wider"),
    [("w", False), ("s", True), ("+", False), ("=", False), ("-", True), ("Shift+w", False), ("Shift+s", True)],
)
def test_zooming_keeps_the_middle(visit: Any, key: str, wider: bool) -> None:
    page = visit("#v=1&s=small&t=all")
    press(page, "g", "w", "w", "w", "w")
    left, width = window(page)
    press(page, key)
    after_left, after = window(page)
    assert (after > width) is wider
    assert abs(after_left + after / 2 - left - width / 2) < 2


def test_with_shift_zooming_and_panning_go_further(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    press(page, "g", "w", "w", "w", "w")
    _, begin = window(page)
    press(page, "w")
    _, little = window(page)
    press(page, "s", "Shift+w")
    _, much = window(page)
    assert much < little < begin
    places = [window(page)[0]]
    for key in ("d", "Shift+d", "a", "Shift+a"):
        press(page, key)
        places.append(window(page)[0])
    moved = [b - a for a, b in pairwise(places)]
    assert 0 < moved[0] < moved[1] and 0 > moved[2] > moved[3]


def test_shift_0_fits_all_that_matches(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all&q=type:webfetch")
    page.get_by_role("treegrid").focus()
    press(page, "Shift+0")
    assert window(page)[1] < 100
    assert line(page, "example.org").locator(".bar").bounding_box()["width"] > 300


def test_n_and_e_go_back_with_shift(visit: Any) -> None:
    page = visit("#v=1&s=small&q=type:read")
    page.get_by_role("treegrid").focus()
    press(page, "n")
    first = selected(page)
    press(page, "n", "Shift+n")
    assert selected(page) == first
    press(page, "Escape", "Home", "e")
    error = selected(page)
    press(page, "e", "Shift+e")
    assert selected(page) == error != ""


def test_a_star_opens_all_below_and_brackets_close_and_open_all_agents(visit: Any) -> None:
    page = visit("#v=1&s=small")
    closed = len(lines(page))
    line(page, "Explore, find").locator(".label").click()
    press(page, "Escape", "*")
    opened = len(lines(page))
    assert opened > closed + 5  # six calls, and what was said between them
    press(page, "[")
    assert len(lines(page)) == closed
    press(page, "]")
    assert len(lines(page)) == opened


def test_y_copies_a_link_that_leads_back(visit: Any) -> None:
    page = visit("#v=1&s=small", permissions=["clipboard-read", "clipboard-write"])
    press(page, "Home", "ArrowDown", "ArrowDown", "y")
    copied(page, "row=toolu_00000")
    link = page.evaluate("navigator.clipboard.readText()")
    page = visit("#" + link.partition("#")[2])
    settle(page)
    assert selected(page) == "src/tides/table.py"


def test_each_key_of_the_page_is_pressed_in_a_test() -> None:
    """A key that is added needs a test; this one names those that have none."""
    table = (WEB / "keys.js").read_text(encoding="utf-8")
    keys = re.findall(r"^\s+\['([^']+)', \(\)", table, re.M)
    assert len(keys) > 30
    texts = [file.read_text(encoding="utf-8") for file in [*TESTS.glob("browser/*.py"), *TESTS.glob("live/*.py")]]
    pressed = set(re.findall(r'"([^"\s]{1,12})"', " ".join(texts)))
    names = {key: key if len(key) == 1 or key[0] != "+" else f"Shift+{key[1:]}" for key in keys}
    assert [key for key, name in names.items() if name not in pressed] == []
