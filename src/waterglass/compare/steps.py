"""The steps of two sessions aligned, and the first place where they part.

A step is a tool call with what it is about: `Read: src/app.py`. Two steps are equal if both say the same; a step is
changed if only its tool stayed. The alignment is that of `difflib`: the longest runs in common first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct

# Aligning two sequences of few different steps takes time with the square of their length: 6 s for 5,000 of two kinds.
MOST_STEPS = 4_000


class Step(Struct, frozen=True):
    """One call, as far as it can be compared between sessions."""

    row_id: str
    tool: str
    label: str
    depth: int


def steps_of(rows: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return the steps of a session from the fields of its rows, in the order of the table."""
    return [Step(row["id"], row["toolName"], row["label"], row["depth"]) for row in rows]


def align(first: Sequence[Step], other: Sequence[Step]) -> dict[str, Any]:
    """Return `{runs, equal, edits, partAt, notAligned}`.

    A run is `{op, a, b}`: `equal`, `changed` (the same tools about something else), `replaced`, `removed` or `added`,
    with the ranges of rows `[from, to]` (`to` not in it). `edits` counts the steps to take out and to put in, a step in
    place of another once: the edit distance of this alignment. `partAt` is the first run that is not equal, with the
    first call of both sides in it (`{index, rowId, toolName, label}`), None where there is none.
    """
    a, b = first[:MOST_STEPS], other[:MOST_STEPS]
    names: dict[tuple[str, str, int], int] = {}
    matcher = SequenceMatcher(None, _numbers(a, names), _numbers(b, names), autojunk=False)
    runs: list[dict[str, Any]] = []
    equal = edits = 0
    part: dict[str, Any] | None = None
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        op = _op(tag, a[a1:a2], b[b1:b2])
        runs.append({"op": op, "a": [a1, a2], "b": [b1, b2]})
        if op == "equal":
            equal += a2 - a1
            continue
        edits += max(a2 - a1, b2 - b1)
        if part is None:
            part = {"a": _place(a, a1, a2), "b": _place(b, b1, b2)}
    return {
        "runs": runs,
        "equal": equal,
        "edits": edits,
        "partAt": part,
        "notAligned": [len(first) - len(a), len(other) - len(b)],
    }


def _numbers(steps: Sequence[Step], names: dict[tuple[str, str, int], int]) -> list[int]:
    return [names.setdefault((step.tool, step.label, step.depth), len(names)) for step in steps]


def _op(tag: str, a: Sequence[Step], b: Sequence[Step]) -> str:
    if tag == "replace":
        same_tools = len(a) == len(b) and all(one.tool == two.tool for one, two in zip(a, b, strict=True))
        return "changed" if same_tools else "replaced"
    return {"equal": "equal", "delete": "removed", "insert": "added"}[tag]


def _place(steps: Sequence[Step], start: int, end: int) -> dict[str, Any]:
    at = steps[start] if start < end else None
    return {
        "index": start,
        "rowId": at.row_id if at else None,
        "toolName": at.tool if at else None,
        "label": at.label if at else None,
    }
