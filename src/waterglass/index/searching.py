"""Search: the index proposes records, newest session first, and each is held against its text in the transcript."""

from __future__ import annotations

import os
import sqlite3
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain

from msgspec import Struct

from waterglass.discover import Discovery
from waterglass.errors import WaterglassError
from waterglass.index.confirm import Bodies, Match
from waterglass.index.passages import PARTS
from waterglass.index.query import Query
from waterglass.index.sessions import KnownSession, SearchedFile, sessions_in_sight
from waterglass.index.store import Store, said
from waterglass.schema.layout import written

LIMIT = 20
TIME_S = 5.0
_SHARE = 4  # of the hits at most one in so many is of one session
_INTERRUPTED = 9  # SQLite's result code


class Wanted(Struct, frozen=True):
    """Which passages are asked for. `since_ms` is Unix milliseconds, `time_s` seconds."""

    parts: Collection[str] = PARTS
    project: str | None = None
    since_ms: int | None = None
    limit: int = LIMIT
    time_s: float = TIME_S


class Hit(Struct, frozen=True, rename="camel"):
    """A passage that holds the query. `matches` are places in `snippet`, in characters, of each term once."""

    session: str
    project: str | None
    title: str | None
    path: str
    part: str  # prompt | reply | input | output
    agent_id: str | None
    ms: int | None  # Unix milliseconds
    event_id: str
    row_id: str | None  # of the call, for an input or output
    reply_id: str | None
    prompt_id: str | None
    snippet: str
    matches: list[tuple[int, int]]


class Found(Struct, rename="camel"):
    """What a search found."""

    hits: list[Hit] = []
    more: int = 0  # records that may hold the query and were not looked at
    stopped: bool = False  # the time was over
    unread: int = 0  # files that could not be opened
    seconds: float = 0.0


def search(
    store: Store,
    discovery: Discovery,
    query: Query,
    wanted: Wanted | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Found:
    """Return the passages of the sessions found that hold all terms of the query, newest session first.

    Of each session the newest come first. A record that several sessions hold is shown once, in the newest of them.
    Without a word in the query all records are read, as far as the time allows and until `stop` says so.
    Raises Damaged, WaterglassError.
    """
    wanted = wanted or Wanted()
    begun = time.monotonic()
    running = _Search(store, query, wanted, begun + wanted.time_s, stop)
    if query.terms:
        with said(store.path):
            store.db.execute("BEGIN")  # one state of the index, whatever is written meanwhile
            try:
                running.run(sessions_in_sight(store, discovery, wanted.project, wanted.since_ms))
            finally:
                store.drop_changes()
    running.found.seconds = round(time.monotonic() - begun, 3)
    return running.found


class _Search:
    """One search under way."""

    def __init__(self, store: Store, query: Query, wanted: Wanted, end: float, stop: Callable[[], bool]) -> None:
        self.found = Found()
        self._db = store.db
        self._query = query
        self._wanted = wanted
        self._end = end
        self._stop = stop
        self._shown: set[tuple[str, int, str]] = set()

    def run(self, sessions: Sequence[KnownSession]) -> None:
        """Look through the sessions in their order until there are enough hits or the time is over."""
        proposed = self._proposed()
        if self.found.stopped:
            return
        share = max(3, self._wanted.limit // _SHARE)
        for session in sessions:
            most = min(self._wanted.limit, len(self.found.hits) + share)
            for file in session.files:
                count, ids = _ids(file, proposed)
                if not count:
                    continue
                try:
                    with Bodies(os.fsdecode(file.path)) as bodies:
                        self._look(session, file, bodies, (count, ids), most)
                except WaterglassError:
                    self.found.unread += 1

    def _look(
        self, session: KnownSession, file: SearchedFile, bodies: Bodies, todo: tuple[int, Iterator[int]], most: int
    ) -> None:
        count, ids = todo
        for number, id_ in enumerate(ids):
            if len(self.found.hits) >= most or self._is_over():
                self.found.more += count - number
                return
            place = self._db.execute("SELECT offset, length FROM record WHERE id = ?", (id_,)).fetchone()
            if place is None:
                continue
            for match in bodies.matches(place, self._query, self._wanted.parts):
                if len(self.found.hits) < most and self._is_new(match):
                    self.found.hits.append(_hit(session, file, place[0], match))

    def _is_new(self, match: Match) -> bool:
        since, ms, identity = self._wanted.since_ms, match.ms, match.identity
        if (since is not None and (ms is None or ms < since)) or identity in self._shown:
            return False
        if identity is not None:
            self._shown.add(identity)
        return True

    def _is_over(self) -> bool:
        self.found.stopped = self.found.stopped or time.monotonic() > self._end or self._stop()
        return self.found.stopped

    def _proposed(self) -> list[int] | None:
        """Return the ids of the records that have the query's words, in order; None where it has no word."""
        if self._query.expression is None:
            return None
        self._db.set_progress_handler(self._is_over, 20_000)
        try:
            rows = self._db.execute(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", (self._query.expression,)
            ).fetchall()
        except sqlite3.OperationalError as error:
            if (getattr(error, "sqlite_errorcode", 0) & 0xFF) != _INTERRUPTED:
                raise
            return []
        finally:
            self._db.set_progress_handler(None, 0)
        return [row[0] for row in rows]


def _ids(file: SearchedFile, proposed: list[int] | None) -> tuple[int, Iterator[int]]:
    """Return how many of a file's records are to be looked at, and their ids, newest first."""
    if proposed is None:
        ranges = [range(last, first - 1, -1) for first, last in file.segments]
        return sum(map(len, ranges)), chain.from_iterable(ranges)
    found: list[int] = []
    for first, last in file.segments:
        found += reversed(proposed[bisect_left(proposed, first) : bisect_right(proposed, last)])
    return len(found), iter(found)


def _hit(session: KnownSession, file: SearchedFile, offset: int, match: Match) -> Hit:
    passage, record = match.passage, match.record
    place = f"{file.event_key}@{offset}"
    snippet, matches = match.snippet()
    of_call = passage.part in ("input", "output")
    message = record.message.id if record.message is not None else None
    return Hit(
        session.name,
        session.project,
        session.title,
        written(os.fsdecode(file.path)),
        passage.part,
        file.agent or record.parent_tool_use_id,
        match.ms,
        f"{place}.{passage.block}",
        passage.call if of_call else None,
        (message or place) if passage.part in ("reply", "input") else None,
        (record.uuid or place) if passage.part == "prompt" else None,
        snippet,
        matches,
    )
