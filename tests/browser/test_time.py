"""Time, keys and pointer in a browser: zoom, pan, folded gaps, following, themes, keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.look import line, lines, press, selected, settle, window, written

pytestmark = pytest.mark.browser


def test_an_idle_gap_is_a_narrow_named_break_and_g_unfolds_it(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "0")
    fold = page.locator(".overlay .fold")
    assert fold.locator(".foldwords").text_content() == "2 h 14 m idle"
    assert fold.bounding_box()["width"] < 40
    before = line(page, "npm test").locator(".bar").bounding_box()["width"]
    press(page, "g")
    assert page.locator(".overlay .fold").count() == 0
    assert line(page, "npm test").locator(".bar").bounding_box()["width"] < before
    assert line(page, "npm test").locator(".duration").text_content() == "41.0 s"
    press(page, "g")
    assert page.locator(".overlay .fold").count() == 1


def test_zero_fits_all_and_f_fits_the_selected_line(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "0")
    _, whole = window(page)
    assert whole > 1_400
    line(page, "npm test").locator(".label").click()
    press(page, "f", "f")
    assert window(page)[1] < whole / 4
    bar = line(page, "npm test").locator(".bar").bounding_box()
    assert bar["width"] > page.locator(".ruler").bounding_box()["width"] * 0.8


def test_wheel_with_control_zooms_at_the_cursor(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "0")
    bar = line(page, "npm test").locator(".bar")
    before = bar.bounding_box()
    page.mouse.move(before["x"], before["y"] + 5)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    wider = "([bar, width]) => bar.getBoundingClientRect().width > width"
    page.wait_for_function(wider, arg=[bar.element_handle(), before["width"] * 1.2])
    after = bar.bounding_box()
    assert abs(after["x"] - before["x"]) < 2


def test_wheel_with_shift_pans_and_the_plain_wheel_scrolls(visit: Any) -> None:
    page = visit("#v=1&s=large")
    box = page.locator(".ruler").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Shift")
    page.locator("button[aria-pressed=false]", has_text="Follow").wait_for()
    top = page.locator(".scroller").evaluate("e => e.scrollTop")
    page.mouse.wheel(0, -480)
    page.wait_for_function("(top) => document.querySelector('.scroller').scrollTop < top", arg=top)


def test_letters_zoom_and_pan(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "0")
    _, whole = window(page)
    press(page, "w", "w")
    left, width = window(page)
    assert width < whole * 0.7
    press(page, "d")
    assert window(page)[0] > left
    press(page, "a", "a")
    assert window(page)[0] < left
    press(page, "-", "s", "s")
    assert window(page)[1] > width


def test_dragging_on_the_overview_sets_the_window_and_a_double_click_resets(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "0")
    page.mouse.move(300, page.locator(".minimap").bounding_box()["y"] + 20)
    page.mouse.down()
    page.mouse.move(420, page.locator(".minimap").bounding_box()["y"] + 20)
    page.mouse.up()
    settle(page)
    left, width = window(page)
    assert (round(left), round(width)) == (300, 120)
    page.locator(".minimap").dblclick(position={"x": 900, "y": 20})
    settle(page)
    assert window(page)[1] > 1_400


def test_following_moves_the_window_with_the_lines_in_view(visit: Any) -> None:
    page = visit("#v=1&s=large")
    before = window(page)[0]
    scroll(page, 0)
    assert window(page)[0] < before
    assert page.locator(".layer .line.call .bar:not(.gone)").count() > 10
    press(page, "l")
    still = window(page)[0]
    scroll(page, 400_000)
    assert window(page)[0] == still


def scroll(page: Any, top: int) -> None:
    """Scroll to so many pixels, and wait until the line that is there is drawn."""
    page.locator(".scroller").evaluate("(e, top) => { e.scrollTop = top; }", top)
    page.locator(f'.layer .line[aria-rowindex="{top // 24 + 2}"]').wait_for()
    settle(page)


def test_a_bar_outside_the_window_has_a_mark_that_goes_there(visit: Any) -> None:
    page = visit("#v=1&s=small")
    mark = line(page, "src/tides/table.py").locator(".off")
    assert mark.text_content() == "◂"
    mark.click()
    settle(page)
    assert line(page, "src/tides/table.py").locator(".bar:not(.gone)").count() == 1


def test_arrows_home_end_and_enter_walk_the_tree(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "Home")
    assert selected(page).startswith("Find out why")
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(page).startswith("Explore")
    press(page, "ArrowRight", "ArrowRight")
    assert selected(page) == "**/*.py"
    press(page, "ArrowLeft")
    assert selected(page).startswith("Explore")
    press(page, "ArrowLeft")
    assert "**/*.py" not in lines(page)
    press(page, "Enter")
    page.locator(".detailbody", has_text="line one").wait_for()
    press(page, "Escape")
    assert page.locator(".detail").is_hidden()
    press(page, "End")
    assert selected(page).startswith("No: everything")


def test_e_goes_from_error_to_error_and_c_to_the_compaction(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "e")
    assert selected(page).startswith("python -m pytest")
    press(page, "e")
    assert selected(page) == "npm test -- tides"
    press(page, "c")
    assert selected(page) == "compaction 184k → 14k"


def test_slash_goes_to_the_filter_where_letters_are_letters(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "/")
    page.keyboard.type("tgw")
    assert page.get_by_label("Filter calls").input_value() == "tgw"
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_the_selected_line_is_named_to_assistive_tools(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "Home", "ArrowDown")
    grid = page.get_by_role("treegrid")
    line_id = grid.get_attribute("aria-activedescendant")
    assert page.locator(f"#{line_id}").get_attribute("aria-selected") == "true"
    assert page.locator(f"#{line_id}").get_attribute("aria-level") == "2"
    assert int(grid.get_attribute("aria-rowcount")) == 1 + len(lines(page))
    label = line(page, "npm test").locator('[role="gridcell"].wf').get_attribute("aria-label")
    assert label.endswith("lasts 41.0 s")


def test_the_theme_follows_the_system_and_t_changes_it(visit: Any) -> None:
    page = visit("#v=1&s=small", color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 30, 36)"
    press(page, "t")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_the_list_of_keys_opens_and_gives_the_focus_back(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "?")
    assert page.get_by_role("dialog").get_by_text("fold or unfold idle time").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('role')") == "treegrid"


def test_the_detail_panel_can_be_resized(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00000")
    before = page.locator(".detail").bounding_box()
    page.mouse.move(600, before["y"])
    page.mouse.down()
    page.mouse.move(600, before["y"] - 120)
    page.mouse.up()
    assert abs(page.locator(".detail").bounding_box()["height"] - before["height"] - 120) < 6


def steps(page: Any) -> int:
    """How many steps the browser can go back."""
    written(page)
    return int(page.evaluate("history.length"))


def test_back_goes_through_the_ranges_that_were_chosen(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "Home", "ArrowDown", "ArrowDown")
    begin, before = window(page), steps(page)
    press(page, "0")
    everything = window(page)
    press(page, "f", "f")
    fitted = window(page)
    assert len({begin, everything, fitted}) == 3
    assert steps(page) == before + 2
    page.go_back()
    settle(page)
    assert window(page) == everything and "t=all" in page.url
    page.go_back()
    settle(page)
    assert page.get_by_role("button", name="Follow").get_attribute("aria-pressed") == "true"
    page.go_forward()
    page.go_forward()
    settle(page)
    assert [round(part) for part in window(page)] == [round(part) for part in fitted]


def test_a_range_dragged_on_the_overview_is_a_step_and_zooming_is_none(visit: Any) -> None:
    page = visit("#v=1&s=small")
    before = steps(page)
    for key in ("w", "w", "d", "s"):
        press(page, key)
    assert steps(page) == before
    box = page.locator(".minimap").bounding_box()
    zoomed = window(page)
    page.mouse.move(box["x"] + 1_300, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 1_340, box["y"] + 20, steps=4)
    page.mouse.move(box["x"] + 1_380, box["y"] + 20, steps=4)
    page.mouse.up()
    assert steps(page) == before + 1
    page.go_back()
    settle(page)
    assert [round(part) for part in window(page)] == [round(part) for part in zoomed]


def test_all_of_the_session_stands_in_the_address(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    left, width = window(page)
    assert left <= 1 and width >= page.locator(".minimap").bounding_box()["width"] - 2


def test_what_matches_is_fitted_by_a_press_as_by_a_key(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all&q=type:webfetch")
    page.get_by_role("button", name="fit", exact=True).click()
    settle(page)
    pressed = window(page)
    assert pressed[1] < 100
    press(page, "Escape")
    page.get_by_label("Filter calls").fill("")
    settle(page)
    assert not page.get_by_role("button", name="fit", exact=True).is_visible()


def test_open_agents_stand_in_the_address(visit: Any) -> None:
    page = visit("#v=1&s=small")
    line(page, "Explore, find").locator(".twist").click()
    page.wait_for_url("**open=toolu_00002**")
    address = page.url
    page = visit("#" + address.partition("#")[2])
    assert line(page, "Explore, find").get_attribute("aria-expanded") == "true"
    line(page, "Explore, find").locator(".twist").click()
    page.wait_for_url(lambda url: "open=" not in url)


def drag(page: Any, selector: str, start: float, end: float, y: float = 20) -> None:
    """Drag within an element, from one x of it to another."""
    box = page.locator(selector).bounding_box()
    page.mouse.move(box["x"] + start, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + end, box["y"] + y, steps=5)
    page.mouse.up()
    settle(page)


def test_the_window_on_the_overview_is_moved_and_its_edges_are(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    drag(page, ".minimap", 300, 500)
    assert [round(part) for part in window(page)] == [300, 200]
    drag(page, ".minimap", 400, 450)
    assert [round(part) for part in window(page)] == [350, 200]
    drag(page, ".minimap", 350, 330)
    assert [round(part) for part in window(page)] == [330, 220]
    drag(page, ".minimap", 550, 600)
    assert [round(part) for part in window(page)] == [330, 270]


def test_the_ruler_is_dragged_to_pan_and_a_double_click_zooms_there(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    drag(page, ".minimap", 700, 900)
    left, width = window(page)
    drag(page, ".ruler", 300, 200, y=10)
    panned, same = window(page)
    assert panned > left and abs(same - width) < 2
    page.locator(".ruler").dblclick(position={"x": 100, "y": 10})
    settle(page)
    assert window(page)[1] < width * 0.6


def test_a_wheel_that_goes_sideways_pans(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    drag(page, ".minimap", 700, 900)
    left, width = window(page)
    box = page.locator(".ruler").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(120, 0)
    at = "document.querySelector('.minimap .window').getBoundingClientRect().x"
    page.wait_for_function(f"(left) => {at} > left", arg=left)
    assert abs(window(page)[1] - width) < 2


def test_a_mark_of_a_bar_outside_the_window_leads_there(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    drag(page, ".minimap", 700, 900)
    call = line(page, "src/tides/table.py")
    assert not call.locator(".bar").is_visible()
    call.locator(".off").click()
    settle(page)
    assert call.locator(".bar").is_visible()


def test_control_and_wheel_over_the_names_is_left_to_the_browser(visit: Any) -> None:
    page = visit("#v=1&s=small&t=all")
    page.evaluate("document.addEventListener('wheel', (e) => { window.kept = e.defaultPrevented; })")
    for x, kept in ((100, False), (1_000, True)):
        page.mouse.move(x, 400)
        page.keyboard.down("Control")
        page.mouse.wheel(0, -40)
        page.keyboard.up("Control")
        page.wait_for_function("window.kept !== undefined")
        assert page.evaluate("window.kept") is kept
        page.evaluate("window.kept = undefined")
