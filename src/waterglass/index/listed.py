"""What the list shows of a session, kept with a mark of the state that it was read from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from zlib import crc32

import msgspec
from msgspec import Struct

from waterglass.discover import Head, SessionRef
from waterglass.index.place import located
from waterglass.index.store import Store
from waterglass.schema.layout import TITLES_FILE
from waterglass.version import __version__

VERSION = 1  # of what heads and counts say; a change there has them read anew
_decode_head = msgspec.msgpack.Decoder(Head).decode
Name = tuple[bytes, str]  # root and id of a session


class Listed(Struct):
    """A session as the index has it."""

    mark: bytes
    head: bytes
    counts_mark: bytes | None
    counts: bytes | None  # JSON; both are sealed


class Seen(Struct):
    """What is to be kept of a session; without counts those that are there stay."""

    mark: bytes
    head: Head
    counts_mark: bytes | None = None
    counts: bytes | None = None  # sealed


class Deleted(Struct):
    """What is left of a session whose transcript is deleted. Times are Unix milliseconds."""

    name: str
    project: str | None
    title: str | None
    last_ms: int
    deleted_ms: int  # when it was found to be gone
    counts: bytes | None  # JSON


class Marks:
    """What tells whether sessions have changed: their files, the titles file beside them, and what reads them."""

    def __init__(self) -> None:
        self._titles: dict[str, tuple[int, int] | None] = {}

    def of(self, ref: SessionRef) -> bytes:
        """Return the mark of a session. Made before the session is read, so that no later change passes for read."""
        titles = [self._titles_of(folder) for folder in ref.folders]
        told = f"{VERSION}/{__version__}/{titles}".encode()
        return blake2b(stamp_of(ref) + told, digest_size=12).digest()

    def _titles_of(self, folder: str) -> tuple[int, int] | None:
        if folder not in self._titles:
            try:
                status = os.lstat(os.path.join(folder, TITLES_FILE))
                self._titles[folder] = (status.st_size, status.st_mtime_ns)
            except OSError:
                self._titles[folder] = None
        return self._titles[folder]


def stamp_of(ref: SessionRef) -> bytes:
    """Return what tells whether any file of a session has changed since, as far as names, sizes and times tell."""
    told = [(located(file.path), file.key, file.size, file.modified_ms) for file in ref.files]
    return blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).digest()


def name_of(ref: SessionRef) -> Name:
    """Return under which name a session is kept."""
    return located(ref.root), ref.id


def read_listed(store: Store, roots: Iterable[str]) -> dict[Name, Listed]:
    """Return what is kept of the sessions below some roots."""
    places = tuple({located(root) for root in roots})
    marks = ", ".join("?" * len(places))
    rows = store.db.execute(
        f"SELECT root, name, mark, head, counts_mark, counts FROM listed WHERE root IN ({marks})", places
    ).fetchall()
    return {(root, name): Listed(*rest) for root, name, *rest in rows}


def deleted_names(store: Store, roots: Iterable[str]) -> set[str]:
    """Return the ids of the sessions below some roots that are known to be deleted there."""
    places = tuple({located(root) for root in roots})
    marks = ", ".join("?" * len(places))
    statement = f"SELECT name FROM session WHERE deleted_ms IS NOT NULL AND root IN ({marks})"
    return {name for (name,) in store.db.execute(statement, places).fetchall()}


def deleted_sessions(store: Store, roots: Iterable[str]) -> list[Deleted]:
    """Return what is known of deleted sessions below some roots, newest activity first."""
    places = tuple({located(root) for root in roots})
    marks = ", ".join("?" * len(places))
    rows = store.db.execute(
        f"""SELECT session.name, project, title, last_ms, deleted_ms, counts_mark, counts FROM session
        LEFT JOIN listed USING(root, name) WHERE deleted_ms IS NOT NULL AND root IN ({marks})
        ORDER BY last_ms DESC, session.name""",
        places,
    ).fetchall()
    return [
        Deleted(name, project, title, last_ms, deleted_ms, opened(mark, counts))
        for name, project, title, last_ms, deleted_ms, mark, counts in rows
    ]


def write_listed(store: Store, seen: Iterable[tuple[Name, Seen]]) -> None:
    """Keep what was seen, in the transaction at hand."""
    lines = []
    for (root, name), one in seen:
        try:
            head = msgspec.msgpack.encode(one.head)
        except (UnicodeEncodeError, msgspec.MsgspecError):
            continue  # a text that no file can hold; it is read again the next time
        lines.append((root, name, one.mark, sealed(one.mark, head), one.counts_mark, one.counts))
    store.db.executemany(
        """INSERT INTO listed VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET mark = excluded.mark,
        head = excluded.head, counts_mark = coalesce(excluded.counts_mark, counts_mark),
        counts = coalesce(excluded.counts, counts)""",
        lines,
    )


def head_in(listed: Listed) -> Head | None:
    """Return the head, None where it is damaged."""
    data = opened(listed.mark, listed.head)
    try:
        return None if data is None else _decode_head(data)
    except msgspec.MsgspecError:
        return None


def sealed(mark: bytes, data: bytes) -> bytes:
    """Return the data with a check sum: a changed byte must not become another figure in the list."""
    return crc32(mark + data).to_bytes(4, "big") + data


def opened(mark: object, data: object) -> bytes | None:
    """Return what was sealed under a mark, None where it is anything else. SQLite gives back whatever a cell holds."""
    if not isinstance(mark, bytes) or not isinstance(data, bytes) or len(data) < 4:
        return None
    return data[4:] if crc32(mark + data[4:]).to_bytes(4, "big") == data[:4] else None
