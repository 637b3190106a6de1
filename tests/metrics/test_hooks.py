"""Checks that hooks of the program run: their results are not written, so nothing is raised beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Call, Transcript
from waterglass.session import Session, load

SESSION = "5e551044-0000-4000-8000-000000000001"
STOP = "npx eslint . --max-warnings 0"


def worked(root: Path, hook: str | None, form: str) -> Session:
    t = Transcript(SESSION, cwd="/code/demo", version="2.1.11")
    t.at("2026-03-02T09:00:00Z").prompt("Fix it")
    given = {"file_path": "/code/demo/a.ts", "old_string": "a", "new_string": "b"}
    t.at("+1s").reply(calls=[Call("Edit", given, "c1")])
    t.at("+1s").result("c1", "The file has been updated")
    t.at("+1s").reply(text="Done. It is fixed.")
    if hook is not None and form == "summary":
        t.system("stop_hook_summary", hookCount=1, hookInfos=[{"command": hook}], content="")
    elif hook is not None:
        data = {"type": "hook_progress", "hookEvent": "Stop", "hookName": "Stop", "command": hook}
        t.record("progress", data=data, toolUseID="h1", parentToolUseID="h1")
    t.write(root)
    return load(SESSION, roots=[str(root)], now_ms=1_780_000_000_000)


def statuses(session: Session) -> list[Any]:
    told = {metric["id"]: metric["status"] for metric in session.metrics}
    return [told["earlyVictory"], told["verificationDensity"]]


@pytest.mark.parametrize("form", ["summary", "progress"])
def test_a_hook_that_checks_after_the_last_edit_leaves_the_question_open(tmp_path: Path, form: str) -> None:
    assert statuses(worked(tmp_path, STOP, form)) == ["unknown", "unknown"]


@pytest.mark.parametrize("hook", [None, "callback", "terminal-notifier -message done"])
def test_a_hook_that_checks_nothing_changes_nothing(tmp_path: Path, hook: str | None) -> None:
    assert statuses(worked(tmp_path, hook, "summary")) == ["alert", "alert"]
