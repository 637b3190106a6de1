"""Told calls held against the calls of a transcript: by their ids, else by tool, time and duration; no guesses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from waterglass.otel.calls import ToldCall
from waterglass.otel.read import FileCount, Heard
from waterglass.rows import Row

TOLERANCE_MS = 2_000  # a record is written a moment after what it records; both clocks are the same machine's
MOST_LOOKED_AT = 64  # calls of one tool that ended within the tolerance


class Wait(Struct, frozen=True):
    """A wait for a permission. Where only events tell of it, it begins with the record of the call: then it is no
    longer than that (`exact` is false)."""

    start_ms: int
    end_ms: int
    by: str  # user | config | hook | unknown
    exact: bool

    @property
    def ms(self) -> int:
        """How long it was."""
        return self.end_ms - self.start_ms


class OfCall(Struct, frozen=True):
    """What is known of one row. `settled` says that its wait is known, be it that there was none."""

    wait: Wait | None
    execution_ms: int | None
    settled: bool


class Told(Struct):
    """What telemetry told of a session, by row id, and how much of it fits; the counts are those of told calls."""

    files: list[FileCount]
    of: dict[str, OfCall]
    calls_without: int = 0  # rows that nothing tells of
    by_id: int = 0
    by_time: int = 0
    unmatched: int = 0
    ambiguous: int = 0
    disagreeing: int = 0  # the id fits, the times do not
    other_sessions: int = 0


def match(rows: list[Row], heard: Heard, sessions: Collection[str]) -> Told:
    """Return what telemetry says of the rows. `sessions` are the ids that the session goes by.

    A told call that names a row is taken for it if its times lie within the row's. One that names none must be of this
    session, of the row's tool, end when the row ends and begin no earlier, and there must be exactly one such row and
    one such call.
    """
    told = Told(heard.files, {})
    by_id: dict[str, list[Row]] = {}
    for row in rows:
        by_id.setdefault(row.call.tool_use_id or row.id, []).append(row)
    nameless: list[ToldCall] = []
    for call in heard.calls:
        named = by_id.get(call.call, []) if call.call is not None else []
        if len(named) == 1:
            if _within(named[0], call):
                told.of[named[0].id] = _of_call(named[0], call)
                told.by_id += 1
            else:
                told.disagreeing += 1
        elif named:
            told.ambiguous += 1
        elif call.session not in sessions:
            told.other_sessions += 1
        elif call.call is not None or call.bare:
            told.unmatched += 1
        else:
            nameless.append(call)
    _by_time([row for row in rows if row.id not in told.of], nameless, told)
    told.calls_without = len(rows) - len(told.of)
    return told


def _by_time(rows: list[Row], calls: list[ToldCall], told: Told) -> None:
    ended: dict[str, list[tuple[int, int]]] = {}  # by tool: end and index of its rows
    for n, row in enumerate(rows):
        end = _end(row)
        if end is not None:
            ended.setdefault(row.tool.name, []).append((end, n))
    for listed in ended.values():
        listed.sort()
    fits = [_fitting(rows, ended.get(call.tool or "", []), call) for call in calls]
    wanted = Counter(n for found in fits for n in found)
    for call, found in zip(calls, fits, strict=True):
        if not found:
            told.unmatched += 1
        elif len(found) > 1 or wanted[found[0]] > 1:
            told.ambiguous += 1
        else:
            told.of[rows[found[0]].id] = _of_call(rows[found[0]], call)
            told.by_time += 1


def _fitting(rows: list[Row], ended: list[tuple[int, int]], call: ToldCall) -> list[int]:
    """Indexes of the rows that a call without an id may be."""
    end = call.end_ms
    if end is None:
        return []  # a decision alone ends nothing
    first = bisect_left(ended, (end - TOLERANCE_MS, -1))
    last = bisect_right(ended, (end + TOLERANCE_MS, len(rows)))
    near = ended[first : min(last, first + MOST_LOOKED_AT)]
    return [n for _, n in near if _within(rows[n], call)]


def _end(row: Row) -> int | None:
    """When the call gave its result: in the background when it was acknowledged."""
    if row.background:
        return row.start_ms + row.ack_ms if row.start_ms is not None and row.ack_ms is not None else None
    return row.end_ms


def _within(row: Row, call: ToldCall) -> bool:
    """Whether all that is told lies in the row, but for the tolerance."""
    if row.start_ms is None:
        return False
    start, end, until = call.start_ms, call.end_ms, row.end_ms
    early = start is not None and start < row.start_ms - TOLERANCE_MS
    late = until is not None and end is not None and end > until + TOLERANCE_MS
    return not early and not late


def _of_call(row: Row, call: ToldCall) -> OfCall:
    execution = call.execution[1] - call.execution[0] if call.execution is not None else call.ran_ms
    if call.wait is not None:
        return OfCall(_clipped(row, call.wait, call.by or "unknown", exact=True), execution, True)
    if call.by in ("config", "hook"):
        return OfCall(None, execution, True)
    until = call.decided_ms
    if until is None and call.ended_ms is not None and call.ran_ms is not None:
        until = call.ended_ms - call.ran_ms
    if call.by is None or until is None or row.start_ms is None:
        return OfCall(None, execution, False)
    return OfCall(_clipped(row, (row.start_ms, until), call.by, exact=False), execution, True)


def _clipped(row: Row, wait: tuple[int, int], by: str, *, exact: bool) -> Wait | None:
    """The part of a wait that lies in its row; None where nothing is left of it."""
    start = max(wait[0], row.start_ms if row.start_ms is not None else wait[0])
    end = min(wait[1], row.end_ms if row.end_ms is not None else wait[1])
    return Wait(start, end, by, exact) if end > start else None
