"""The page's pure modules against the case files under Node, where it is present; `tests/browser` runs them there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parent
FILES = sorted((CASES / "cases").glob("*.json"))


def test_case_files_are_there() -> None:
    assert sum(len(json.loads(file.read_text(encoding="utf-8"))) for file in FILES) > 100


def test_node_finds_each_module_by_its_name() -> None:
    web = CASES.parents[1] / "src" / "waterglass" / "web"
    told = json.loads((web / "package.json").read_text(encoding="utf-8"))["imports"]
    assert told == {f"#{file.stem}": f"./{file.name}" for file in web.glob("*.js")}


def test_cases_hold_under_node() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine: the page's modules are tested in the browser alone")
    done = subprocess.run([node, "--test", str(CASES / "cases.test.js")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:]
