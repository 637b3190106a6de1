"""The shared cases of attacks, against the running server and in a browser: what their script only opens."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.start import ARGUMENTS
from waterglass.report import write_report
from waterglass.session import load


@pytest.fixture
def case(shared: Path, request: pytest.FixtureRequest) -> Path:
    folder: Path = shared / "cases" / request.param
    return folder if folder.is_dir() else pytest.skip("no ../shared/cases beside the checkout")


@pytest.fixture
def served(case: Path, child_environment: dict[str, str], tmp_path: Path) -> Iterator[tuple[int, str]]:
    """The port and the cookie of a server over the case's projects."""
    args = ["-m", "waterglass", "serve", "--no-open", "--port", "0", "--root", str(case / "projects")]
    with subprocess.Popen(
        [sys.executable, *args], cwd=tmp_path, env=child_environment, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        address = next(found for line in child.stdout if (found := re.search(r":(\d+)/\?code=(\S+)", line)))
        yield int(address[1]), f"waterglass-{address[1]}={address[2]}"
        child.kill()


def answer(port: int, cookie: str, asked: dict[str, Any]) -> tuple[int, str]:
    """Send a request as the case writes it, with the cookie, and return its status and all that comes."""
    headers = {name: value.replace("{port}", str(port)) for name, value in asked["headers"].items()}
    lines = [f"GET {asked['path']} HTTP/{asked.get('http', '1.1')}", f"Cookie: {cookie}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connected:
        connected.sendall("\r\n".join([*lines, "", ""]).encode())
        parts = []
        while part := connected.recv(65_536):
            parts.append(part)
    told = b"".join(parts).decode("utf-8", "replace")
    return int(told.split(" ", 2)[1]), told


@pytest.mark.parametrize("case", ["C79"], indirect=True)
def test_each_request_of_the_case_is_answered_as_it_says(case: Path, served: tuple[int, str]) -> None:
    port, cookie = served
    never = json.loads((case / "expected.json").read_text())["expect"]["body_never_contains"]
    requests = json.loads((case / "requests.json").read_text())["requests"]
    assert len(requests) > 8
    for asked in requests:
        status, told = answer(port, cookie, asked)
        wanted = asked.get("status", status)
        assert status in (wanted if isinstance(wanted, list) else [wanted]), asked
        assert asked.get("no_header", "Access-Control-Allow-Origin").lower() not in told.lower()
        assert never not in told
    with pytest.raises(OSError):  # were it there for the network, it would be there as well
        socket.create_connection(("127.0.0.2", port), 2).close()


@pytest.mark.parametrize("case", ["C80"], indirect=True)
def test_what_a_transcript_says_is_text_in_a_report(case: Path, chromium: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    expect = json.loads((case / "expected.json").read_text())["expect"]
    report = tmp_path / "report.html"
    write_report(load("latest", [str(case / "projects")]), report)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        alerts: list[str] = []
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        page.goto(report.as_uri())
        page.locator('html[data-ready="1"]').wait_for(state="attached")
        rows = page.locator(".line")
        seen = page.locator("body").inner_text()
        for at in range(rows.count()):
            rows.nth(at).click()
            page.keyboard.press("Enter")
            for tab in ("Output", "Input", "Raw", "Text"):
                found = page.get_by_role("tab", name=tab)
                if found.count():
                    found.first.click()
                    page.wait_for_timeout(50)
                    seen += page.locator("body").inner_text()
        assert alerts == []
        assert page.evaluate("[...document.scripts].filter((one) => !one.type || one.type === 'module').length") == 1
        links = page.evaluate("[...document.links].map((one) => one.protocol)")
        assert [scheme for scheme in links if scheme in ("javascript:", "data:")] == []
        assert [text for text in expect["text_shown_literally"] if text not in seen] == []
        browser.close()
