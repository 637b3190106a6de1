"""Logs captured with `--output-format stream-json`: no uuid, no time, sub-agents named by the calls that began them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from waterglass import load
from waterglass.session import Session

USAGE = {"input_tokens": 5, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 0, "output_tokens": 2}


def said(message_id: str, *blocks: dict[str, Any], parent: str | None = None) -> dict[str, Any]:
    message = {"id": message_id, "type": "message", "role": "assistant", "model": "claude-opus-4-5", "usage": USAGE}
    message |= {"content": list(blocks), "stop_reason": None}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, "session_id": "s-1"}


def heard(*blocks: dict[str, Any], parent: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": list(blocks)}
    return {"type": "user", "message": message, "parent_tool_use_id": parent, "session_id": "s-1", **more}


def call(use_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": use_id, "name": name, "input": given}


def answer(use_id: str, text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": is_error}


LOG = [
    {
        "type": "system", "subtype": "init", "cwd": "/code/demo", "session_id": "s-1", "model": "claude-opus-4-5",
        "claude_code_version": "2.1.50", "tools": ["Bash", "Task"],
    },
    said("msg_1", {"type": "text", "text": "I ask a helper."}),
    said("msg_1", call("toolu_task", "Task", description="Look", prompt="Look around", subagent_type="Explore")),
    heard({"type": "text", "text": "Look around"}, parent="toolu_task"),
    said("msg_2", call("toolu_ls", "Bash", command="ls"), parent="toolu_task"),
    heard(answer("toolu_ls", "a.py"), parent="toolu_task"),
    said("msg_3", {"type": "text", "text": "One file."}, parent="toolu_task"),
    heard(answer("toolu_task", "One file."), tool_use_result={"agentId": "aaaa1111", "status": "completed"}),
    heard({"type": "text", "text": "A reminder of the program"}, isSynthetic=True),
    said("msg_4", call("toolu_bad", "Bash", command="false")),
    heard(answer("toolu_bad", "Exit code 1", is_error=True)),
    said("msg_5", {"type": "text", "text": "Done."}),
    {"type": "result", "subtype": "success", "is_error": False, "num_turns": 3, "session_id": "s-1", "result": "Done."},
]  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in LOG))
    return load(str(path))


def test_a_captured_log_has_its_calls_under_the_call_that_started_their_agent(session: Session) -> None:
    rows = {row.id: row for row in session.rows}
    assert [(row.id, row.outcome, row.depth) for row in session.rows] == [
        ("toolu_task", "ok", 0),
        ("toolu_ls", "ok", 1),
        ("toolu_bad", "error", 0),
    ]
    assert rows["toolu_ls"].parent_row_id == "toolu_task"
    (agent,) = session.payload()["agents"]
    assert (agent["parent"], agent["type"], agent["depth"]) == ("toolu_task", "Explore", 1)
    assert session.problems == []


def test_each_reply_of_a_captured_log_counts_once_and_its_output_is_a_lower_bound(session: Session) -> None:
    usage = session.usage
    assert (usage["apiCalls"], usage["agents"]["apiCalls"], usage["outputIsLowerBound"]) == (5, 2, True)


def test_a_captured_log_tells_its_version_and_folder_and_no_times_and_has_no_prompt(session: Session) -> None:
    payload = session.payload()
    assert payload["session"]["project"] == "/code/demo"
    assert payload["session"]["versions"] == ["2.1.50"]
    assert (payload["session"]["startMs"], payload["time"]["wallMs"], payload["prompts"]) == (None, None, [])
    assert payload["coverage"]["unknownRecordTypes"] == {}
