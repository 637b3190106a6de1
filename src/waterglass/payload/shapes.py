"""The payload and the events as types: what the functions beside this one return, and what the JSON Schema is made of.

Nothing here runs when a payload is made; the types are for the checker, for readers and for `json_schema`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from waterglass.cost import Cost
from waterglass.metrics.health import Signal
from waterglass.metrics.losses import Loss
from waterglass.metrics.result import MetricResult

Ms: TypeAlias = Annotated[int, Meta(description="A time in Unix milliseconds.")]
Duration: TypeAlias = Annotated[int, Meta(description="A duration in milliseconds.")]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Tokens: TypeAlias = Annotated[int, Meta(ge=0, description="A number of tokens.")]
Percent: TypeAlias = Annotated[float, Meta(ge=0, le=100)]
EventId: TypeAlias = Annotated[str, Meta(description="File, byte offset and block, such as main@18342.0.")]


def _one_of(words: str) -> Meta:
    """One of a few words. Not a Literal: the records behind the payload hold plain strings."""
    return Meta(extra_json_schema={"enum": words.split()})


Outcome: TypeAlias = Annotated[str, _one_of("ok error rejected blocked interrupted no_result running")]
Bound: TypeAlias = Annotated[str, _one_of("exact at_most")]


class Usage(TypedDict):
    """Tokens, each API call counted once."""

    apiCalls: Count
    input: Tokens
    cacheCreation: Tokens
    cacheCreation1h: Tokens
    cacheRead: Tokens
    output: Tokens
    outputIsLowerBound: bool


class WholeUsage(Usage):
    """The usage of the session, and whose it is. What was inherited is in `inherited` alone."""

    main: Usage
    agents: Usage
    byModel: dict[str, Usage]
    inherited: Usage


class Generator(TypedDict):
    """The program that made the document."""

    name: Annotated[str, _one_of("waterglass")]
    version: str


class File(TypedDict):
    """A file that was read."""

    path: str
    kind: Annotated[str, _one_of("main agent internal")]
    bytes: Count


class SessionFields(TypedDict):
    """Which session it is."""

    id: str
    project: str | None
    worktree: str | None
    title: str | None
    titleSource: Annotated[str, _one_of("custom agent ai index prompt")] | None
    state: Annotated[str, _one_of("live idle empty orphan")]
    startMs: Ms | None
    endMs: Ms | None
    models: list[str]
    versions: list[str]
    gitBranches: list[str]
    slug: str | None
    continues: Annotated[str, Meta(description="Id of the session that this one continues.")] | None
    files: list[File]


class ProblemFields(TypedDict):
    """Something odd that was met; never holds its content."""

    code: str
    file: str
    line: int | None
    offset: int | None
    message: str


class CoverageFields(TypedDict):
    """What was read and what was not."""

    bytes: Count
    physicalLines: Count
    blankLines: Count
    records: Count
    uniqueRecords: Count
    replayedRecords: Count
    skippedLines: Count
    recoveredRecords: Count
    repairedRecords: Count
    partialTail: bool
    degradedRecords: Count
    unknownRecordTypes: dict[str, Count]
    unknownBlockTypes: dict[str, Count]
    orphanResults: Count
    chainBreaks: Count
    branches: Count
    problemsLeftOut: Count
    problems: list[ProblemFields]


class PromptFields(TypedDict):
    """What a person typed; `textChars` is there where `text` is cut."""

    text: str
    textChars: NotRequired[Count]
    ms: Ms | None
    uuid: str
    state: Annotated[str, _one_of("sent queued unsent")]
    branch: Annotated[str, _one_of("active abandoned")]


class ReplyFields(TypedDict):
    """One response of a model; `textChars` and `thinkingChars` are there where the texts are cut."""

    id: str
    agentId: str | None
    model: str | None
    ms: Ms | None
    endMs: Ms | None
    stopReason: str | None
    text: str
    textChars: NotRequired[Count]
    thinking: str | None
    thinkingChars: NotRequired[Count]
    thinkingWithheld: bool
    apiError: bool
    usage: Usage
    rowIds: list[str]
    rowIndexes: list[Count]
    exchange: Annotated[int, Meta(description="Index into `exchanges`.")]


class ExchangeFields(TypedDict):
    """A prompt and all up to the next; its rows are those from `rowStart` to before `rowEnd`."""

    prompt: Annotated[int, Meta(description="Index into `prompts`; null for what came before any.")] | None
    startMs: Ms | None
    endMs: Ms | None
    calls: Count
    errors: Count
    rowStart: Count
    rowEnd: Count


MarkKind: TypeAlias = Annotated[
    str,
    _one_of("prompt reply command shell compaction microcompaction api_error hook interrupt notification"),
]


class MarkFields(TypedDict):
    """What happened beside the calls: `uuid` for a prompt, `replyId` for a reply."""

    kind: MarkKind
    ms: Ms | None
    endMs: Ms | None
    label: str
    agentId: str | None
    uuid: NotRequired[str]
    replyId: NotRequired[str]


class AgentFields(TypedDict):
    """A sub-agent, or a helper of the program (`internal`)."""

    id: str
    kind: Annotated[str, _one_of("spawned internal fork teammate")]
    type: str | None
    name: str | None
    parent: Annotated[str, Meta(description="Id of the row that started it.")] | None
    depth: Count
    runs: Count
    startMs: Ms | None
    endMs: Ms | None
    contextTokens: Tokens | None
    usage: Usage
    missing: bool


class ContextFields(TypedDict):
    """How full the main thread's context window was; `series` holds [time, tokens], null tokens for "unknown"."""

    tokens: Tokens | None
    window: Tokens | None
    windowSource: Annotated[str, _one_of("given evidence assumed")] | None
    fillPercent: Percent | None
    peakTokens: Tokens | None
    series: list[list[int | None]]


class CompactionFields(TypedDict):
    """The history replaced by a summary."""

    ms: Ms | None
    trigger: str | None
    preTokens: Tokens | None
    postTokens: Tokens | None
    agentId: str | None


class TimeFields(TypedDict):
    """Where the time of the main thread went: model, tool, user and idle add up to the wall clock.

    `permissionMs` is the part of `toolMs` in which all that was open waited for a permission; null without telemetry.
    `toolBound` is "exact" where telemetry tells so of every call that took time; else tool time is "at_most".
    """

    wallMs: Duration | None
    activeMs: Duration | None
    modelMs: Duration | None
    toolMs: Duration | None
    userMs: Duration | None
    idleMs: Duration | None
    toolBound: Bound
    permissionMs: Duration | None
    permissionBound: Annotated[str, _one_of("exact at_least at_most")] | None
    idleAfterMs: Duration


class TelemetryFile(TypedDict):
    """A file of telemetry that was given. Lines that are none of it are counted, never lost in silence."""

    path: str
    bytes: Count
    lines: Count
    badLines: Count
    longLines: Count
    badItems: Annotated[int, Meta(ge=0, description="Spans and events that could not be read.")]
    leftOut: Annotated[int, Meta(ge=0, description="Spans and events beyond what is kept in memory.")]


class TelemetryFields(TypedDict):
    """What Claude Code's own telemetry told of the calls, and how much of it fits."""

    files: list[TelemetryFile]
    calls: Annotated[int, Meta(ge=0, description="Calls of the transcript that are told of.")]
    callsWithout: Annotated[int, Meta(ge=0, description="Calls of the transcript that nothing tells of.")]
    byId: Annotated[int, Meta(ge=0, description="Told calls that were matched by the id of the call.")]
    byTime: Annotated[int, Meta(ge=0, description="Told calls that were matched by tool, time and duration.")]
    unmatched: Annotated[int, Meta(ge=0, description="Told calls of this session that fit no call.")]
    ambiguous: Annotated[int, Meta(ge=0, description="Told calls that fit several calls, or one that others fit.")]
    disagreeing: Annotated[int, Meta(ge=0, description="Told calls whose id fits and whose times do not.")]
    otherSessions: Annotated[int, Meta(ge=0, description="Told calls of other sessions.")]
    waits: Annotated[int, Meta(ge=0, description="Calls that waited for a permission.")]
    waitMs: Annotated[dict[str, Duration], Meta(description="By who decided: user, config, hook, unknown.")]
    executionMs: Duration


class _RowFields(TypedDict):
    """A tool call drawn, without its bodies. `permissionMs` and `executionMs` are there where telemetry was given."""

    id: str
    type: Annotated[str, _one_of("agent tool")]
    toolName: str
    label: str
    startTime: Ms | None
    endTime: Ms | None
    duration: Duration | None
    status: Annotated[str, _one_of("success error running")]
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
    permissionMs: NotRequired[list[Duration | None]]
    permissionBound: NotRequired[Texts]
    executionMs: NotRequired[list[Duration | None]]


class Table(TypedDict):
    """The rows in columns of `count` cells each, in pre-order; texts are indexes into `strings`, -1 for null."""

    count: Count
    columns: Columns
    strings: list[str]


class Health(TypedDict):
    """Signals beside the metrics, and what each compaction lost."""

    signals: list[Signal]
    fillPercent: Percent | None
    compactionLosses: list[Loss]


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
    type: Annotated[str, _one_of("user assistant tool_call tool_result system unknown")]
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


class Payload(TypedDict):
    """One session: with `rows` as `show --json` prints it, with `table` as the page gets it. Any part may be null."""

    payload: Literal[1]
    generator: Generator
    session: SessionFields
    coverage: CoverageFields
    prompts: list[PromptFields] | None
    replies: list[ReplyFields] | None
    exchanges: list[ExchangeFields] | None
    marks: list[MarkFields] | None
    agents: list[AgentFields]
    usage: WholeUsage
    cost: Cost | None
    context: ContextFields
    compactions: list[CompactionFields]
    time: TimeFields
    telemetry: TelemetryFields | None
    metrics: list[MetricResult] | None
    health: Health | None
    rows: NotRequired[list[Row]]
    table: NotRequired[Table]
    events: NotRequired[list[EventFields]]
    event: NotRequired[Annotated[str, Meta(description="From the server alone: names the state that it shows.")]]
    report: NotRequired[Annotated[dict[str, Any], Meta(description="In a report alone: when and how it was made.")]]
