"""The index as a file: opening it, what may be wrong with it, and its tables.

It holds words with the places of their records, and per session a few figures: no text. Everything in it can be made
again from the transcripts, so an index that is of no use is put aside and made anew, or a temporary one is made.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TypeVar

from waterglass.errors import WaterglassError
from waterglass.index import passages, place
from waterglass.index.lock import WriterLock
from waterglass.index.seal import is_changed, seal, unseal

Result = TypeVar("Result")
FORMAT = 4  # of the tables
_OURS = 0x57474C53  # the application id in the file's head
_BUSY_S = 10.0
_PAGES_KIB = 16_000  # of the file that are kept in memory
_WORDS_KEPT = 24 << 20  # bytes of words that SQLite gathers before it writes a list of them
_CORRUPT, _NO_DATABASE, _FULL, _ERROR = 11, 26, 13, 1  # SQLite's result codes
_OLDER = "an older form"
_CARRIED = "root, name, stamp, folder, project, title, last_ms, deleted_ms, facts, facts_key"
_TABLES = (
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE session(
        id INTEGER PRIMARY KEY, root BLOB NOT NULL, name TEXT NOT NULL, stamp BLOB NOT NULL, folder BLOB NOT NULL,
        project TEXT, title TEXT, last_ms INTEGER NOT NULL, deleted_ms INTEGER,
        facts BLOB, facts_key TEXT, UNIQUE(root, name))""",
    # What the scorecard says of a session, and of what it says that.
    "CREATE TABLE judged(session INTEGER PRIMARY KEY REFERENCES session, key TEXT NOT NULL, scores BLOB NOT NULL)",
    # What the list shows of a session, and of what state of it and of those that may share its history.
    """CREATE TABLE listed(
        root BLOB NOT NULL, name TEXT NOT NULL, mark BLOB NOT NULL, head BLOB NOT NULL, counts_mark BLOB, counts BLOB,
        PRIMARY KEY(root, name)) WITHOUT ROWID""",
    """CREATE TABLE file(
        id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session, path BLOB NOT NULL UNIQUE,
        agent TEXT, event_key TEXT NOT NULL, last_ms INTEGER,
        device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified_ns INTEGER NOT NULL,
        offset INTEGER NOT NULL, line INTEGER NOT NULL, digest BLOB NOT NULL, whole INTEGER NOT NULL)""",
    # Rows of one file that were written in one go. `tail` are those of its unfinished last line, to be replaced.
    """CREATE TABLE segment(
        file INTEGER NOT NULL REFERENCES file, first INTEGER NOT NULL, last INTEGER NOT NULL, tail INTEGER NOT NULL,
        PRIMARY KEY(file, first)) WITHOUT ROWID""",
    "CREATE TABLE record(id INTEGER PRIMARY KEY, offset INTEGER NOT NULL, length INTEGER NOT NULL)",
    # Of a text's words their places alone: no text, and not how many there are, which only ranking needs.
    "CREATE VIRTUAL TABLE words USING fts5(prompt, reply, input, output, content='', columnsize=0, tokenize='ascii')",
)


class Damaged(Exception):
    """The file is no index of ours, or no longer whole."""


class Newer(Exception):
    """The index was made by a later version of the program."""


def is_damage(error: sqlite3.Error) -> bool:
    """Does the error say that the file is broken? All statements are our own, so one that is refused says so too."""
    return (getattr(error, "sqlite_errorcode", _ERROR) & 0xFF) in (_CORRUPT, _NO_DATABASE, _ERROR)


@contextmanager
def said(path: str) -> Iterator[None]:
    """Turn SQLite's errors into Damaged, or into an error for a person."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:  # a cell holds what was never written there
        raise Damaged(f"a value that is none of ours: {error}") from error
    except sqlite3.Error as error:
        if is_damage(error):
            raise Damaged(str(error)) from error
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) == _FULL:
            raise WaterglassError(
                "the disk is full, so the index is not up to date", path, "free some space"
            ) from error
        raise WaterglassError(
            f"the index cannot be used ({error})", path, "`waterglass index --clear` removes it; it is made again"
        ) from error


class Store:
    """One open index. `notes` say what a person should know of it; `temporary` is one that ends with the process."""

    def __init__(self, path: str, connection: sqlite3.Connection, lock: WriterLock | None, notes: list[str]) -> None:
        self.path = path
        self.db = connection
        self.notes = notes
        self._lock = lock

    @property
    def temporary(self) -> bool:
        """Is it one that nobody else sees?"""
        return self._lock is None

    def may_write(self, patience_s: float) -> bool:
        """Take the right to write, waiting so many seconds; False where another process has it."""
        if self._lock is None:
            return True
        if self._lock.held or not self._lock.acquire(patience_s):
            return self._lock.held
        unseal(self.path)
        return True

    def drop_changes(self) -> None:
        """Undo the transaction at hand, if there is one."""
        with suppress(sqlite3.Error):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")

    def done_writing(self) -> None:
        """Give the right back, and shrink the file of what was written last."""
        if self._lock is not None and self._lock.held:
            with suppress(sqlite3.Error):
                busy, pages, _ = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy and not pages:  # else the log goes into the file later, which is no foreign change
                    seal(self.path)
            self._lock.release()

    def close(self) -> None:
        """Close it."""
        self.done_writing()
        self.db.close()

    def value(self, key: str) -> str | None:
        """Return a value of the table `meta`."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_value(self, key: str, value: object) -> None:
        """Set a value of the table `meta`."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, str(value)))

    def empty(self) -> None:
        """Forget every text, in the transaction at hand; the figures of the sessions stay."""
        self.db.execute("INSERT INTO words(words) VALUES('delete-all')")
        for table in ("record", "segment", "file"):
            self.db.execute(f"DELETE FROM {table}")
        self.set_value("written", 0)


def open_store(folder: str | None = None, *, patience_s: float = 5.0) -> Store:
    """Open the index of this user, or that in `folder`; where there can be none, a temporary one with a note.

    A damaged or foreign file is renamed and a new one begun; one of a later version is left alone.
    """
    _need_words()
    folder = folder or place.own_folder()
    path = os.path.join(folder, place.FILE)
    notes: list[str] = []
    lock = WriterLock(os.path.join(folder, place.LOCK))
    try:
        place.make_private(folder)
        try:
            return Store(path, _open(path, lock, patience_s), lock, notes)
        except Damaged as error:
            if not lock.acquire(patience_s):
                return temporary(path, [f"the index is damaged ({error}) and another process is writing to it"])
            put_aside(folder)
            notes.append(f"the index was of no use ({error}); it is now named {place.ASIDE}, and a new one is made")
            store = Store(path, _open(path, lock, patience_s), lock, notes)
            if str(error) == _OLDER:
                _carry_over(store.db, os.path.join(folder, place.ASIDE))
            return store
    except Newer:
        return temporary(path, ["the index is of a later version of Waterglass and was left alone"])
    except (OSError, sqlite3.Error, Damaged) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return temporary(path, [f"the index cannot be written ({reason})"])
    finally:
        lock.release()


def _carry_over(db: sqlite3.Connection, aside: str) -> None:
    """Take over what an older index knows of sessions whose transcripts are deleted: nothing else can be made again."""
    with suppress(sqlite3.Error):
        db.execute("ATTACH ? AS older", (aside,))
        try:
            db.execute(
                f"""INSERT OR IGNORE INTO session({_CARRIED}) SELECT {_CARRIED} FROM older.session
                WHERE deleted_ms IS NOT NULL"""
            )
        finally:
            db.execute("DETACH older")


def using(work: Callable[[Store], Result], folder: str | None = None, *, patience_s: float = 5.0) -> Result:
    """Return what `work` makes of the open index. One that turns out to be damaged is renamed and `work` done anew.

    Raises WaterglassError.
    """
    store = open_store(folder, patience_s=patience_s)
    try:
        try:
            return work(store)
        except Damaged as error:
            store = _instead(store, str(error), patience_s)
            return work(store)
    except Damaged as error:
        raise WaterglassError(
            f"the index cannot be used ({error})", store.path, "`waterglass index --clear`"
        ) from error
    finally:
        store.close()


def _instead(store: Store, reason: str, patience_s: float) -> Store:
    """Return a new index in place of a damaged one; a temporary one while another process has hold of it."""
    folder = os.path.dirname(store.path)
    note = f"the index was of no use ({reason})"
    try:
        if not store.temporary and store.may_write(patience_s):
            store.drop_changes()
            put_aside(folder)
            store.close()
            fresh = open_store(folder, patience_s=patience_s)
            fresh.notes = [f"{note}; it is now named {place.ASIDE}, and a new one is made", *fresh.notes]
            return fresh
    except OSError as error:
        note = f"{note} and cannot be replaced ({error.strerror})"
    store.close()
    return temporary(store.path, [note])


def _need_words() -> None:
    """Raise WaterglassError where SQLite was built without its index of words."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        except sqlite3.Error as error:
            raise WaterglassError(
                "this Python's SQLite cannot search texts (it has no FTS5)", sqlite3.sqlite_version, "another Python"
            ) from error


def put_aside(folder: str) -> None:
    """Rename the index, which replaces one that was renamed before. Raises OSError."""
    path = os.path.join(folder, place.FILE)
    for name in (*(path + ending for ending in place.BESIDE), os.path.join(folder, place.SEAL)):
        with suppress(FileNotFoundError):
            os.unlink(name)
    os.replace(path, os.path.join(folder, place.ASIDE))


def clear(folder: str | None = None) -> list[str]:
    """Remove the index and return the names of the files that went. Raises WaterglassError."""
    folder = folder or place.own_folder()
    gone = []
    with WriterLock(os.path.join(folder, place.LOCK)) as lock:
        try:
            if os.path.isdir(folder) and not lock.acquire(0):
                raise WaterglassError("another process is writing to the index", folder, "again when it has ended")
            names = [place.FILE + ending for ending in ("", *place.BESIDE)]
            for name in [*names, place.SEAL, place.ASIDE, place.LOCK]:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(folder, name))
                    gone.append(name)
        except OSError as error:
            raise WaterglassError(f"the index cannot be removed ({error.strerror})", folder) from error
    return [name for name in gone if name not in (place.LOCK, place.SEAL)]


def temporary(path: str, notes: list[str]) -> Store:
    """Return an index that lives as long as the process, on the disk where it is large."""
    connection = _connect("")
    _create(connection)
    return Store(path, connection, None, [*notes, "a temporary index is made, which takes longer"])


def _connect(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _open(path: str, lock: WriterLock, patience_s: float) -> sqlite3.Connection:
    place.make_file(path)
    connection = _connect(path)
    try:
        # The write-ahead log is shared memory, which several machines do not have.
        journal = "DELETE" if place.lies_on_network(os.path.dirname(path)) else "WAL"
        _check(connection, path, journal, lock, patience_s)
        connection.execute(f"PRAGMA cache_size = -{_PAGES_KIB}")
    except (TypeError, ValueError) as error:
        connection.close()
        raise Damaged("a value that is none of ours") from error
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error):
            raise Damaged(str(error)) from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: str, journal: str, lock: WriterLock, patience_s: float) -> None:
    ours = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    if pages and ours != _OURS:
        raise Damaged("another program's file")
    if version > FORMAT:
        raise Newer
    if not pages or version < FORMAT:
        if not lock.acquire(patience_s):
            raise sqlite3.OperationalError("another process is making it")
        if not connection.execute("PRAGMA page_count").fetchone()[0]:  # not made meanwhile
            _create(connection)  # before a change of the journal: that alone would write a file without our mark
        elif connection.execute("PRAGMA user_version").fetchone()[0] < FORMAT:
            raise Damaged(_OLDER)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("PRAGMA synchronous = NORMAL")
    made_by = int(connection.execute("SELECT value FROM meta WHERE key = 'parser'").fetchone()[0])
    if made_by > passages.VERSION:
        raise Newer
    if made_by < passages.VERSION:
        raise Damaged(_OLDER)
    for table in ("session", "judged", "listed", "file", "segment", "record"):
        connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    connection.execute("SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1").fetchone()
    if journal == "WAL" and is_changed(path):
        raise Damaged("another program has written to it")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {_OURS}")
    for table in _TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO words(words, rank) VALUES('hashsize', ?)", (_WORDS_KEPT,))
    connection.execute("INSERT INTO meta VALUES('parser', ?), ('written', '0')", (str(passages.VERSION),))
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")
