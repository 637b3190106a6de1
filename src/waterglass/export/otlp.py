"""OTLP/JSON spans by the semantic conventions for generative AI, as a collector's file exporter writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any

from waterglass.export.told import Told
from waterglass.version import __version__

SEMCONV = "1.41.0"  # the last release that held the conventions for generative AI
SCHEMA_URL = f"https://opentelemetry.io/schemas/{SEMCONV}"
INTERNAL, CLIENT = 1, 3
OK, ERROR = 1, 2
_SPANS_A_LINE = 256


def trace_id(session_id: str) -> str:
    """Return the 32 hex digits of a session's trace: the same in each run."""
    return _digest(16, session_id)


def span_id(session_id: str, kind: str, name: str) -> str:
    """Return the 16 hex digits of a span: the same in each run, of one `kind` and `name` in a session."""
    return _digest(8, session_id, kind, name)


def span(
    ids: tuple[str, str, str | None],
    name: str,
    kind: int,
    stretch: tuple[int, int],
    attributes: Mapping[str, Any],
    status: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a span; `ids` are those of its trace, its own and its parent's, `stretch` is in Unix milliseconds."""
    trace, own, parent = ids
    return {
        "traceId": trace,
        "spanId": own,
        **({} if parent is None else {"parentSpanId": parent}),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": _nano(stretch[0]),
        "endTimeUnixNano": _nano(stretch[1]),
        "attributes": key_values(attributes),
        "status": dict(status or {}),
    }


def key_values(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return attributes as OTLP has them, those that are None left out."""
    return [{"key": key, "value": _any_value(value)} for key, value in attributes.items() if value is not None]


def span_lines(told: Told, spans: Iterable[dict[str, Any]], level: str) -> Iterator[dict[str, Any]]:
    """Yield `TracesData` objects of no more than 256 spans each."""
    session = told.payload["session"]
    resource = key_values(
        {
            "service.name": "claude-code",
            "service.version": session["versions"][-1] if session["versions"] else None,
            "waterglass.session.project": session["project"],
            "waterglass.redaction.level": level,
        }
    )
    scope = {"name": "waterglass", "version": __version__}
    iterator = iter(spans)
    while block := list(islice(iterator, _SPANS_A_LINE)):
        scoped = [{"scope": scope, "spans": block, "schemaUrl": SCHEMA_URL}]
        yield {"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": scoped, "schemaUrl": SCHEMA_URL}]}


def _any_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}  # 64 bits: a string in JSON
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, (list, tuple)):
        return {"arrayValue": {"values": [_any_value(one) for one in value]}}
    return {"stringValue": str(value)}


def _nano(ms: int) -> str:
    return str(ms * 1_000_000)


def _digest(size: int, *parts: str) -> str:
    """Hex digits of a hash over the parts, never all zero, which would mean that there is none."""
    made = blake2b(digest_size=size, person=b"waterglass")
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    found = made.digest()
    return (found if any(found) else b"\x01" * size).hex()
