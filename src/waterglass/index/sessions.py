"""What the index knows of the sessions that are in sight."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from waterglass.discover import Discovery
from waterglass.index.store import Store
from waterglass.index.upkeep import paths_of


class SearchedFile(Struct):
    """A transcript with the ids of its records: ranges, both ends in them, the last written first."""

    path: bytes
    event_key: str
    agent: str | None
    segments: list[tuple[int, int]]


class KnownSession(Struct):
    """A session with those of its files that hold a text, newest first."""

    name: str
    project: str | None
    title: str | None
    files: list[SearchedFile]


def sessions_in_sight(
    store: Store, discovery: Discovery, project: str | None = None, since_ms: int | None = None
) -> list[KnownSession]:
    """Return the sessions of which some text is in the index, newest activity first.

    `project` is a part of its path in any case; `since_ms` Unix milliseconds of the last activity.
    """
    files = _files(store, discovery)
    rows = store.db.execute(
        "SELECT id, name, project, title, last_ms, folder FROM session ORDER BY last_ms DESC, name, root"
    ).fetchall()
    usual = usual_projects([(row[5], row[2]) for row in rows])
    sought = project.casefold() if project else ""
    found = []
    for id_, name, own, title, last_ms, folder in rows:
        place = own or usual.get(folder)
        if id_ in files and sought in (place or "").casefold() and (since_ms is None or last_ms >= since_ms):
            found.append(KnownSession(name, place, title, files[id_]))
    return found


def _files(store: Store, discovery: Discovery) -> dict[int, list[SearchedFile]]:
    there = paths_of(discovery.sessions)
    segments: dict[int, list[tuple[int, int]]] = {}
    for file, first, last in store.db.execute("SELECT file, first, last FROM segment ORDER BY file, first DESC"):
        segments.setdefault(file, []).append((first, last))
    files: dict[int, list[SearchedFile]] = {}
    for id_, session, path, key, agent in store.db.execute(
        "SELECT id, session, path, event_key, agent FROM file ORDER BY coalesce(last_ms, 0) DESC, path"
    ):
        if path in there and id_ in segments:
            files.setdefault(session, []).append(SearchedFile(path, key, agent, segments[id_]))
    return files


def usual_projects(named: Sequence[tuple[bytes, str | None]]) -> dict[bytes, str]:
    """Return for each folder the project that most of its sessions name: that of those that name none."""
    counts: dict[bytes, dict[str, int]] = {}
    for folder, project in named:
        if project is not None:
            own = counts.setdefault(folder, {})
            own[project] = own.get(project, 0) + 1
    return {folder: max(own, key=lambda name: (own[name], name)) for folder, own in counts.items()}
