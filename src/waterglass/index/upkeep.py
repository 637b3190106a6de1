"""Bringing the index up to date with the transcripts: what is new is read, what is gone leaves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from waterglass.discover import Discovery, SessionRef, TranscriptFile, Unreadable, read_head
from waterglass.errors import WaterglassError
from waterglass.growth import FileState, Mark, only_grew, state_of
from waterglass.index.listed import Marks, Seen, name_of, stamp_of, write_listed
from waterglass.index.place import located
from waterglass.index.store import Store, said
from waterglass.index.writer import FILE_COLUMNS, KnownFile, Writer
from waterglass.schema.layout import PACKED, TRANSCRIPT, written

_DEAD = 5  # a rebuild when one row in so many is of a text that is gone or was replaced
_FEW = 2_000  # rows of such texts that are never worth one
_BETWEEN = 200  # sessions whose heads are read in one transaction

Progress = Callable[[int, int], None]  # bytes read, bytes to read


class Updated(Struct):
    """What an update did. Where another process was writing (`busy`), that is nothing, and `waiting` files are not in
    the index."""

    files: int = 0
    bytes: int = 0
    busy: bool = False
    waiting: int = 0
    deleted: int = 0  # sessions found to be gone
    unread: list[Unreadable] = []


class _Reading(Struct):
    """One file to read."""

    ref: SessionRef
    file: TranscriptFile
    state: FileState
    known: KnownFile | None


class _Row(Struct):
    """A session as the index has it."""

    id: int
    root: bytes
    name: str
    folder: bytes
    stamp: bytes
    deleted: int


class _Plan(Struct):
    heads: list[tuple[SessionRef, bytes]]  # sessions that are new or have changed, with their stamps
    readings: list[_Reading]  # newest session first
    gone: list[KnownFile]
    deleted: list[int]  # sessions of which no file is left

    @property
    def empty(self) -> bool:
        """Is there nothing to do?"""
        return not (self.heads or self.readings or self.gone or self.deleted)


def update(
    store: Store,
    discovery: Discovery,
    progress: Progress | None = None,
    *,
    patience_s: float = 2.0,
    texts: bool = True,
) -> Updated:
    """Bring the index up to date with what was found. What was read stays in it, however this ends.

    Without `texts` only the sessions are entered, which reads the ends of their files. Raises Damaged where the index
    is, WaterglassError where it cannot be written.
    """
    with said(store.path):
        done = Updated()
        plan = _plan(store, discovery, texts)
        if plan.empty:
            return done
        if not store.may_write(patience_s):
            done.busy, done.waiting = True, len(plan.readings)
            return done
        try:
            # The plan is made anew, since another process may have done some of it meanwhile.
            _apply(store, _plan(store, discovery, texts), done, progress)
            if _is_half_dead(store):
                forget_texts(store)
                _apply(store, _plan(store, discovery, texts), done, progress)
        finally:
            store.drop_changes()
            store.done_writing()
    return done


def forget_texts(store: Store) -> None:
    """Take every text out, so that the next update reads them anew and nothing is left of those that are gone."""
    store.db.execute("BEGIN IMMEDIATE")
    store.empty()
    store.db.execute("COMMIT")


def known_files(store: Store) -> dict[bytes, KnownFile]:
    """Return the files that the index knows, by path."""
    rows = store.db.execute(f"SELECT {FILE_COLUMNS} FROM file").fetchall()
    return {row[2]: KnownFile(*row) for row in rows}


def is_read(file: TranscriptFile, known: Mapping[bytes, KnownFile]) -> bool:
    """Is all of a file in the index, as it is now?"""
    state = state_of(file.path)
    return state is None or _is_same(known.get(located(file.path)), state)


def _is_same(known: KnownFile | None, state: FileState) -> bool:
    return known is not None and bool(known.whole) and known.state == state


def _plan(store: Store, discovery: Discovery, texts: bool) -> _Plan:
    known = known_files(store)
    rows = store.db.execute("SELECT id, root, name, folder, stamp, deleted_ms IS NOT NULL FROM session")
    sessions = {(row[1], row[2]): _Row(*row) for row in rows}
    plan = _Plan([], [], [], [])
    for ref in discovery.sessions:
        stamp = stamp_of(ref)
        before = sessions.pop((located(ref.root), ref.id), None)
        if before is None or before.stamp != stamp or before.deleted:
            plan.heads.append((ref, stamp))
        for file in ref.files:
            old, state = known.pop(located(file.path), None), state_of(file.path)
            if texts and state is not None and not _is_same(old, state):
                plan.readings.append(_Reading(ref, file, state, old))
    roots = {located(root) for root in discovery.roots}
    of_roots = {id_ for id_, root in store.db.execute("SELECT id, root FROM session") if root in roots}
    plan.gone = [file for file in known.values() if file.session in of_roots and not _is_closed(file.path)]
    left = {file.session for file in known.values() if os.path.lexists(file.path) or _is_closed(file.path)}
    elsewhere = {ref.id for ref in discovery.sessions}  # where a session is gone in one folder and kept in another
    plan.deleted = [
        one.id
        for one in sessions.values()
        if one.id in of_roots - left and not one.deleted and one.name not in elsewhere and _is_gone(one)
    ]
    return plan


def _is_gone(session: _Row) -> bool:
    """Is the main transcript gone, and its folder not just out of reach?"""
    for ending in (TRANSCRIPT, TRANSCRIPT + PACKED):
        try:
            os.lstat(os.path.join(session.folder, os.fsencode(session.name + ending)))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            pass
        return False
    return os.access(session.root, os.R_OK | os.X_OK)


def _is_closed(path: bytes) -> bool:
    """Is the file perhaps there and only out of reach? Then what is known of it stays."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return not os.access(os.path.dirname(path), os.R_OK | os.X_OK)


def _apply(store: Store, plan: _Plan, done: Updated, progress: Progress | None) -> None:
    marks = Marks()
    for at in range(0, len(plan.heads), _BETWEEN):
        store.db.execute("BEGIN IMMEDIATE")
        for ref, stamp in plan.heads[at : at + _BETWEEN]:
            _put_head(store, ref, stamp, marks.of(ref))
        store.db.execute("COMMIT")
    rows = store.db.execute("SELECT root, name, id FROM session").fetchall()
    sessions: dict[tuple[bytes, str], int] = {(root, name): id_ for root, name, id_ in rows}
    now_ms = time.time_ns() // 1_000_000
    with Writer(store) as writer:
        for file in plan.gone:
            writer.drop(file.id)
            writer.run("DELETE FROM file WHERE id = ?", (file.id,))
        for session in plan.deleted:
            writer.run("UPDATE session SET deleted_ms = ? WHERE id = ?", (now_ms, session))
            done.deleted += 1
        if plan.gone or plan.deleted:
            writer.commit()
        total, so_far = sum(_gain(reading) for reading in plan.readings), 0
        for reading in plan.readings:
            _read(writer, reading, sessions[located(reading.ref.root), reading.ref.id], done)
            so_far += _gain(reading)
            if progress is not None:
                progress(so_far, total)
        writer.end()


def _gain(reading: _Reading) -> int:
    before = reading.known.offset if reading.known is not None else 0
    return reading.state.size - before if reading.state.size > before else reading.state.size


def _read(writer: Writer, reading: _Reading, session: int, done: Updated) -> None:
    known, file = reading.known, reading.file
    mark = Mark(known.state, None, known.offset, known.digest) if known is not None else None
    grew = mark is not None and only_grew(file.path, mark, reading.state)
    try:
        done.bytes += writer.read(file, session, reading.state, known, grew)
        done.files += 1
    except WaterglassError as error:
        done.unread.append(Unreadable(written(file.path), error.what))
    except OSError as error:
        done.unread.append(Unreadable.of(file.path, error))


def _put_head(store: Store, ref: SessionRef, stamp: bytes, mark: bytes) -> None:
    """Enter what the ends of a session's files say of it; figures that were kept of it are kept."""
    head = read_head(ref)
    if not head.unreadable:
        write_listed(store, [(name_of(ref), Seen(mark, head))])
    store.db.execute(
        """INSERT INTO session(root, name, stamp, folder, project, title, last_ms) VALUES(?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(root, name) DO UPDATE SET stamp = excluded.stamp, folder = excluded.folder,
        project = excluded.project, title = excluded.title, last_ms = excluded.last_ms, deleted_ms = NULL""",
        (
            located(ref.root), ref.id, stamp, located(ref.folders[0]), _storable(head.project),
            _storable(head.title), head.last_ms if head.last_ms is not None else ref.modified_ms,
        ),
    )  # fmt: skip
    (session,) = store.db.execute(
        "SELECT id FROM session WHERE root = ? AND name = ?", (located(ref.root), ref.id)
    ).fetchone()
    store.db.executemany(
        "UPDATE file SET session = ?, agent = ?, event_key = ? WHERE path = ?",
        [(session, file.agent_id, file.key, located(file.path)) for file in ref.files],
    )


def _storable(text: str | None) -> str | None:
    """Return a text that SQLite takes: lone surrogates become question marks."""
    return None if text is None else text.encode("utf-8", "replace").decode("utf-8")


def _is_half_dead(store: Store) -> bool:
    live = int(store.db.execute("SELECT coalesce(sum(last - first + 1), 0) FROM segment").fetchone()[0])
    dead = int(store.value("written") or 0) - live
    return dead > _FEW and dead * _DEAD > dead + live


def paths_of(refs: Sequence[SessionRef]) -> set[bytes]:
    """Return the paths of all files of some sessions, as the index has them."""
    return {located(file.path) for ref in refs for file in ref.files}
