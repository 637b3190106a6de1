"""Events as the contract writes them: the seed's fields and a few more, bodies read from the files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from waterglass.classify import classify
from waterglass.model import Event
from waterglass.schema import bodies

if TYPE_CHECKING:
    from waterglass.payload import shapes

Fetch = Callable[[str, int, int], dict[str, Any] | None]


def event_fields(events: list[Event], fetch: Fetch) -> list[shapes.EventFields]:
    """Return the events in arrival order with whole texts; `fetch` reads a record by file, offset and length."""
    return [_fields(seq, event, fetch) for seq, event in enumerate(events)]


def _fields(seq: int, event: Event, fetch: Fetch) -> shapes.EventFields:
    record: dict[str, Any] | None = None
    text, thinking = event.text, event.thinking
    if (
        event.tool is not None
        or event.result is not None
        or ((text or thinking or "") and event.text_chars > len(text or thinking or ""))
    ):
        record = fetch(event.file, event.offset, event.length)
    if record is not None and event.text_chars > len(text or thinking or ""):
        found, thoughts = bodies.texts_of(record)
        if text is not None:
            text = next((whole for number, whole in found if number == event.block), text)
        else:
            thinking = next((whole for number, whole in thoughts if number == event.block), thinking)
    return {
        "id": event.id,
        "seq": seq,
        "ts": _iso(event.ms),
        "type": event.type,
        "text": text,
        "tool": _tool(event, record),
        "result": _result(event, record),
        "toolUseId": event.tool_use_id,
        "warnings": list(event.warnings),
        "uuid": event.uuid,
        "parentUuid": event.parent_uuid,
        "agentId": event.agent_id,
        "messageId": event.message_id,
        "thinking": thinking,
        "ms": event.ms,
    }


def _iso(ms: int | None) -> str | None:
    if ms is None:
        return None
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _tool(event: Event, record: dict[str, Any] | None) -> shapes.EventTool | None:
    tool = event.tool
    if tool is None:
        return None
    given = bodies.call_input(record, event.block)
    facts = classify(tool.name, given, tool.cwd)
    return {
        "name": tool.name,
        "category": facts.category,
        "acts": list(facts.acts),
        "input": given,
        "targets": list(facts.targets),
        "command": facts.command,
    }


def _result(event: Event, record: dict[str, Any] | None) -> shapes.EventResult | None:
    result = event.result
    if result is None:
        return None
    ok = None if result.background else not (result.is_error or result.failed or result.refusal is not None)
    return {
        "ok": ok,
        "exitCode": result.exit_code,
        "text": bodies.result_output(record, event.block)[0] if record is not None else result.head,
        "isError": bool(result.is_error),
    }
