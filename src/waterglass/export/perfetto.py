"""Chrome trace events, as ui.perfetto.dev opens them: a session is a process, an agent one or more threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from waterglass.export.hiding import Hider
from waterglass.export.lanes import Bar, lanes
from waterglass.export.lines import Framing
from waterglass.export.told import Told, bars_of, exchange_bars, usable
from waterglass.payload import encode
from waterglass.version import __version__

_PROMPT_CHARS = 80
_INSTANTS = frozenset({"prompt", "compaction", "microcompaction", "interrupt", "api_error"})
_ROW_ARGS = (
    "outcome", "status", "toolName", "category", "acts", "targets", "background", "ackMs", "messageId", "model",
    "inputTokens", "outputTokens", "contextFillPercent", "outputChars", "isReread", "warnings",
)  # fmt: skip


class _Thread(Struct):
    """An agent, or the main thread, being drawn: its frames by name, and the indexes of its rows."""

    name: str
    frames: list[tuple[str, Bar]] = []
    rows: list[int] = []


def framing(hider: Hider) -> Framing:
    """Return what stands around the events: the JSON object format, with the redaction that was done at its end."""

    def after() -> bytes:
        told = {"generator": f"waterglass {__version__}", "redaction": hider.redactor.note()}
        return b'\n],"otherData":' + encode(told) + b"}\n"

    return Framing(b'{"displayTimeUnit":"ms","traceEvents":[\n', b",\n", after)


def trace_events(told: Told, pid: int) -> Iterator[dict[str, Any]]:
    """Yield the events of one session; `ts` and `dur` are microseconds. `pid` is the session's number, from 1 on.

    Each row is one slice. A row without a time is drawn at its parent's start, and says so in its `args`.
    """
    return map(_readable, _events(told, pid))


def _readable(value: Any) -> Any:
    """Return a value with a space behind each text that ends with a backslash: Perfetto (v52) takes the end of such a
    text for an escaped quotation mark, and refuses the whole trace."""
    if isinstance(value, str):
        return value + " " if value.endswith("\\") else value
    if isinstance(value, dict):
        return {name: _readable(one) for name, one in value.items()}
    return [_readable(one) for one in value] if isinstance(value, list | tuple) else value


def _events(told: Told, pid: int) -> Iterator[dict[str, Any]]:
    session = told.payload["session"]
    yield _meta("process_name", pid, 0, name=f"{session['title'] or 'session'} ({session['id']})")
    yield _meta("process_sort_index", pid, 0, sort_index=pid)
    bars = bars_of(told)
    tids: dict[str | None, int] = {}
    free = 1
    for agent, thread in _threads(told).items():
        tids[agent] = free
        lane_of = lanes([bar for _, bar in thread.frames], [bars[n] for n in thread.rows])
        count = 1 + max(lane_of, default=0)
        for lane in range(count):
            name = thread.name if lane == 0 else f"{thread.name}, at the same time {lane}"
            yield _meta("thread_name", pid, free + lane, name=name)
            yield _meta("thread_sort_index", pid, free + lane, sort_index=free + lane)
        yield from _slices(told, thread, bars, [free + lane for lane in lane_of], (pid, free))
        free += count
    for ms, tokens in told.payload["context"]["series"]:
        if tokens is not None and usable(ms) is not None:
            yield {"ph": "C", "name": "context tokens", "pid": pid, "ts": ms * 1000, "args": {"tokens": tokens}}
    yield from _instants(told, pid, tids)


def _threads(told: Told) -> dict[str | None, _Thread]:
    """The main thread first, then the agents in the payload's order."""
    frames = [(_exchange_name(told, n), bar) for n, bar in enumerate(exchange_bars(told)) if bar is not None]
    threads: dict[str | None, _Thread] = {None: _Thread("main", frames)}
    for agent in told.payload["agents"]:
        name = agent["name"] or agent["type"] or agent["kind"]
        start, end = usable(agent["startMs"]), usable(agent["endMs"])
        run = [] if start is None or end is None else [(f"run of {name}", Bar(start, max(start, end)))]
        threads[agent["id"]] = _Thread(f"{name} ({agent['id']})", run)
    for n, row in enumerate(told.rows):
        agent_id = row["agentId"]
        if agent_id not in threads:
            threads[agent_id] = _Thread(f"agent ({agent_id})")
        threads[agent_id].rows.append(n)
    return threads


def _exchange_name(told: Told, n: int) -> str:
    prompt = told.payload["exchanges"][n]["prompt"]
    text = "" if prompt is None else " ".join(told.payload["prompts"][prompt]["text"].split())[:_PROMPT_CHARS]
    return f"exchange {n + 1}: {text}" if text else f"exchange {n + 1}"


def _slices(
    told: Told, thread: _Thread, bars: list[Bar], tids: list[int], place: tuple[int, int]
) -> Iterator[dict[str, Any]]:
    """Yield frames and calls in the order of their starts, as a stack of open slices takes them: a frame before what it
    holds, and one without length before the next one."""
    pid, first = place
    drawn = [(bar.start, 0, bar.end, _slice(name, "frame", bar, pid, first, {})) for name, bar in thread.frames]
    for n, tid in zip(thread.rows, tids, strict=True):
        row, bar = told.rows[n], bars[n]
        args = {name: row[name] for name in _ROW_ARGS} | {"rowId": row["id"]}
        if usable(row["startTime"]) is None:
            args["timeKnown"] = False
        drawn.append((bar.start, 1, -bar.end, _slice(row["label"], row["category"], bar, pid, tid, args)))
    drawn.sort(key=lambda one: one[:3])
    yield from _apart(event for *_, event in drawn)


def _apart(slices: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Move slices that begin where one without length stands on the same thread by a microsecond each: Perfetto would
    draw them inside it. A record's time is in milliseconds, so a thousand find room."""
    points: dict[int, int] = {}  # by thread: where the last one without length stands
    for event in slices:
        start, point = event["ts"], points.get(event["tid"], -1)
        if start <= point and (point + 1) % 1000:
            event["ts"], event["dur"] = point + 1, max(0, start + event["dur"] - point - 1)
        if not event["dur"]:
            points[event["tid"]] = event["ts"]
        yield event


def _slice(name: str, category: str, bar: Bar, pid: int, tid: int, args: dict[str, Any]) -> dict[str, Any]:
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "pid": pid,
        "tid": tid,
        "ts": bar.start * 1000,
        "dur": (bar.end - bar.start) * 1000,
        "args": args,
    }


def _instants(told: Told, pid: int, tids: dict[str | None, int]) -> Iterator[dict[str, Any]]:
    for mark in told.payload["marks"]:
        ms, kind = usable(mark["ms"]), mark["kind"]
        if ms is not None and kind in _INSTANTS:
            tid = tids.get(mark["agentId"], tids[None])
            name = f"{kind}: {mark['label']}" if mark["label"] else kind
            yield {"ph": "i", "name": name, "cat": kind, "s": "t", "pid": pid, "tid": tid, "ts": ms * 1000}


def _meta(kind: str, pid: int, tid: int, **args: Any) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": args}
