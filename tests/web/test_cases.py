"""The page's pure modules against the case files: under Node where it is present, and in the browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pageserver import Pages, serving

CASES = Path(__file__).resolve().parent
FILES = sorted((CASES / "cases").glob("*.json"))
RUN = """async (cases) => {
  const { answer, MODULES } = await import('/cases/drive.js');
  const mods = Object.fromEntries(await Promise.all(MODULES.map(async (name) => [name, await import(`#${name}`)])));
  return cases.map((testCase) => {
    try { return answer(mods, testCase); } catch (error) { return `threw ${error.stack}`; }
  });
}"""


def test_case_files_are_there() -> None:
    assert sum(len(json.loads(file.read_text(encoding="utf-8"))) for file in FILES) > 100


def test_cases_hold_under_node() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine: the page's modules are tested in the browser alone")
    done = subprocess.run([node, "--test", str(CASES / "cases.test.js")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.fixture(scope="module")
def module_page(chromium: str) -> Any:
    """A page of the server in which modules can be imported by name."""
    from playwright.sync_api import sync_playwright

    from tests.browser.start import ARGUMENTS

    with serving(Pages()) as pages, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page()
        page.goto(pages.address)
        yield page
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_cases_hold_in_the_browser(file: Path, module_page: Any) -> None:
    cases = json.loads(file.read_text(encoding="utf-8"))
    answers = module_page.evaluate(RUN, cases)
    wrong = {c["description"]: a for c, a in zip(cases, answers, strict=True) if a != c["expected"]}
    assert wrong == {}
