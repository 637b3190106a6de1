"""What the first and last 64 KiB of a session's files say of it: enough to name it and to place it in a list."""

from __future__ import annotations

import os

from msgspec import Struct

from waterglass.discover.peek import read_ends
from waterglass.discover.refs import SessionRef, TranscriptFile, Unreadable
from waterglass.schema import layout, texts
from waterglass.schema.decode import decode_line
from waterglass.schema.records import RawBlock, RawRecord
from waterglass.schema.times import time_ms

TITLE_CHARS = 200
_MOST_INDEX = 16 << 20  # bytes; a titles file above this is left unread
_TALK = ("user", "assistant")


class Head(Struct):
    """A session as far as the ends of its files tell. A value that they do not tell is None."""

    cwd: str | None = None
    start_ms: int | None = None
    last_ms: int | None = None  # newest time of a record; the newest file time where no record has one
    title: str | None = None
    slug: str | None = None
    continues: str | None = None  # id of the session that the records themselves name as the one before
    talk: bool = False  # holds a user or assistant record
    whole: bool = True  # all of every file was read
    unreadable: list[Unreadable] = []

    @property
    def project(self) -> str | None:
        """The project that the first working directory belongs to."""
        return layout.project_of(self.cwd)[0] if self.cwd else None

    @property
    def worktree(self) -> str | None:
        """The worktree that the first working directory lies in."""
        return layout.project_of(self.cwd)[1] if self.cwd else None


def read_head(ref: SessionRef) -> Head:
    """Read the ends of a session's files. Never fails: what cannot be read is in `unreadable`."""
    head = Head()
    titles: dict[str, str] = {}
    summaries: dict[str, str] = {}
    uuids: set[str] = set()
    first_owner: str | None = None
    timeless = True
    for file in ref.files:
        reading = _Reading(head, file, ref.id)
        try:
            ends = read_ends(file.path)
        except OSError as error:
            head.unreadable.append(Unreadable.of(file.path, error))
            continue
        head.whole = head.whole and ends.whole
        reading.take(ends.head)
        end_ms = reading.newest_ms if ends.whole else None
        reading.newest_ms = None
        reading.take(ends.tail)
        end_ms = reading.newest_ms if reading.newest_ms is not None else end_ms
        if end_ms is None and not ends.whole:
            end_ms = file.modified_ms  # its last record is longer than what was read
        if end_ms is not None:
            timeless = False
            head.last_ms = end_ms if head.last_ms is None else max(head.last_ms, end_ms)
        titles = reading.titles | titles  # of several main files the first counts
        summaries |= reading.summaries
        uuids |= reading.uuids
        first_owner = first_owner or reading.owner
        head.continues = head.continues or reading.forked_from
    if timeless:
        head.last_ms = ref.modified_ms
    if head.continues is None and first_owner != ref.id:
        head.continues = first_owner
    own = [text for leaf, text in summaries.items() if leaf in uuids]
    if own:
        titles.setdefault("ai", own[-1])
    head.title = next((titles[kind] for kind in ("custom", "agent", "ai") if kind in titles), None)
    head.title = head.title or index_title(ref) or titles.get("prompt")
    return head


class _Reading:
    """Gathers facts from the records of one file."""

    def __init__(self, head: Head, file: TranscriptFile, session: str) -> None:
        self.head = head
        self.session = session
        self.main = file.kind == "main"
        self.newest_ms: int | None = None
        self.owner: str | None = None
        self.forked_from: str | None = None
        self.titles: dict[str, str] = {}
        self.summaries: dict[str, str] = {}
        self.uuids: set[str] = set()

    def take(self, data: bytes) -> None:
        for line in data.split(b"\n"):
            if line:
                for found in decode_line(line).found:
                    self._record(found.record)

    def _record(self, record: RawRecord) -> None:
        head = self.head
        if record.timestamp is not None or record.ts is not None or record.created_at is not None:
            self._time(record)
        if record.cwd and head.cwd is None:
            head.cwd = record.cwd
        if record.slug:
            head.slug = record.slug
        if record.sessionId and self.owner is None:
            self.owner = record.sessionId
        if record.forkedFrom is not None and self.forked_from is None and record.forkedFrom.sessionId != self.session:
            self.forked_from = record.forkedFrom.sessionId
        if record.uuid is not None:
            self.uuids.add(record.uuid)
        head.talk = head.talk or record.type in _TALK or (record.type is None and record.role in _TALK)
        if self.main:
            self._title(record)

    def _time(self, record: RawRecord) -> None:
        when = record.timestamp if record.timestamp is not None else record.ts if record.ts is not None else record.created_at
        ms = time_ms(when)
        if ms is None:
            return
        if self.newest_ms is None or ms > self.newest_ms:
            self.newest_ms = ms
        if self.head.start_ms is None or ms < self.head.start_ms:
            self.head.start_ms = ms

    def _title(self, record: RawRecord) -> None:
        for kind, text in (("custom", record.customTitle), ("agent", record.agentName), ("ai", record.aiTitle)):
            if text and record.type in ("custom-title", "agent-name", "ai-title"):
                self.titles[kind] = text
        if record.type == "summary" and record.summary and record.leafUuid:
            self.summaries.pop(record.leafUuid, None)
            self.summaries[record.leafUuid] = record.summary
        if record.type == "user" and "prompt" not in self.titles and (text := typed_text(record)):
            self.titles["prompt"] = " ".join(text.split())[:TITLE_CHARS]


def typed_text(record: RawRecord) -> str | None:
    """Return what a person typed in a user record of the main thread, or None for any other record."""
    message = record.message
    if message is None or record.isSidechain or record.isMeta or record.isCompactSummary or record.isVisibleInTranscriptOnly:
        return None
    content = [message.content] if isinstance(message.content, str) else message.content or []
    typed = []
    for block in content:
        text = block.text if isinstance(block, RawBlock) and block.type == "text" else block if isinstance(block, str) else None
        if text and text.strip() and texts.program_text(text) is None:
            typed.append(text)
    return "\n".join(typed) or None


_titles: dict[str, tuple[int, int, dict[str, str]]] = {}  # by path: size and time of the file, and what it held


def index_title(ref: SessionRef) -> str | None:
    """Return the title that a `sessions-index.json` beside the session's files has for it."""
    for folder in ref.folders:
        path = os.path.join(folder, layout.TITLES_FILE)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        known = _titles.get(path)
        if known is None or known[:2] != (status.st_size, status.st_mtime_ns):
            if len(_titles) > 1_000:
                _titles.clear()
            known = (status.st_size, status.st_mtime_ns, layout.titles(_small(path)))
            _titles[path] = known
        if ref.id in known[2]:
            return known[2][ref.id]
    return None


def _small(path: str) -> bytes:
    from waterglass.discover.peek import open_regular

    try:
        handle = open_regular(path)
    except OSError:
        return b""
    try:
        data = b""
        while len(data) <= _MOST_INDEX and (part := os.read(handle, 1 << 20)):
            data += part
        return data if len(data) <= _MOST_INDEX else b""
    finally:
        os.close(handle)


def most_common_project(heads: list[Head]) -> str | None:
    """Return the project that most of these sessions have, for the sessions of their folder that have no working directory."""
    count: dict[str, int] = {}
    for head in heads:
        if head.project is not None:
            count[head.project] = count.get(head.project, 0) + 1
    return max(count, key=lambda project: (count[project], project), default=None)


def folder_project(ref: SessionRef, sessions: list[SessionRef]) -> str | None:
    """Return the project that most sessions in the folders of `ref` have; None where none has any."""
    folders = set(ref.folders)
    return most_common_project([read_head(other) for other in sessions if other.id != ref.id and folders & set(other.folders)])
