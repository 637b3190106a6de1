"""Many rows, many sessions and the bodies of rows, made up."""

from __future__ import annotations

import random
from typing import Any

from tests.browser.payloads import BEGIN, BIDI, HOSTILE, HOUR, MINUTE, Maker

TOOLS = ("Bash", "Read", "Edit", "Grep", "WebFetch", "mcp__db__query", "Write", "TodoWrite")
WORDS = [
    "queue",
    "render",
    "socket",
    "fixture",
    "parser",
    "stream",
    "deploy",
    "ruler",
    "index",
    "buffer",
    "merge",
    "schema",
    "panel",
    "cache",
]


def large(rows: int, seed: int = 7) -> dict[str, Any]:
    """A session of many rows over some 16 hours, agents up to 3 deep, 5 % errors, idle gaps and compactions."""
    rng = random.Random(seed)
    m = Maker()
    t = BEGIN
    step = 16 * HOUR // max(rows, 1)
    while len(m.rows) < rows:
        m.exchange(" ".join(rng.choices(WORDS, k=9)), t, t)
        for _ in range(min(rng.randrange(20, 140), rows - len(m.rows))):
            t = _some_call(m, rng, t, step, -1, rows)
            if len(m.rows) >= rows:
                break
        m.exchanges[-1]["endMs"] = t
        if rng.random() < 0.06:
            m.compaction(t, 184_000, 14_000)
        t += rng.choice((step, step, MINUTE, 40 * MINUTE)) if rng.random() < 0.2 else step
    return m.payload(session={"title": f"Synthetic session of {rows:,} calls"})


def _some_call(m: Maker, rng: random.Random, t: int, step: int, inside: int, most: int) -> int:
    """One call, or an agent with calls below it; returns the time after it."""
    depth = m.rows[inside]["depth"] + 1 if inside >= 0 else 0
    if rng.random() < 0.05 and depth < 3 and len(m.rows) < most - 12:
        at = m.agent(" ".join(rng.choices(WORDS, k=3)), t, 0, inside=inside)
        for _ in range(rng.randrange(3, 10)):
            t = _some_call(m, rng, t + step // 4, step, at, most)
        m.rows[at]["endMs"], m.rows[at]["duration"] = t, t - m.rows[at]["startMs"]
        m.agents[-1]["endMs"] = t
        return t
    took = min(int(rng.lognormvariate(6.2, 1.6)), 20 * MINUTE)
    outcome = "error" if rng.random() < 0.05 else "ok"
    index = m.call(rng.choice(TOOLS), "/".join(rng.choices(WORDS, k=3)), t, took, inside=inside, outcome=outcome)
    if rng.random() < 0.2:
        m.reply(" ".join(rng.choices(WORDS, k=20)), t - 1, (index,), m.rows[index]["agentId"])
    return t + took + rng.randrange(step)


def body(row: str) -> dict[str, Any]:
    """The body of a row, chosen by its id's number."""
    inputs: list[Any] = [
        {"file_path": "src/tides/zone.py", "old_string": "a\nb\nc", "new_string": "a\nB\nc\nd"},
        {"command": f"npm test -- {HOSTILE}", "description": "run the tests"},
        {"pattern": "utcoffset", HOSTILE: {"__proto__": {"deep": [1, None, True, "x" * 300]}}},
    ]
    return {
        "id": row,
        "input": inputs[int(row[-5:]) % 3 if row[-5:].isdigit() else 2],
        "output": f"line one\nline two {BIDI} {HOSTILE}\n" + "row of output\n" * 40,
        "outputBytes": 700,
        "truncated": False,
        "images": [],
        "raw": {"call": {"id": row, "name": HOSTILE}, "result": {"is_error": False}},
    }


def sessions(count: int, *, counted: bool = True) -> dict[str, Any]:
    """The answer of GET /api/sessions with so many sessions in a few projects."""
    projects = ["/home/mira/code/tidepool", "/home/mira/Sites/pressmark", None, "/srv/<b>odd</b>"]
    listed = [
        {
            "id": f"session-{i:05d}",
            "project": projects[i % 4] if i % 7 else projects[0],
            "state": ("live", "idle", "idle", "orphan", "empty")[i % 5],
            "title": HOSTILE
            if i == 3
            else None
            if i == 4
            else f"Mend the {WORDS[i % 14]} of the {WORDS[i // 14 % 14]}",
            "path": "",
            "bytes": 4_000 + i * 77_777 % 9_000_000,
            "startMs": BEGIN - i * HOUR,
            "endMs": BEGIN - i * HOUR + MINUTE,
            "lastActivityMs": BEGIN - i * HOUR + MINUTE,
            "prompts": 1 + i % 9 if counted else None,
            "toolCalls": i * 13 % 700 if counted else None,
            "errors": i % 4 if counted else None,
            "agents": i % 3 if counted else None,
            "models": [],
            "usage": None,
            "counted": counted,
            "worktree": None,
            "slug": None,
            "continues": None,
            "continuedBy": None,
            "group": "session-00008" if i in (8, 12, 16) else f"session-{i:05d}",
        }
        for i in range(count)
    ]
    looked = [
        {"path": "/home/mira/.claude/projects", "exists": True},
        {"path": "/home/mira/.config/claude", "exists": False},
    ]
    return {
        "revision": 1,
        "complete": counted,
        "sample": False,
        "lookedIn": looked,
        "roots": [],
        "sessions": listed,
        "unreadable": [],
    }
