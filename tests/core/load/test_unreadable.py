"""What discovery saw and could not open is a problem of its session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.core.conftest import Read
from tests.transcripts import Transcript

access = os.access


def session_with_agents() -> Transcript:
    t = Transcript("0c0c0c0c-1111-4222-8333-444444444444")
    t.prompt("go")
    for name in ("a1", "a2"):
        t.agent(name).prompt("look")
    return t


def test_an_agent_file_that_nobody_may_read_is_a_problem_of_the_session(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, mode: int) -> bool:
        return not str(path).endswith("agent-a1.jsonl") and access(path, mode)

    monkeypatch.setattr(os, "access", refuse)
    session = read(session_with_agents())
    assert [t.file.key for t in session.transcripts] == ["main", "a2"]
    assert [(p.code, p.file, p.message) for p in session.problems if p.code == "unreadable_file"] == [
        ("unreadable_file", "a1", "cannot read the transcript (permission denied)")
    ]


def test_a_folder_of_agents_that_nobody_may_list_is_a_problem_of_the_session(
    root: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("subagents"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    session = read(session_with_agents())
    assert [p.file for p in session.problems if p.code == "unreadable_file"] == ["subagents"]


def test_of_a_session_that_was_read_in_part_no_metric_can_tell(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    t = session_with_agents()
    t.at("+1s").reply("Done.")
    assert read(t).metrics[1]["status"] == "na"

    def refuse(path: str, mode: int) -> bool:
        return not str(path).endswith("agent-a1.jsonl") and access(path, mode)

    monkeypatch.setattr(os, "access", refuse)
    metrics = read(t).metrics
    assert {(m["status"], m["value"], m["display"]) for m in metrics} == {
        ("unknown", None, "cannot be told: a file could not be read")
    }
    assert metrics[1]["notes"][0].startswith("a file of the session could not be read; of the rest: na, ")
