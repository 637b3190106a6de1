"""Twice the records take about twice the time, in every shape that invites more."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from waterglass.session import load

pytestmark = pytest.mark.slow

FEW, MANY = 2_000, 8_000
MOST = 8.0  # times as long for four times the records: a square would be sixteen
TRIES = 3  # a busy machine may disturb one

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


def seconds(root: Path, records: list[Record]) -> float:
    """How long all of it takes, from the file to the written payload."""
    path = root / "-code-demo" / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), "utf-8")
    began = time.process_time()
    session = load("s", roots=[str(root)], now_ms=1_900_000_000_000)
    session.write_json(lambda part: None)
    session.payload(table=True)
    return time.process_time() - began


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_number_of_records_and_not_with_its_square(tmp_path: Path, shape: str) -> None:
    times = []
    for _ in range(TRIES):
        few, many = (seconds(tmp_path, SHAPES[shape](n)) for n in (FEW, MANY))
        times.append(many / few)
        if times[-1] < MOST:
            return
    pytest.fail(f"{MANY // FEW} times the records took {times} times as long")
