"""Take the pictures of the docs anew: `python tools/pictures.py`, from the sample, with a Chromium on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
TIDES = "5a3b1e00-71de-4f00-8a00-0000000000a1"
SIZE = (1280, 800)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def waterglass(*args: str) -> list[str]:
    """The command line of the program."""
    return [sys.executable, "-m", "waterglass", *args]


@contextmanager
def served(root: str, home: str) -> Iterator[str]:
    """Serve the sample with a cache of its own; gives the address that is printed."""
    env = {**os.environ, "HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "PYTHONUNBUFFERED": "1"}
    command = waterglass("serve", "--root", root, "--no-open")
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        yield next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
        server.terminate()


def take(page: Page, name: str) -> None:
    """Write one picture once nothing moves."""
    page.wait_for_timeout(1_500)
    page.screenshot(path=str(PICTURES / f"{name}.png"))
    print(f"docs/pictures/{name}.png")


def served_views(page: Page, address: str) -> None:
    """The list, a session, its detail, search and statistics."""
    base = address.partition("/?")[0]
    page.goto(address)
    page.wait_for_selector(".shelf .line")
    take(page, "sessions")
    page.goto(f"{base}/#v=1&s={TIDES}")
    page.wait_for_selector(".layer .line.call")
    page.keyboard.press("Home")
    take(page, "waterfall")
    page.locator(".line.call", has_text="Edit").first.click()
    page.keyboard.press("Enter")
    take(page, "detail")
    page.goto(f"{base}/#v=1&page=find&q=tide")
    page.wait_for_selector("mark")
    take(page, "search")
    page.goto(f"{base}/#v=1&page=stats")
    page.wait_for_timeout(2_000)
    take(page, "statistics")


def main() -> None:
    """Make the sample, show it, take the pictures."""
    browser_path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser_path is None:
        sys.exit("No Chromium is installed. Try (Debian, Ubuntu): sudo apt-get install chromium")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as engine:
        env = {**os.environ, "HOME": home}
        sample, comparison = f"{home}/sample", f"{home}/comparison.html"
        subprocess.run(waterglass("sample", "-o", sample), env=env, check=True, stdout=subprocess.DEVNULL)
        root = f"{sample}/projects"
        compared = waterglass("compare", "5a3b", "9e55", "--root", root, "-o", comparison)
        subprocess.run(compared, env=env, check=True, stdout=subprocess.DEVNULL)
        browser = engine.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
        with served(root, home) as address:
            served_views(page, address)
        page.goto(f"file://{comparison}")
        take(page, "comparison")
        browser.close()


if __name__ == "__main__":
    main()
