"""Signals of a session's health, each by itself: there is no grade over all of them."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct

from waterglass.metrics.actions import Action
from waterglass.metrics.files import project_path
from waterglass.metrics.result import counted
from waterglass.metrics.trace import Trace

MOST_ROWS = 100  # row ids that a signal names
_FORGETS = frozenset({"compaction", "microcompaction", "compact_summary"})


class Signal(Struct, frozen=True, rename="camel"):
    """One signal; `value` is None where it is not known, `basis` says what it was worked out from."""

    id: str
    value: float | None
    unit: str
    basis: str
    row_ids: list[str]


def health(trace: Trace) -> list[Signal]:
    """Return the signals in a fixed order: contextFill, compactions, reReads, reReadsAfterCompaction,
    errorRateFirstHalf, errorRateSecondHalf, userWait."""
    first, second = _error_rates(trace.actions)
    again, dropped = _re_reads(trace)
    return [_fill(trace), _compactions(trace), again, dropped, first, second, _user_wait(trace)]


def _fill(trace: Trace) -> Signal:
    context = trace.view.context
    if context.tokens is None:
        return Signal("contextFill", None, "percent", "the size of the context is not known", [])
    if context.window is None:
        return Signal("contextFill", None, "percent", f"{context.tokens:,} tokens of a window that is not known", [])
    basis = f"{context.tokens:,} of {context.window:,} tokens, window {context.window_source}"
    return Signal("contextFill", context.fill_percent, "percent", basis, [])


def _compactions(trace: Trace) -> Signal:
    found = [event for _, event in trace.view.linked.index.marks if event.kind == "compaction"]
    main = sum(event.agent_id is None for event in found)
    basis = f"{main} in the main thread, {len(found) - main} in sub-agents"
    return Signal("compactions", len(found), "compactions", basis, [])


def _re_reads(trace: Trace) -> tuple[Signal, Signal]:
    """Reads of the same part of a file by the same agent, with the same result and no known change between."""
    forgotten: dict[str | None, list[int]] = {}
    for order, event in trace.view.linked.index.marks:
        if event.kind in _FORGETS:
            forgotten.setdefault(event.agent_id, []).append(order)
    last: dict[tuple[str | None, int], Action] = {}  # by agent and input
    changed: dict[str, int] = {}  # when a file was last changed
    all_changed = -1
    reads = 0
    again: list[str] = []
    dropped: list[str] = []
    for action in trace.actions:
        if action.may_edit and not (action.changed or action.removed or action.undone):
            all_changed = action.order
        for path in (*action.changed, *action.removed, *action.undone):
            changed[path] = action.order
        if action.undoes_all:
            all_changed = action.order
        if action.facts.category != "read" or action.facts.command is not None or action.row.outcome != "ok":
            continue
        reads += 1
        key = (action.thread, action.row.tool.digest)
        before = last.get(key)
        last[key] = action
        paths = [project_path(target, action.row.tool.cwd, trace.root) for target in action.facts.targets]
        since = max([all_changed, *(changed.get(path, -1) for path in paths)])
        if before is None or not paths or since > before.order or not _same_result(before, action):
            continue
        breaks = forgotten.get(action.thread, [])
        at = bisect_left(breaks, before.order)
        (dropped if at < len(breaks) and breaks[at] < action.order else again).append(action.row.id)
    basis = f"of {counted(reads, 'read')}; same agent, same part of the file, same result"
    return (
        Signal("reReads", len(again), "reads", basis + ", still in its context", again[:MOST_ROWS]),
        Signal(
            "reReadsAfterCompaction", len(dropped), "reads", basis + ", dropped by a compaction", dropped[:MOST_ROWS]
        ),
    )


def _same_result(one: Action, other: Action) -> bool:
    """Whether two reads gave the same; of a picture only its being one is known."""
    mine, theirs = one.row.result, other.row.result
    if mine is None or theirs is None or mine.result is None or theirs.result is None:
        return False
    return mine.result.digest == theirs.result.digest


def _error_rates(actions: list[Action]) -> tuple[Signal, Signal]:
    half = len(actions) // 2
    parts = (("errorRateFirstHalf", actions[:half]), ("errorRateSecondHalf", actions[half:]))
    first, second = (_error_rate(name, part if half else []) for name, part in parts)
    return first, second


def _error_rate(name: str, actions: list[Action]) -> Signal:
    failed = [action.row.id for action in actions if action.row.outcome == "error"]
    if not actions:
        return Signal(name, None, "percent", "fewer than two calls", [])
    value = round(100 * len(failed) / len(actions), 1)
    return Signal(name, value, "percent", f"{len(failed):,} of {counted(len(actions), 'call')}", failed[:MOST_ROWS])


def _user_wait(trace: Trace) -> Signal:
    time = trace.view.time
    if not time.wall_ms or time.user_ms is None:
        return Signal("userWait", None, "percent", "no times, or all at one moment", [])
    value = round(100 * time.user_ms / time.wall_ms, 1)
    basis = f"{time.user_ms / 1000:,.0f} of {time.wall_ms / 1000:,.0f} s; pauses over 30 minutes are idle"
    return Signal("userWait", value, "percent", basis, [])
