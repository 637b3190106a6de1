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
from waterglass.payload.rowshapes import EventFields, EventResult, EventTool, Row, RowFields, Table
from waterglass.payload.units import Bound, Count, Duration, Ms, Percent, Tokens, Usage, one_of

__all__ = ["EventFields", "EventResult", "EventTool", "Row", "RowFields", "Table", "Usage"]


class WholeUsage(Usage):
    """The usage of the session, and whose it is. What was inherited is in `inherited` alone."""

    main: Usage
    agents: Usage
    byModel: dict[str, Usage]
    inherited: Usage


class Generator(TypedDict):
    """The program that made the document."""

    name: Annotated[str, one_of("waterglass")]
    version: str


class File(TypedDict):
    """A file that was read."""

    path: str
    kind: Annotated[str, one_of("main agent internal")]
    bytes: Count


class SessionFields(TypedDict):
    """Which session it is."""

    id: str
    project: str | None
    worktree: str | None
    title: str | None
    titleSource: Annotated[str, one_of("custom agent ai index prompt")] | None
    state: Annotated[str, one_of("live idle empty orphan")]
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
    state: Annotated[str, one_of("sent queued unsent")]
    branch: Annotated[str, one_of("active abandoned")]


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
    one_of("prompt reply command shell compaction microcompaction api_error hook interrupt notification"),
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
    kind: Annotated[str, one_of("spawned internal fork teammate")]
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
    windowSource: Annotated[str, one_of("given evidence assumed")] | None
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
    permissionBound: Annotated[str, one_of("exact at_least at_most")] | None
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


class Health(TypedDict):
    """Signals beside the metrics, and what each compaction lost."""

    signals: list[Signal]
    fillPercent: Percent | None
    compactionLosses: list[Loss]


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
