"""A Chromium, and the page with made-up answers, which must stay quiet: no error, violation or request elsewhere."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.browser import answers, payloads
from tests.browser.pageserver import Pages, serving
from tests.browser.start import ARGUMENTS, PATIENCE_MS

Visit = Callable[..., Any]
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (e) => {
  window.violations.push(`${e.violatedDirective} ${e.blockedURI}`);
});
"""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """One Chromium for a module's tests; it ends with them, since a process drives one at a time."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()


@cache
def _large() -> bytes:
    payload = answers.large(50_000)
    payload["session"]["id"] = "large"
    return json.dumps(payload).encode()


@pytest.fixture
def pages() -> Iterator[Pages]:
    """The page's server with the made-up sessions."""
    made = {
        "small": payloads.small,
        "empty": payloads.empty,
        "large": _large,
        "live": lambda: payloads.live(int(time.time() * 1000)),
    }
    with serving(Pages(made, lambda: answers.sessions(60), answers.body)) as served:
        yield served


@pytest.fixture
def visit(browser: Any, pages: Pages) -> Iterator[Visit]:
    """Open an address of the page and wait until it is painted; afterwards the page must have been quiet."""
    contexts: list[Any] = []
    opened: list[tuple[Any, list[str], list[str]]] = []

    def open_page(fragment: str = "", *, errors: str = "", path: str = "", **context: Any) -> Any:
        made = browser.new_context(viewport=context.pop("viewport", {"width": 1440, "height": 900}), **context)
        contexts.append(made)
        page = made.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(WATCH)
        loud: list[str] = []
        elsewhere: list[str] = []
        page.on(
            "console",
            lambda m: loud.append(m.text) if m.type == "error" and not (errors and errors in m.text) else None,
        )
        page.on("pageerror", lambda e: loud.append(str(e)))
        page.on(
            "request", lambda r: elsewhere.append(r.url) if not r.url.startswith((pages.address, "data:")) else None
        )
        opened.append((page, loud, elsewhere))
        page.goto(f"{pages.address}/{path}{fragment}")
        page.locator('html[data-ready="1"]').wait_for(state="attached")
        return page

    yield open_page
    for page, loud, elsewhere in opened:
        assert loud == []
        assert elsewhere == []
        assert page.evaluate("window.violations") == []
        assert page.evaluate("window.XSS ?? null") is None
    for context in contexts:
        context.close()
