"""Were code ever injected into the page: nothing that it tries runs, and nothing that it asks for leaves.

One thing no policy stops, going to another page, is not tried here: against it stands that there is no sink at all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browser.program import running
from waterglass.report import write_report
from waterglass.sample import sample_root, write_sample
from waterglass.session import load

pytestmark = pytest.mark.browser
RUN = "window.ran.push(NAME)"
# Each is tried by itself; HOST is a server that counts what is asked of it.
ATTEMPTS = {
    "innerHTML": 'at.innerHTML = `<img src=x onerror="RUN">`',
    "outerHTML": "at.appendChild(document.createElement('i')).outerHTML = `<img src=x onerror=\"RUN\">`",
    "insertAdjacentHTML": "at.insertAdjacentHTML('beforeend', `<img src=x onerror=\"RUN\">`)",
    "createContextualFragment": "at.append(document.createRange().createContextualFragment(`<script>RUN</script>`))",
    "script text": "const s = made('script'); s.text = `RUN`; at.append(s)",
    "script src": "const s = made('script'); s.src = 'HOST/script.js'; at.append(s)",
    "script data": "const s = made('script'); s.src = 'data:text/javascript,RUN'; at.append(s)",
    "import data": "await import('data:text/javascript,RUN')",
    "import": "await import('HOST/module.js')",
    "eval": "eval(`RUN`)",
    "Function": "new Function(`RUN`)()",
    "timer with text": "setTimeout(`RUN`, 0)",
    "handler attribute": "const b = made('button'); b.setAttribute('onclick', `RUN`); at.append(b); b.click()",
    "frame text": "const f = made('iframe'); f.srcdoc = `<script>parent.RUN</script>`; at.append(f)",
    "frame data": "const f = made('iframe'); f.src = `data:text/html,<script>parent.RUN</script>`; at.append(f)",
    "frame": "const f = made('iframe'); f.src = 'HOST/frame'; at.append(f)",
    "fetch": "await fetch('HOST/fetch', {mode: 'no-cors'})",
    "request": "const r = new XMLHttpRequest(); r.open('GET', 'HOST/xhr'); r.send()",
    "beacon": "navigator.sendBeacon('HOST/beacon', 'x')",
    "events": "new EventSource('HOST/events')",
    "socket": "new WebSocket('HOST/socket'.replace('http', 'ws'))",
    "image": "const i = new Image(); i.src = 'HOST/image.png'; at.append(i)",
    "style image": "const d = made('div'); d.style.backgroundImage = 'url(HOST/style.png)'; at.append(d)",
    "style element": "const s = made('style'); s.textContent = '@import \"HOST/style.css\";'; at.append(s)",
    "style sheet": "const l = made('link'); l.rel = 'stylesheet'; l.href = 'HOST/sheet.css'; document.head.append(l)",
    "prefetch": "const l = made('link'); l.rel = 'prefetch'; l.href = 'HOST/prefetch'; document.head.append(l)",
    "form": "const f = made('form'); f.action = 'HOST/form'; f.target = 'inner'; at.append(f); f.submit()",
    "base": "const b = made('base'); b.href = 'HOST/'; document.head.append(b); new Image().src = 'base.png'",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('HOST/worker', {mode: 'no-cors'})`])))",
    "object": "const o = made('object'); o.data = 'HOST/object'; at.append(o)",
    "media": "const v = made('video'); v.src = 'HOST/video.mp4'; at.append(v); v.load()",
    "font": "document.fonts.add(await new FontFace('x', 'url(HOST/font.woff)').load())",
    # These two end the page where they succeed, so they come last.
    "script address": "const a = made('a'); a.href = `javascript:RUN`; at.append(a); a.click()",
    "document.write": "document.write(`<script>RUN</script>`)",
}
# What a page without a policy lets happen, so that the list is known to be one that can succeed.
CONTROLS = {"innerHTML", "script text", "eval", "Function", "timer with text", "handler attribute"}


class Listener(ThreadingHTTPServer):
    """Answers everything with an empty page without a policy, and keeps what was asked of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path not in ("/", "/favicon.ico"):
            self.server.asked.append(self.path)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>open</title><body></body>")

    do_POST = do_GET

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def listening() -> Iterator[Listener]:
    with Listener() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def try_all(page: Any, server: Listener) -> None:
    """Try everything in a page that is open."""
    asks = page.context.new_cdp_session(page)
    # The developer tools may evaluate text where the page itself may not, unless they are told to keep to its policy.
    keep = {"awaitPromise": True, "allowUnsafeEvalBlockedByCSP": False, "userGesture": True}
    asks.send(
        "Runtime.evaluate", {"expression": "window.ran = []; window.made = (n) => document.createElement(n)", **keep}
    )
    for name, code in ATTEMPTS.items():
        code = code.replace("RUN", RUN.replace("NAME", f"'{name}'")).replace("HOST", server.address)
        body = f"(async () => {{ const at = document.body; try {{ {code} }} catch {{}} }})()"
        asks.send("Runtime.evaluate", {"expression": body, **keep})


def came_of_it(page: Any, server: Listener) -> tuple[set[str], list[str]]:
    """Return what ran, and what was asked of the server."""
    return set(page.evaluate("window.ran")), sorted(set(server.asked))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("attacked") / "report.html"
    write_report(load("5a3b1e00", [str(sample_root())]), target)
    return target.as_uri()


@pytest.fixture(scope="module")
def served(child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("attacked")
    write_sample(folder / "sample")
    (folder / "home").mkdir()
    with running(folder / "sample" / "projects", folder / "home", child_environment) as printed:
        yield printed


@pytest.mark.parametrize("where", ["served", "report"])
def test_nothing_that_injected_code_tries_runs_or_leaves(
    browser: Any, where: str, request: pytest.FixtureRequest
) -> None:
    page = browser.new_page()
    page.goto(request.getfixturevalue(where))
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    with listening() as server:
        try_all(page, server)
        page.wait_for_timeout(1_500)  # for what is tried: all that could be waited for is what must not happen
        assert came_of_it(page, server) == (set(), [])
    page.close()


def test_the_same_code_runs_and_leaves_where_there_is_no_policy(browser: Any) -> None:
    page = browser.new_page()
    with listening() as server:
        page.goto(server.address)
        try_all(page, server)
        end = time.monotonic() + 60
        ran, asked = came_of_it(page, server)
        while not (ran >= CONTROLS and len(asked) > 10) and time.monotonic() < end:
            page.wait_for_timeout(50)
            ran, asked = came_of_it(page, server)
    page.close()
    assert ran >= CONTROLS
    assert len(asked) > 10


def test_forced_colours_and_reduced_motion_are_honoured(browser: Any, report: str, tmp_path: Path) -> None:
    page = browser.new_page(forced_colors="active", reduced_motion="reduce")
    page.goto(report)
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);"
        " return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none'; }).length"
    )
    assert moving == 0
    bars = page.evaluate(
        "[...document.querySelectorAll('.layer .bar:not(.gone)')].slice(0, 20).map((e) => {"
        " const s = getComputedStyle(e); return [s.backgroundColor, s.borderTopWidth, s.forcedColorAdjust]; })"
    )
    assert bars
    # A bar is seen by an edge or a colour of the system's, not by a background that is taken away.
    assert all(colour != "rgba(0, 0, 0, 0)" or edge != "0px" or adjust == "none" for colour, edge, adjust in bars)
    page.close()
