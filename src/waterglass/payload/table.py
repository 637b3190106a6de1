"""Rows in columns: what the page and the report get, light enough for 50,000 of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_PLAIN = {"id": "id", "startTime": "startMs", "endTime": "endMs", "duration": "duration", "ackMs": "ackMs",
"openUntilMs": "openUntilMs",
          "inputTokens": "inputTokens", "outputTokens": "outputTokens", "contextFillPercent": "contextFillPercent",
          "outputChars": "outputChars", "usage": "usage"}  # fmt: skip
_TOLD = ("permissionStartMs", "permissionMs", "executionMs")  # there where telemetry was given
_TOLD_BOUND = "permissionBound"
_FLAGS = ("background", "isReread", "truncated")
_INTERNED = (
    "type",
    "toolName",
    "label",
    "status",
    "outcome",
    "agentId",
    "startsAgentId",
    "parentAgentId",
    "messageId",
    "model",
    "category",
)
_LISTS = ("acts", "targets", "warnings", "evidence")


def table_from_rows(rows: Iterable[dict[str, Any]], parents: list[int], ends: list[int]) -> dict[str, Any]:
    """Return `{"count", "columns", "strings"}` for the fields of rows in pre-order; parents are row indexes, -1 at
    the top.

    Columns for what telemetry told are there if the rows have its fields.

    Strings that repeat are indexes into `strings`, -1 for null; lists of them are lists of indexes, null when empty.
    """
    strings: dict[str, int] = {}
    columns: dict[str, list[Any]] = {
        name: [] for name in (*_PLAIN.values(), *_FLAGS, *_INTERNED, *_LISTS, "depth", "tokens")
    }

    def interned(text: str | None) -> int:
        return -1 if text is None else strings.setdefault(text, len(strings))

    for row in rows:
        for name, column in _PLAIN.items():
            columns[column].append(row[name])
        for name in _FLAGS:
            columns[name].append(1 if row[name] else 0)
        for name in _INTERNED:
            columns[name].append(interned(row[name]))
        for name in _LISTS:
            columns[name].append([interned(text) for text in row[name]] or None)
        if _TOLD_BOUND in row:
            for name in _TOLD:
                columns.setdefault(name, []).append(row[name])
            columns.setdefault(_TOLD_BOUND, []).append(interned(row[_TOLD_BOUND]))
        columns["depth"].append(row["depth"])
        pair = row["tokens"]
        columns["tokens"].append(None if pair is None else (pair["input"] or 0) + (pair["output"] or 0))
    return {
        "count": len(parents),
        "columns": {**columns, "parent": parents, "subtreeEnd": ends},
        "strings": list(strings),
    }


def rows_from_table(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Turn a table back into nested rows without bodies."""
    columns, strings = table["columns"], table["strings"]

    def text(index: int) -> str | None:
        return None if index < 0 else strings[index]

    made: list[dict[str, Any]] = []
    top: list[dict[str, Any]] = []
    for n in range(table["count"]):
        row: dict[str, Any] = {name: columns[column][n] for name, column in _PLAIN.items()}
        row |= {name: bool(columns[name][n]) for name in _FLAGS}
        row |= {name: text(columns[name][n]) for name in _INTERNED}
        row |= {name: [strings[i] for i in columns[name][n] or []] for name in _LISTS}
        if _TOLD_BOUND in columns:
            row |= {name: columns[name][n] for name in _TOLD}
            row[_TOLD_BOUND] = text(columns[_TOLD_BOUND][n])
        row["depth"] = columns["depth"][n]
        known = columns["tokens"][n] is not None
        row["tokens"] = {"input": row["inputTokens"], "output": row["outputTokens"]} if known else None
        row["children"] = []
        made.append(row)
        parent = columns["parent"][n]
        (made[parent]["children"] if parent >= 0 else top).append(row)
    return top
