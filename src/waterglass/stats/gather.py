"""The facts of all sessions: from the index where they are known, else counted and kept there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata

import msgspec
from msgspec import Struct

from waterglass.catalog.entries import Entry
from waterglass.catalog.kin import Kin
from waterglass.discover import Discovery, SessionRef, Unreadable, read_head
from waterglass.errors import WaterglassError
from waterglass.index import Store
from waterglass.index.place import located
from waterglass.index.sessions import usual_projects
from waterglass.index.store import said
from waterglass.index.upkeep import stamp_of
from waterglass.inherit import history_of
from waterglass.schema.layout import written
from waterglass.session import Session
from waterglass.stats import facts as told
from waterglass.stats.facts import SessionFacts, facts_of

_BETWEEN = 32_000_000  # bytes of transcripts between two commits

Progress = Callable[[int, int], None]  # bytes counted, bytes to count
Name = tuple[bytes, str]  # root and id of a session


class Gathered(Struct):
    """The facts of the sessions found, and of those whose transcripts are gone; what could not be counted."""

    sessions: list[SessionFacts] = []
    deleted: list[SessionFacts] = []
    unread: list[Unreadable] = []
    counted: int = 0  # sessions that were read for it


class _Known(Struct):
    """What the index has of a session."""

    id: int
    folder: bytes
    deleted: bool
    key: str | None  # of the facts: what they were made of and by
    facts: SessionFacts | None


def gather(
    store: Store, discovery: Discovery, progress: Progress | None = None, *, patience_s: float = 2.0
) -> Gathered:
    """Return the facts of all sessions found. The index must have them: bring it up to date before.

    Where another process writes the index, what is counted is not kept. Raises Damaged, WaterglassError.
    """
    gathered = Gathered()
    with said(store.path):
        known = _known(store)
        stale = [ref for ref in discovery.sessions if not _is_right(known.get(_name(ref)), ref)]
        if stale:
            keep = store.may_write(patience_s)
            try:
                _Counting(store, discovery.sessions, known, gathered, keep).run(stale, progress)
            finally:
                store.drop_changes()
                store.done_writing()
        usual = usual_projects(store.db.execute("SELECT folder, project FROM session").fetchall())
    there = {_name(ref) for ref in discovery.sessions}
    roots = {located(root) for root in discovery.roots}
    for name, one in known.items():
        if one.facts is None:
            continue
        one.facts.project = one.facts.project or usual.get(one.folder)
        if name in there:
            gathered.sessions.append(one.facts)
        elif one.deleted and name[0] in roots:
            gathered.deleted.append(one.facts)
    return gathered


def _name(ref: SessionRef) -> Name:
    return located(ref.root), ref.id


def _known(store: Store) -> dict[Name, _Known]:
    rows = store.db.execute("SELECT root, name, id, folder, deleted_ms IS NOT NULL, facts_key, facts FROM session")
    return {
        (root, name): _Known(id_, folder, bool(deleted), key, _decoded(facts))
        for root, name, id_, folder, deleted, key, facts in rows
    }


def _decoded(data: bytes | None) -> SessionFacts | None:
    try:
        return None if data is None else told.decode(data)
    except msgspec.MsgspecError:
        return None  # of another version, or damaged: counted anew


def _is_right(known: _Known | None, ref: SessionRef) -> bool:
    return known is not None and known.facts is not None and known.key == _key(ref)


def _key(ref: SessionRef) -> str:
    return f"{told.VERSION}/{_prices()}/{stamp_of(ref).hex()}"


@cache
def _prices() -> str:
    """Return the version of the price data, found without loading it, which takes a millisecond."""
    try:
        return metadata.version("genai-prices")
    except metadata.PackageNotFoundError:
        return "none"


class _Counting:
    """Reading sessions that are new or have changed."""

    def __init__(
        self, store: Store, refs: Sequence[SessionRef], known: dict[Name, _Known], gathered: Gathered, keep: bool
    ) -> None:
        self._db = store.db
        self._known = known
        self._gathered = gathered
        self._keep = keep
        self._some_gone = any(one.deleted for one in known.values())
        self._refs = {ref.id: ref for ref in refs}
        self._entries = {ref.id: Entry(ref, read_head(ref), 0) for ref in refs}
        self._kin = Kin(self._entries.values())

    def run(self, stale: Sequence[SessionRef], progress: Progress | None) -> None:
        """Count these, and with each new one those that share its history: it may own what was theirs."""
        todo = {ref.id: ref for ref in stale}
        for ref in stale:
            known = self._known.get(_name(ref))
            if known is None or known.facts is None:
                todo |= {other.id: other for other in self._related(ref)}
        total, done, since = sum(ref.size for ref in todo.values()), 0, 0
        if self._keep:
            self._db.execute("BEGIN IMMEDIATE")
        for ref in todo.values():
            self._count(ref)
            done, since = done + ref.size, since + ref.size
            if self._keep and since > _BETWEEN:
                self._db.execute("COMMIT")
                self._db.execute("BEGIN IMMEDIATE")
                since = 0
            if progress is not None:
                progress(done, total)
        if self._keep:
            self._db.execute("COMMIT")

    def _related(self, ref: SessionRef) -> tuple[SessionRef, ...]:
        return self._kin.of(self._entries[ref.id], self._refs)

    def _count(self, ref: SessionRef) -> None:
        known = self._known.setdefault(_name(ref), _Known(0, located(ref.folders[0]), False, None, None))
        try:
            history = history_of(ref, self._related(ref))
            inherited = history.inherited
            if self._some_gone and known.facts is not None:
                inherited |= frozenset(known.facts.inherited)  # what a session that is gone paid for stays paid
            facts = facts_of(Session(ref, inherited=inherited, folder_project=history.folder_project))
            values = (told.encode(facts), _key(ref), known.id)
        except WaterglassError as error:
            self._leave_out(ref, known, error.what)
            return
        except Exception as error:  # one odd transcript must not cost the statistics of all others
            self._leave_out(ref, known, f"could not be counted ({type(error).__name__})")
            return
        known.facts = facts
        self._gathered.counted += 1
        if self._keep and known.id:
            self._db.execute("UPDATE session SET facts = ?, facts_key = ? WHERE id = ?", values)

    def _leave_out(self, ref: SessionRef, known: _Known, reason: str) -> None:
        known.facts = None
        self._gathered.unread.append(Unreadable(written(ref.path), reason))
