"""The words of the program as frozen records: what every step after `normalize` speaks.

Times are Unix milliseconds, durations milliseconds, sizes bytes. A value that is not known is None, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

_decode = msgspec.json.Decoder(dict[str, object]).decode
LIVE_MS = 10 * 60 * 1000  # a session is live while its newest record is younger
TEXT_KEPT = 2_000  # characters of a prompt or reply held in memory; the whole text is read from the file when asked for


class Usage(Struct, frozen=True, gc=False, array_like=True):
    """Tokens of one or more API calls; adds up with `+`, and `Usage()` is the zero."""

    api_calls: int = 0
    input: int = 0
    cache_creation: int = 0
    cache_creation_1h: int = 0  # the part of `cache_creation` that is kept for an hour
    cache_read: int = 0
    output: int = 0
    output_is_lower_bound: bool = False  # a counted reply never got its final output count

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.api_calls + other.api_calls,
            self.input + other.input,
            self.cache_creation + other.cache_creation,
            self.cache_creation_1h + other.cache_creation_1h,
            self.cache_read + other.cache_read,
            self.output + other.output,
            self.output_is_lower_bound or other.output_is_lower_bound,
        )

    @property
    def context_tokens(self) -> int:
        """Tokens in view of the call: what was sent, freshly or from the cache."""
        return self.input + self.cache_creation + self.cache_read


class ReplyPart(Struct, frozen=True, gc=False, array_like=True):
    """What one record says of the reply that it is a part of; the last part of a reply is right."""

    model: str | None
    stop_reason: str | None
    usage: Usage | None
    context_tokens: int | None  # of the last pass, where a reply took several
    advisor: tuple[tuple[str | None, Usage], ...] = ()  # further calls made within the reply: model, usage
    synthetic: bool = False  # written by the program, no API call
    api_error: bool = False


class ToolCall(Struct, frozen=True, gc=False, array_like=True):
    """A request to run a tool. The input stays in the file but for the arguments that say what the call does."""

    name: str
    digest: int  # of the input; equal for equal inputs, within this process only
    written: bytes  # as JSON: the arguments that say what it does, long texts cut; empty where the input is no object
    cwd: str | None  # the folder that it was made in
    spawns: bool = False
    background: bool = False  # the input asks to run in the background
    agent_type: str | None = None
    description: str | None = None
    prompt: str | None = None  # of a spawning call, cut: the link of the eras that have no other
    prompt_chars: int = 0
    agent_id: str | None = None  # the agent that the input names: a resumed or addressed one

    @property
    def arguments(self) -> Mapping[str, object]:
        """What `classify` reads, decoded anew each time: few calls are ever asked for it."""
        return _decode(self.written) if self.written else {}


class ToolResult(Struct, frozen=True, gc=False, array_like=True):
    """The answer to a call, with the signs of how it went; the text itself stays in the file."""

    is_error: bool | None
    digest: int  # of the text; equal for equal texts, within this process only
    exit_code: int | None = None
    refusal: str | None = None  # rejected | blocked | interrupted
    failed: bool = False  # said to have failed without `is_error` (`success: false`)
    head: str = ""  # first characters, for errors only
    chars: int = 0
    images: int = 0
    agent_id: str | None = None  # the sub-agent that answered or was started
    task_id: str | None = None  # the background task that was started
    background: bool = False  # only acknowledges a start
    status: str | None = None
    cut: bool = False  # the program kept only a preview
    text_id: str | None = None  # the id of an agent or task that the text names, beside the fields of the record


class Origin:
    """What reads the records of a session's files. Equal to any other and to none: events compare by what they say."""

    __slots__ = ("read",)

    def __init__(self, read: Callable[[str, int, int], dict[str, Any] | None]) -> None:
        self.read = read

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, Origin)

    def __hash__(self) -> int:
        return 0


def event_id(file: str, offset: int, block: int) -> str:
    """Return how an event is named: by its file, the byte offset of its record, the number of its block."""
    return f"{file}@{offset}.{block}"


class Event(Struct, frozen=True, gc=False, array_like=True):
    """One fact with a place in a file. `kind` is our finer word beside the contract's `type`."""

    file: str  # "main", "main#2" or the agent's id
    offset: int  # of its record, in bytes
    length: int  # of its record, in bytes
    line: int  # 1 is the first
    block: int
    type: str  # user | assistant | tool_call | tool_result | system | unknown
    kind: str
    ms: int | None = None
    agent_id: str | None = None  # None on the main thread
    uuid: str | None = None
    parent_uuid: str | None = None
    message_id: str | None = None
    text: str | None = None  # cut at TEXT_KEPT
    text_chars: int = 0
    thinking: str | None = None  # "" when only a signature was kept
    tool: ToolCall | None = None
    result: ToolResult | None = None
    tool_use_id: str | None = None
    reply: ReplyPart | None = None  # on the first event of a record
    detail: dict[str, Any] | None = None
    sidechain: bool = False
    warnings: tuple[str, ...] = ()
    text_digest: int = 0  # of a text or thought that was cut; equal for equal ones, within this process only
    origin: Origin | None = None  # set on the events of a `Session.events`

    @property
    def id(self) -> str:
        """Stable while files grow: file, byte offset of the record, block number."""
        return event_id(self.file, self.offset, self.block)

    @property
    def raw(self) -> dict[str, Any] | None:
        """The record that it was made of, as it is written, read from the file each time; None where it is gone since,
        and for an event that is not from `Session.events`."""
        return None if self.origin is None else self.origin.read(self.file, self.offset, self.length)

    def detail_of(self, name: str) -> Any:
        """Return one field of `detail`, None where it is not there."""
        return self.detail.get(name) if self.detail else None


class Problem(Struct, frozen=True):
    """Something odd in a transcript, kept and shown; never holds its content."""

    code: str
    file: str
    message: str
    line: int | None = None
    offset: int | None = None


class Coverage(Struct):
    """What was read and what was not; adds up over files. Every field is a count unless it says otherwise."""

    bytes: int = 0
    physical_lines: int = 0
    blank_lines: int = 0
    records: int = 0
    skipped_lines: int = 0
    recovered_records: int = 0
    repaired_records: int = 0
    degraded_records: int = 0
    partial_tail: bool = False
    unknown_record_types: dict[str, int] = {}
    unknown_block_types: dict[str, int] = {}
    problems: list[Problem] = []
    problems_left_out: int = 0

    MOST_PROBLEMS: ClassVar[int] = 200  # a file of garbage must not fill the memory with one note a line

    def add_problem(self, problem: Problem) -> None:
        """Keep a note, or only its number once there are very many."""
        if len(self.problems) < self.MOST_PROBLEMS:
            self.problems.append(problem)
        else:
            self.problems_left_out += 1

    def __add__(self, other: Coverage) -> Coverage:
        total = Coverage()
        for part in (self, other):
            for name in (
                "bytes",
                "physical_lines",
                "blank_lines",
                "records",
                "skipped_lines",
                "recovered_records",
                "repaired_records",
            ):
                setattr(total, name, getattr(total, name) + getattr(part, name))
            total.degraded_records += part.degraded_records
            total.partial_tail = total.partial_tail or part.partial_tail
            for mine, theirs in (
                (total.unknown_record_types, part.unknown_record_types),
                (total.unknown_block_types, part.unknown_block_types),
            ):
                for name, count in theirs.items():
                    mine[name] = mine.get(name, 0) + count
            for problem in part.problems:
                total.add_problem(problem)
            total.problems_left_out += part.problems_left_out
        return total


class Facts(Struct):
    """What the records of a file say of the session as a whole; the order is the file's, without repeats."""

    first_ms: int | None = None
    last_ms: int | None = None
    cwd: str | None = None  # the first that is written
    versions: dict[str, None] = {}
    branches: dict[str, None] = {}
    slugs: dict[str, None] = {}
    session_ids: dict[str, None] = {}
    first_session_id: str | None = None  # of the first record that has one
    forked_from: str | None = None  # id of the session that the history was copied from
    conversation: bool = False  # holds a user or assistant record
    fork: bool = False  # an agent that begins with its parent's context

    def __add__(self, other: Facts) -> Facts:
        times = [ms for ms in (self.first_ms, other.first_ms) if ms is not None]
        ends = [ms for ms in (self.last_ms, other.last_ms) if ms is not None]
        return Facts(
            min(times, default=None),
            max(ends, default=None),
            self.cwd or other.cwd,
            self.versions | other.versions,
            self.branches | other.branches,
            self.slugs | other.slugs,
            self.session_ids | other.session_ids,
            self.first_session_id or other.first_session_id,
            self.forked_from or other.forked_from,
            self.conversation or other.conversation,
            self.fork or other.fork,
        )


def is_young(newest_ms: int, now_ms: int) -> bool:
    """Return whether a session with this newest record is being written at `now_ms`. Clocks differ a little; a record
    from further ahead tells of a wrong clock, and would keep its session live for ever."""
    return -LIVE_MS <= now_ms - newest_ms < LIVE_MS


class Sidecar(Struct, frozen=True):
    """`agent-….meta.json` beside an agent's file (2.1.50 and later), as far as it is read."""

    agent_type: str | None = None
    description: str | None = None
    tool_use_id: str | None = None
    name: str | None = None
    fork: bool = False
    team: str | None = None
