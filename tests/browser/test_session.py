"""The session view in a browser: lines, nesting, filter, detail, states."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.browser import answers, payloads
from tests.browser.look import line, lines, loaded, nodes, press, selected, settle
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser


def test_a_session_opens_on_its_last_exchange_that_has_calls(visit: Any) -> None:
    page = visit("#v=1&s=large")
    assert page.locator(".layer .line.head").count() >= 1
    last = answers.large(50_000)["exchanges"][-1]
    head = page.locator(".layer .line.head").first
    assert head.locator(".type").text_content() == f"{last['calls']} calls"
    assert head.locator(".bar:not(.gone)").count() == 1
    settle(page)
    assert page.locator(".layer .line.call .bar:not(.gone)").count() > 15


def test_a_head_line_has_prompt_time_calls_errors_and_duration_and_closes(visit: Any) -> None:
    page = visit("#v=1&s=small")
    head = line(page, "Find out why")
    assert head.locator(".type").text_content() == "12 calls"
    assert head.locator(".outcome").text_content() == "✕2 errors"
    assert head.locator(".duration").text_content() == "4m 00s"
    assert len(head.locator(".time").text_content()) == 5
    head.locator(".twist").click()
    settle(page)
    assert lines(page)[1].startswith("Then run the ferry test")
    assert head.get_attribute("aria-expanded") == "false"


def test_nested_agents_open_three_deep(visit: Any) -> None:
    page = visit("#v=1&s=small")
    assert "python -m pytest tests/test_zone.py -q" not in lines(page)
    for name in ("find every place", "how the conversions", "one conversion"):
        line(page, name).locator(".twist").click()
        settle(page)
    inner = line(page, "python -m pytest")
    assert inner.get_attribute("aria-level") == "5"
    assert "The zone is read twice." in lines(page)


def test_a_closed_agent_tells_how_many_calls_and_errors_it_holds(visit: Any) -> None:
    page = visit("#v=1&s=small")
    agent = line(page, "find every place")
    assert agent.locator(".sign").text_content() == "6"
    assert agent.locator(".inside").text_content() == "✕ 1"
    agent.locator(".twist").click()
    settle(page)
    assert agent.locator(".inside").text_content() == ""


def test_a_reply_and_a_prompt_show_their_whole_text_on_click(visit: Any) -> None:
    page = visit("#v=1&s=small")
    line(page, "No: everything is green").locator(".label").click()
    page.locator(".detailbody", has_text="THE END").wait_for()
    line(page, "Find out why").locator(".label").click()
    page.locator(".detailbody", has_text="and mend it").wait_for()


def test_without_calls_the_page_reads_as_the_conversation(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_role("button", name="Calls", exact=True).click()
    settle(page)
    assert page.locator(".line.call").count() == 0
    assert [text[:12] for text in lines(page)][:4] == ["Find out why", "I'll look at", "The table wa", "Then run the"]
    long = line(page, "No: everything is green").bounding_box()
    assert long["height"] > 100
    page.get_by_role("button", name="Calls", exact=True).click()
    page.get_by_role("button", name="Replies").click()
    settle(page)
    assert page.locator(".line.reply").count() == 0
    assert page.locator(".line.call").count() > 0


def test_the_detail_shows_the_whole_input_and_output_of_a_row(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00009")
    body = page.locator(".detailbody")
    body.get_by_text("line two safe⟨U+202E⟩gnp.exe").wait_for()
    page.get_by_role("tab", name="Input").click()
    body.get_by_text("+").first.wait_for()
    assert body.locator(".diff .plus .code").all_text_contents() == ["B", "d"]
    assert body.locator(".diff .minus .code").all_text_contents() == ["b"]
    for tab, text in (("Timing", "Duration"), ("Context", "Written by the reply"), ("Raw", "is_error")):
        page.get_by_role("tab", name=tab).click()
        body.get_by_text(text).first.wait_for()


def test_the_selected_row_stays_in_view_when_the_detail_opens_over_its_place(visit: Any) -> None:
    page = visit("#v=1&s=large")
    scroller = page.locator(".scroller").first
    box = scroller.bounding_box()
    page.mouse.click(box["x"] + 120, box["y"] + box["height"] - 40)
    page.keyboard.press("Enter")
    page.locator(".detailbody").wait_for()
    settle(page)
    chosen, room = page.locator(".line[aria-selected=true]").bounding_box(), scroller.bounding_box()
    assert room["height"] < box["height"]
    assert chosen["y"] + chosen["height"] <= room["y"] + room["height"] + 1


def test_an_id_with_slashes_and_signs_is_asked_for_encoded(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small")
    line(page, "tail -f ferry.log").locator(".label").click()
    page.locator(".detailbody .text").first.wait_for()
    assert any(path.endswith("/rows/odd%2Fid%3F%231") for path in pages.asked)


def test_hostile_texts_are_shown_as_text_everywhere(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_role("button", name="show", exact=True).click()
    press(page, "]", "Home")
    line(page, "<img src=x").locator(".label").click()
    for tab in ("Input", "Raw", "Output"):
        page.get_by_role("tab", name=tab).click()
        loaded(page)
        assert "onerror" in page.locator(".detailbody").text_content()
    assert page.locator("img, iframe, #app script, #app a").count() == 0


def test_long_outputs_are_folded_and_shown_whole_on_demand(visit: Any, pages: Pages) -> None:
    pages.body = lambda row: answers.body(row) | {"input": {"file_path": "x"}, "output": "x" * 400_000 + "THE END"}
    page = visit("#v=1&s=small&row=toolu_00000&tab=output")
    page.get_by_text("262,144 of 400,007 characters").wait_for()
    assert "THE END" not in page.locator(".detailbody").text_content()
    page.get_by_role("button", name="show all").click()
    assert page.locator(".detailbody").text_content().endswith("THE END")


def test_an_error_of_the_detail_is_said_and_can_be_tried_again(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small", errors="Failed to load resource")
    pages.refuse = 500
    line(page, "src/tides/table.py").locator(".label").click()
    page.locator(".detailbody .fault", has_text="refused").wait_for()
    pages.refuse = 0
    page.get_by_role("button", name="Try again").click()
    page.locator(".detailbody", has_text="line one").wait_for()


def test_the_filter_keeps_matches_and_what_they_lie_in_and_counts(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("pytest")
    page.locator(".filterbox .count", has_text="1 of 18 calls").wait_for()
    settle(page)
    assert [name[:9] for name in lines(page)] == ["Find out ", "Explore, ", "Plan, how", "Check, on", "python -m"]
    assert page.locator(".line.dim").count() == 4
    page.keyboard.press("Escape")
    page.locator(".filterbox .count", has_text="18 calls").wait_for()
    assert "python -m pytest tests/test_zone.py -q" not in lines(page)


def test_a_term_that_cannot_be_read_is_named(visit: Any) -> None:
    page = visit("#v=1&s=small&q=type:bash+tokens:>abc")
    assert page.locator(".faults").text_content() == "tokens:>abc: number expected"
    assert page.get_by_label("Filter calls").get_attribute("aria-invalid") == "true"
    assert page.locator(".filterbox .count").text_content() == "5 of 18 calls"


def test_no_match_says_so_and_offers_to_clear(visit: Any) -> None:
    page = visit("#v=1&s=small&q=zebra")
    assert "0 of 18 calls match." in page.locator(".nolines").text_content()
    page.get_by_role("button", name="clear filter (Esc)").click()
    settle(page)
    assert len(lines(page)) > 10


def test_outcomes_have_glyphs_and_looks_of_their_own(visit: Any) -> None:
    page = visit("#v=1&s=small")
    said = {
        row.get_attribute("class").split("o-")[-1].split()[0]: row.locator(".outcome").text_content()
        for row in page.locator(".line.call[class*='o-']").all()
    }
    assert said == {
        "error": "✕error",
        "rejected": "⊘rejected",
        "blocked": "⊘blocked",
        "interrupted": "■interrupted",
        "no_result": "○no result",
    }
    assert line(page, "tail -f").locator(".duration").text_content() == "–"
    assert line(page, "make ferry-test").locator(".ack:not(.gone)").count() == 1


def test_running_calls_and_agents_run_to_now(visit: Any) -> None:
    begun = time.monotonic()
    page = visit("#v=1&s=live")
    press(page, "]", "0")
    watch = line(page, "make watch")
    assert watch.locator(".outcome").text_content() == "▶running"
    minutes, seconds = re.findall(r"\d+", watch.locator(".duration").text_content())
    assert 90 <= int(minutes) * 60 + int(seconds) <= 91 + time.monotonic() - begun
    assert watch.locator(".bar").bounding_box()["width"] > 100
    assert page.locator(".state.s-live").count() == 1


def test_a_session_without_calls_says_so(visit: Any) -> None:
    page = visit("#v=1&s=empty")
    assert page.get_by_text("No tool calls yet").is_visible()
    assert page.get_by_role("heading", level=1).text_content() == "Session without a title"


def test_what_is_null_is_left_out_and_problems_can_be_read(visit: Any) -> None:
    page = visit("#v=1&s=small")
    said = page.locator("#app").text_content()
    assert "null" not in said
    assert "NaN" not in said
    assert "84k of 200k, assumed (42 %)" in said
    page.get_by_role("button", name="show", exact=True).click()
    assert "bad_line" in page.locator(".problems").text_content()


def test_the_time_ledger_adds_up_to_its_bar(visit: Any) -> None:
    page = visit("#v=1&s=small")
    # Measured at one moment: between two questions the page may be laid out anew.
    whole, *parts = page.evaluate(
        "['.ledgerbar', '.ledgerbar .part'].flatMap((name) => [...document.querySelectorAll(name)])"
        ".map((element) => element.getBoundingClientRect().width)"
    )
    assert len(parts) == 4
    assert abs(sum(parts) - whole) < 1


def test_a_link_restores_row_tab_filter_range_and_theme(visit: Any) -> None:
    start = payloads.BEGIN
    page = visit(f"#v=1&s=small&row=toolu_00004&tab=input&q=type:agent&t={start}-{start + 60_000}&theme=dark")
    assert "how the conversions fit together" in selected(page)
    assert page.locator('[role="tab"][aria-selected="true"]').text_content() == "Input"
    assert page.get_by_label("Filter calls").input_value() == "type:agent"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.wait_for_timeout(400)
    assert f"t={start}-{start + 60_000}" in page.url


def test_a_link_keeps_that_all_agents_are_open(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "]")
    page.wait_for_url("**open=all**")
    page.reload()
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    assert "python -m pytest tests/test_zone.py -q" in lines(page)


def test_a_link_to_a_row_that_is_gone_says_so(visit: Any) -> None:
    page = visit("#v=1&s=small&row=gone")
    assert page.locator(".message").text_content() == "The line of this address is not in this session"


def test_fifty_thousand_rows_are_few_elements_and_scroll(visit: Any) -> None:
    page = visit("#v=1&s=large")
    press(page, "]", "Home")
    first = lines(page)[0]
    press(page, "End")
    assert lines(page)[0] != first
    press(page, "PageUp", "PageUp", "ArrowUp")
    assert selected(page) != ""
    assert nodes(page) < 2_500
    page.get_by_label("Filter calls").fill("type:bash error >5s")
    page.locator(".filterbox .count", has_text="of 50,000 calls").wait_for()
    assert nodes(page) < 2_500


def test_of_very_many_lines_paper_gets_two_thousand_and_says_how_many_are_left(visit: Any) -> None:
    page = visit("#v=1&s=large")
    press(page, "]")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".layer .line").count() == 2_000
    assert "more lines are not printed" in page.locator(".papernote").text_content()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    settle(page)
    assert page.locator(".layer .line").count() < 100


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_nothing_runs_over_the_edge(visit: Any, width: int) -> None:
    page = visit("#v=1&s=small&row=toolu_00010", viewport={"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".ruler").bounding_box()["width"] > 90
    assert line(page, "npm test").locator(".bar").is_visible()


def test_terminal_colours_are_drawn_and_other_escapes_are_shown(visit: Any, pages: Pages) -> None:
    pages.body = lambda row: answers.body(row) | {"output": "\x1b[32mgreen\x1b[0m and \x1b[2J"}
    page = visit("#v=1&s=small&row=toolu_00000&tab=output")
    block = page.locator(".detailbody .text")
    assert block.locator(".a-green").text_content() == "green"
    assert block.text_content() == "green and ⟨ESC⟩[2J"


def test_images_are_shown_only_if_their_bytes_are_an_image(visit: Any, pages: Pages) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    svg = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="
    images = [{"mediaType": "image/png", "data": pixel}, {"mediaType": "image/png", "data": svg}]
    pages.body = lambda row: answers.body(row) | {"output": "", "images": images}
    page = visit("#v=1&s=small&row=toolu_00000&tab=output")
    page.get_by_text("An image that cannot be shown here").wait_for()
    assert page.locator("img.picture").count() == 1
    assert page.locator("img.picture").evaluate("e => e.decode().then(() => e.naturalWidth)") == 1


def test_a_page_of_many_breaks_and_zooms_stays_true(visit: Any) -> None:
    page = visit("#v=1&s=large")
    press(page, "0")
    assert 10 < page.locator(".overlay .fold").count() < 100
    assert len([t for t in page.locator(".tick").all_text_contents() if t]) >= 3
