"""Rows, the table of rows, and events as types; `shapes` has the rest of the document."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from waterglass.payload.units import Bound, Count, Duration, EventId, Ms, Outcome, Percent, Tokens, Usage, one_of


class _RowFields(TypedDict):
    """A tool call drawn, without its bodies. What telemetry tells is there where it was given."""

    id: str
    type: Annotated[str, one_of("agent tool")]
    toolName: str
    label: str
    startTime: Ms | None
    endTime: Ms | None
    duration: Duration | None
    status: Annotated[str, one_of("success error running")]
    outcome: Outcome
    parentAgentId: str | None
    agentId: str | None
    startsAgentId: str | None
    inputTokens: Tokens | None
    outputTokens: Tokens | None
    tokens: _RowTokens | None
    contextFillPercent: Percent | None
    background: bool
    ackMs: Duration | None
    openUntilMs: Ms | None
    depth: Count
    messageId: str | None
    model: str | None
    category: str
    acts: list[str]
    targets: list[str]
    usage: Usage | None
    isReread: bool
    truncated: bool
    outputChars: Count | None
    warnings: list[str]
    evidence: list[EventId]
    permissionStartMs: NotRequired[Ms | None]
    permissionMs: NotRequired[Duration | None]
    permissionBound: NotRequired[Bound | None]
    executionMs: NotRequired[Duration | None]


class _RowTokens(TypedDict):
    """The context size of the reply that made a call, and what that reply wrote."""

    input: Tokens | None
    output: Tokens | None


RowFields = _RowFields


class Row(_RowFields):
    """A row with its bodies and the rows below it."""

    input: Annotated[Any, Meta(description="The call's input as it is written.")]
    output: str | None
    children: list[Row]


Texts: TypeAlias = list[Annotated[int, Meta(ge=-1)]]
TextLists: TypeAlias = list[list[Count] | None]


class Columns(TypedDict):
    """One list a field, all equally long. Times and durations are milliseconds, flags 0 or 1."""

    id: list[str]
    startMs: list[Ms | None]
    endMs: list[Ms | None]
    duration: list[Duration | None]
    ackMs: list[Duration | None]
    openUntilMs: list[Ms | None]
    inputTokens: list[Tokens | None]
    outputTokens: list[Tokens | None]
    contextFillPercent: list[Percent | None]
    outputChars: list[Count | None]
    usage: list[Usage | None]
    background: list[Literal[0, 1]]
    isReread: list[Literal[0, 1]]
    truncated: list[Literal[0, 1]]
    type: Texts
    toolName: Texts
    label: Texts
    status: Texts
    outcome: Texts
    agentId: Texts
    startsAgentId: Texts
    parentAgentId: Texts
    messageId: Texts
    model: Texts
    category: Texts
    acts: TextLists
    targets: TextLists
    warnings: TextLists
    evidence: TextLists
    depth: list[Count]
    tokens: list[Tokens | None]
    parent: Texts
    subtreeEnd: list[Count]
    permissionStartMs: NotRequired[list[Ms | None]]
    permissionMs: NotRequired[list[Duration | None]]
    permissionBound: NotRequired[Texts]
    executionMs: NotRequired[list[Duration | None]]


class Table(TypedDict):
    """The rows in columns of `count` cells each, in pre-order; texts are indexes into `strings`, -1 for null."""

    count: Count
    columns: Columns
    strings: list[str]


class EventTool(TypedDict):
    """The tool call of an event."""

    name: str
    category: str
    acts: list[str]
    input: Any
    targets: list[str]
    command: str | None


class EventResult(TypedDict):
    """The tool result of an event; `ok` is null where it cannot be known."""

    ok: bool | None
    exitCode: int | None
    text: str
    isError: bool


class EventFields(TypedDict):
    """One fact with a place in a file."""

    id: EventId
    seq: Annotated[int, Meta(ge=0, description="Numbers one reading only; `id` stays.")]
    ts: Annotated[str, Meta(description="The time in ISO 8601, UTC.")] | None
    type: Annotated[str, one_of("user assistant tool_call tool_result system unknown")]
    text: str | None
    tool: EventTool | None
    result: EventResult | None
    toolUseId: str | None
    warnings: list[str]
    uuid: str | None
    parentUuid: str | None
    agentId: str | None
    messageId: str | None
    thinking: str | None
    ms: Ms | None
