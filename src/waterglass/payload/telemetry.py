"""What Claude Code's own telemetry told, as the payload has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waterglass.otel import Told
    from waterglass.payload import shapes


def telemetry_fields(told: Told) -> shapes.TelemetryFields:
    """Return the payload's `telemetry`: counts alone, nothing that the telemetry holds."""
    waits = [of.wait for of in told.of.values() if of.wait is not None]
    by: dict[str, int] = {}
    for wait in waits:
        by[wait.by] = by.get(wait.by, 0) + wait.ms
    return {
        "files": [
            {
                "path": file.path,
                "bytes": file.bytes,
                "lines": file.lines,
                "badLines": file.bad_lines,
                "longLines": file.long_lines,
                "badItems": file.bad_items,
                "leftOut": file.left_out,
            }
            for file in told.files
        ],
        "calls": len(told.of),
        "callsWithout": told.calls_without,
        "byId": told.by_id,
        "byTime": told.by_time,
        "unmatched": told.unmatched,
        "ambiguous": told.ambiguous,
        "disagreeing": told.disagreeing,
        "otherSessions": told.other_sessions,
        "waits": len(waits),
        "waitMs": dict(sorted(by.items())),
        "executionMs": sum(of.execution_ms or 0 for of in told.of.values()),
    }


RowTimes = tuple[int | None, int | None, str | None, int | None]


def row_times(told: Told, row_id: str) -> RowTimes:
    """Return a row's `permissionStartMs`, `permissionMs`, `permissionBound` and `executionMs`; null where nothing tells
    of them."""
    of = told.of.get(row_id)
    if of is None:
        return None, None, None, None
    if of.wait is not None:
        return of.wait.start_ms, of.wait.ms, "exact" if of.wait.exact else "at_most", of.execution_ms
    return None, (0 if of.settled else None), ("exact" if of.settled else None), of.execution_ms
