"""Where the time went: every millisecond of the main thread belongs to one part.

The parts, from the strongest claim to the weakest: `idle` is any stretch over 30 minutes without a record in any
file; `tool` is while a call is open (a background call only until its acknowledgement); `model` is from a prompt or
tool result to the end of the reply that follows; `user` is from the last record of an exchange to the next prompt;
what is left is idle too. Permission waits hide in tool time, so tool time is at most.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from waterglass.model import Event
from waterglass.prompts import Prompt
from waterglass.rows import Row

IDLE_AFTER_MS = 30 * 60 * 1000
_ASKS = frozenset({"prompt", "notification", "queued"})  # texts that the model answers

Spans = list[tuple[int, int]]  # sorted, apart, start before end


class TimeLedger(Struct):
    """Milliseconds; the four parts add up to `wall_ms`. None where no record has a time."""

    wall_ms: int | None
    active_ms: int | None
    model_ms: int | None
    tool_ms: int | None
    user_ms: int | None
    idle_ms: int | None


def united(spans: Spans) -> Spans:
    """Return the union of spans in any order, sorted and apart."""
    out: Spans = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if out and start <= out[-1][1]:
            if end > out[-1][1]:
                out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def without(spans: Spans, taken: Spans) -> Spans:
    """Return what of `spans` lies outside `taken`; both sorted and apart."""
    out: Spans = []
    at = 0
    for start, end in spans:
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        look = at
        while look < len(taken) and taken[look][0] < end:
            if taken[look][0] > start:
                out.append((start, taken[look][0]))
            start = max(start, taken[look][1])
            look += 1
        if start < end:
            out.append((start, end))
    return out


def length(spans: Spans) -> int:
    """Return the milliseconds of spans that are apart."""
    return sum(end - start for start, end in spans)


def time_ledger(
    events: list[Event], rows: list[Row], prompts: list[Prompt], first_ms: int | None, last_ms: int | None
) -> TimeLedger:
    """Sweep over the main thread from the first record to the last."""
    if first_ms is None or last_ms is None:
        return TimeLedger(None, None, None, None, None, None)
    whole: Spans = [(first_ms, last_ms)] if last_ms > first_ms else []
    seen = _seen(events, prompts)
    tool = without(_clipped(_open(rows, last_ms), first_ms, last_ms), seen.gaps)
    model = without(without(_clipped(seen.model, first_ms, last_ms), seen.gaps), tool)
    user = without(without(without(_clipped(seen.user, first_ms, last_ms), seen.gaps), tool), model)
    rest = without(whole, united([*tool, *model, *user]))
    idle = length(rest)
    return TimeLedger(last_ms - first_ms, last_ms - first_ms - idle, length(model), length(tool), length(user), idle)


def _clipped(spans: Spans, first_ms: int, last_ms: int) -> Spans:
    return united([(max(start, first_ms), min(end, last_ms)) for start, end in spans])


def _open(rows: list[Row], last_ms: int) -> Spans:
    spans: Spans = []
    for row in rows:
        if row.agent_id is not None or row.start_ms is None:
            continue
        if row.background:
            end = row.start_ms + row.ack_ms if row.ack_ms is not None else row.start_ms
        elif row.end_ms is not None:
            end = row.end_ms
        else:
            end = row.open_until_ms if row.open_until_ms is not None else last_ms
        spans.append((row.start_ms, end))
    return spans


class _Seen(Struct):
    """What one walk over the events finds."""

    gaps: Spans = []  # stretches without any record
    model: Spans = []  # while a reply was waited for or written
    user: Spans = []  # between an exchange's last record and the next prompt


def _seen(events: list[Event], prompts: list[Prompt]) -> _Seen:
    """Walk over the merged events once.

    They are merged by time, so a gap shows where the newest time so far jumps. Only where a record is older than that
    by more than the limit, or lies in the gap before it (a clock that ran back), can this be wrong: then all times are
    sorted.
    """
    seen = _Seen()
    gaps, model = seen.gaps, seen.model
    starts = iter([p.order for p in prompts if p.state == "sent"])
    start = next(starts, -1)  # prompts stand in the order of the events
    newest = last = since = -1  # no time of a record is below 0
    key: object = None  # of the reply that is being written
    disordered = False
    for order, event in enumerate(events):
        ms = event.ms
        if ms is None:
            start = next(starts, -1) if order == start else start
            continue
        if ms > newest:
            if ms - newest > IDLE_AFTER_MS and newest >= 0:
                gaps.append((newest, ms))
            newest = ms
        elif newest - ms > IDLE_AFTER_MS or (gaps and ms < gaps[-1][1]):
            disordered = True
        if event.agent_id is not None:
            continue
        type_ = event.type
        if type_ == "tool_call" or type_ == "assistant":
            own = event.message_id or (event.file, event.offset)
            if since >= 0 and ms > since and (key is None or key == own):
                if model and model[-1][1] == since:  # one span for a reply in many records
                    model[-1] = (model[-1][0], ms)
                else:
                    model.append((since, ms))
            since, key = ms, own
        elif type_ == "tool_result" or event.kind in _ASKS:
            since, key = ms, None
        elif event.kind == "interrupt":
            since, key = -1, None
        if order == start:
            start = next(starts, -1)
            if last >= 0:
                seen.user.append((last, ms))
        if ms > last:
            last = ms
    if disordered:
        times = sorted({e.ms for e in events if e.ms is not None})
        seen.gaps = [(a, b) for a, b in pairwise(times) if b - a > IDLE_AFTER_MS]
    return seen
