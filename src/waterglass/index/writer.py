"""Writing words: the rows of a file and how far it was read go into the index in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Self

from msgspec import Struct

from waterglass.discover import TranscriptFile
from waterglass.growth import FileState, make_mark
from waterglass.index.confirm import record_ms
from waterglass.index.inserter import Inserter
from waterglass.index.passages import PARTS, Passage, passages
from waterglass.index.place import located
from waterglass.index.query import indexable
from waterglass.index.store import Store
from waterglass.read import Position, RecordReader
from waterglass.schema.records import RawRecord

STRETCH = 64 << 20  # bytes of transcripts between two commits: what is read again after a kill
LONGEST_TEXT = 8 << 20  # characters of one text whose words are held; real ones have a third of that at most
_BATCH = 2 << 20  # characters that wait to be handed to SQLite


class KnownFile(Struct):
    """A file as the index has it. Times in Unix milliseconds but `modified_ns`, sizes and places in bytes."""

    id: int
    session: int
    path: bytes
    agent: str | None
    event_key: str
    last_ms: int | None
    device: int
    inode: int
    size: int
    modified_ns: int
    offset: int  # where whole lines that were read end
    line: int
    digest: bytes
    whole: int  # 1: it was read to its end, not only to a place between

    @property
    def state(self) -> FileState:
        """The file as it was when it was read; one that was read in part counts as long as that part."""
        return FileState(self.device, self.inode, self.size, self.modified_ns)


FILE_COLUMNS = ", ".join(KnownFile.__struct_fields__)
_SET = "session, agent, event_key, last_ms, device, inode, size, modified_ns, offset, line, digest, whole"


class Writer:
    """Adds files, one after the other. Commits by itself after each stretch, and with `commit`.

    Until it is left nobody else may use the store's connection.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._db = store.db
        self._records: list[tuple[int, int, int]] = []
        self._words: list[list[str | int | None]] = []
        self._chars = 0
        self._since = 0  # bytes of transcripts since the last commit
        self._db.execute("BEGIN IMMEDIATE")
        self._next = int(store.value("written") or 0) + 1
        self._next_file = int(self._db.execute("SELECT coalesce(max(id), 0) FROM file").fetchone()[0]) + 1
        self._inserter = Inserter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._inserter.stop()

    def commit(self) -> None:
        """Make everything last that was added."""
        self._flush()
        self._inserter.wait()
        self._store.set_value("written", self._next - 1)
        self._db.execute("COMMIT")
        self._db.execute("BEGIN IMMEDIATE")
        self._since = 0

    def end(self) -> None:
        """Commit, and begin nothing more."""
        self.commit()
        self._db.execute("COMMIT")

    def run(self, statement: str, values: Sequence[object]) -> None:
        """Run a statement after all that came before."""
        self._inserter.put(partial(self._db.execute, statement, values))

    def drop(self, file: int, *, tail_only: bool = False) -> None:
        """Hide what the index has of a file, or of its unfinished last line."""
        self._inserter.put(partial(self._drop, file, "file = ? AND tail" if tail_only else "file = ?"))

    def _drop(self, file: int, which: str) -> None:
        for first, last in self._db.execute(f"SELECT first, last FROM segment WHERE {which}", (file,)).fetchall():
            self._db.execute("DELETE FROM record WHERE id BETWEEN ? AND ?", (first, last))
        self._db.execute(f"DELETE FROM segment WHERE {which}", (file,))

    def read(self, file: TranscriptFile, session: int, state: FileState, known: KnownFile | None, grew: bool) -> int:
        """Add what a file holds, or what it gained; return how many bytes were read.

        Raises WaterglassError where it cannot be read; then the index has of it what it had.
        """
        start = Position(known.offset, known.line) if known is not None and grew else Position()
        reader = RecordReader(file.path, file.key, start)
        entry = _Entry(file, session, state, known.last_ms if known is not None and grew else None)
        entry.mark(start, whole=False)  # which fails before anything is written
        if known is None:
            entry.id, self._next_file = self._next_file, self._next_file + 1
            self.run(*entry.insertion())
        else:
            entry.id = known.id
            self.run(*entry.change())  # so that one that fails on the way is read from here the next time
            self.drop(known.id, tail_only=grew)
        first, done, tail_from = self._next, start.offset, None
        for record, offset, length, line, tail in reader:
            if tail and tail_from is None:
                tail_from = self._segment(entry.id, first, False)
            elif not tail and offset - done > STRETCH:
                first = self._segment(entry.id, first, False)
                entry.mark(Position(offset, line - 1), whole=False)
                self.run(*entry.change())
                self.commit()
                done = offset
            entry.note(record)
            if found := passages(record):
                self._add(offset, length, found)
        self._segment(entry.id, first if tail_from is None else tail_from, tail_from is not None)
        entry.mark(reader.position, whole=True)
        self.run(*entry.change())
        size = reader.position.offset + reader.tail.bytes
        self._since += size - done
        if self._since > STRETCH:
            self.commit()
        return size - start.offset

    def _segment(self, file: int, first: int, tail: bool) -> int:
        if self._next > first:
            self.run("INSERT INTO segment VALUES(?, ?, ?, ?)", (file, first, self._next - 1, tail))
        return self._next

    def _add(self, offset: int, length: int, found: Sequence[Passage]) -> None:
        columns: list[str | int | None] = [self._next, None, None, None, None]
        for passage in found:
            at = 1 + PARTS.index(passage.part)
            text, before = indexable(passage.text[:LONGEST_TEXT]), columns[at]
            columns[at] = text if before is None else f"{before}\n{text}"
            self._chars += len(text)
        self._records.append((self._next, offset, length))
        self._words.append(columns)
        self._next += 1
        if self._chars > _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._records:
            self._inserter.put(partial(self._insert, self._records, self._words), large=True)
            self._records, self._words, self._chars = [], [], 0

    def _insert(self, records: list[tuple[int, int, int]], words: list[list[str | int | None]]) -> None:
        self._db.executemany("INSERT INTO record VALUES(?, ?, ?)", records)
        self._db.executemany("INSERT INTO words(rowid, prompt, reply, input, output) VALUES(?, ?, ?, ?, ?)", words)


class _Entry:
    """The row of a file while it is being read."""

    def __init__(self, file: TranscriptFile, session: int, state: FileState, last_ms: int | None) -> None:
        self.id = 0
        self._file = file
        self._session = session
        self._state = state
        self._last_ms = last_ms
        self._values: tuple[object, ...] = ()

    def note(self, record: RawRecord) -> None:
        """Take the time of a record into account."""
        ms = record_ms(record)
        if ms is not None and (self._last_ms is None or ms > self._last_ms):
            self._last_ms = ms

    def mark(self, position: Position, *, whole: bool) -> None:
        """Note how far it was read. Raises WaterglassError where the file is gone."""
        mark = make_mark(self._file.path, self._state, None, position.offset)
        state = self._state
        size = state.size if whole else position.offset
        self._values = (
            self._session, self._file.agent_id, self._file.key, self._last_ms, state.device, state.inode, size,
            state.modified_ns, position.offset, position.line, mark.digest, whole,
        )  # fmt: skip

    def insertion(self) -> tuple[str, tuple[object, ...]]:
        """Return the statement that adds the row."""
        values = (*self._values, located(self._file.path), self.id)
        return f"INSERT INTO file({_SET}, path, id) VALUES({', '.join('?' * 14)})", values

    def change(self) -> tuple[str, tuple[object, ...]]:
        """Return the statement that writes how far it was read now."""
        return f"UPDATE file SET ({_SET}) = ({', '.join('?' * 12)}) WHERE id = ?", (*self._values, self.id)
