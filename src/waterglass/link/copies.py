"""Copies: a record whose uuid came before with the same type and content is a replay and counts nowhere else."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from msgspec import Struct, field

from waterglass.link.sources import Source
from waterglass.model import Coverage, Event, Problem

ByUuid = dict[str, Event]  # the first event of the record that has the uuid


class Replays(Struct):
    """How many records were replays, and what coverage counted of them when they were read."""

    records: int = 0
    degraded: int = 0
    recovered: int = 0
    repaired: int = 0
    unknown_types: Counter[str] = field(default_factory=Counter)
    unknown_blocks: Counter[str] = field(default_factory=Counter)

    def add(self, record: list[Event]) -> None:
        """Count one more, of which these are the events."""
        self.records += 1
        for event in record:
            self.degraded += "degraded" in event.warnings
            self.recovered += "recovered" in event.warnings
            self.repaired += "repaired" in event.warnings
            name = _invented_name(event)
            if name is not None:
                (self.unknown_types if event.kind == "unknown" else self.unknown_blocks)[name] += 1

    def take_from(self, coverage: Coverage) -> None:
        """Let replays count in no figure but `replayedRecords` (contract, section 9)."""
        coverage.degraded_records -= self.degraded
        coverage.recovered_records -= self.recovered
        coverage.repaired_records -= self.repaired
        coverage.unknown_record_types = dict(Counter(coverage.unknown_record_types) - self.unknown_types)
        coverage.unknown_block_types = dict(Counter(coverage.unknown_block_types) - self.unknown_blocks)


class Unique(Struct):
    """The events of each source without replays, what those were, and uuids used for two contents."""

    events: list[list[Event]]
    first: ByUuid
    replays: Replays
    problems: list[Problem]
    chain_breaks: int  # records whose parent is in no file of the session


# Records that were waiting to be written stand seconds late; only more than this is told.
CLOCK_BACK_MS = 60_000

_Content = list[tuple[object, ...]]


def _invented_name(event: Event) -> str | None:
    """The name that the transcript gives a type of record or block that is not known."""
    name = {"unknown": "name", "unknown_block": "block"}.get(event.kind)
    return None if name is None else event.detail_of(name)


def _content(record: list[Event]) -> _Content:
    """All of a record that is its type and content; times, files and ids of sessions may differ between copies."""
    return [
        (
            e.type, e.kind, e.text, e.text_chars, e.text_digest, e.thinking, e.tool_use_id,
            _invented_name(e),
            e.tool.digest if e.tool is not None else None, e.result.digest if e.result is not None else None,
        )
        for e in record
    ]  # fmt: skip


def without_copies(sources: list[Source]) -> Unique:
    """Drop replays over all files, the first one wins; main files come first."""
    first: ByUuid = {}
    unique = Unique([], first, Replays(), [], 0)
    parents: list[str] = []
    nameless: set[tuple[object, ...]] = set()  # records without uuid of the files before: a copied file repeats them
    for source in sources:
        events = source.events
        kept: list[Event] | None = None  # a list of its own from the first replay on
        copying, at, before = True, -1, None  # of the record at hand: whether it is kept, its offset; the uuid before
        own: set[tuple[object, ...]] = set()
        clock = _Clock()
        for index, event in enumerate(events):
            offset = event.offset
            if offset != at:
                at = offset
                uuid = event.uuid
                if uuid is not None:
                    known = first.setdefault(uuid, event)
                    copying = known is event or _is_new(events, index, known, sources, unique)
                elif len(sources) > 1:
                    same = (event.ms, event.agent_id, *_content(_record(events, index)))
                    copying = event.ms is None or same not in nameless
                    own.add(same)
                else:
                    copying = True
                ms = event.ms
                if ms is not None and ms > clock.newest:
                    clock.newest = ms
                elif ms is not None and clock.newest - ms > CLOCK_BACK_MS:
                    clock.went_back(event, ms)
                if copying:
                    parent = event.parent_uuid
                    if not parent and event.kind == "compaction":
                        parent = event.detail_of("parent")
                    if parent and parent != before and parent not in first:  # it may stand further down
                        parents.append(parent)
                before = uuid
            if not copying:
                if kept is None:
                    kept = events[:index]
            elif kept is not None:
                kept.append(event)
        unique.events.append(events if kept is None else kept)
        nameless |= own
        if clock.places:
            unique.problems.append(clock.problem(source.key))
    unique.chain_breaks = sum(parent not in first for parent in parents)
    return unique


class _Clock:
    """Follows the times of one file in its own order."""

    __slots__ = ("line", "newest", "offset", "places", "worst")

    def __init__(self) -> None:
        self.newest = self.places = self.worst = self.line = self.offset = 0

    def went_back(self, event: Event, ms: int) -> None:
        self.places += 1
        if self.newest - ms > self.worst:
            self.worst, self.line, self.offset = self.newest - ms, event.line, event.offset

    def problem(self, file: str) -> Problem:
        many = f"{self.places:,} records are" if self.places > 1 else "a record is"
        message = f"{many} older than one before, by {self.worst // 1000:,} s at most; the order is the file's"
        return Problem("clock_back", file, message, self.line, self.offset)


def _is_new(events: list[Event], index: int, known: Event, sources: list[Source], unique: Unique) -> bool:
    """Whether the record at `index`, whose uuid the record of `known` had before, is another one; notes what it is."""
    event, record = events[index], _record(events, index)
    if _content(_record_of(known, sources)) == _content(record):
        unique.replays.add(record)
        return False
    message = "a record's uuid was used before for other content"
    unique.problems.append(Problem("uuid_twice", event.file, message, event.line, event.offset))
    return True


def _record_of(event: Event, sources: list[Source]) -> list[Event]:
    """Return all events of the record that begins with `event`."""
    for source in sources:
        if source.key == event.file:
            at = bisect_left(source.events, event.offset, key=lambda e: e.offset)
            if at < len(source.events) and source.events[at] is event:
                return _record(source.events, at)
    return [event]


def _record(events: list[Event], index: int) -> list[Event]:
    end = index
    while end < len(events) and events[end].offset == events[index].offset:
        end += 1
    return events[index:end]
