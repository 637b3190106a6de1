"""When a browser is opened."""

from __future__ import annotations

import sys

import click
import pytest

from tests.conftest import RunWaterglass
from waterglass.cli import browser
from waterglass.cli.browser import has_browser
from waterglass.sample import sample_root


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "helper"}, "linux", True),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_without_a_screen_there_is_no_browser_on_linux(
    environment: dict[str, str], platform: str, expected: bool
) -> None:
    assert has_browser(environment, platform) is expected


def test_a_page_is_opened_where_it_can_be_and_nothing_is_tried_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(click, "launch", asked.append)
    for there in (False, True):
        monkeypatch.setattr(browser, "has_browser", lambda there=there: there)
        browser.open_page(f"http://127.0.0.1/{there}")
    assert asked == ["http://127.0.0.1/True"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
def test_a_report_without_a_screen_is_written_and_said_in_one_line(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("report", "5a3b", "--root", sample_root(), "-o", "one.html", "--open")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith("Wrote one.html")
