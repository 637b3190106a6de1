"""Shapes of sessions that invite work with the square of their records: none of them makes the program hang."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from waterglass.session import load

pytestmark = pytest.mark.slow

# A square of these, at three tenths of a microsecond a step, takes a minute; all of them take a second or two.
MANY = 15_000
HANGS = 60  # seconds

Record = dict[str, Any] | str


def record(n: int, kind: str, **fields: Any) -> dict[str, Any]:
    when = f"2026-03-02T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}.000Z"
    return {"type": kind, "uuid": f"u{n}", "sessionId": "s", "timestamp": when, **fields}


def user(n: int, content: Any = "Go", **fields: Any) -> dict[str, Any]:
    return record(n, "user", message={"role": "user", "content": content}, **fields)


def call(n: int, name: str = "Bash", reply: str | None = None, **given: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": f"c{n}", "name": name, "input": given}
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"role": "assistant", "id": reply or f"m{n}", "model": "m", "content": [block], "usage": usage}
    return record(n, "assistant", message=message)


def result(n: int, call_id: str, text: str = "done") -> dict[str, Any]:
    return user(n, [{"type": "tool_result", "tool_use_id": call_id, "content": text}])


def notification(n: int, inner: str) -> dict[str, Any]:
    return user(n, f"<task-notification>{inner}<status>completed</status></task-notification>")


def background(n: int) -> dict[str, Any]:
    return call(n, command="make serve", run_in_background=True)


SHAPES: dict[str, Callable[[int], list[Record]]] = {
    "a chain": lambda n: [user(i, parentUuid=f"u{i - 1}") for i in range(n)],
    "a chain from its end": lambda n: [user(i, parentUuid=f"u{i - 1}") for i in range(n)][::-1],
    "a star": lambda n: [user(i, parentUuid="u0") for i in range(n)],
    "a circle": lambda n: [user(i, parentUuid=f"u{(i + 1) % n}") for i in range(n)],
    "calls that stay open": lambda n: [call(i) for i in range(n)],
    "calls and interrupts": lambda n: [
        user(i, "[Request interrupted by user]") if i % 2 else call(i) for i in range(n)
    ],
    "calls as time runs back": lambda n: [call(i) for i in range(n)][::-1],
    "calls of one reply": lambda n: [call(i, reply="m") for i in range(n)],
    "results of one call": lambda n: [call(0), *(result(i, "c0") for i in range(1, n))],
    "one id with many contents": lambda n: [user(i, f"text {i}") | {"uuid": "u"} for i in range(n)],
    "replays": lambda n: [user(0)] * n,
    "background calls": lambda n: [
        result(i, f"c{i - 1}", f"Command running in background with ID: b{i}") if i % 2 else background(i)
        for i in range(n)
    ],
    "news of tasks": lambda n: [notification(i, f"<task-id>b{i}</task-id>") for i in range(n)],
    "news without a task": lambda n: [background(i) if i < n // 2 else notification(i, "") for i in range(n)],
    "agents of one prompt": lambda n: [call(i, "Agent", prompt="Look", description="d") for i in range(n)],
    "agents in the main file": lambda n: [
        user(i, f"Part {i % 5}", isSidechain=True) if i % 2 else call(i, "Task", prompt=f"Part {i % 5}")
        for i in range(n)
    ],
    "messages to one agent": lambda n: [call(i, "SendMessage", to="a1", message="Go on") for i in range(n)],
    "queued prompts": lambda n: [
        record(i, "queue-operation", operation="enqueue", content=f"Later {i % 9}")
        if i % 2
        else record(i, "attachment", attachment={"type": "queued_command", "prompt": f"Later {i % 9}"})
        for i in range(n)
    ],
    "compactions": lambda n: [
        record(i, "system", subtype="compact_boundary", logicalParentUuid=f"u{i - 1}") for i in range(n)
    ],
    "torn lines": lambda n: ['x{"type":"user"'] * n,
    "kinds of records": lambda n: [record(i, f"kind {i}") for i in range(n)],
}


@pytest.mark.timeout(HANGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_work_that_would_grow_with_the_square_of_the_records_does_not_hang(tmp_path: Path, shape: str) -> None:
    records = SHAPES[shape](MANY)
    path = tmp_path / "-code-demo" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), "utf-8")
    session = load("s", roots=[str(tmp_path)], now_ms=1_900_000_000_000)
    written = [0]
    session.write_json(lambda part: written.__setitem__(0, written[0] + len(part)))
    assert session.payload(table=True)["coverage"]["physicalLines"] == MANY
    assert written[0] > 1_000
