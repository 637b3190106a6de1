"""The page from the program itself: `waterglass serve` in a process of its own, over transcripts on disk."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.look import line, lines, loaded, settle, written
from tests.browser.program import quiet_page, running
from tests.transcripts import Call, Transcript

pytestmark = pytest.mark.browser
LONG = "5e550001-0000-4000-8000-000000000001"
SHORT = "5e550002-0000-4000-8000-000000000002"
MARKUP = '<img src=x onerror="window.XSS=1"></script><script>window.XSS=2</script>'
PLAIN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def transcripts(root: Path) -> None:
    """Two sessions: one with an agent that starts an agent, one whose every text is markup."""
    t = Transcript(LONG)
    t.title("Repair the sluice gate", "custom")
    t.at("2026-03-02T09:00:00Z").prompt("Find out why the gate stays open")
    t.at("+2s").reply("I look.", [Call("Agent", {"description": "look around", "prompt": "Look"}, id="toolu_outer")])
    outer = t.at("+1s").agent("a0ffee1", sidecar={"agentType": "Explore", "toolUseId": "toolu_outer"})
    outer.prompt("Look")
    outer.at("+1s").reply(None, [Call("Agent", {"description": "look closer", "prompt": "Closer"}, id="toolu_inner")])
    inner = outer.at("+1s").agent("a0ffee2", sidecar={"agentType": "Explore", "toolUseId": "toolu_inner"})
    inner.prompt("Closer")
    inner.at("+1s").reply(None, [Call("Grep", {"pattern": "sluice"}, id="toolu_grep")])
    inner.at("+1s").result("toolu_grep", "src/gate.py:12: sluice = None")
    inner.at("+1s").reply("It is None.")
    outer.at(inner).result("toolu_inner", "It is None.")
    outer.at("+1s").reply("Line 12.")
    t.at(outer).result("toolu_outer", "Line 12.")
    t.at("+1s").reply(None, [Call("Bash", {"command": "pytest tests/test_gate.py"}, id="toolu_test")])
    t.at("+3s").result("toolu_test", "Exit code 1\n1 failed: the gate stays open", is_error=True)
    t.at("+1s").reply("The test fails.")
    t.write(root)
    s = Transcript(SHORT, cwd="/code/<b>pier</b>")
    s.at("2026-03-01T09:00:00Z").prompt(MARKUP)
    s.at("+1s").reply(MARKUP, [Call(MARKUP, {MARKUP: MARKUP, "file_path": "javascript:alert(1)"}, id="toolu_<b>x")])
    s.at("+1s").result("toolu_<b>x", MARKUP, is_error=True)
    s.at("+1s").reply("[here](javascript:window.XSS=3) {{7*7}}")
    s.write(root)


@pytest.fixture(scope="module")
def address(child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What `waterglass serve` printed: its address with the code."""
    folder = tmp_path_factory.mktemp("served")
    transcripts(folder / "projects")
    home = folder / "home"
    home.mkdir()
    with running(folder / "projects", home, child_environment) as printed:
        yield printed
    assert list(home.iterdir()) == []


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The printed address, opened; afterwards nothing was said, refused, run or asked of anyone else."""
    with quiet_page(browser, address) as opened:
        yield opened


def status_of(address: str) -> int:
    """The answer to somebody without the cookie."""
    try:
        with PLAIN.open(address, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def go_back_to_the_list(page: Any) -> None:
    """Go back step by step: what was opened within the session may be steps of their own."""
    written(page)  # else the address would change by itself, and be taken for a step back
    while "s=" in (before := page.evaluate("location.href")):
        page.evaluate("history.back()")
        page.wait_for_function("(before) => location.href !== before", arg=before)


def test_the_list_has_the_titles_and_the_code_is_gone_from_the_address(page: Any) -> None:
    titles = page.locator(".line.session .label")
    page.locator(".line.session .calls", has_text="4").wait_for()
    page.locator(".line.session .calls", has_text="1").wait_for()
    assert titles.all_text_contents() == ["Repair the sluice gate", MARKUP]
    assert "code=" not in page.url


def test_a_session_opens_with_its_nested_agents_filter_and_bodies_and_back_again(page: Any) -> None:
    page.locator(".line.session", has_text="Repair the sluice gate").click()
    page.locator(".grid").wait_for()
    for name in ("look around", "look closer"):
        line(page, name).locator(".twist").click()
        settle(page)
    assert line(page, "sluice").count() == 1
    assert [line(page, name).get_attribute("aria-level") for name in ("look around", "look closer")] == ["2", "3"]
    page.get_by_label("Filter calls").fill("error")
    page.locator(".filterbox .count", has_text="1 of 4 calls").wait_for()
    settle(page)
    assert "look closer" not in " ".join(lines(page))
    line(page, "pytest").locator(".label").click()
    page.locator(".detailbody", has_text="1 failed: the gate stays open").wait_for()
    page.get_by_role("tab", name="Input").click()
    page.locator(".detailbody", has_text="pytest tests/test_gate.py").wait_for()
    go_back_to_the_list(page)
    page.locator(".line.session").nth(1).wait_for()
    assert page.locator(".grid").count() == 0


def test_a_file_from_elsewhere_is_dropped_and_shown_and_is_not_among_the_sessions(page: Any, tmp_path: Path) -> None:
    t = Transcript("5e550003-0000-4000-8000-000000000003")
    t.title("Paint the buoy", "custom")
    t.prompt("Paint it red")
    t.reply("I paint.", [Call("Bash", {"command": "paint red"}, id="toolu_paint")])
    t.result("toolu_paint", "wet")
    with page.expect_file_chooser() as waiting:
        page.get_by_role("button", name="Open a file").click()
    waiting.value.set_files(t.write(tmp_path))
    page.get_by_role("heading", name="Paint the buoy").wait_for()
    assert page.get_by_text("A copy of the file that was opened here.").is_visible()
    page.get_by_label("Filter calls").fill("text:wet")
    page.locator(".filterbox .count", has_text="1 of 1 call").wait_for()
    line(page, "paint red").locator(".label").click()
    page.locator(".detailbody", has_text="wet").wait_for()
    go_back_to_the_list(page)
    page.locator(".line.session").nth(1).wait_for()
    assert "Paint the buoy" not in page.locator(".line.session .label").all_text_contents()


def test_the_report_of_a_session_is_saved_and_opens_as_a_page_of_its_own(page: Any, tmp_path: Path) -> None:
    page.locator(".line.session", has_text="Repair the sluice gate").click()
    page.locator(".grid").wait_for()
    page.locator(".export summary").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="download the report").click()
    kept = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(kept)
    assert kept.name == "waterglass-5e550001.html"
    opened = page.context.new_page()
    opened.goto(kept.as_uri())
    opened.get_by_role("heading", name="Repair the sluice gate").wait_for()
    opened.close()


def test_markup_in_every_field_is_shown_as_text(page: Any) -> None:
    page.locator(".line.session", has_text="onerror").click()
    page.locator(".grid").wait_for()
    line(page, "{{7*7}}").locator(".label").click()
    page.locator(".detailbody", has_text="javascript:window.XSS=3").wait_for()
    page.locator(".layer .line.call").first.locator(".label").click()
    for tab in ("Input", "Raw", "Output"):
        page.get_by_role("tab", name=tab).click()
        loaded(page)
        assert "onerror" in page.locator(".detailbody").text_content()
    assert page.locator("#app img, #app script, #app iframe").count() == 0
    assert not {"pier", "x"} & set(page.locator("#app b").all_text_contents())
    assert page.locator("a[href^='javascript:'], a[href^='data:']").count() == 0


@pytest.mark.parametrize(
    "path", ["/", "/?code=wrong", "/api/sessions", f"/api/sessions/{LONG}", "/api/sessions/..%2f..%2fx", "/nowhere"]
)
def test_without_the_code_nothing_is_answered(address: str, path: str) -> None:
    assert status_of(address.partition("/?")[0] + path) == 401
