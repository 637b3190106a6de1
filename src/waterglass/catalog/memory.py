"""What an earlier run saw of the sessions, kept in the index: what has not changed since is neither read nor counted.

Only an index that is there is used: a list alone makes none. Whatever is wrong with it costs time and never an answer.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from waterglass.catalog.entries import Entry
from waterglass.catalog.kin import Kin
from waterglass.discover import Head, SessionRef, read_head
from waterglass.errors import WaterglassError
from waterglass.index import Store, has_index, open_store
from waterglass.index.listed import (
    Listed,
    Marks,
    Name,
    Seen,
    deleted_names,
    head_in,
    name_of,
    opened,
    read_listed,
    sealed,
    write_listed,
)
from waterglass.index.store import Damaged, said

_PATIENCE_S = 0.0  # another process that writes the index is not waited for
_MANY = 200  # sessions that are seen anew before they are kept; the rest when there is nothing left to do
Result = TypeVar("Result")
Counts = dict[str, Any]
_decode_counts = msgspec.json.Decoder(Counts).decode


class Known:
    """What is kept of the sessions, as it was read at one time. Only one thread uses it."""

    def __init__(self, rows: dict[Name, Listed] | None = None) -> None:
        self._rows = rows or {}
        self._marks: dict[str, tuple[SessionRef, bytes]] = {}  # by session: as it was when its head was read
        self._states = Marks()

    def head(self, ref: SessionRef) -> tuple[Head, bool]:
        """Return the head of a session, and whether it had to be read: it is new, or its files have changed."""
        mark = self._states.of(ref)
        self._marks[ref.id] = (ref, mark)
        known = self._rows.get(name_of(ref))
        if known is not None and known.mark == mark and (head := head_in(known)) is not None:
            return head, False
        return read_head(ref), True

    def counts(self, ref: SessionRef, related: Sequence[SessionRef]) -> Counts | None:
        """Return the counts of a session, if neither it nor one that may share its history has changed since."""
        known = self._rows.get(name_of(ref))
        if known is None or known.counts is None or known.counts_mark != self._mark(ref, related):
            return None
        try:
            data = opened(known.counts_mark, known.counts)
            return None if data is None else _decode_counts(data)
        except msgspec.MsgspecError:
            return None

    def let_go(self) -> None:
        """Forget what was read, but not of which states."""
        self._rows, self._states = {}, Marks()

    def seen(self, ref: SessionRef, head: Head) -> Seen | None:
        """Return what to keep of a session whose head was read; None where that is not to be kept."""
        known = self._marks.get(ref.id)
        return None if head.unreadable or known is None or known[0] != ref else Seen(known[1], head)

    def seen_counts(self, ref: SessionRef, head: Head, related: Sequence[SessionRef], counts: Counts) -> Seen | None:
        """Return what to keep of a session that was counted; None where that is not to be kept.

        That of one without a directory is not: its project is that of the sessions around it.
        """
        seen, mark = self.seen(ref, head), self._mark(ref, related)
        if seen is None or mark is None or head.cwd is None:
            return None
        try:
            return Seen(seen.mark, head, mark, sealed(mark, msgspec.json.encode(counts)))
        except (UnicodeEncodeError, msgspec.MsgspecError):
            return None  # a text that no file can hold; it is counted again the next time

    def _mark(self, ref: SessionRef, related: Sequence[SessionRef]) -> bytes | None:
        """Return the mark of a session and those that may share its history; None where one was not looked at."""
        marks = []
        for one in [ref, *sorted(related, key=lambda other: other.id)]:
            known = self._marks.get(one.id)
            if known is None or known[0] != one:
                return None
            marks.append(known[1])
        return blake2b(b"".join(marks), digest_size=12).digest() if related else marks[0]


class Memory:
    """The index as the list uses it: one thread asks what is known, any says what is new.

    `notes` say what a person should know of the index.
    """

    def __init__(self, roots: Sequence[str], folder: str | None = None) -> None:
        self.notes: list[str] = []
        self.deleted: set[str] = set()  # sessions that the index knows, and that were gone when it was made
        self._folder = folder
        self._roots = roots
        self._known = Known()
        self._usable = bool(roots) and has_index(folder)
        self._lock = threading.Lock()  # guards what follows
        self._new: dict[Name, Seen] = {}
        self._writing = threading.Lock()

    def load(self) -> None:
        """Read what is known."""

        def read(store: Store) -> tuple[set[str], dict[Name, Listed]]:
            return deleted_names(store, self._roots), read_listed(store, self._roots)

        self.deleted, rows = self._with_store(read) or (set(), {})
        self._known = Known(rows)

    def head(self, ref: SessionRef) -> Head:
        """Return the head of a session: what is known of it if its files have not changed since, else it is read."""
        if not self._usable:
            return read_head(ref)
        head, was_read = self._known.head(ref)
        if was_read:
            self._note(ref, self._known.seen(ref, head))
        return head

    def recall(
        self, entries: Iterable[Entry], kin: Kin, refs: Mapping[str, SessionRef]
    ) -> tuple[list[Entry], list[Entry]]:
        """Set the counts of those entries whose counts are known; return these, and the others.

        Called when all have their heads: after that nothing that was read is needed any more, and it is let go of.
        """
        known: list[Entry] = []
        unknown: list[Entry] = []
        for entry in entries:
            counts = self._known.counts(entry.ref, kin.of(entry, refs)) if self._usable else None
            if counts is not None:
                entry.counts, entry.state_until = counts, 0
            (unknown if counts is None else known).append(entry)
        self._known.let_go()
        return known, unknown

    def counted(self, ref: SessionRef, head: Head, related: Sequence[SessionRef], counts: Counts) -> None:
        """Note the counts of a session."""
        if self._usable:
            self._note(ref, self._known.seen_counts(ref, head, related, counts))

    def _note(self, ref: SessionRef, seen: Seen | None) -> None:
        if seen is not None:
            with self._lock:
                self._new[name_of(ref)] = seen

    def keep(self, *, few: bool) -> None:
        """Write what is new if it is much, or with `few` anyway; where another process writes the index, later."""
        if len(self._new) >= (1 if few else _MANY) and self._writing.acquire(blocking=False):
            try:
                self._with_store(self._write)
            finally:
                self._writing.release()

    def _write(self, store: Store) -> None:
        if not store.may_write(_PATIENCE_S):
            return
        with self._lock:
            new, self._new = self._new, {}
        try:
            store.db.execute("BEGIN IMMEDIATE")
            write_listed(store, new.items())
            store.db.execute("COMMIT")
        finally:
            store.drop_changes()

    def _with_store(self, work: Callable[[Store], Result]) -> Result | None:
        """Return what `work` makes of the index, None where it is of no use; then it is not used again."""
        if not self._usable:
            return None
        try:
            store = open_store(self._folder, patience_s=_PATIENCE_S)
            try:
                self.notes += [text for text in store.notes[:1] if text not in self.notes]
                if not store.temporary:
                    with said(store.path):
                        return work(store)
            finally:
                store.close()
        except Damaged as error:
            self.notes.append(f"the index is damaged and was not used ({error})")
        except (OSError, sqlite3.Error) as error:
            self.notes.append(f"the index was not used ({error})")
        except WaterglassError as error:
            self.notes.append(f"the index was not used: {error.what}")
        self._usable = False
        return None
