"""Counting and judging the sessions that are new or have changed; what comes of it is kept in the index."""

from __future__ import annotations

import gc
import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any

from waterglass.catalog.entries import Entry
from waterglass.catalog.kin import Kin
from waterglass.catalog.memory import Known as Listed
from waterglass.crew import Crew, Work, processes, processors, run_jobs
from waterglass.discover import Discovery, SessionRef, Unreadable
from waterglass.index import Store
from waterglass.index.listed import read_listed, write_listed
from waterglass.index.place import located
from waterglass.index.sessions import usual_projects
from waterglass.index.store import said
from waterglass.schema.layout import written
from waterglass.stats import facts as told
from waterglass.stats import scores as judged
from waterglass.stats.known import (
    Gathered,
    Judge,
    Known,
    Name,
    all_known,
    facts_key,
    has_facts,
    has_scores,
    name_of,
    put_together,
)
from waterglass.stats.scores import SettingsOf
from waterglass.stats.telling import Told, Wish, not_told, tell

_BETWEEN = 32_000_000  # bytes of transcripts between two commits
_BETWEEN_S = 2.0  # and seconds, for whoever looks at the figures meanwhile
_WORTH = 48_000_000  # bytes of transcripts to read from which processes pay: each takes a third of a second to start
_MOST_WAITING = 2_000  # sessions that are told of at most while nobody listens
_MOST_PROCESSES = 4  # more are rarely idle, and each holds the largest of its sessions

Progress = Callable[[int, int], None]  # bytes read, bytes to read


def gather(
    store: Store,
    discovery: Discovery,
    progress: Progress | None = None,
    *,
    settings: SettingsOf | None = None,
    patience_s: float = 2.0,
    stop: Callable[[], bool] = lambda: False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Gathered:
    """Return the figures of all sessions found. The index must have them: bring it up to date before.

    With `settings` sessions are judged too. Between two sessions `stop` is asked whether to leave the rest. Where
    another process writes the index, what is counted is not kept. `meanwhile` is called once, unless it is stopped
    before, and beside other processes that count where there are any; it may write the index. Raises
    Damaged, WaterglassError.
    """
    judge = Judge(settings, time.time_ns() // 1_000_000) if settings is not None else None
    unread: list[Unreadable] = []
    counted = 0
    with said(store.path):
        known = all_known(store)
        stale = [ref for ref in discovery.sessions if not _is_right(known.get(name_of(ref)), ref, judge)]
        if not stale or stop():
            meanwhile()
        else:
            counting = _Counting(store, discovery.sessions, known, judge)
            try:
                counting.run(stale, progress, stop, patience_s, meanwhile)
            finally:
                store.drop_changes()
                store.done_writing()
            unread, counted = counting.unread, counting.counted
        usual = usual_projects(store.db.execute("SELECT folder, project FROM session").fetchall())
    gathered = put_together(known, usual, discovery, judge)
    gathered.unread, gathered.counted = unread, counted
    return gathered


def _is_right(known: Known | None, ref: SessionRef, judge: Judge | None) -> bool:
    return has_facts(known, ref) and (judge is None or has_scores(known, ref, judge))


class _Counting:
    """Reading sessions that are new or have changed."""

    def __init__(self, store: Store, refs: Sequence[SessionRef], known: dict[Name, Known], judge: Judge | None) -> None:
        self.unread: list[Unreadable] = []
        self.counted = 0
        self._store = store
        self._db = store.db
        self._now_ms = judge.now_ms if judge is not None else time.time_ns() // 1_000_000
        self._known = known
        self._keep = False
        self._judge = judge
        self._some_gone = any(one.deleted for one in known.values())
        self._refs = {ref.id: ref for ref in refs}
        self._listed = Listed(read_listed(store, {ref.root for ref in refs}))
        self._entries = {ref.id: Entry(ref, self._listed.head(ref)[0], 0) for ref in refs}
        self._kin = Kin(self._entries.values())

    def run(
        self,
        stale: Sequence[SessionRef],
        progress: Progress | None,
        stop: Callable[[], bool],
        patience_s: float,
        meanwhile: Callable[[], None],
    ) -> None:
        """Count these, and with each new one those that share its history: it may own what was theirs."""
        todo = {ref.id: ref for ref in stale}
        for ref in stale:
            known = self._known.get(name_of(ref))
            if known is None or known.facts is None:
                todo |= {other.id: other for other in self._related(ref)}
        given = {ref.id for ref in stale}
        for ref in todo.values():
            if (known := self._known.get(name_of(ref))) is not None and ref.id not in given:
                known.facts_key = None

        def begin() -> None:
            meanwhile()
            self._begin(patience_s)

        total, done, since, begun = sum(ref.size for ref in todo.values()), 0, 0, time.monotonic()
        results = run_jobs(map(self._wish, todo.values()), Work(tell, not_told), self._crew(total, len(todo)), begin)
        try:
            while not stop() and (result := next(results, None)) is not None:
                wish, found = result
                self._enter(wish, found)
                done, since = done + wish.ref.size, since + wish.ref.size
                if self._keep and (since > _BETWEEN or time.monotonic() - begun > _BETWEEN_S):
                    self._db.execute("COMMIT")
                    self._db.execute("BEGIN IMMEDIATE")
                    since, begun = 0, time.monotonic()
                if progress is not None:
                    progress(done, total)
        finally:
            results.close()
        if self._keep:
            self._db.execute("COMMIT")

    def _begin(self, patience_s: float) -> None:
        """Begin to write, where no other process does."""
        for name, one in all_known(self._store).items():
            if name in self._known:
                self._known[name].id = one.id  # of a session that was entered, or entered anew, since
        self._keep = self._store.may_write(patience_s)
        if self._keep:
            self._db.execute("BEGIN IMMEDIATE")
            for known in self._known.values():
                if known.facts is not None and known.facts_key is None:
                    self._keep_it(known, "UPDATE session SET facts_key = NULL WHERE id = ?", (known.id,))

    def _crew(self, size: int, sessions: int) -> Crew | None:
        """Who reads so many bytes: None where starting processes takes longer than they save."""
        number = processors()
        if size < _WORTH or number < 2 or not _can_be_sent(self._judge):
            return None
        return processes(min(number, _MOST_PROCESSES), _prepare)._replace(room=min(sessions, _MOST_WAITING))

    def _related(self, ref: SessionRef) -> tuple[SessionRef, ...]:
        return self._kin.of(self._entries[ref.id], self._refs)

    def _wish(self, ref: SessionRef) -> Wish:
        known = self._known.setdefault(name_of(ref), Known(0, located(ref.folders[0]), False, None, None, None, None))
        paid = known.facts.inherited if self._some_gone and known.facts is not None else ()
        settings = self._judge.settings if self._judge is not None and not has_scores(known, ref, self._judge) else None
        return Wish(ref, self._related(ref), frozenset(paid), not has_facts(known, ref), settings, self._now_ms)

    def _enter(self, wish: Wish, found: Told) -> None:
        """Keep what was told of a session."""
        ref, known = wish.ref, self._known[name_of(wish.ref)]
        if found.failure is not None:
            known.facts = None
            self.unread.append(Unreadable(written(ref.path), found.failure))
            return
        self.counted += 1
        self.unread += [Unreadable(path, reason) for path, reason in found.unread]
        if found.listing is not None and self._keep and known.id:
            self._list(wish, found.listing)
        if found.facts is not None:
            known.facts = told.decode(found.facts)
            known.facts_key = None if found.unread else facts_key(ref)  # to be counted, and said, anew the next time
            values = (found.facts, known.facts_key, known.id)
            self._keep_it(known, "UPDATE session SET facts = ?, facts_key = ? WHERE id = ?", values)
        if found.scores is not None and self._judge is not None:
            if found.unjudged is not None:
                self.unread.append(Unreadable(written(ref.path), found.unjudged))
            known.scores, known.scores_key = judged.decode(found.scores), self._judge.key(ref, found.project)
            scored = (known.id, known.scores_key, found.scores)
            self._keep_it(known, "INSERT OR REPLACE INTO judged VALUES(?, ?, ?)", scored)

    def _list(self, wish: Wish, listing: dict[str, Any]) -> None:
        """Keep what the list shows of a session too, now that it is read."""
        seen = self._listed.seen_counts(wish.ref, self._entries[wish.ref.id].head, wish.related, listing)
        if seen is not None:
            write_listed(self._store, [(name_of(wish.ref), seen)])

    def _keep_it(self, known: Known, statement: str, values: tuple[object, ...]) -> None:
        if self._keep and known.id:
            self._db.execute(statement, values)


def _can_be_sent(judge: Judge | None) -> bool:
    """Whether other processes can be told by what to judge."""
    try:
        pickle.dumps(judge)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _prepare() -> None:
    gc.disable()  # a walk over all objects costs 10 ms, more than most sessions; `tell` tidies up now and then
    gc.freeze()
