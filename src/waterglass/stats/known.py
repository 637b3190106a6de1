"""What the index knows of each session: its facts and its scores, and whether they still hold."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from waterglass.cost import prices_version
from waterglass.discover import Discovery, SessionRef, Unreadable
from waterglass.index import Store
from waterglass.index.listed import stamp_of
from waterglass.index.place import located
from waterglass.index.sessions import usual_projects
from waterglass.index.store import said
from waterglass.stats import facts as told
from waterglass.stats import scores as judged
from waterglass.stats.facts import SessionFacts
from waterglass.stats.scores import SessionScores, SettingsOf

Name = tuple[bytes, str]  # root and id of a session


class Figures(Struct):
    """A session's facts, and its scores; None where it is not judged yet."""

    facts: SessionFacts
    scores: SessionScores | None = None


class Gathered(Struct):
    """The figures of the sessions found, and of those whose transcripts are gone; what could not be counted."""

    sessions: list[Figures] = []
    deleted: list[Figures] = []
    unread: list[Unreadable] = []
    counted: int = 0  # sessions that were read for it
    uncounted: int = 0  # sessions whose facts are not known (yet)


class Known(Struct):
    """What the index has of a session."""

    id: int
    folder: bytes
    deleted: bool
    facts_key: str | None  # what the facts were made of and by
    facts: SessionFacts | None
    scores_key: str | None
    scores: SessionScores | None


class Judge(Struct, frozen=True):
    """By what settings sessions are judged, and when."""

    settings: SettingsOf
    now_ms: int

    def key(self, ref: SessionRef, project: str | None) -> str:
        """Return the key that a session's scores must have to hold."""
        return judged.key_of(ref, self.settings(project), self.now_ms)


def name_of(ref: SessionRef) -> Name:
    """Return the name of a session in the index."""
    return located(ref.root), ref.id


def all_known(store: Store) -> dict[Name, Known]:
    """Return what the index has of all sessions, whether it still holds or not. Raises sqlite3.Error."""
    rows = store.db.execute(
        """SELECT root, name, id, folder, deleted_ms IS NOT NULL, facts_key, facts, key, scores
        FROM session LEFT JOIN judged ON judged.session = session.id"""
    )
    return {
        (root, name): Known(id_, folder, bool(deleted), key, _facts(facts), scores_key, _scores(scores))
        for root, name, id_, folder, deleted, key, facts, scores_key, scores in rows
    }


def _facts(data: bytes | None) -> SessionFacts | None:
    try:
        return None if data is None else told.decode(data)
    except msgspec.MsgspecError:
        return None  # of another version, or damaged: counted anew


def _scores(data: bytes | None) -> SessionScores | None:
    try:
        return None if data is None else judged.decode(data)
    except msgspec.MsgspecError:
        return None


def has_facts(known: Known | None, ref: SessionRef) -> bool:
    """Tell whether a session's facts are known and hold."""
    return known is not None and known.facts is not None and known.facts_key == facts_key(ref)


def has_scores(known: Known | None, ref: SessionRef, judge: Judge) -> bool:
    """Tell whether a session's scores are known and hold."""
    if known is None or known.facts is None or known.scores is None:
        return False
    return known.scores_key == judge.key(ref, known.facts.project)


def facts_key(ref: SessionRef) -> str:
    """Return the key that a session's facts must have to hold."""
    return f"{told.VERSION}/{prices_version() or 'none'}/{stamp_of(ref).hex()}"


def figures(store: Store, discovery: Discovery, judge: Judge | None = None) -> Gathered:
    """Return what the index knows now, without reading a transcript. Raises Damaged, WaterglassError.

    Facts of a session that has changed since stand for it until it is counted anew; scores that no longer hold do not.
    """
    with said(store.path):
        known = all_known(store)
        folders = usual_projects(store.db.execute("SELECT folder, project FROM session").fetchall())
    return put_together(known, folders, discovery, judge)


def put_together(
    known: dict[Name, Known], folders: dict[bytes, str], discovery: Discovery, judge: Judge | None
) -> Gathered:
    """Return the figures of the sessions in sight; `folders` holds the project of sessions that name none."""
    gathered = Gathered()
    there = {name_of(ref): ref for ref in discovery.sessions}
    elsewhere = {ref.id for ref in discovery.sessions}  # an archive may have what was deleted
    roots = {located(root) for root in discovery.roots}
    for name, one in known.items():
        if one.facts is None:
            continue
        ref = there.pop(name, None)
        if ref is not None:
            holds = judge is not None and has_scores(one, ref, judge)
            gathered.sessions.append(Figures(one.facts, one.scores if holds else None))
        elif one.deleted and name[0] in roots and name[1] not in elsewhere:
            # Nobody can judge it any more: what it was judged stays, and without that it cannot be told.
            gathered.deleted.append(Figures(one.facts, one.scores or SessionScores()))
        one.facts.project = one.facts.project or folders.get(one.folder)
    gathered.uncounted = len(there)
    return gathered
