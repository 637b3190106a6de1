"""Rows as nested objects with bodies, written one by one: memory does not grow with what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from waterglass.context import fill
from waterglass.outcome import STATUS
from waterglass.payload.telemetry import row_times
from waterglass.payload.usage import usage_fields
from waterglass.replies import Reply
from waterglass.rows import Row, rereads
from waterglass.schema.json import encode
from waterglass.usage import reply_key
from waterglass.view import View

if TYPE_CHECKING:
    from waterglass.payload import shapes

Body = Callable[[Row], dict[str, Any]]  # {"input", "output", …} of a row


def row_fields(view: View) -> Iterator[dict[str, Any]]:
    """Yield the fields of each row in pre-order: all of a WaterfallRow but input, output and children."""
    again = rereads(view.rows)
    replies = {reply.id: reply for reply in view.replies}
    windows = {agent: context.window for agent, context in view.contexts.items()}
    for row in view.rows:
        fields = _row(row, replies.get(reply_key(row.call)), windows.get(row.agent_id), row.id in again)
        if view.told is not None:
            fields["permissionMs"], fields["permissionBound"], fields["executionMs"] = row_times(view.told, row.id)
        yield cast("dict[str, Any]", fields)


def _row(row: Row, reply: Reply | None, window: int | None, again: bool) -> shapes.RowFields:
    context = reply.context_tokens if reply is not None else None
    known = reply is not None and reply.usage.api_calls > 0
    usage = reply.usage if reply is not None and known else None
    output = usage.output if usage is not None else None
    facts, result = row.facts, row.result.result if row.result is not None else None
    return {
        "id": row.id,
        "type": "agent" if row.tool.spawns else "tool",
        "toolName": row.tool.name,
        "label": facts.label,
        "startTime": row.start_ms,
        "endTime": row.end_ms,
        "duration": row.duration,
        "status": STATUS[row.outcome],
        "outcome": row.outcome,
        "parentAgentId": row.parent_row_id,
        "agentId": row.agent_id,
        "startsAgentId": row.starts_agent_id,
        "inputTokens": context,
        "outputTokens": output,
        "tokens": None if context is None and output is None else {"input": context, "output": output},
        "contextFillPercent": fill(context, window),
        "background": row.background,
        "ackMs": row.ack_ms,
        "openUntilMs": row.open_until_ms,
        "depth": row.depth,
        "messageId": row.call.message_id,
        "model": reply.model if reply is not None else None,
        "category": facts.category,
        "acts": list(facts.acts),
        "targets": list(facts.targets),
        "usage": usage_fields(usage) if usage is not None else None,
        "isReread": again,
        "truncated": result.cut if result is not None else False,
        "outputChars": result.chars if result is not None else None,
        "warnings": list(row.warnings),
        "evidence": row.evidence,
    }


def nested_rows(view: View, body: Body) -> list[dict[str, Any]]:
    """Return the rows as a tree of objects, with bodies."""
    made: list[dict[str, Any]] = []
    top: list[dict[str, Any]] = []
    for row, fields in zip(view.rows, row_fields(view), strict=True):
        whole = {**fields, **body(row), "children": []}
        made.append(whole)
        (made[row.parent]["children"] if row.parent >= 0 else top).append(whole)
    return top


def write_payload(write: Callable[[bytes], object], head: dict[str, Any], view: View, body: Body) -> None:
    """Write the payload as one JSON document, row by row. `head` may hold further parts (`events`)."""
    write(b"{")
    for name, value in head.items():
        write(encode(name) + b":" + encode(value) + b",")
    write(b'"rows":[')
    open_ends: list[int] = []  # subtree ends of the rows whose children are being written
    first = True
    for index, (row, fields) in enumerate(zip(view.rows, row_fields(view), strict=True)):
        while open_ends and open_ends[-1] <= index:
            open_ends.pop()
            write(b"]}")
            first = False
        write((b"" if first else b",") + encode({**fields, **body(row)})[:-1] + b',"children":[')
        open_ends.append(row.subtree_end)
        first = True
    write(b"]}" * len(open_ends) + b"]}\n")
