"""The payload for a terminal: the head without its long lists, and only the rows that a screen has room for."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import Any

from waterglass.rows import Row
from waterglass.view import View

LONGEST = 12  # calls
AGENTS = 20  # calls that start a sub-agent
GAP_MS = 5 * 60 * 1000  # a longer stretch without anything is folded on the axis


def overview_rows(view: View) -> dict[str, Any]:
    """Return counts over all rows, the first calls that start sub-agents, and the longest of the others, in
    pre-order."""
    rows = view.rows
    spawns = [n for n, row in enumerate(rows) if row.tool.spawns]
    lasting = [(row.duration, -n) for n, row in enumerate(rows) if not row.tool.spawns and row.duration is not None]
    longest = sorted(-n for _, n in nlargest(LONGEST, lasting))  # of equal ones those that stand first
    return {
        "count": len(rows),
        "outcomes": dict(Counter(row.outcome for row in rows)),
        "prompts": sum(prompt.state != "unsent" for prompt in view.prompts),
        "spawning": len(spawns),
        "agents": [_fields(rows[n], n) for n in spawns[:AGENTS]],
        "longest": [_fields(rows[n], n) for n in longest],
        "busy": _busy(view),
    }


def _fields(row: Row, index: int) -> dict[str, Any]:
    return {
        "id": row.id,
        "label": row.label,
        "outcome": row.outcome,
        "depth": row.depth,
        "inside": row.subtree_end - index - 1,
        "startMs": row.start_ms,
        "endMs": row.end_ms if row.end_ms is not None else row.open_until_ms,
        "duration": row.duration,
    }


def _busy(view: View) -> list[list[int]]:
    """Return the stretches with records, as `[start, end]`; what lies between is an idle gap of more than five
    minutes."""
    busy: list[list[int]] = []
    spans = [(row.start_ms, row.end_ms) for row in view.rows]
    spans += [(call.ms, call.ms) for call in view.ledger.calls]
    spans += [(prompt.ms, prompt.ms) for prompt in view.prompts if prompt.state != "unsent"]
    until = 0
    for start, end in sorted([(s, e if e is not None else s) for s, e in spans if s is not None]):
        if busy and start - until <= GAP_MS:
            if end > until:
                busy[-1][1] = until = end
        else:
            busy.append([start, end])
            until = end
    return busy
