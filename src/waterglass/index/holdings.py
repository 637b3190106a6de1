"""What an index holds, and which transcripts Claude Code is about to delete."""

from __future__ import annotations

import os
from contextlib import suppress

from msgspec import Struct

from waterglass.discover import Discovery
from waterglass.discover.kept import KEPT_DAYS, SOON_DAYS, soon_deleted
from waterglass.index import place
from waterglass.index.store import Damaged, Store, said
from waterglass.index.upkeep import is_read, known_files

__all__ = ["KEPT_DAYS", "SOON_DAYS", "Status", "has_index", "status"]


# A session has a row for each root that it was seen below: an archive beside the folder that it came from, for one.
_COUNTS = "SELECT count(DISTINCT name), count(DISTINCT CASE WHEN deleted_ms IS NOT NULL THEN name END) FROM session"


class Status(Struct):
    """Sizes are bytes, times Unix milliseconds."""

    path: str
    size: int = 0
    sessions: int = 0
    deleted: int = 0  # sessions whose transcripts are gone
    files: int = 0
    records: int = 0
    hidden: int = 0  # records of texts that are gone or were replaced; removed when they are a fifth
    to_read: int = 0  # files that are new or have changed
    going: int = 0  # sessions that Claude Code deletes within SOON_DAYS
    next_ms: int | None = None  # when the first of them goes


def has_index(folder: str | None = None) -> bool:
    """Is there an index?"""
    return os.path.exists(os.path.join(folder or place.own_folder(), place.FILE))


def status(store: Store, discovery: Discovery, now_ms: int) -> Status:
    """Return what the index holds, after looking through the whole of it for damage. Raises Damaged."""
    told = Status(store.path)
    for ending in ("", "-wal"):
        with suppress(OSError):
            told.size += os.path.getsize(store.path + ending)
    with said(store.path):
        (word,) = store.db.execute("PRAGMA quick_check(1)").fetchone()
        if word != "ok":
            raise Damaged(str(word))
        told.sessions, told.deleted = store.db.execute(_COUNTS).fetchone()
        known = known_files(store)
        told.files = len(known)
        (told.records,) = store.db.execute("SELECT coalesce(sum(last - first + 1), 0) FROM segment").fetchone()
        told.hidden = int(store.value("written") or 0) - told.records
    told.to_read = sum(not is_read(file, known) for ref in discovery.sessions for file in ref.files)
    told.going, told.next_ms = soon_deleted(discovery.sessions, now_ms)
    return told
