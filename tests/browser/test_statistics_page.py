"""The statistics page: over transcripts on disk, and with made-up answers that are long, odd or not whole yet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.browser.look import nodes, press, settle
from tests.browser.pageserver import Pages
from tests.browser.payloads import HOSTILE
from tests.browser.program import quiet_page, running
from tests.browser.test_access import MISPLACED, NAMELESS, UNREACHED
from tests.browser.test_axe import FOUND
from tests.transcripts import Call, Transcript, used

pytestmark = pytest.mark.browser
METRICS = ("grepSemantic", "earlyVictory", "verificationDensity", "overreach", "continuity", "loopDetection")
Answer = dict[str, Any]
STATE = {"doing": None, "done": 0, "total": 0, "complete": False, "checking": False, "notes": [], "failed": None}


def work(root: Path, number: int, when: str, cwd: str, tools: tuple[str, ...]) -> None:
    made = Transcript(f"5e55000{number}-0000-4000-8000-000000000001", cwd=cwd)
    made.at(when).prompt("Begin")
    for at, tool in enumerate(tools):
        call = f"toolu_{number}_{at}"
        made.at("+1s").reply(
            calls=[Call(tool, {"command": "ls"}, id=call)], message_id=f"msg_{call}", usage=used(10, 100, 900, 50)
        )
        made.at(f"+{at + 1}s").result(call, "Exit code 1" if at == 1 else "fine", is_error=at == 1)
    made.write(root)


@pytest.fixture(scope="module")
def address(child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What `waterglass serve` printed, over three sessions on two days."""
    folder = tmp_path_factory.mktemp("served")
    projects = folder / "projects"
    work(projects, 1, "2026-03-02T09:00:00Z", "/code/shop", ("Bash", "Bash", "Read"))
    work(projects, 2, "2026-03-02T11:00:00Z", "/code/web", ("Bash",))
    work(projects, 3, "2026-03-05T09:00:00Z", "/code/web", ("Grep",))
    (folder / "home").mkdir()
    with running(projects, folder / "home", {**child_environment, "XDG_CACHE_HOME": str(folder / "cache")}) as printed:
        yield printed


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page, once everything is counted and judged."""
    with quiet_page(browser, address) as opened:
        press(opened, "i")
        opened.locator(".count", has_text="3 sessions").wait_for()
        opened.locator(".banner.working").wait_for(state="detached")
        yield opened


def chart(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=name, exact=True)


def cells(page: Any) -> list[list[str]]:
    """The table at the foot, row by row."""
    return [row.locator("th, td").all_text_contents() for row in page.locator(".scroll.wide tbody tr").all()]


def test_all_is_added_up_and_stands_by_day(page: Any) -> None:
    assert page.locator(".totals dd").all_text_contents()[:4] == ["3", "3", "5", "120 %"]
    assert [row[:5] for row in cells(page)] == [["2026-03-05", "1", "1", "1", "0"], ["2026-03-02", "2", "2", "4", "1"]]
    assert chart(page, "Calls").get_attribute("aria-valuetext") == "All days: 5 calls, 1 error (20 %)"
    assert chart(page, "Early victory").count() == 1
    assert "page=stats" in page.url


def test_keys_move_over_the_days_of_all_charts_and_enter_takes_one(page: Any) -> None:
    chart(page, "Calls").focus()
    press(page, "Home")
    assert chart(page, "Calls").get_attribute("aria-valuetext").startswith("2 Mar: 4 calls, 1 error")
    assert chart(page, "Sessions").get_attribute("aria-valuetext").startswith("2 Mar: 2 sessions")
    press(page, "ArrowRight")
    assert chart(page, "Calls").get_attribute("aria-valuetext") == "3 Mar: nothing"
    press(page, "End", "Enter")
    page.locator(".count", has_text="1 session").wait_for()
    page.wait_for_url(lambda url: "days=2026-03-05..2026-03-05" in url)
    press(page, "Escape")
    page.locator(".count", has_text="3 sessions").wait_for()


def test_a_table_says_what_a_chart_draws(page: Any) -> None:
    figure = page.locator("#chart-calls")
    figure.locator("summary").click()
    figure.locator("tr").first.wait_for()
    rows = [row.locator("th, td").all_text_contents() for row in figure.locator("tr").all()]
    assert rows == [["Day", "errors", "others"], ["2026-03-05", "0", "1"], ["2026-03-02", "1", "3"]]


def test_lines_are_by_project_tool_or_model_and_sort(page: Any) -> None:
    page.get_by_role("button", name="Tools", exact=True).click()
    page.locator("tbody th", has_text="Bash").first.wait_for()
    assert [row[0] for row in cells(page)] == ["Bash", "Grep", "Read"]
    heads = page.locator(".scroll.wide thead th").all_text_contents()
    assert "Prompts" not in heads and "Cost" not in heads, "a tool has neither"
    page.get_by_role("button", name="p95").click()
    assert [row[0] for row in cells(page)] == ["Read", "Bash", "Grep"]
    page.wait_for_url(lambda url: "by=tool" in url)


def test_a_project_narrows_everything_and_is_in_the_address(page: Any) -> None:
    page.get_by_label("Project").select_option("/code/web")
    page.locator(".count", has_text="2 sessions").wait_for()
    page.wait_for_url(lambda url: "project=%2Fcode%2Fweb" in url)
    page.reload()
    page.locator(".count", has_text="2 sessions").wait_for()
    assert page.get_by_label("Project").input_value() == "/code/web"


def test_days_are_chosen_by_two_dates(page: Any) -> None:
    page.get_by_label("First day").fill("2026-03-03")
    page.get_by_label("Last day").fill("2026-03-05")
    page.locator(".count", has_text="1 session").wait_for()
    page.wait_for_url(lambda url: "days=2026-03-03..2026-03-05" in url)


def test_the_two_dates_are_those_of_what_is_shown(page: Any) -> None:
    dates = [page.get_by_label("First day"), page.get_by_label("Last day")]
    assert [field.input_value() for field in dates] == ["2026-03-02", "2026-03-05"]
    page.get_by_label("Project").select_option("/code/shop")
    page.locator(".count", has_text="1 session").wait_for()
    assert [field.input_value() for field in dates] == ["2026-03-02", "2026-03-02"]
    page.get_by_role("button", name="7 days", exact=True).click()
    page.locator(".count", has_text="0 sessions").wait_for()
    first, last = [date.fromisoformat(field.input_value()) for field in dates]
    assert last - first == timedelta(days=6)


@pytest.mark.parametrize(
    ("where", "words"), [("page=stats", "Statistics"), ("page=find&q=nothing", "Search"), ("", "Sessions")]
)
def test_the_way_back_names_the_page_that_was_left_also_where_the_address_was_edited(
    page: Any, where: str, words: str
) -> None:
    session = "s=5e550001-0000-4000-8000-000000000001"
    page.locator("button", has_text="Search").first.click()  # a page that is left by its own ways is remembered too
    page.get_by_label("Search all texts").wait_for()
    for fragment in ("page=stats", where, session):
        page.evaluate("(hash) => { window.location.hash = hash; }", f"v=1&{fragment}")
        page.wait_for_function("(part) => decodeURIComponent(location.hash).includes(part)", arg=fragment)
    home = page.locator("button.home")
    home.wait_for()
    assert home.text_content().endswith(f" {words}")
    home.click()
    page.locator("nav.site [aria-current=page]", has_text=words).wait_for()


def line(key: str | None, sessions: int = 2, waiting: int = 0) -> Answer:
    usage = dict.fromkeys(("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output"), 1_000)
    counts = {"ok": 1, "warn": 0, "alert": 0, "unknown": 1, "na": 0, "waiting": waiting, "valued": 1, "median": 1.5}
    return {
        "key": key, "sessions": sessions, "prompts": 3, "toolCalls": 40, "errors": 2, "timedCalls": 40, "toolMs": 9_000,
        "p50Ms": 120, "p95Ms": 8_000, "usage": {**usage, "outputIsLowerBound": True}, "usd": 1.25, "compactions": 1,
        "peakTokens": 150_000, "medianPeakTokens": 90_000, "metrics": {metric: dict(counts) for metric in METRICS},
    }  # fmt: skip


def answer(days: list[str | None], by: str = "day", keys: list[str | None] | None = None, **changes: Any) -> Answer:
    return {
        "roots": [], "sinceMs": None, "untilMs": None, "by": by, "total": line(None), "deleted": line(None, 0),
        "groups": [line(key) for key in (keys if keys is not None else days)], "days": [line(day) for day in days],
        "prices": {"asOf": "2026-01-01", "basis": "", "unpriced": [HOSTILE]}, "uncounted": 0, "unreadable": [],
        "scorecard": [{"id": metric, "label": f"Metric {metric}", "unit": "files"} for metric in METRICS],
        "projects": ["/code/shop", None, HOSTILE], "today": "2026-12-01", "zone": "CET", "range": [None, None],
        "index": {**STATE, "complete": True},
        **changes,
    }  # fmt: skip


@pytest.fixture
def told(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[dict[str, list[str]]], Answer]], None]:
    """Have the made-up server answer for statistics."""

    def tell(make: Callable[[dict[str, list[str]]], Answer]) -> None:
        before = pages.api

        def api(path: str, query: str = "") -> tuple[int, Any]:
            return (200, make(parse_qs(query))) if path == "/api/stats" else before(path, query)

        monkeypatch.setattr(pages, "api", api)

    return tell


def test_while_sessions_are_counted_and_judged_the_page_says_how_far_and_fills_in(visit: Any, told: Any) -> None:
    half = {**STATE, "doing": "scores", "done": 43, "total": 100, "notes": ["a note"]}
    first, then = (
        answer(["2026-11-30"], total=line(None, 2, 5), uncounted=3, index=half),
        answer(["2026-11-30", "2026-12-01"]),
    )
    seen = threading.Event()
    told(lambda asked: then if seen.is_set() else first)
    page = visit("#v=1&page=stats")
    assert page.locator(".count").text_content() == "2 sessions, 3 not counted yet, 5 not judged yet"
    assert "Sessions are being judged: 43 % of 100 B." in page.locator(".banner.working").text_content()
    assert "a note" in page.locator(".notes").text_content()
    seen.set()
    page.locator("tbody th", has_text="2026-12-01").wait_for()
    assert page.locator(".banner.working").count() == 0
    assert page.locator(".count").text_content() == "2 sessions"


@pytest.mark.parametrize("by", ["constructor", "toString", "junk"])
def test_an_address_that_names_no_group_shows_the_days(visit: Any, told: Any, by: str) -> None:
    asked_by: list[list[str]] = []

    def tell(asked: dict[str, list[str]]) -> Answer:
        asked_by.append(asked["by"])
        return answer(["2026-11-30"])

    told(tell)
    page = visit(f"#v=1&page=stats&by={by}")
    assert page.locator(".tablehead .toggle[aria-pressed=true]").all_text_contents() == ["Days"]
    assert asked_by == [["day"]]


def test_the_day_that_was_looked_at_stays_when_figures_come_in(visit: Any, told: Any) -> None:
    days = ["2026-11-28", "2026-11-30"]
    seen = threading.Event()
    told(lambda asked: answer(["2026-11-27", *days]) if seen.is_set() else answer(days, index=STATE))
    page = visit("#v=1&page=stats")
    chart(page, "Calls").focus()
    press(page, "Home")
    seen.set()
    page.locator("tbody th", has_text="2026-11-27").wait_for()
    assert chart(page, "Calls").get_attribute("aria-valuetext").startswith("28 Nov")


def test_years_of_days_and_a_wrong_clock_stay_few_elements(visit: Any, told: Any) -> None:
    begin = date(2023, 1, 1)
    days: list[str | None] = [str(begin + timedelta(days=number)) for number in range(1_430)]
    told(lambda asked: answer([None, "0001-01-01", *days, "9998-01-01"]))
    page = visit("#v=1&page=stats")
    assert page.locator(".daychart").count() == 14
    assert page.locator("#chart-calls .plotends span").count() <= 5
    assert "outside of the 800 drawn" in page.locator(".sheet").text_content()
    chart(page, "Calls").focus()
    press(page, "End")
    assert chart(page, "Calls").get_attribute("aria-valuetext").startswith("30 Nov: 40 calls")
    assert nodes(page) < 6_000


def test_names_of_projects_and_tools_are_text(visit: Any, told: Any) -> None:
    told(
        lambda asked: answer(
            ["2026-11-30"], "tool", [HOSTILE, "\u202etool", None], unreadable=[{"path": HOSTILE, "reason": HOSTILE}]
        )
    )
    page = visit("#v=1&page=stats&by=tool")
    names = page.locator(".scroll.wide tbody th").all_text_contents()
    assert names == [HOSTILE, "\u27e8U+202E\u27e9tool", "(no name)"]
    assert page.locator(".sheet img, .sheet script, .sheet b").count() == 0


def test_what_the_server_refuses_is_said_with_a_way_out(
    visit: Any, pages: Pages, monkeypatch: pytest.MonkeyPatch, told: Any
) -> None:
    told(lambda asked: answer(["2026-11-30"]))
    good = pages.api
    monkeypatch.setattr(
        pages,
        "api",
        lambda path, query="": (
            (400, {"error": {"what": "days must be days", "hint": "30"}}) if "days" in query else good(path, query)
        ),
    )
    page = visit("#v=1&page=stats&days=x", errors="400")
    assert "days must be days. 30" in page.get_by_role("alert").text_content()
    page.get_by_role("button", name="All days and projects").click()
    page.locator(".count", has_text="2 sessions").wait_for()


@pytest.mark.parametrize("by", ["day", "project"])
@pytest.mark.parametrize("width", [390, 1440])
def test_all_is_named_in_its_place_and_in_reach_of_the_keyboard(visit: Any, told: Any, by: str, width: int) -> None:
    told(lambda asked: answer(["2026-11-28", "2026-11-30"], asked["by"][0], ["2026-11-28", "2026-11-30"]))
    page = visit(f"#v=1&page=stats&by={by}", viewport={"width": width, "height": 844})
    page.locator("#chart-cost summary").click()
    page.locator("#chart-cost tr").first.wait_for()
    settle(page)
    assert [page.evaluate(look) for look in (NAMELESS, MISPLACED, UNREACHED)] == [[], [], []]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 1440), ("dark", 390)])
def test_axe_finds_nothing(visit: Any, told: Any, theme: str, width: int) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    half = {**STATE, "doing": "scores", "done": 43, "total": 100, "notes": ["a note"]}
    told(lambda asked: answer(["2026-11-28", "2026-11-30"], asked["by"][0], ["/code/shop", None], index=half))
    how = {"color_scheme": theme, "bypass_csp": True, "viewport": {"width": width, "height": 844}}
    page = visit("#v=1&page=stats&by=project", **how)
    page.locator("#chart-calls summary").click()
    page.locator("#chart-calls tr").first.wait_for()
    page.evaluate(axe)
    assert page.evaluate(FOUND) == []
