"""Rows as nested objects with bodies, written one by one: memory does not grow with what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from waterglass.classify import CallFacts
from waterglass.context import fill
from waterglass.model import Usage, event_id
from waterglass.outcome import STATUS
from waterglass.payload.telemetry import RowTimes, row_times
from waterglass.payload.usage import usage_fields
from waterglass.replies import Reply
from waterglass.rows import Row, rereads
from waterglass.schema.json import encode
from waterglass.usage import reply_key
from waterglass.view import View

if TYPE_CHECKING:
    from waterglass.payload import shapes

Body = Callable[[Row], dict[str, Any]]  # {"input", "output", …} of a row


class RowState(NamedTuple):
    """All that a row's fields are made of, as plain values: of equal states the fields are equal."""

    id: str
    facts: CallFacts
    name: str
    spawns: bool
    outcome: str
    start_ms: int | None
    end_ms: int | None
    duration: int | None
    parent_row_id: str | None
    agent_id: str | None
    starts_agent_id: str | None
    background: bool
    ack_ms: int | None
    open_until_ms: int | None
    depth: int
    message_id: str | None
    context: int | None  # tokens in view of the reply that made the call
    window: int | None
    model: str | None
    usage: Usage | None
    again: bool
    cut: bool
    chars: int | None
    warnings: tuple[str, ...]
    events: tuple[tuple[str, int, int], ...]  # that it was made of, each by file, offset and block
    ended_by: str | None
    told: RowTimes | None  # by telemetry, where it was given


def row_fields(view: View) -> Iterator[dict[str, Any]]:
    """Yield the fields of each row in pre-order: all of a WaterfallRow but input, output and children."""
    return map(fields_of, row_states(view))


def row_states(view: View) -> Iterator[RowState]:
    """Yield each row's state in pre-order: a fifth of what its fields cost, and enough to tell whether they changed."""
    again = rereads(view.rows)
    replies = {reply.id: reply for reply in view.replies}
    windows = {agent: context.window for agent, context in view.contexts.items()}
    for row in view.rows:
        reply = replies.get(reply_key(row.call))
        yield _state(view, row, reply, windows.get(row.agent_id), row.id in again)


def _state(view: View, row: Row, reply: Reply | None, window: int | None, again: bool) -> RowState:
    result = row.result.result if row.result is not None else None
    return RowState(
        row.id,
        row.facts,
        row.tool.name,
        row.tool.spawns,
        row.outcome,
        row.start_ms,
        row.end_ms,
        row.duration,
        row.parent_row_id,
        row.agent_id,
        row.starts_agent_id,
        row.background,
        row.ack_ms,
        row.open_until_ms,
        row.depth,
        row.call.message_id,
        reply.context_tokens if reply is not None else None,
        window,
        reply.model if reply is not None else None,
        reply.usage if reply is not None and reply.usage.api_calls > 0 else None,
        again,
        result.cut if result is not None else False,
        result.chars if result is not None else None,
        row.warnings,
        tuple((e.file, e.offset, e.block) for e in (row.call, row.result, row.notification) if e is not None),
        row.ended_by,
        row_times(view.told, row.id) if view.told is not None else None,
    )


def fields_of(state: RowState) -> dict[str, Any]:
    """Return the fields of a row in a state."""
    output = state.usage.output if state.usage is not None else None
    made_of = [event_id(*event) for event in state.events]
    fields: shapes.RowFields = {
        "id": state.id,
        "type": "agent" if state.spawns else "tool",
        "toolName": state.name,
        "label": state.facts.label,
        "startTime": state.start_ms,
        "endTime": state.end_ms,
        "duration": state.duration,
        "status": STATUS[state.outcome],
        "outcome": state.outcome,
        "parentAgentId": state.parent_row_id,
        "agentId": state.agent_id,
        "startsAgentId": state.starts_agent_id,
        "inputTokens": state.context,
        "outputTokens": output,
        "tokens": None if state.context is None and output is None else {"input": state.context, "output": output},
        "contextFillPercent": fill(state.context, state.window),
        "background": state.background,
        "ackMs": state.ack_ms,
        "openUntilMs": state.open_until_ms,
        "depth": state.depth,
        "messageId": state.message_id,
        "model": state.model,
        "category": state.facts.category,
        "acts": list(state.facts.acts),
        "targets": list(state.facts.targets),
        "usage": usage_fields(state.usage) if state.usage is not None else None,
        "isReread": state.again,
        "truncated": state.cut,
        "outputChars": state.chars,
        "warnings": list(state.warnings),
        "evidence": made_of if state.ended_by is None else [*made_of, state.ended_by],
    }
    if state.told is not None:
        start_ms, wait_ms, bound, execution_ms = state.told
        fields |= {
            "permissionStartMs": start_ms,
            "permissionMs": wait_ms,
            "permissionBound": bound,
            "executionMs": execution_ms,
        }
    return cast("dict[str, Any]", fields)


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
