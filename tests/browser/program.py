"""The program itself in a process of its own, and a browser's page that must stay quiet."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import WATCH
from tests.browser.start import PATIENCE_MS


@contextmanager
def running(root: Path, home: Path, environment: dict[str, str]) -> Iterator[str]:
    """Run `waterglass serve` over a root from the folder `home`; yields the address with the code."""
    process = subprocess.Popen(
        [sys.executable, "-m", "waterglass", "serve", "--no-open", "--port", "0", "--root", str(root)],
        cwd=home,
        env={**environment, "HOME": str(home), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    printed = re.search(r"http://\S+", process.stdout.readline())
    assert printed, process.communicate(timeout=20)
    yield printed.group()
    process.terminate()
    _, said = process.communicate(timeout=20)
    assert "Traceback" not in said


@contextmanager
def quiet_page(browser: Any, address: str, **context: Any) -> Iterator[Any]:
    """Open an address; afterwards nothing was said, refused, run or asked of anyone else."""
    made = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context})
    opened = made.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.add_init_script(WATCH)
    loud: list[str] = []
    elsewhere: list[str] = []
    refused: list[str] = []
    own = address.partition("/?")[0]
    opened.on("console", lambda m: loud.append(m.text) if m.type in ("error", "warning") else None)
    opened.on("pageerror", lambda e: loud.append(str(e)))
    opened.on("request", lambda r: elsewhere.append(r.url) if not r.url.startswith((own + "/", "data:")) else None)
    opened.on("response", lambda r: refused.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    opened.goto(address)
    opened.locator('html[data-ready="1"]').wait_for(state="attached")
    yield opened
    assert (loud, elsewhere, refused, opened.evaluate("window.violations")) == ([], [], [], [])
    assert opened.evaluate("window.XSS ?? null") is None
    made.close()
