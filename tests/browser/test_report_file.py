"""A real report, opened from disk: the packaged sample, through the real pipeline, linker and redaction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import WATCH
from tests.browser.look import line, lines, press, settle
from tests.browser.start import PATIENCE_MS
from waterglass.report import write_report
from waterglass.sample import sample_root
from waterglass.session import load

MAIN = "5a3b1e00"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the sample's longest session."""
    target = tmp_path_factory.mktemp("report") / "report.html"
    write_report(load(MAIN, [str(sample_root())]), target)
    return target


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Any]:
    """The report in a page; afterwards nothing was said, refused or asked of anyone."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(WATCH)
    loud: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: loud.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: loud.append(str(e)))
    page.on("request", lambda r: asked.append(r.url) if not r.url.startswith("data:") else None)
    page.goto(report.as_uri())
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    yield page
    assert (loud, page.evaluate("window.violations"), asked) == ([], [], [report.as_uri()])
    context.close()


def test_a_report_opens_from_disk_and_shows_the_rows_of_its_session(opened: Any) -> None:
    assert opened.get_by_text("Report of").first.is_visible()
    assert opened.get_by_text("81 calls").first.is_visible()
    assert len(lines(opened)) > 10


def test_a_report_opens_at_its_beginning_with_the_bars_of_what_is_in_sight(opened: Any) -> None:
    shown = lines(opened)
    assert opened.locator(".layer .line").first.get_attribute("aria-rowindex") == "2"
    assert opened.locator(".minimap .window").bounding_box()["x"] < 10
    assert opened.locator(".minimap .window").bounding_box()["width"] < 400, "the window is of these lines alone"
    press(opened, "Home")
    assert lines(opened) == shown


def test_a_nested_agent_opens_to_the_calls_that_it_made(opened: Any) -> None:
    press(opened, "Home", "]")
    settle(opened)
    agent = line(opened, "Map how times flow")
    agent.scroll_into_view_if_needed()
    assert agent.get_attribute("aria-expanded") == "true"
    assert int(lines_after(opened, agent).get_attribute("aria-level")) == int(agent.get_attribute("aria-level")) + 1


def lines_after(page: Any, found: Any) -> Any:
    """The line below another."""
    return page.locator(f"#{found.get_attribute('id')} + .line")


def test_the_filter_keeps_what_matches_and_counts_it(opened: Any) -> None:
    opened.keyboard.press("/")
    opened.keyboard.type("type:bash error")
    opened.get_by_text("3 of 81 calls").first.wait_for()


def test_a_row_shows_its_whole_output_from_its_block(opened: Any) -> None:
    opened.keyboard.press("/")
    opened.keyboard.type("zones.py")
    opened.get_by_text("2 of 81 calls").first.wait_for()
    line(opened, "tools/zones.py --changing").click()
    opened.keyboard.press("Enter")
    opened.locator(".detailbody", has_text="938 of 1184 stations change clocks").wait_for()
    opened.get_by_role("tab", name="Raw").click()
    opened.locator(".detailbody", has_text="The records are not kept here.").wait_for()


def test_on_paper_all_lines_go_on_from_sheet_to_sheet_with_their_colours(opened: Any) -> None:
    count = "document.querySelectorAll('.layer .line').length"
    on_screen = opened.evaluate(count)
    opened.evaluate("document.documentElement.dataset.theme = 'dark'")
    told = "getComputedStyle(document.querySelector('.line')).printColorAdjust"
    assert opened.evaluate(told) != "exact"
    opened.evaluate(
        "window.addEventListener('beforeprint', () => {"
        " window.onPaper = document.documentElement.dataset.theme;"
        f" window.printed = {count};"
        " window.hidden = document.querySelectorAll('.layer .bar.gone').length; })"
    )
    sheets = opened.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert opened.evaluate("window.printed") > 1.5 * on_screen
    assert sheets > 1
    assert opened.evaluate("window.hidden") == 0, "the window of time fits what is printed"
    assert opened.evaluate("window.onPaper") == "light"
    assert opened.evaluate(count) == on_screen
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"
    opened.emulate_media(media="print")
    assert opened.evaluate(told) == "exact"
