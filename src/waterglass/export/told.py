"""What traces, spans and tables are made of: a session's payload, its rows and its counted calls, redacted."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from waterglass.export.hiding import Hider
from waterglass.export.lanes import Bar
from waterglass.session import Session

MOST_MS = 9_223_372_036_854  # the last that 64 bits hold in nanoseconds: the year 2262


class Told(Struct):
    """A session without bodies. Lists run in parallel: `row_ids[n]` is the id of `rows[n]` as the transcript has it."""

    id: str
    """The session's id, not redacted: ids of spans are made from it, and it is never written."""
    payload: dict[str, Any]
    """The payload without rows."""
    rows: list[dict[str, Any]]
    """The rows in pre-order."""
    row_ids: list[str]
    calls: list[dict[str, Any]]
    """The counted API calls: `{"replyId", "within", "model", "agentId", "usage"}`; their sum is the payload's usage."""
    call_ids: list[str]


def tell(session: Session, hider: Hider, *, scores: bool = False) -> Told:
    """Return a session as exports tell it; metrics and cost are null without `scores`."""
    payload = session.head(scores=scores)
    rows = list(session.row_fields())
    calls = [
        {name: one[name] for name in ("replyId", "within", "model", "agentId", "usage")}
        for one in session.audit()["replies"]
    ]
    return Told(
        session.id,
        hider.value(payload),
        hider.value(rows),
        [row["id"] for row in rows],
        hider.value(calls),
        [call["replyId"] for call in calls],
    )


def usable(ms: Any) -> int | None:
    """Return a time that traces can hold, None for none and for one before 1970 or after 2262."""
    return ms if isinstance(ms, int) and 0 <= ms < MOST_MS else None


def bars_of(told: Told) -> list[Bar]:
    """Return the stretch of each row in milliseconds.

    A row without a start gets its parent's, at the top the session's, and else 0. An open row ends at the last record
    of its agent. No bar ends before it starts.
    """
    bars: list[Bar] = []
    starts: dict[str, int] = {}
    first = usable(told.payload["session"]["startMs"]) or 0
    for row in told.rows:
        start = usable(row["startTime"])
        if start is None:
            start = starts.get(row["parentAgentId"] or "", first)
        end = usable(row["endTime"] if row["endTime"] is not None else row["openUntilMs"])
        starts[row["id"]] = start
        bars.append(Bar(start, start if end is None else max(start, end)))
    return bars


def exchange_bars(told: Told) -> list[Bar | None]:
    """Return the stretch of each exchange in milliseconds, cut where the next one begins; None for one without
    times, or whose stretch lies before the end of an earlier one."""
    exchanges = told.payload["exchanges"]
    laters: list[int | None] = []  # where the next exchange with a time begins, from the last to the first
    later = None
    for one in reversed(exchanges):
        laters.append(later)
        start = usable(one["startMs"])
        later = later if start is None else start
    bars: list[Bar | None] = []
    reached = 0
    for one, later in zip(exchanges, reversed(laters), strict=True):
        start, end = usable(one["startMs"]), usable(one["endMs"])
        if start is None or end is None:
            bars.append(None)
            continue
        bar = Bar(max(start, reached), end if later is None else min(end, max(later, start)))
        bars.append(bar if bar.start <= bar.end else None)
        reached = max(reached, bar.end)
    return bars
