"""What Claude Code tells of itself by OpenTelemetry, as a collector's file exporter writes it: OTLP/JSON lines.

Spans (beta, `CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1`): `claude_code.tool` is a call from request to end; below it
`claude_code.tool.blocked_on_user` is the wait for the permission and `claude_code.tool.execution` the work itself.
Events (logs): `claude_code.tool_decision` is written when the permission is decided, `claude_code.tool_result` at the
end, with the time of execution. Since some version all of them name the call; earlier ones only the tool.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct

from waterglass.schema.times import time_ms

SPANS = {
    "claude_code.tool": "tool",
    "claude_code.tool.blocked_on_user": "wait",
    "claude_code.tool.execution": "execution",
}
EVENTS = {"tool_decision": "decision", "tool_result": "result"}
_PREFIX = "claude_code."
_SESSION, _TOOL = "session.id", "tool_name"
_CALL = ("tool_use_id", "gen_ai.tool.call.id")
_SOURCE = ("source", "decision_source")
_READ = frozenset({_SESSION, _TOOL, *_CALL, *_SOURCE, "duration_ms", "event.name", "event.timestamp"})
_MARKS = (b"claude_code.tool", *(name.encode() for name in EVENTS))  # one of them stands in all that tells of a call
DECIDERS = {"user": "user", "config": "config", "hook": "hook"}  # by the beginning of a decision's source
_LONGEST = 200  # characters of an id or a name
_MOST_MS = 253_402_300_800_000  # the year 10000


class Piece(Struct, frozen=True, gc=False, array_like=True):
    """One span or event of a call. Times in Unix milliseconds."""

    kind: str  # tool | wait | execution | decision | result
    session: str | None
    call: str | None  # the id of the call, where the version tells it
    tool: str | None
    start_ms: int | None  # of an event: its time
    end_ms: int | None  # None for an event
    duration_ms: int | None = None  # as it is told
    by: str | None = None  # who decided: user, config, hook, or unknown; None where it is not told
    span: str | None = None  # trace and span, for those below it
    parent: str | None = None


class Span(Struct):
    """Any span, with the fields that OTLP/JSON has for it."""

    name: str = ""
    traceId: str = ""
    spanId: str = ""
    parentSpanId: str | None = None
    kind: int | str = 0
    startTimeUnixNano: int | str = 0
    endTimeUnixNano: int | str = 0
    attributes: list[dict[str, Any]] = []
    status: dict[str, Any] = {}


class LogRecord(Struct):
    """A log record."""

    timeUnixNano: int | str = 0
    eventName: str = ""
    body: Any = None
    attributes: list[dict[str, Any]] = []


class _Resource(Struct):
    attributes: list[dict[str, Any]] = []


class _SpanScope(Struct):
    spans: list[Raw] = []


class _LogScope(Struct):
    logRecords: list[Raw] = []


class _ResourceSpans(Struct):
    resource: _Resource | None = None
    scopeSpans: list[_SpanScope] = []


class _ResourceLogs(Struct):
    resource: _Resource | None = None
    scopeLogs: list[_LogScope] = []


class _Line(Struct):
    resourceSpans: list[_ResourceSpans] | None = None
    resourceLogs: list[_ResourceLogs] | None = None
    resourceMetrics: Raw = Raw()  # passed over; empty where there are none


_line = msgspec.json.Decoder(_Line)
_span = msgspec.json.Decoder(Span)
_record = msgspec.json.Decoder(LogRecord)
_ODD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def otlp_items(line: bytes, *, of_calls: bool = False) -> Iterator[tuple[dict[str, Any], Span | LogRecord | None]]:
    """Yield the spans and log records of a line, each with the attributes of its resource; None for one that cannot be
    read. With `of_calls` those are left out, undecoded, that cannot tell of a call. Raises ValueError for a line that
    is no OTLP/JSON object."""
    try:
        whole = _line.decode(line)
    except _ODD as error:
        raise ValueError("no OTLP/JSON") from error
    if whole.resourceSpans is None and whole.resourceLogs is None and not bytes(whole.resourceMetrics):
        raise ValueError("no OTLP/JSON")
    for spans in whole.resourceSpans or ():
        shared = attributes_of(spans.resource.attributes) if spans.resource is not None else {}
        for scope in spans.scopeSpans:
            yield from ((shared, _decoded(_span, raw)) for raw in scope.spans if not of_calls or _may_tell(raw))
    for logs in whole.resourceLogs or ():
        shared = attributes_of(logs.resource.attributes) if logs.resource is not None else {}
        for log_scope in logs.scopeLogs:
            found = (raw for raw in log_scope.logRecords if not of_calls or _may_tell(raw))
            yield from ((shared, _decoded(_record, raw)) for raw in found)


def _may_tell(raw: Raw) -> bool:
    data = bytes(raw)
    return any(mark in data for mark in _MARKS)


def _decoded(decoder: msgspec.json.Decoder[Any], raw: Raw) -> Any:
    try:
        return decoder.decode(raw)
    except _ODD:
        return None


def attributes_of(pairs: list[dict[str, Any]], wanted: Container[str] | None = None) -> dict[str, Any]:
    """Return OTLP's list of attributes as a dict of plain values, those that are `wanted` or all; of two with one key
    the last counts."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key = pair.get("key")
        if isinstance(key, str) and (wanted is None or key in wanted):
            found[key] = _plain(pair.get("value"))
    return found


def _plain(value: Any) -> Any:
    if not isinstance(value, dict) or not value:
        return None
    kind, held = next(iter(value.items()))
    if kind == "arrayValue":
        values = held.get("values") if isinstance(held, dict) else None
        return [_plain(one) for one in values] if isinstance(values, list) else []
    return _whole(held) if kind == "intValue" else held


def piece_of(shared: dict[str, Any], item: Span | LogRecord) -> Piece | None:
    """Return what a span or a record tells of a call, None where it is about something else."""
    if isinstance(item, Span):
        return _of_span(shared, item) if item.name in SPANS else None
    body = item.body.get("stringValue") if isinstance(item.body, dict) else None
    own = attributes_of(item.attributes, _READ)
    kind = next((k for name in (body, item.eventName, own.get("event.name")) if (k := _event(name))), None)
    if kind is None:
        return None
    told = own.get("event.timestamp")  # when it happened; the record's own time may be that of its export
    ms = time_ms(told) if isinstance(told, str) else None
    ms = ms if ms is not None else _ms(item.timeUnixNano)
    return Piece(
        kind, _text(own, shared, _SESSION), _call(own), _text(own, {}, _TOOL), ms, None, _duration(own), _by(own)
    )


def _event(name: Any) -> str | None:
    return EVENTS.get(name.removeprefix(_PREFIX)) if isinstance(name, str) else None


def _of_span(shared: dict[str, Any], item: Span) -> Piece:
    own = attributes_of(item.attributes, _READ)
    return Piece(
        SPANS[item.name],
        _text(own, shared, _SESSION),
        _call(own),
        _text(own, {}, _TOOL),
        _ms(item.startTimeUnixNano),
        _ms(item.endTimeUnixNano),
        _duration(own),
        _by(own),
        f"{item.traceId[:64]}/{item.spanId[:32]}" if item.spanId else None,
        f"{item.traceId[:64]}/{item.parentSpanId[:32]}" if item.parentSpanId else None,
    )


def _text(own: dict[str, Any], shared: dict[str, Any], key: str) -> str | None:
    value = own.get(key, shared.get(key))
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST else None


def _call(own: dict[str, Any]) -> str | None:
    return next((found for key in _CALL if (found := _text(own, {}, key)) is not None), None)


def _by(own: dict[str, Any]) -> str | None:
    told = next((value for key in _SOURCE if isinstance(value := own.get(key), str)), None)
    return None if told is None else DECIDERS.get(told.partition("_")[0], "unknown")


def _duration(own: dict[str, Any]) -> int | None:
    value = own.get("duration_ms")
    if isinstance(value, float):
        value = round(value) if value == value and abs(value) < _MOST_MS else None
    found = _whole(value)
    return found if found is not None and 0 <= found < _MOST_MS else None


def _ms(nano: int | str) -> int | None:
    """Return Unix nanoseconds, which are a number or digits, as milliseconds; None for none."""
    found = _whole(nano)
    ms = round(found / 1_000_000) if found is not None else 0
    return ms if 0 < ms < _MOST_MS else None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= 20 and value.lstrip("-").isascii() and value.lstrip("-").isdigit():
        return int(value)
    return None
