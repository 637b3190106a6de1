"""Columns in a browser: sorted by their heads, made wider and narrower, by pointer and by keys."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.look import line, lines, nodes, press, selected, settle

pytestmark = pytest.mark.browser


def head(page: Any, name: str) -> Any:
    """The head of a column."""
    return page.locator(f".heads .c.{name}")


def width(page: Any, name: str) -> float:
    """How wide a column is, in pixels."""
    return float(head(page, name).bounding_box()["width"])


def test_a_head_sorts_up_then_down_then_gives_the_tree_back(visit: Any) -> None:
    page = visit("#v=1&s=small")
    tree = lines(page)
    button = page.get_by_role("button", name="Duration")
    button.click()
    settle(page)
    assert head(page, "duration").get_attribute("aria-sort") == "ascending"
    assert lines(page)[-1].startswith("tail -f")
    assert page.locator(".layer .line .duration").first.text_content() == "20 ms"
    button.click()
    settle(page)
    assert head(page, "duration").get_attribute("aria-sort") == "descending"
    assert lines(page)[:2] == ["make ferry-test", "Explore, find every place that converts a time"]
    assert len(lines(page)) == 18
    button.click()
    settle(page)
    assert head(page, "duration").get_attribute("aria-sort") == "none"
    assert lines(page) == tree


def test_sorting_works_by_keys_and_escape_gives_the_tree_back(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_role("button", name="Name").focus()
    press(page, "ArrowRight", "ArrowRight", "Enter", "Enter")
    assert head(page, "outcome").get_attribute("aria-sort") == "descending"
    assert page.locator(".layer .line .outcome").first.text_content() == "✕error"
    page.get_by_role("treegrid").focus()
    press(page, "Home", "ArrowDown")
    assert selected(page) == "npm test -- tides"
    press(page, "Escape", "Escape")
    assert head(page, "outcome").get_attribute("aria-sort") == "none"
    assert page.evaluate("document.querySelectorAll('.heads [tabindex=\"0\"]').length") == 1


def test_the_address_keeps_the_order(visit: Any) -> None:
    page = visit("#v=1&s=small&sort=-duration")
    assert lines(page)[0] == "make ferry-test"
    assert "calls by duration, descending" in page.locator(".status").text_content()
    page.get_by_role("button", name="Duration").click()
    page.wait_for_url(lambda url: "sort=" not in url)


def test_sorted_lines_are_one_level_and_walk_in_their_order(visit: Any) -> None:
    page = visit("#v=1&s=small&sort=-duration")
    assert {e.get_attribute("aria-level") for e in page.locator(".layer .line").all()} == {"1"}
    assert page.locator(".layer .line[aria-expanded]").count() == 0
    press(page, "Home", "e")
    assert selected(page) == "npm test -- tides"
    press(page, "e")
    assert selected(page).startswith("python -m pytest")
    press(page, "ArrowLeft", "ArrowRight")
    assert selected(page).startswith("python -m pytest")


def test_fifty_thousand_rows_sort_fast_and_stay_few_elements(visit: Any) -> None:
    page = visit("#v=1&s=large")
    took = page.evaluate(
        """() => { const t = performance.now(); document.querySelector('[data-column=duration]').click();
        return performance.now() - t; }"""
    )
    assert took < 1_000
    press(page, "End")
    assert nodes(page) < 2_500
    press(page, "Home")
    assert selected(page) != ""


def test_an_edge_is_dragged_and_the_width_stays_in_this_browser(visit: Any) -> None:
    page = visit("#v=1&s=small")
    before, wide = width(page, "name"), page.locator(".ruler").bounding_box()["width"]
    edge = head(page, "name").locator(".edge").bounding_box()
    page.mouse.move(edge["x"] + 4, edge["y"] + 10)
    page.mouse.down()
    page.mouse.move(edge["x"] + 84, edge["y"] + 10)
    page.mouse.up()
    assert width(page, "name") == before + 80
    assert line(page, "npm test").locator(".name").bounding_box()["width"] == before + 80
    assert page.locator(".ruler").bounding_box()["width"] == wide - 80
    assert head(page, "name").get_attribute("aria-sort") == "none"
    page.reload()
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    assert width(page, "name") == before + 80


def test_a_double_click_on_an_edge_fits_the_column(visit: Any) -> None:
    page = visit("#v=1&s=small")
    head(page, "name").locator(".edge").dblclick()
    settle(page)
    label = line(page, "Explore, find every place").locator(".label").bounding_box()
    cell = line(page, "Explore, find every place").locator(".name").bounding_box()
    assert label["x"] + label["width"] <= cell["x"] + cell["width"]
    head(page, "duration").locator(".edge").dblclick()
    assert 50 < width(page, "duration") < 82


def test_keys_change_and_fit_a_width_and_the_waterfall_keeps_its_room(visit: Any) -> None:
    page = visit("#v=1&s=small")
    before = width(page, "type")
    page.get_by_role("button", name="Type").focus()
    press(page, "Shift+ArrowRight", "Shift+ArrowRight")
    assert width(page, "type") == before + 16
    press(page, "Shift+Enter")
    assert width(page, "type") != before + 16
    page.get_by_role("button", name="Name").focus()
    for _ in range(120):
        page.keyboard.press("Shift+ArrowRight")
    settle(page)
    assert page.locator(".ruler").bounding_box()["width"] > 100


def test_a_browser_that_forbids_storage_still_sorts_and_sizes(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.evaluate("""Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })""")
    before = width(page, "type")
    page.get_by_role("button", name="Type").focus()
    press(page, "Shift+ArrowLeft")
    assert width(page, "type") == before - 8


def test_without_calls_the_one_head_is_the_conversation_and_sorts_nothing(visit: Any) -> None:
    page = visit("#v=1&s=small&sort=duration")
    page.get_by_role("button", name="Calls", exact=True).click()
    settle(page)
    assert page.get_by_role("button", name="Conversation").is_disabled()
    assert lines(page)[0].startswith("Find out why")
