"""Counting and judging the sessions that are new or have changed; what comes of it is kept in the index."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence

from waterglass.catalog.entries import Entry
from waterglass.catalog.kin import Kin
from waterglass.catalog.memory import Known as Listed
from waterglass.discover import Discovery, SessionRef, Unreadable
from waterglass.errors import WaterglassError
from waterglass.index import Store
from waterglass.index.listed import read_listed, write_listed
from waterglass.index.place import located
from waterglass.index.sessions import usual_projects
from waterglass.index.store import said
from waterglass.inherit import history_of
from waterglass.schema.layout import written
from waterglass.session import Session
from waterglass.stats import facts as told
from waterglass.stats import scores as judged
from waterglass.stats.facts import facts_of
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
from waterglass.stats.scores import SessionScores, SettingsOf, scores_of

_BETWEEN = 32_000_000  # bytes of transcripts between two commits
_BETWEEN_S = 2.0  # and seconds, for whoever looks at the figures meanwhile

Progress = Callable[[int, int], None]  # bytes read, bytes to read


def gather(
    store: Store,
    discovery: Discovery,
    progress: Progress | None = None,
    *,
    settings: SettingsOf | None = None,
    patience_s: float = 2.0,
    stop: Callable[[], bool] = lambda: False,
) -> Gathered:
    """Return the figures of all sessions found. The index must have them: bring it up to date before.

    With `settings` sessions are judged too. Between two sessions `stop` is asked whether to leave the rest. Where
    another process writes the index, what is counted is not kept. Raises Damaged, WaterglassError.
    """
    judge = Judge(settings, time.time_ns() // 1_000_000) if settings is not None else None
    unread: list[Unreadable] = []
    counted = 0
    with said(store.path):
        known = all_known(store)
        stale = [ref for ref in discovery.sessions if not _is_right(known.get(name_of(ref)), ref, judge)]
        if stale and not stop():
            keep = store.may_write(patience_s)
            counting = _Counting(store, discovery.sessions, known, keep, judge)
            try:
                counting.run(stale, progress, stop)
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

    def __init__(
        self, store: Store, refs: Sequence[SessionRef], known: dict[Name, Known], keep: bool, judge: Judge | None
    ) -> None:
        self.unread: list[Unreadable] = []
        self.counted = 0
        self._store = store
        self._db = store.db
        self._now_ms = time.time_ns() // 1_000_000
        self._known = known
        self._keep = keep
        self._judge = judge
        self._some_gone = any(one.deleted for one in known.values())
        self._refs = {ref.id: ref for ref in refs}
        self._listed = Listed(read_listed(store, {ref.root for ref in refs}))
        self._entries = {ref.id: Entry(ref, self._listed.head(ref)[0], 0) for ref in refs}
        self._kin = Kin(self._entries.values())

    def run(self, stale: Sequence[SessionRef], progress: Progress | None, stop: Callable[[], bool]) -> None:
        """Count these, and with each new one those that share its history: it may own what was theirs."""
        if self._keep:
            self._db.execute("BEGIN IMMEDIATE")
        todo = {ref.id: ref for ref in stale}
        for ref in stale:
            known = self._known.get(name_of(ref))
            if known is None or known.facts is None:
                todo |= {other.id: other for other in self._related(ref)}
        given = {ref.id for ref in stale}
        for ref in todo.values():
            if (known := self._known.get(name_of(ref))) is not None and ref.id not in given:
                known.facts_key = None
                self._keep_it(known, "UPDATE session SET facts_key = NULL WHERE id = ?", (known.id,))
        total, done, since, begun = sum(ref.size for ref in todo.values()), 0, 0, time.monotonic()
        for ref in todo.values():
            if stop():
                break
            self._count(ref)
            done, since = done + ref.size, since + ref.size
            if self._keep and (since > _BETWEEN or time.monotonic() - begun > _BETWEEN_S):
                self._db.execute("COMMIT")
                self._db.execute("BEGIN IMMEDIATE")
                since, begun = 0, time.monotonic()
            if progress is not None:
                progress(done, total)
        if self._keep:
            self._db.execute("COMMIT")

    def _related(self, ref: SessionRef) -> tuple[SessionRef, ...]:
        return self._kin.of(self._entries[ref.id], self._refs)

    def _count(self, ref: SessionRef) -> None:
        known = self._known.setdefault(name_of(ref), Known(0, located(ref.folders[0]), False, None, None, None, None))
        try:
            session = self._read(ref, known)
            if not has_facts(known, ref):
                known.facts, known.facts_key = facts_of(session), facts_key(ref)
                if self._note_unread(ref, session):
                    known.facts_key = None  # to be counted anew, and said anew, the next time
                values = (told.encode(known.facts), known.facts_key, known.id)
                self._keep_it(known, "UPDATE session SET facts = ?, facts_key = ? WHERE id = ?", values)
        except sqlite3.Error:  # of the index: no fault of this session
            raise
        except WaterglassError as error:
            self._leave_out(ref, known, error.what)
            return
        except Exception as error:  # one odd transcript must not cost the statistics of all others
            self._leave_out(ref, known, f"could not be counted ({type(error).__name__})")
            return
        self.counted += 1
        if self._judge is not None and not has_scores(known, ref, self._judge):
            self._score(ref, known, session, self._judge)

    def _note_unread(self, ref: SessionRef, session: Session) -> bool:
        """Note the files of a session that were found and could not be read; tell whether there is one."""
        paths = {file.key: file.path for file in ref.files}
        lost = [problem for problem in session.unread if problem.file in paths]  # the others the discovery names
        self.unread += [Unreadable(written(paths[problem.file]), problem.message) for problem in lost]
        return bool(lost)

    def _read(self, ref: SessionRef, known: Known) -> Session:
        history = history_of(ref, self._related(ref))
        inherited = history.inherited
        if self._some_gone and known.facts is not None:
            inherited |= frozenset(known.facts.inherited)  # what a session that is gone paid for stays paid
        session = Session(
            ref,
            inherited=inherited,
            continues=history.continues,
            indexed_title=history.indexed_title,
            folder_project=history.folder_project,
        )
        if inherited == history.inherited and known.id:
            self._list(ref, session)
        return session

    def _list(self, ref: SessionRef, session: Session) -> None:
        """Keep what the list shows of a session too, now that it is read."""
        head, related = self._entries[ref.id].head, self._related(ref)
        seen = self._listed.seen_counts(ref, head, related, session.listing(self._now_ms)) if self._keep else None
        if seen is not None:
            write_listed(self._store, [(name_of(ref), seen)])

    def _score(self, ref: SessionRef, known: Known, session: Session, judge: Judge) -> None:
        try:
            known.scores = scores_of(session, judge.settings(session.project), judge.now_ms)
        except Exception as error:  # it is kept as what cannot be told, or it would be tried for ever
            known.scores = SessionScores()
            reason = error.what if isinstance(error, WaterglassError) else type(error).__name__
            self.unread.append(Unreadable(written(ref.path), f"could not be judged ({reason})"))
        known.scores_key = judge.key(ref, session.project)
        values = (known.id, known.scores_key, judged.encode(known.scores))
        self._keep_it(known, "INSERT OR REPLACE INTO judged VALUES(?, ?, ?)", values)

    def _keep_it(self, known: Known, statement: str, values: tuple[object, ...]) -> None:
        if self._keep and known.id:
            self._db.execute(statement, values)

    def _leave_out(self, ref: SessionRef, known: Known, reason: str) -> None:
        known.facts = None
        self.unread.append(Unreadable(written(ref.path), reason))
