"""The shared cases, by their own script, with the command line called in this process."""

from __future__ import annotations

import importlib.util
import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from waterglass.cli import main as cli_main

# Copies of the material that cannot hold links have a small file there, with the target as its text.
LINKS = ("projects/-work-demo", "store/-work-demo/loop")


@pytest.fixture
def script(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module, which calls the program without starting it."""
    path = shared / "cases" / "check.py"
    if not path.is_file():
        pytest.skip("no ../shared/cases beside the checkout")
    spec = importlib.util.spec_from_file_location("shared_cases_check", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(binary: list[str], args: list[str], env: dict[str, str]) -> Any:
        del binary
        written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with monkeypatch.context() as patch:
            for name in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"):
                patch.delenv(name, raising=False)
            for name, value in env.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdout", written)
            code = cli_main.run(args)
        if code:
            raise RuntimeError(f"{' '.join(args)}: exit {code}")
        written.flush()
        assert isinstance(written.buffer, io.BytesIO)
        return json.loads(written.buffer.getvalue())

    monkeypatch.setattr(module, "run", run)
    return module


def with_its_links(case: Path, place: Path) -> Path:
    """The folder of a case, copied with links where it has them, or where small files stand for them."""
    copy = place / case.name
    shutil.copytree(case, copy, symlinks=True)
    for name in LINKS:
        file = copy / name
        if file.is_file() and not file.is_symlink():
            target = file.read_text("utf-8").strip()
            file.chmod(0o600)
            file.unlink()
            file.symlink_to(target)
    return copy


def test_every_shared_case_has_its_right_answers(shared: Path, script: Any, tmp_path: Path) -> None:
    wrong, ran = [], 0
    for case in sorted(p.parent for p in shared.glob("cases/*/expected.json")):
        place = tmp_path / f"run-{case.name}"
        place.mkdir()
        checked = script.Case(with_its_links(case, tmp_path), [], place)
        if checked.skip:
            continue
        checked.check()
        ran += 1
        wrong += [f"{case.name} {line}" for line in checked.bad]
    assert wrong == []
    assert ran > 50
