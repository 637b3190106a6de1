"""Which sessions are exported, each with those that may share its history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct

from waterglass.discover import (
    Discovery,
    Head,
    SessionRef,
    folder_project,
    index_title,
    most_common_project,
    read_head,
)
from waterglass.export.done import Reading
from waterglass.inherit import related
from waterglass.remote import Fetch, Mirror, copied
from waterglass.session import Session, load


class Source(Struct, frozen=True):
    """A session to export."""

    ref: SessionRef
    in_sight: Sequence[SessionRef]
    """The sessions that may share its history: a reply that one of them owns is not counted here."""
    mirrors: tuple[Mirror, ...] = ()
    """The mirrors in which all of these lie, where they lie elsewhere."""
    folder_project: str | None = None
    """The project of a session that names no directory, where not all sessions of its folders are in sight."""


class Around(Struct, frozen=True):
    """What a session takes from what lies around it, found without reading any session whole."""

    related: tuple[SessionRef, ...]
    """The sessions that it may have history from."""
    indexed_title: str | None
    folder_project: str | None
    fetches: tuple[Fetch, ...]
    """The files to fetch before it is read."""
    newest_ms: int | None
    """The time of its newest record, as far as the ends of its files tell."""


def around(source: Source) -> Around:
    """Return what lies around a session."""
    ref = source.ref
    others = tuple(related(ref, source.in_sight))
    head = read_head(ref)
    project = source.folder_project or (folder_project(ref, source.in_sight) if head.cwd is None else None)
    fetches = tuple(fetch for found in source.mirrors if (fetch := Fetch.of(found, (ref, *others))) is not None)
    return Around(others, index_title(ref), project, fetches, head.last_ms)


def read(refs: Sequence[SessionRef], told: Around, window: int | None, now_ms: int | None) -> Session:
    """Read the first of these sessions; the others are those that it may have history from. Raises WaterglassError."""
    session = load(refs[0], in_sight=refs, window=window, now_ms=now_ms)
    session.indexed_title, session.folder_project = told.indexed_title, told.folder_project
    return session


@contextmanager
def opened(source: Source, reading: Reading) -> Iterator[Session]:
    """A session, read; where it lies elsewhere, from copies that are gone at the end. Raises WaterglassError."""
    if not source.mirrors:
        session = load(source.ref, in_sight=source.in_sight, window=reading.window, now_ms=reading.now_ms)
        session.folder_project = source.folder_project or session.folder_project
        yield session
        return
    told = around(source)
    with copied(told.fetches, (source.ref, *told.related)) as refs:
        yield read(refs, told, reading.window, reading.now_ms)


def all_sources(discovery: Discovery, mirrors: Sequence[Mirror] = ()) -> list[Source]:
    """Return all sessions that were found, the oldest file first.

    Each is held against those whose heads show the same records, name one another, or have its slug in its folder. Not
    against all, nor against its whole folder: with thousands of sessions that would be millions of looks.
    """
    refs = sorted(discovery.sessions, key=lambda ref: (ref.modified_ms, ref.id))
    heads = {ref.path: read_head(ref) for ref in refs}
    keys = {ref.path: _keys(ref, heads[ref.path]) for ref in refs}
    groups: dict[tuple[str, ...], list[SessionRef]] = {}
    for ref in refs:
        for key in keys[ref.path]:
            groups.setdefault(key, []).append(ref)
    projects = _Projects(refs, heads)
    return [
        Source(
            ref,
            list({other.path: other for key in keys[ref.path] for other in groups[key]}.values()),
            tuple(mirrors),
            projects.of(ref) if heads[ref.path].cwd is None else None,
        )
        for ref in refs
    ]


class _Projects:
    """The projects that most sessions of some folders have; each set of folders is looked at once."""

    def __init__(self, refs: Sequence[SessionRef], heads: Mapping[str, Head]) -> None:
        self._heads = heads
        self._in: dict[str, list[SessionRef]] = {}
        for ref in refs:
            for folder in ref.folders:
                self._in.setdefault(folder, []).append(ref)
        self._known: dict[frozenset[str], str | None] = {}

    def of(self, ref: SessionRef) -> str | None:
        """Return the project of a session whose own records name no directory."""
        folders = frozenset(ref.folders)
        if folders not in self._known:
            beside = {other.path for folder in ref.folders for other in self._in[folder]}
            self._known[folders] = most_common_project(self._heads[path] for path in beside)
        return self._known[folders]


def distinct(sources: Iterable[Source]) -> list[Source]:
    """Return the sources without those that come a second time."""
    return list({source.ref.path: source for source in sources}.values())


def _keys(ref: SessionRef, head: Head) -> list[tuple[str, ...]]:
    """What a session has in common with those that may share its history, and with those that it may continue."""
    keys: list[tuple[str, ...]] = [("record", mark) for mark in head.marks]
    keys += [("slug", folder, slug) for folder in ref.folders for slug in head.slugs]
    return [*keys, ("id", ref.id), *([("id", head.continues)] if head.continues is not None else [])]
