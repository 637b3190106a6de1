"""Which sessions are exported, each with those that may share its history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from waterglass.discover import Discovery, SessionRef, read_head


class Source(Struct, frozen=True):
    """A session to export."""

    ref: SessionRef
    in_sight: Sequence[SessionRef]
    """The sessions that may share its history: a reply that one of them owns is not counted here."""


def all_sources(discovery: Discovery) -> list[Source]:
    """Return all sessions that were found, the oldest file first.

    Each is held against those of its folders and those whose heads show the same records, not against all: with
    thousands of sessions that would be millions of looks.
    """
    refs = sorted(discovery.sessions, key=lambda ref: (ref.modified_ms, ref.id))
    keys = {ref.path: _keys(ref) for ref in refs}
    groups: dict[tuple[str, str], list[SessionRef]] = {}
    for ref in refs:
        for key in keys[ref.path]:
            groups.setdefault(key, []).append(ref)
    return [
        Source(ref, list({other.path: other for key in keys[ref.path] for other in groups[key]}.values()))
        for ref in refs
    ]


def distinct(sources: Iterable[Source]) -> list[Source]:
    """Return the sources without those that come a second time."""
    return list({source.ref.path: source for source in sources}.values())


def _keys(ref: SessionRef) -> list[tuple[str, str]]:
    """What a session has in common with those that may share its history."""
    head = read_head(ref)
    keys = [("folder", folder) for folder in ref.folders] + [("record", mark) for mark in head.marks]
    return [*keys, ("id", ref.id), *([("id", head.continues)] if head.continues is not None else [])]
