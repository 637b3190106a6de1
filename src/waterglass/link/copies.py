"""Copies: a record whose uuid came before with the same type and content is a replay and counts nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from waterglass.link.sources import Source
from waterglass.model import Event, Problem


class Unique(Struct):
    """The events of each source without replays, how many records were replays, and uuids used for two contents."""

    events: list[list[Event]]
    replayed: int
    problems: list[Problem]
    uuids: set[str]


def records(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Group the events of one file by the record that they come from."""
    for _, group in groupby(events, key=lambda e: e.offset):
        yield list(group)


def _content(record: list[Event]) -> list[object]:
    """All of a record that is its type and content; times, files and ids of sessions may differ between copies."""
    return [
        (e.type, e.kind, e.text, e.text_chars, e.thinking, e.tool_use_id, e.tool.digest if e.tool else None, e.result and e.result.digest)
        for e in record
    ]


def without_copies(sources: list[Source]) -> Unique:
    """Drop replays over all files, the first one wins; main files come first."""
    first: dict[str, list[Event]] = {}
    unique = Unique([], 0, [], set())
    for source in sources:
        kept: list[Event] = []
        for record in records(source.events):
            uuid = record[0].uuid
            if uuid is None:
                kept.extend(record)
                continue
            before = first.setdefault(uuid, record)
            if before is record:
                kept.extend(record)
            elif _content(before) == _content(record):
                unique.replayed += 1
            else:
                kept.extend(record)
                head = record[0]
                unique.problems.append(
                    Problem("uuid_twice", head.file, "a record's uuid was used before for other content", head.line, head.offset)
                )
        unique.events.append(kept)
    unique.uuids = set(first)
    return unique
