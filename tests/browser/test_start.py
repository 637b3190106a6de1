"""The start page in a browser."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.browser import answers, payloads
from tests.browser.look import line, lines, nodes, press, settle
from tests.browser.pageserver import Pages
from waterglass.page.served import FIRST_LIST

pytestmark = pytest.mark.browser


def test_sessions_stand_by_project_with_title_time_counts_and_size(visit: Any) -> None:
    page = visit()
    assert page.locator(".line.project .label").first.text_content() == "/home/mira/code/tidepool"
    first = page.locator(".line.session").first
    assert first.locator(".label").text_content() == "Mend the queue of the queue"
    assert first.locator(".calls").text_content() == "0"
    assert first.locator(".size").text_content() == "4.0 kB"
    assert page.locator(".count").text_content() == "60 sessions"


def test_typing_searches_titles_and_projects(visit: Any) -> None:
    page = visit()
    page.get_by_label("Search sessions").fill("fixture pressmark")
    settle(page)
    found = lines(page)
    assert found[0] == "/home/mira/Sites/pressmark"
    assert len(found) > 1 and all("fixture" in title for title in found[1:])
    page.get_by_label("Search sessions").fill("zebra")
    assert page.get_by_text("No session matches.").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".count").text_content() == "60 sessions"


def test_what_is_about_to_be_deleted_is_said_above_the_list(visit: Any, pages: Pages) -> None:
    assert visit().locator(".going").count() == 0
    listing = answers.sessions(5)
    listing["sessions"][0]["deleted"] = True
    told = {"going": {"sessions": 3, "days": 7, "nextMs": 1_772_600_000_000}, "deleted": 1}
    pages.listing = lambda: {**listing, **told}
    page = visit()
    text = page.locator(".going").text_content()
    assert "deletes 3 sessions within about 7 days, the first about" in text and "archive --to DIR" in text
    assert "1 session is already deleted" in text and "--deleted" in text
    assert page.get_by_text("transcript deleted").count() == 1


def test_a_hostile_title_is_text(visit: Any) -> None:
    page = visit()
    page.get_by_label("Search sessions").fill("onerror")
    settle(page)
    assert page.get_by_text('<img src=x onerror="window.XSS=1">').first.is_visible()
    assert page.locator(".shelf img, .shelf script, .shelf b").count() == 0


def test_what_is_not_counted_yet_says_reading_and_fills_in(visit: Any, pages: Pages) -> None:
    pages.listing = lambda: answers.sessions(5, counted=False)
    page = visit()
    page.locator(".line.session .calls", has_text="reading").first.wait_for()
    assert page.locator(".line.session .errors").first.text_content() == ""
    pages.listing = lambda: answers.sessions(5)
    page.locator(".line.session .calls", has_text="13").first.wait_for()
    assert any("after=1" in path for path in pages.asked)


def test_a_chain_is_one_entry_that_opens(visit: Any) -> None:
    page = visit()
    chain = page.locator(".line.session", has=page.locator(".chain:not(:empty)")).first
    before = page.locator(".line.session.inner").count()
    chain.locator(".chain").click()
    assert (before, page.locator(".line.session.inner").count() > 0) == (0, True)


def test_a_project_closes_and_opens(visit: Any) -> None:
    page = visit()
    page.locator(".line.project").first.click()
    settle(page)
    assert page.locator(".line.project").first.get_attribute("aria-expanded") == "false"
    assert lines(page)[1] == "/home/mira/Sites/pressmark"


def test_a_session_opens_by_click_and_the_back_button_returns(visit: Any, pages: Pages) -> None:
    pages.payloads["session-00000"] = payloads.small
    page = visit()
    page.locator(".line.session").first.click()
    page.locator(".grid").wait_for()
    assert "s=session-00000" in page.url
    page.go_back()
    page.locator(".shelf").wait_for()


def test_a_session_opens_by_keyboard_and_escape_returns(visit: Any, pages: Pages) -> None:
    pages.payloads["session-00000"] = payloads.small
    page = visit()
    press(page, "Enter")
    page.locator(".grid").wait_for()
    press(page, "Escape")
    page.locator(".shelf").wait_for()


def test_the_newest_of_many_sessions_are_shown_before_the_rest_is_asked_for(visit: Any, pages: Pages) -> None:
    whole, held, begun = answers.sessions(6_000), threading.Event(), threading.Event()

    def listing() -> dict[str, Any]:
        if not begun.is_set():
            begun.set()
            return {**whole, "sessions": whole["sessions"][:200], "revision": None, "complete": False, "partial": True}
        held.wait(10)
        return whole

    pages.listing = listing
    page = visit()
    assert page.locator(".count").text_content() == "the newest 200 sessions, still reading…"
    assert page.locator(".line.session").count() > 5
    held.set()
    page.locator(".count", has_text="6,000 sessions").wait_for()
    lists = [path for path in pages.asked if path.startswith("/api/sessions")]
    assert lists[:2] == [FIRST_LIST, "/api/sessions"]


def test_six_thousand_sessions_stay_few_elements(visit: Any, pages: Pages) -> None:
    pages.listing = lambda: answers.sessions(6_000)
    page = visit()
    assert page.locator(".count").text_content() == "6,000 sessions"
    press(page, "End")
    assert nodes(page) < 2_500
    assert lines(page)[-1] != ""


def test_the_sample_says_that_it_is_one_and_where_was_looked(visit: Any, pages: Pages) -> None:
    pages.listing = lambda: answers.sessions(3) | {"sample": True}
    page = visit()
    note = page.locator(".banner.sample").text_content()
    assert "This is the sample" in note
    assert "/home/mira/.claude/projects" in note
    assert "waterglass serve --root DIR" in note


def test_the_sample_says_when_sessions_of_ones_own_have_begun(visit: Any, pages: Pages) -> None:
    told = answers.sessions(3) | {"sample": True, "begun": False}
    pages.listing = lambda: told
    page = visit()
    assert "No session of yours" in page.locator(".banner.sample").text_content()
    told |= {"begun": True, "sessions": []}
    page.locator(".banner.sample", has_text="start it again").wait_for()
    assert "No session of yours" not in page.locator(".banner.sample").text_content()


def test_nothing_found_says_where_was_looked_and_what_to_try(visit: Any, pages: Pages) -> None:
    pages.listing = lambda: answers.sessions(0)
    page = visit()
    said = page.locator(".notes").text_content()
    assert "No sessions found" in said
    assert "/home/mira/.config/claude (not there)" in said
    assert "waterglass serve --root DIR" in said


def test_unreadable_files_are_listed_with_the_reason(visit: Any, pages: Pages) -> None:
    pages.listing = lambda: (
        answers.sessions(3) | {"unreadable": [{"path": "/x/a.jsonl", "reason": "permission denied"}]}
    )
    page = visit()
    page.get_by_text("1 file could not be read").click()
    assert page.get_by_text("permission denied").is_visible()


def test_without_the_cookie_the_page_says_where_the_address_is_printed(visit: Any, pages: Pages) -> None:
    pages.refuse = 401
    page = visit(errors="401")
    assert "prints the address to open" in page.locator(".stateview").text_content()


def test_a_lost_server_is_said_and_the_list_stays(visit: Any, pages: Pages) -> None:
    answer = answers.sessions(5) | {"complete": False}
    pages.listing = lambda: answer
    page = visit(errors="Failed to load resource")
    pages.refuse = 500
    page.locator(".banner.lost").wait_for()
    assert len(lines(page)) > 5
    pages.refuse = 0
    page.locator(".banner.lost").wait_for(state="detached")


def test_a_session_that_is_not_there_says_so_and_leads_home(visit: Any) -> None:
    page = visit("#v=1&s=gone", errors="404")
    assert page.get_by_role("heading").text_content() == "There is no such session"
    page.get_by_role("button", name="All sessions").click()
    page.locator(".shelf").wait_for()


def test_the_narrow_list_keeps_titles_times_and_calls(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert line(page, "Mend the queue").locator(".calls").is_visible()


def numbers(page: Any, column: str) -> list[int]:
    return [int(text) for text in page.locator(f".line.session .{column}").all_text_contents()]


def test_a_head_sorts_all_sessions_and_a_third_press_brings_the_projects_back(visit: Any) -> None:
    page = visit()
    head = page.get_by_role("columnheader", name="Errors")
    head.get_by_role("button").click()
    settle(page)
    shown = numbers(page, "errors")
    assert len(shown) > 20 and shown == sorted(shown, reverse=True)
    assert (head.get_attribute("aria-sort"), page.locator(".line.project").count()) == ("descending", 0)
    assert "/srv/<b>odd</b>" in page.locator(".line.session").first.text_content()
    assert "sort=-errors" in page.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))")
    head.get_by_role("button").click()
    settle(page)
    assert numbers(page, "errors") == sorted(numbers(page, "errors"))
    head.get_by_role("button").click()
    settle(page)
    assert (head.get_attribute("aria-sort"), page.locator(".line.project").count() > 0) == ("none", True)


def test_the_order_stands_in_the_address(visit: Any) -> None:
    page = visit("#v=1&sort=title")
    titles = page.locator(".line.session .label").all_text_contents()
    folded = [title.lower() for title in titles if not title.startswith("Untitled")]
    assert folded == sorted(folded)
    assert page.get_by_role("columnheader", name="Session").get_attribute("aria-sort") == "ascending"


def test_heads_are_one_stop_and_arrows_go_from_head_to_head(visit: Any) -> None:
    page = visit()
    page.get_by_role("columnheader", name="Session").get_by_role("button").focus()
    press(page, "ArrowRight", "ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Prompts"
    press(page, "Enter")
    assert numbers(page, "prompts")[0] == 9
    press(page, "Home")
    assert page.get_by_role("columnheader", name="Prompts").get_attribute("aria-sort") == "descending"


def test_a_session_of_a_sorted_list_opens(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&sort=-size")
    session = "session-00059"
    pages.payloads[session] = payloads.small
    page.locator(".line.session").first.click()
    page.locator(".grid").wait_for()
    assert f"s={session}" in page.url
    page.keyboard.press("Escape")
    page.locator(".shelf").wait_for()
    assert page.get_by_role("columnheader", name="Size").get_attribute("aria-sort") == "descending"
