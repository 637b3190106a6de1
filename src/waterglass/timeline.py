"""Where the time went: every millisecond of the main thread belongs to one part.

The parts, from the strongest claim to the weakest: `idle` is any stretch over 30 minutes without a record in any
file; `tool` is while a call is open (a background call only until its acknowledgement); `model` is from a prompt or
tool result to the end of the reply that follows; `user` is from the last record of an exchange to the next prompt;
what is left is idle too. Permission waits hide in tool time, so tool time is at most, unless Claude Code's own
telemetry tells how long each call waited.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.model import Event
from waterglass.prompts import Prompt
from waterglass.rows import Row

if TYPE_CHECKING:
    from waterglass.otel import Told

IDLE_AFTER_MS = 30 * 60 * 1000
_ASKS = frozenset({"prompt", "notification", "queued"})  # texts that the model answers

Spans = list[tuple[int, int]]  # sorted, apart, start before end
END = 1 << 62  # after all times


class TimeLedger(Struct):
    """Milliseconds; the four parts add up to `wall_ms`. None where no record has a time."""

    wall_ms: int | None
    active_ms: int | None
    model_ms: int | None
    tool_ms: int | None
    user_ms: int | None
    idle_ms: int | None
    permission_ms: int | None = None
    """Of `tool_ms`: while all that was open waited for a permission. None without telemetry."""
    permission_bound: str | None = None
    """exact, at_least (some calls are not told of) or at_most (only events tell of some wait); None for both."""
    tool_exact: bool = False
    """Whether what is left of `tool_ms` without `permission_ms` is the time in which tools ran."""


def united(spans: Spans) -> Spans:
    """Return the union of spans in any order, sorted and apart."""
    out: Spans = []
    begin = until = -1  # of the span at hand; no time is below 0
    for start, end in sorted(spans):
        if end <= start:
            continue
        if start > until:
            if until >= 0:
                out.append((begin, until))
            begin, until = start, end
        elif end > until:
            until = end
    if until >= 0:
        out.append((begin, until))
    return out


def without(spans: Spans, taken: Spans) -> Spans:
    """Return what of `spans` lies outside `taken`; both sorted and apart."""
    if not taken:
        return spans
    out: Spans = []
    ahead = iter([*taken, (END, END)])
    begin, until = next(ahead)
    for start, end in spans:
        while until <= start:
            begin, until = next(ahead)
        while begin < end:
            if begin > start:
                out.append((start, begin))
            start = until
            if until > end:  # it reaches on over what comes next
                break
            begin, until = next(ahead)
        if start < end:
            out.append((start, end))
    return out


def length(spans: Spans) -> int:
    """Return the milliseconds of spans that are apart."""
    return sum(end - start for start, end in spans)


def time_ledger(
    events: list[Event],
    rows: list[Row],
    prompts: list[Prompt],
    first_ms: int | None,
    last_ms: int | None,
    told: Told | None = None,
) -> TimeLedger:
    """Sweep over the main thread from the first record to the last."""
    if first_ms is None or last_ms is None:
        return TimeLedger(None, None, None, None, None, None)
    whole: Spans = [(first_ms, last_ms)] if last_ms > first_ms else []
    gaps = _gaps(events)
    tool = without(_clipped(_open(rows, last_ms), first_ms, last_ms), gaps)
    model = without(without(_clipped(_model(events), first_ms, last_ms), gaps), tool)
    user = without(without(without(_clipped(_user(events, prompts), first_ms, last_ms), gaps), tool), model)
    rest = without(whole, united([*tool, *model, *user]))
    idle = length(rest)
    wall = last_ms - first_ms
    found = TimeLedger(wall, wall - idle, length(model), length(tool), length(user), idle)
    if told is not None:
        _tell_apart(found, tool, rows, told, last_ms)
    return found


def _tell_apart(found: TimeLedger, tool: Spans, rows: list[Row], told: Told, last_ms: int) -> None:
    found.permission_ms = length(without(tool, _working(rows, told, last_ms)))
    taken = [row for row in rows if row.duration or row.end_ms is None]
    settled = all((of := told.of.get(row.id)) is not None and of.settled for row in taken)
    exact = all(of.wait is None or of.wait.exact for of in told.of.values())
    found.permission_bound = {(True, True): "exact", (False, True): "at_least", (True, False): "at_most"}.get(
        (settled, exact)
    )
    found.tool_exact = settled and exact


def _working(rows: list[Row], told: Told, last_ms: int) -> Spans:
    """Return when a call of the main thread was at work: open, not waiting for its permission, and, where it is a
    sub-agent's, not while every open call below it waits."""
    below: dict[int, tuple[Spans, Spans]] = {}  # by index of the parent: when its calls are open, and at work
    for n in range(len(rows) - 1, -1, -1):
        row = rows[n]
        span = _span(row, last_ms)
        own: Spans = [span] if span is not None and span[1] > span[0] else []
        of = told.of.get(row.id)
        work = without(own, [(of.wait.start_ms, of.wait.end_ms)]) if of is not None and of.wait is not None else own
        if n in below:
            opened, at_work = (united(spans) for spans in below.pop(n))
            work = without(work, without(opened, at_work))
        upper = below.setdefault(row.parent, ([], []))
        upper[0].extend(own)
        upper[1].extend(work)
    return united(below[-1][1]) if -1 in below else []


def _clipped(spans: Spans, first_ms: int, last_ms: int) -> Spans:
    return united(
        [(start if start > first_ms else first_ms, end if end < last_ms else last_ms) for start, end in spans]
    )


def _open(rows: list[Row], last_ms: int) -> Spans:
    spans: Spans = []
    for row in rows:
        span = _span(row, last_ms) if row.agent_id is None else None
        if span is not None:
            spans.append(span)
    return spans


def _span(row: Row, last_ms: int) -> tuple[int, int] | None:
    """When a call was open: in the background only until its acknowledgement."""
    if row.start_ms is None:
        return None
    if row.background:
        return row.start_ms, row.start_ms + (row.ack_ms or 0)
    if row.end_ms is not None:
        return row.start_ms, row.end_ms
    return row.start_ms, row.open_until_ms if row.open_until_ms is not None else last_ms


def _gaps(events: list[Event]) -> Spans:
    """Return the long stretches without any record."""
    times = sorted([event.ms for event in events if event.ms is not None])
    return [(start, end) for start, end in pairwise(times) if end - start > IDLE_AFTER_MS]


def _model(events: list[Event]) -> Spans:
    """Return while a reply was waited for or written, as spans in any order."""
    spans: Spans = []
    since = begin = until = -1  # no time of a record is below 0
    key: object = None  # of the reply that is being written
    for event in events:
        if event.agent_id is not None:
            continue
        type_ = event.type
        if type_ == "tool_call" or type_ == "assistant":
            ms = event.ms
            if ms is None:
                continue
            own = event.message_id or (event.file, event.offset)
            if since >= 0 and ms > since and (key is None or key == own):
                if until != since:  # else one span for a reply in many records
                    spans.append((begin, until))
                    begin = since
                until = ms
            since, key = ms, own
        elif type_ == "tool_result" or event.kind in _ASKS:
            if event.ms is not None:
                since, key = event.ms, None
        elif event.kind == "interrupt" and event.ms is not None:
            since, key = -1, None
    spans.append((begin, until))
    return spans


def _user(events: list[Event], prompts: list[Prompt]) -> Spans:
    """Return the spans between an exchange's last record and the next prompt."""
    spans: Spans = []
    at, last = 0, -1
    for prompt in prompts:  # they stand in the order of the events
        if prompt.state != "sent":
            continue
        before = events[at : prompt.order]
        last = max([last, *[e.ms for e in before if e.ms is not None and e.agent_id is None]])
        ms = events[prompt.order].ms
        if ms is not None and last >= 0:
            spans.append((last, ms))
        at = prompt.order
    return spans
