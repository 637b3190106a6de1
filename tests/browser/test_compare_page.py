"""A comparison as one file, opened from disk: figures, steps, and the waterfalls under each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import WATCH
from tests.browser.look import settle
from tests.browser.start import PATIENCE_MS
from tests.browser.test_access import MISPLACED, NAMELESS, UNREACHED
from tests.transcripts import Call, Transcript
from waterglass.compare import comparison_parts
from waterglass.page import write_whole
from waterglass.redact import Redactor
from waterglass.report.cuts import Beginnings
from waterglass.session import Session, load

pytestmark = pytest.mark.browser

NOW = 1_780_000_000_000
ONE = [f"sed -n {n}p a.txt" for n in range(30)]
# The same work: one call about something else, two left out, one put in near the end.
TWO = [*ONE[:5], "sed -n 99p b.txt", *ONE[6:12], *ONE[14:28], "make test", *ONE[28:]]
HOSTILE = '<img src=x onerror="window.XSS=1"></script><script>window.XSS=2</script>\u202e'

Opened = Callable[..., Any]


def made(root: Path, number: int, commands: list[str], day: int, step: str, title: str) -> Session:
    """A session of one Bash call after the other, each `step` after the one before."""
    name = f"c0a9a4e{number}-0000-4000-8000-000000000000"
    t = Transcript(name, cwd="/code/demo", version="2.1.220")
    t.at(f"2026-03-{day:02}T09:00:00Z").prompt(title)
    for index, command in enumerate(commands):
        t.at(step).reply(f"Step {index}", calls=[Call("Bash", {"command": command}, id=f"c{number}n{index}")])
        t.at("+1s").result(f"c{number}n{index}", HOSTILE)
    t.write(root)
    return load(name, [str(root)], now_ms=NOW)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Session, Session]:
    """Two sessions of the same work, the second on another day, slower, and with a few other steps."""
    root = tmp_path_factory.mktemp("projects")
    return made(root, 1, ONE, 2, "+2s", "Sort the lines"), made(root, 2, TWO, 4, "+6s", f"Sort them {HOSTILE}")


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Opens a comparison in a page; afterwards nothing was said, refused or asked of anyone."""
    pages: list[tuple[Any, Any, str, list[str], list[str]]] = []

    def show(*compared: Session, **context: Any) -> Any:
        file = tmp_path / f"comparison-{len(pages)}.html"
        write_whole(file, comparison_parts(compared, Redactor(), Beginnings, NOW), "comparison")
        made = browser.new_context(viewport=context.pop("viewport", {"width": 1440, "height": 900}), **context)
        page = made.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(WATCH)
        loud: list[str] = []
        asked: list[str] = []
        page.on("console", lambda m: loud.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: loud.append(str(e)))
        page.on("request", lambda r: asked.append(r.url) if not r.url.startswith("data:") else None)
        pages.append((made, page, file.as_uri(), loud, asked))
        page.goto(file.as_uri())
        page.locator('html[data-ready="1"]').wait_for(state="attached")
        return page

    yield show
    for context, page, address, loud, asked in pages:
        assert (loud, page.evaluate("window.violations"), asked) == ([], [], [address])
        assert page.evaluate("window.XSS ?? null") is None
        context.close()


def fall(page: Any, letter: str) -> Any:
    return page.get_by_role("region", name=f"Waterfall of {letter}", exact=True)


def in_view(page: Any, letter: str) -> str:
    """The name of the selected line of a waterfall, empty when it is not drawn within its scroller."""
    settle(page)
    line = fall(page, letter).locator('.line[aria-selected="true"]')
    if not line.count():
        return ""
    box, frame = line.bounding_box(), fall(page, letter).locator(".scroller").bounding_box()
    inside = frame["y"] - 1 <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    return str(line.locator(".label").text_content()) if inside else ""


def test_the_same_session_twice_shows_no_difference(opened: Opened, sessions: tuple[Session, Session]) -> None:
    page = opened(sessions[0], sessions[0])
    assert page.get_by_text("All 30 steps are the same.").is_visible()
    assert page.locator(".delta.d-better, .delta.d-worse").count() == 0
    assert {text.strip() for text in page.locator(".delta").all_text_contents()} == {"= same"}
    assert page.locator(".run").evaluate_all("runs => runs.map((run) => run.dataset.op)") == ["equal"]
    assert page.locator(".parting, .differences").count() == 0


def test_a_figure_says_whether_its_difference_is_better_in_words(
    opened: Opened, sessions: tuple[Session, Session]
) -> None:
    page = opened(*sessions)
    assert page.locator('[data-figure="calls"] .delta').inner_text() == "−1 ▲ better"
    assert page.locator('[data-figure="errors"] .delta').inner_text() == "= same"
    assert page.locator('[data-figure="wallMs"] .delta').inner_text().startswith("+")
    assert page.locator('[data-figure="loopDetection"] .verdict').count() == 2


def test_the_steps_say_where_the_sessions_part_with_both_labels(
    opened: Opened, sessions: tuple[Session, Session]
) -> None:
    page = opened(*sessions)
    pair = page.get_by_role("region", name="Steps of A and B")
    assert "27 steps in common, 4 differ." in pair.inner_text()
    assert [text for text in pair.locator(".parting dd").all_text_contents()] == [
        "Bash: sed -n 5p a.txt",
        "Bash: sed -n 99p b.txt",
    ]


def test_a_press_on_a_run_scrolls_both_waterfalls_to_it(opened: Opened, sessions: tuple[Session, Session]) -> None:
    page = opened(*sessions)
    strip = page.get_by_role("toolbar", name="Runs of steps, A and B")
    kinds = strip.locator(".run").evaluate_all("runs => runs.map((run) => run.dataset.op)")
    assert kinds == ["equal", "changed", "equal", "removed", "equal", "added", "equal"]
    strip.locator('[data-op="changed"]').click()
    assert (in_view(page, "A"), in_view(page, "B")) == ("sed -n 5p a.txt", "sed -n 99p b.txt")
    strip.locator('[data-op="added"]').click()
    assert (in_view(page, "A"), in_view(page, "B")) == ("", "make test")
    assert page.get_by_text("A: no step. B: step 27.").is_visible()
    assert "sed -n 28p a.txt" in fall(page, "A").locator(".line .label").all_text_contents()
    assert fall(page, "A").locator(".scroller").bounding_box()["y"] < 900


def test_the_strip_is_walked_with_the_arrow_keys_and_pressed_with_enter(
    opened: Opened, sessions: tuple[Session, Session]
) -> None:
    page = opened(*sessions)
    strip = page.get_by_role("toolbar", name="Runs of steps, A and B")
    assert strip.locator('.run[tabindex="0"]').count() == 1
    strip.locator(".run").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert in_view(page, "A") == "sed -n 12p a.txt"
    assert strip.locator('.run[aria-pressed="true"]').get_attribute("data-op") == "removed"


def test_a_row_shows_what_the_table_knows_and_no_body(opened: Opened, sessions: tuple[Session, Session]) -> None:
    page = opened(*sessions)
    fall(page, "B").locator(".line", has_text="sed -n 3p a.txt").click()
    facts = page.get_by_role("region", name="Selected in B")
    text = facts.inner_text()
    assert "sed -n 3p a.txt" in text and "Outcome" in text and "1.00 s" in text
    assert "onerror" not in text
    page.keyboard.press("ArrowDown")
    settle(page)
    assert "Step 4" in facts.inner_text()
    page.keyboard.press("Escape")
    assert facts.is_hidden()


def ticks(page: Any, letter: str) -> list[str]:
    settle(page)
    return list(fall(page, letter).locator(".ruler .tick").all_text_contents())


def bar_left(page: Any, letter: str, text: str) -> float:
    """Pixels from the left edge of the waterfall to the bar of a line."""
    settle(page)
    line = fall(page, letter).locator(".line.call", has_text=text).first
    return float(line.locator(".bar").evaluate("bar => parseFloat(bar.style.left)"))


def test_one_switch_gives_all_waterfalls_the_same_time_scale_from_their_starts(
    opened: Opened, sessions: tuple[Session, Session]
) -> None:
    page = opened(*sessions)
    assert ticks(page, "A") != ticks(page, "B")
    page.get_by_role("button", name="Same time scale").click()
    assert ticks(page, "A") == ticks(page, "B")
    assert ticks(page, "A")[0] == "0" and ticks(page, "A")[1].startswith("+")
    # The first calls start 2.4 s and 6.4 s after the first records.
    assert bar_left(page, "B", "sed -n 0p") == pytest.approx(bar_left(page, "A", "sed -n 0p") * 6.4 / 2.4, abs=0.3)
    box = fall(page, "A").locator(".minimap").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 20)
    page.mouse.up()
    assert ticks(page, "A") == ticks(page, "B") and len(ticks(page, "A")) > 1
    # A run that lies elsewhere in time is seen in both.
    page.locator('.run[data-op="added"]').click()
    settle(page)
    for letter, text in (("A", "sed -n 28p"), ("B", "make test")):
        assert fall(page, letter).locator(".line.call", has_text=text).locator(".bar:not(.gone)").count() == 1
    page.get_by_role("button", name="Same time scale").click()
    assert ticks(page, "A") != ticks(page, "B")


def test_three_sessions_are_each_held_against_the_first(opened: Opened, sessions: tuple[Session, Session]) -> None:
    one, two = sessions
    page = opened(one, two, one)
    assert page.locator(".compared li").count() == 3
    assert page.get_by_role("region", name="Steps of A and C").get_by_text("All 30 steps are the same.").is_visible()
    page.get_by_role("toolbar", name="Runs of steps, A and C").locator(".run").first.click()
    assert (in_view(page, "A"), in_view(page, "C")) == ("sed -n 0p a.txt", "sed -n 0p a.txt")


def test_each_control_can_be_reached_by_tab(opened: Opened, sessions: tuple[Session, Session]) -> None:
    page = opened(*sessions)
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))
    for name in ("Light or dark", "Figures", "show in the waterfalls", "Calls of A", "Calls of B"):
        assert name in reached


def test_the_buttons_of_the_head_lead_to_the_parts_and_change_the_theme(
    opened: Opened, sessions: tuple[Session, Session]
) -> None:
    page = opened(*sessions, color_scheme="light")
    for name in ("Waterfalls", "Steps", "Figures"):
        page.locator("#app").evaluate("app => { app.scrollTop = 0; }")
        page.get_by_role("button", name=name, exact=True).click()
        assert 0 <= page.get_by_role("heading", name=name, exact=True).bounding_box()["y"] < 900
    page.locator("#app").evaluate("app => { app.scrollTop = 0; }")
    page.get_by_role("button", name="Light or dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_screen_nothing_is_wider_than_the_page_and_all_is_named_and_in_reach(
    opened: Opened, sessions: tuple[Session, Session], scheme: str
) -> None:
    page = opened(*sessions, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert page.locator("html").get_attribute("data-theme") == scheme
    wide = page.evaluate("document.getElementById('app').scrollWidth - document.getElementById('app').clientWidth")
    assert wide <= 0
    for look in (NAMELESS, MISPLACED, UNREACHED):
        assert page.evaluate(look) == []
    page.locator('.run[data-op="changed"]').click()
    assert in_view(page, "B") == "sed -n 99p b.txt"


def test_a_session_without_calls_can_be_compared(
    opened: Opened, sessions: tuple[Session, Session], tmp_path: Path
) -> None:
    page = opened(made(tmp_path / "none", 3, [], 6, "+1s", "Only asked"), sessions[0])
    assert fall(page, "A").get_by_text("No tool calls yet").is_visible()
    page.locator('.run[data-op="added"]').click()
    assert in_view(page, "B") == "sed -n 0p a.txt"


def test_more_runs_than_a_strip_has_room_for_are_joined_and_say_how_much_differs(
    opened: Opened, tmp_path: Path
) -> None:
    some = [f"sed -n {n}p a.txt" for n in range(900)]
    other = [command if n % 2 else f"cat {n}.txt" for n, command in enumerate(some)]
    page = opened(made(tmp_path, 4, some, 2, "+1s", "One"), made(tmp_path, 5, other, 3, "+1s", "Other"))
    runs = page.locator(".run")
    assert 200 <= runs.count() <= 400
    assert set(runs.evaluate_all("runs => runs.map((run) => run.dataset.op)")) <= {"mixed", "changed", "equal"}
    # Every other step differs, so of three runs one or two.
    said = str(runs.nth(10).get_attribute("aria-label"))
    assert said == "mixed: 3 runs, 67 % of the steps differ, steps 31–33 of A, steps 31–33 of B"
    runs.nth(150).click()
    assert in_view(page, "A").startswith("sed -n ")
