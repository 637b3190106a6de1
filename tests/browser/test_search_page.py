"""The search page over transcripts on disk: what is found, and the way to its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.browser.look import press, settle
from tests.browser.program import quiet_page, running
from tests.browser.test_access import MISPLACED, NAMELESS, UNREACHED
from tests.browser.test_axe import FOUND
from tests.transcripts import Call, Transcript

pytestmark = pytest.mark.browser
GATE, MARKS = "5e550001-0000-4000-8000-000000000001", "5e550002-0000-4000-8000-000000000002"
MARKUP = '<img src=x onerror="window.XSS=1">'
Open = Callable[..., Any]


def transcripts(root: Path) -> None:
    """A session with an agent, and one whose texts are markup, with signs beyond the first 65,536 before a word."""
    main = Transcript(GATE)
    main.title("Repair the sluice gate", "custom")
    main.at("2026-03-02T09:00:00Z").prompt("Find out why the kingfisher stays away")
    main.at("+2s").reply(
        "I ask.", [Call("Agent", {"description": "look", "prompt": "Watch the bittern"}, id="toolu_outer")]
    )
    agent = main.at("+1s").agent("a0ffee1", sidecar={"agentType": "Explore", "toolUseId": "toolu_outer"})
    agent.prompt("Watch the bittern")
    agent.at("+1s").reply("No bittern here.", message_id="msg_agent")
    main.at(agent).result("toolu_outer", "No bittern here.")
    main.at("+1s").reply(None, [Call("Bash", {"command": "grep kingfisher notes"}, id="toolu_grep")])
    main.at("+1s").result("toolu_grep", "12: the kingfisher nests")
    main.at("+1s").reply("The kingfisher nests elsewhere.", message_id="msg_last")
    main.write(root)
    marks = Transcript(MARKS, cwd="/code/<b>pier</b>")
    marks.at("2026-03-01T09:00:00Z").prompt(f"{MARKUP} \U0001f41f\U0001f41f kingfisher \u202etxet")
    marks.at("+1s").reply("Fine.")
    marks.write(root)


@pytest.fixture(scope="module")
def address(child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What `waterglass serve` printed."""
    folder = tmp_path_factory.mktemp("served")
    transcripts(folder / "projects")
    (folder / "home").mkdir()
    environment = {**child_environment, "XDG_CACHE_HOME": str(folder / "cache")}
    with running(folder / "projects", folder / "home", environment) as printed:
        yield printed


@pytest.fixture
def open_at(browser: Any, address: str) -> Iterator[Open]:
    """Open the page at a fragment."""
    opened = []

    def at(fragment: str = "", **context: Any) -> Any:
        made = quiet_page(browser, address, **context)
        page = made.__enter__()
        opened.append(made)
        if fragment:
            page.goto(f"{address.partition('?')[0]}{fragment}")
        return page

    yield at
    for made in opened:
        made.__exit__(None, None, None)


def found(page: Any) -> list[str]:
    """The results, once there are some and the index is settled."""
    page.locator(".hit").first.wait_for()
    page.locator(".banner.working").wait_for(state="detached")
    return [" ".join(text.split()) for text in page.locator(".hit .snippet").all_text_contents()]


def test_words_are_found_in_all_texts_with_the_hit_marked_by_session(open_at: Open) -> None:
    page = open_at()
    press(page, "s")
    page.get_by_label("Search all texts").fill("kingfisher")
    page.locator(".count", has_text="5 results in 2 sessions").wait_for()
    assert page.locator(".found h2").all_text_contents()[0].startswith("Repair the sluice gate")
    assert page.locator(".hit .part").all_text_contents() == ["Reply", "Output", "Input", "Prompt", "Prompt"]
    assert set(page.locator(".hit mark").all_text_contents()) == {"kingfisher"}
    page.wait_for_url(lambda url: "page=find" in url and "q=kingfisher" in url)


def test_texts_are_shown_and_never_run_and_signs_of_two_halves_count_as_one(open_at: Open) -> None:
    page = open_at("#v=1&page=find&q=kingfisher&in=prompt&project=pier")
    (text,) = found(page)
    assert text.startswith(MARKUP) and "\u27e8U+202E\u27e9" in text
    assert page.locator(".hit mark").all_text_contents() == ["kingfisher"]
    assert page.locator(".found img, .found b").count() == 0


@pytest.mark.parametrize(
    ("query", "part", "named", "line"),
    [
        ("kingfisher", "output", "row=toolu_grep", "grep kingfisher notes"),
        ("kingfisher", "reply", "reply=msg_last", "The kingfisher nests elsewhere."),
        ("kingfisher", "prompt", "prompt=", "Find out why the kingfisher stays away"),
        ("bittern", "reply", "reply=msg_agent", "No bittern here."),
    ],
)
def test_enter_opens_the_session_at_that_line_and_back_leads_to_the_result(
    open_at: Open, query: str, part: str, named: str, line: str
) -> None:
    page = open_at(f"#v=1&page=find&q={query}&in={part}")
    found(page)
    page.get_by_label("Search all texts").focus()
    press(page, "Enter", "Enter")
    page.locator(".grid").wait_for()
    assert named in page.url
    assert line in page.locator('.layer .line[aria-selected="true"] .label').text_content()
    page.go_back()
    page.locator(".hit").first.wait_for()
    assert page.evaluate("document.activeElement.className") == "hit"


def test_what_an_agent_was_told_leads_to_the_call_that_started_it(open_at: Open) -> None:
    page = open_at("#v=1&page=find&q=bittern&in=prompt")
    found(page)
    page.locator(".hit").first.click()
    page.locator(".grid").wait_for()
    assert "look" in page.locator('.layer .line[aria-selected="true"] .label').text_content()
    assert page.get_by_text("not in this session").count() == 0


def test_escape_leads_back_to_the_results_and_then_home(open_at: Open) -> None:
    page = open_at("#v=1&page=find&q=kingfisher")
    found(page)
    page.locator(".hit").first.click()
    page.locator(".grid").wait_for()
    assert page.locator("button.home").text_content().endswith("Search")
    for _ in range(4):
        if page.locator(".grid").count():
            press(page, "Escape")
    page.locator(".hit").first.wait_for()
    press(page, "Escape", "Escape", "Escape")
    page.locator(".shelf").wait_for()


def test_arrows_go_from_result_to_result_and_up_into_the_field(open_at: Open) -> None:
    page = open_at("#v=1&page=find&q=kingfisher")
    found(page)
    page.get_by_label("Search all texts").focus()
    at = "[...document.querySelectorAll('.hit')].indexOf(document.activeElement)"
    places = []
    for key in ("ArrowDown", "ArrowDown", "End", "ArrowDown", "ArrowUp", "Home", "ArrowUp"):
        press(page, key)
        places.append(page.evaluate(at))
    assert places == [0, 1, 4, 4, 3, 0, -1]
    assert page.evaluate("document.activeElement.type") == "search"


def test_parts_narrow_the_search_and_nothing_found_says_what_to_try(open_at: Open) -> None:
    page = open_at("#v=1&page=find&q=kingfisher")
    found(page)
    for part in ("Prompts", "Replies", "Outputs"):
        page.get_by_role("button", name=part, exact=True).click()
    page.locator(".count", has_text="1 result in 1 session").wait_for()
    page.wait_for_url("**in=input**")
    page.get_by_label("Search all texts").fill("kingfisher zebra")
    page.get_by_role("button", name="Look everywhere").click()
    page.wait_for_url(lambda url: "in=" not in url)
    page.get_by_role("button", name="Look everywhere").wait_for(state="detached")
    page.get_by_role("heading", name="Nothing found", exact=True).wait_for()
    assert "Not searched" in page.locator(".missing").text_content()


def test_a_filter_without_a_session_offers_to_search_the_texts(open_at: Open) -> None:
    page = open_at()
    page.get_by_label("Search sessions").fill("nests")
    page.get_by_role("button", name="search their texts").click()
    assert len(found(page)) == 2


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("query", ["kingfisher", "zebra", ""])
def test_all_is_named_in_its_place_and_in_reach_of_the_keyboard(open_at: Open, query: str, width: int) -> None:
    page = open_at(f"#v=1&page=find&q={query}", viewport={"width": width, "height": 500})
    page.locator(".sheet > *").first.wait_for()
    settle(page)
    assert [page.evaluate(look) for look in (NAMELESS, MISPLACED, UNREACHED)] == [[], [], []]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing(open_at: Open, theme: str, width: int) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    how = {"color_scheme": theme, "bypass_csp": True, "viewport": {"width": width, "height": 844}}
    page = open_at("#v=1&page=find&q=kingfisher", **how)
    found(page)
    page.locator(".hit").first.focus()
    page.evaluate(axe)
    assert page.evaluate(FOUND) == []
