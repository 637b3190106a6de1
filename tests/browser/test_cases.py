"""The page's pure modules against the case files, in the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pageserver import CASES, Pages

pytestmark = pytest.mark.browser
FILES = sorted((CASES / "cases").glob("*.json"))
RUN = """async (cases) => {
  const { answer, MODULES } = await import('/cases/drive.js');
  const mods = Object.fromEntries(await Promise.all(MODULES.map(async (name) => [name, await import(`#${name}`)])));
  return cases.map((testCase) => {
    try { return answer(mods, testCase); } catch (error) { return `threw ${error.stack}`; }
  });
}"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_cases_hold_in_the_browser(file: Path, browser: Any, pages: Pages) -> None:
    cases = json.loads(file.read_text(encoding="utf-8"))
    page = browser.new_page()
    page.goto(pages.address)
    said = page.evaluate(RUN, cases)
    page.close()
    assert {c["description"]: a for c, a in zip(cases, said, strict=True) if a != c["expected"]} == {}
