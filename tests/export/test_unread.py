"""What cannot be read of an export's sessions is said once, and seen in the exit code."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.export.exporting import needs_tables
from tests.transcripts import Transcript
from waterglass.cli.main import run
from waterglass.errors import WaterglassError

WHOLE, PART, CLOSED = (f"5e55000{n}-0000-4000-8000-0000000000f0" for n in (1, 2, 3))
loading = import_module("waterglass.load")  # `waterglass.load` is the function
access, begin = os.access, loading.open_transcript


@pytest.fixture
def root(tmp_path: Path) -> str:
    """Three sessions, the second with an agent."""
    for name in (WHOLE, PART, CLOSED):
        t = Transcript(name)
        t.at("2026-03-02T09:00:00Z").prompt("go")
        t.at("+3s").reply(text="Gone.")
        if name == PART:
            t.agent("a1").prompt("look")
        t.write(tmp_path / "projects")
    return str(tmp_path / "projects")


def close(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let nobody open these files, as far as discovery can see."""
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith(names) and access(path, mode))


def spoil(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the disk fail when this file is read."""

    def refuse(file: Any) -> Any:
        if file.path.endswith(name):
            raise WaterglassError("cannot read the transcript (input/output error)", file.path)
        return begin(file)

    monkeypatch.setattr(loading, "open_transcript", refuse)


def exported(root: str, target: Path, *names: str, form: str = "jsonl") -> int:
    return run(["export", *(names or ["--all"]), "--to", form, "-o", str(target), "--root", root])


def test_an_export_of_everything_leaves_with_0(root: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported(root, tmp_path / "out") == 0
    assert "3 sessions" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_files_that_nobody_may_open_are_named_once_and_seen_in_the_exit_code(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    if form == "parquet":
        needs_tables()
    close(monkeypatch, "agent-a1.jsonl", f"{CLOSED}.jsonl")
    for _ in range(2):  # of tables the second finds those of the first
        assert exported(root, tmp_path / "out", form=form) == 1
        said = capsys.readouterr().err
        assert "2 sessions" in said
        assert (said.count("agent-a1"), said.count(CLOSED), said.count("permission denied")) == (1, 1, 2)


def test_a_file_of_a_session_that_is_named_is_said_too(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close(monkeypatch, "agent-a1.jsonl", f"{CLOSED}.jsonl")
    assert exported(root, tmp_path / "out", WHOLE) == 0
    assert "permission denied" not in capsys.readouterr().err
    assert exported(root, tmp_path / "out", WHOLE, PART, PART) == 1
    said = capsys.readouterr().err
    assert said.count("permission denied") == said.count("agent-a1") == 1 and CLOSED not in said


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_what_the_disk_does_not_give_is_said_each_time_and_taken_up_when_it_does(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    if form == "parquet":
        needs_tables()
    with monkeypatch.context() as patch:
        spoil(patch, "agent-a1.jsonl")
        for _ in range(2):
            assert exported(root, tmp_path / "out", form=form) == 1
            said = capsys.readouterr().err
            assert said.count("input/output error") == said.count(PART) == 1 and "3 sessions" in said
    assert exported(root, tmp_path / "out", form=form) == 0
    assert "waterglass: " not in capsys.readouterr().err


def test_a_session_of_which_nothing_can_be_read_is_left_out_with_exit_code_1(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(monkeypatch, f"{CLOSED}.jsonl")
    assert exported(root, tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "2 sessions" in said and said.count("waterglass: ") == said.count(f"left out {CLOSED}") == 1
