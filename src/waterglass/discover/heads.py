"""What the first and last 64 KiB of a session's files say of it: enough to name it and to place it in a list."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from msgspec import Struct

from waterglass.discover.peek import read_ends
from waterglass.discover.refs import SessionRef, TranscriptFile, Unreadable
from waterglass.schema import layout, texts
from waterglass.schema.brief import HeadRecord, head_records, message_of, time_of
from waterglass.schema.records import RawBlock, RawRecord
from waterglass.schema.times import time_ms

TITLE_CHARS = 200
_MOST_INDEX = 16 << 20  # bytes; a titles file above this is left unread
_TALK = ("user", "assistant")
_TITLES = {"custom-title": "custom", "agent-name": "agent", "ai-title": "ai", "summary": "summary"}
_MARKS = 16  # a copy may begin with some records of its own
_USUAL = len("2026-03-02T09:00:00.000Z")


class Head(Struct):
    """A session as far as the ends of its files tell. A value that they do not tell is None."""

    cwd: str | None = None  # the first working directory that is written
    project: str | None = None  # what it belongs to
    worktree: str | None = None  # what it lies in
    start_ms: int | None = None
    last_ms: int | None = None  # newest time of a record; the newest file time where no record has one
    title: str | None = None
    slugs: dict[str, None] = {}  # in the order in which they come
    marks: tuple[str, ...] = ()  # ids of the first records of the main file: a copy of the history begins with the same
    continues: str | None = None  # id of the session that the records themselves name as the one before
    talk: bool = False  # holds a user or assistant record
    whole: bool = True  # all of every file was read
    unreadable: list[Unreadable] = []


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
        uuids.update(reading.uuids)
        head.marks = head.marks or tuple(reading.uuids[:_MARKS])
        first_owner = first_owner or reading.owner
        head.continues = head.continues or reading.forked_from
    if timeless:
        head.last_ms = ref.modified_ms
    if head.continues is None and first_owner != ref.id:
        head.continues = first_owner
    if head.cwd is not None:
        head.project, head.worktree = layout.project_of(head.cwd)
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
        self.uuids: list[str] = []

    def take(self, data: bytes) -> None:
        head, uuids, times = self.head, self.uuids, []
        for record in head_records(data):
            if (when := record.timestamp) is not None or (when := time_of(record)) is not None:
                times.append(when)
            if (uuid := record.uuid) is not None:
                uuids.append(uuid)
            if record.slug:
                head.slugs[record.slug] = None
            if head.cwd is None and record.cwd:
                head.cwd = record.cwd
            if self.owner is None and record.sessionId:
                self.owner = record.sessionId
            if record.forkedFrom is not None and self.forked_from is None:
                self.forked_from = record.forkedFrom.sessionId if record.forkedFrom.sessionId != self.session else None
            kind = record.type
            if not head.talk:
                head.talk = kind in _TALK or (kind is None and record.role in _TALK)
            if self.main and (kind in _TITLES or (kind == "user" and "prompt" not in self.titles)):
                self._title(record)
        self._place(times)

    def _place(self, times: list[object]) -> None:
        """Note the oldest and the newest of the times of some records."""
        usual = [when for when in times if isinstance(when, str) and len(when) == _USUAL and when[-1] == "Z"]
        # Texts of one form and zone are ordered as their times are, so two of thousands need to be understood.
        ends = [time_ms(min(usual)), time_ms(max(usual))] if usual else []
        if len(usual) < len(times) or None in ends:
            ends = [time_ms(when) for when in times]
        known = [ms for ms in ends if ms is not None]
        if known:
            self.newest_ms = max(known)
            oldest = min(known)
            self.head.start_ms = oldest if self.head.start_ms is None else min(self.head.start_ms, oldest)

    def _title(self, record: HeadRecord | RawRecord) -> None:
        if record.type == "user":
            if text := typed_text(record):
                self.titles["prompt"] = " ".join(text.split())[:TITLE_CHARS]
        elif record.type == "summary":
            if record.summary and record.leafUuid:
                self.summaries.pop(record.leafUuid, None)
                self.summaries[record.leafUuid] = record.summary
        else:
            kind = _TITLES[record.type or ""]
            text = {"custom": record.customTitle, "agent": record.agentName, "ai": record.aiTitle}[kind]
            if text:
                self.titles[kind] = text


def typed_text(record: HeadRecord | RawRecord) -> str | None:
    """Return what a person typed in a user record of the main thread, or None for any other record."""
    if record.isSidechain or record.isMeta or record.isCompactSummary or record.isVisibleInTranscriptOnly:
        return None
    message = message_of(record)
    if message is None:
        return None
    content = [message.content] if isinstance(message.content, str) else message.content or []
    typed = []
    for block in content:
        text = (
            block.text
            if isinstance(block, RawBlock) and block.type == "text"
            else block
            if isinstance(block, str)
            else None
        )
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


def most_common_project(heads: Iterable[Head]) -> str | None:
    """Return the project that most of these sessions have: that of a session in their folder that names none itself."""
    count: dict[str, int] = {}
    for head in heads:
        if head.project is not None:
            count[head.project] = count.get(head.project, 0) + 1
    return max(count, key=lambda project: (count[project], project), default=None)


def folder_project(ref: SessionRef, sessions: Sequence[SessionRef]) -> str | None:
    """Return the project that most sessions in the folders of `ref` have; None where none has any."""
    folders = set(ref.folders)
    return most_common_project(
        [read_head(other) for other in sessions if other.id != ref.id and folders & set(other.folders)]
    )
