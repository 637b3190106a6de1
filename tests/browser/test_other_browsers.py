"""Reports opened from disk in Firefox and in WebKit, where these are installed: painted, unpacked, quiet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.browser import drivers
from tests.browser.drivers import Driven, until
from tests.transcripts import Call, Transcript
from waterglass.report import write_report
from waterglass.sample import sample_root
from waterglass.session import load

pytestmark = pytest.mark.browser

MAIN = "5a3b1e00"
CALLS = 3_000  # a dozen blocks of bodies
LAST = "the last line of the last call"
NO_FIREFOX = "no Firefox found, so no report is opened in it. Install one: sudo apt-get install firefox-esr (Debian)"
NO_WEBKIT = "no WebKit with a driver found, so no report is opened in it: sudo apt-get install webkit2gtk-driver xvfb"
HOSTILE = "</script><script>window.XSS=1</script><img src=x onerror=window.XSS=1>\x1b[31m\u202e'\"&<!--"


def _firefox(folder: Path) -> AbstractContextManager[Driven]:
    program = next(filter(None, map(shutil.which, drivers.FIREFOX)), None)
    return drivers.firefox(program, folder) if program else pytest.skip(NO_FIREFOX)


def _webkit(folder: Path) -> AbstractContextManager[Driven]:
    program = drivers.mini_browser()
    return drivers.webkit(program, folder) if program else pytest.skip(NO_WEBKIT)


@pytest.fixture(scope="module", params=[_firefox, _webkit], ids=["firefox", "webkit"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    with request.param(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def report_of(folder: Path, calls: list[tuple[Call, str]], title: str) -> Path:
    """Write a session of these calls with their outputs, and its report."""
    told = Transcript("0b5e4c7d-92a1-4f00-8a00-0000000000b1", cwd=f"/code/{HOSTILE}", version="2.1.220")
    told.at("2026-03-02T09:00:00Z").prompt(title)
    for number, (call, output) in enumerate(calls):
        call.id = f"toolu_{number}"
        told.at("+1s").reply(text=title, calls=[call])
        told.at("+1s").result(call.id, output)
    told.write(folder / "projects")
    target = folder / "report.html"
    write_report(load("latest", [str(folder / "projects")]), target)
    return target


def shown(page: Driven, report: Path) -> None:
    """Open a report and wait for its rows."""
    page.said.clear()
    page.asked.clear()
    page.open(report.as_uri())
    until(page, "document.documentElement.dataset.ready === '1'", "the page says that it is ready")
    until(page, "document.querySelectorAll('.line').length > 0", "rows are painted")


def opened_detail(page: Driven, label: str) -> str:
    """Click the row that says `label`, press Enter, and return the text of its detail."""
    row = f"[...document.querySelectorAll('.line')].find((one) => one.textContent.includes({label!r}))"
    until(page, f"!!({row})", f"a row says {label}")
    key = "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})"
    page.value(f"({row}.click(), document.activeElement.dispatchEvent({key}), true)")
    return str(until(page, "(document.querySelector('.detailbody') || {}).innerText || ''", "a detail opens"))


def quiet(page: Driven) -> None:
    """Nothing was said, nothing was asked of anybody, and nothing of the data ran."""
    assert page.said == []
    assert [address for address in page.asked if not address.startswith(("file:", "data:"))] == []
    assert page.value("typeof window.XSS") == "undefined"
    assert page.value("document.images.length") == 0
    assert (
        page.value("performance.getEntriesByType('resource').filter((one) => !one.name.startsWith('data:')).length")
        == 0
    )


def test_the_sample_opens_with_its_rows_and_unpacks_a_body(page: Driven, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    write_report(load(MAIN, [str(sample_root())]), report)
    shown(page, report)
    assert page.value("document.body.innerText.includes('81 calls')") is True
    page.value("(document.querySelector('[role=treegrid]').focus(), true)")
    assert page.value("document.querySelectorAll('.line').length > 10") is True
    quiet(page)


def test_a_long_session_opens_with_few_elements_and_unpacks_its_last_block(page: Driven, tmp_path: Path) -> None:
    calls = [(Call("Bash", {"command": f"make part-{n}"}), f"line\n{n}\n" * 200) for n in range(CALLS - 1)]
    shown(page, report_of(tmp_path, [*calls, (Call("Bash", {"command": "make the-end"}), LAST)], "A long one"))
    assert page.value("document.getElementsByTagName('*').length < 2500") is True
    page.value("(document.querySelector('[role=treegrid]').scrollTop = 1e9, true)")
    assert LAST in opened_detail(page, "make the-end")
    quiet(page)


def test_hostile_names_and_outputs_are_text(page: Driven, tmp_path: Path) -> None:
    made: list[tuple[Call, str]] = [
        (Call(f"mcp__x__{HOSTILE}", {HOSTILE: HOSTILE}), HOSTILE),
        (Call("Bash", {"command": HOSTILE, "description": "hostile-row"}), HOSTILE * 100),
        (
            Call("Read", {"file_path": f"/{HOSTILE}"}),
            "[a](javascript:window.XSS=1) ![b](https://outside.example/x.png)",
        ),
    ]
    shown(page, report_of(tmp_path, made, HOSTILE))
    assert "window.XSS=1" in opened_detail(page, "<img src=x")
    links: Any = page.value("[...document.links].filter((one) => !/^(file|https?|mailto):/.test(one.protocol)).length")
    assert links == 0
    quiet(page)
