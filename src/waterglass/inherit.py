"""Inherited history: a resumed or forked session may begin with a copy of another's, and a reply must be paid for once.

`docs/decisions.md` says how the sessions that share history are found without reading all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from waterglass.discover import (
    Head,
    SessionRef,
    TranscriptFile,
    discover,
    discover_folder,
    folder_project,
    index_title,
    read_head,
)
from waterglass.discover.peek import END, open_transcript
from waterglass.packed import read_fully, size_of
from waterglass.schema.brief import BriefRecord, brief_records, decode_brief
from waterglass.schema.decode import REFUSED
from waterglass.schema.names import SYNTHETIC_MODEL
from waterglass.schema.times import time_ms

_BLOCK = 1 << 20
_RUN = re.compile(rb"\n+")
_SLACK = 16 << 10  # bytes; what may stand before copied records in one file and not in another: titles, snapshots
_LONGEST = 8 << 20  # bytes; the longest real line is 2.8 MB, and a reply in a longer one is not worth the memory


class History(Struct, frozen=True):
    """What a session has from others, and from the titles file beside it."""

    inherited: frozenset[str] = frozenset()  # message ids of the replies that another session owns
    continues: str | None = None  # id of the session before it, in sight or not
    indexed_title: str | None = None
    folder_project: str | None = None  # what most sessions of its folder have, where its own records name no directory


class Held(Struct, frozen=True, gc=False):
    """A reply as one session holds it."""

    ms: int | None  # time of its first record
    forked_from: str | None  # id of the session that its record names as the source of the copy


class ReplyIndex(Struct, frozen=True):
    """The replies of one session by message id, in the order in which they come, main file first."""

    session: str
    replies: dict[str, Held]


def history_of(ref: SessionRef, in_sight: Sequence[SessionRef] | None = None) -> History:
    """Return what a session has from the sessions in sight.

    `in_sight` are the sessions of the given roots, or of the project folder for a session named by path. Without it
    they are found anew: below the root of `ref`, or in its folder where that is its root.
    """
    if in_sight is None:
        in_sight = (discover_folder(ref.root) if ref.root in ref.folders else discover([ref.root])).sessions
    head = read_head(ref)
    sharing, namesakes = _related(ref, head, in_sight)
    owner = owners([reply_index(r) for r in [ref, *sharing]]) if sharing else {}
    mine = reply_index(ref).replies if sharing else {}
    inherited = [reply for reply in mine if owner.get(reply, ref.id) != ref.id]
    continues = head.continues
    if continues is None and inherited:
        continues = owner[inherited[-1]]  # the nearest of several ancestors: its replies were copied last
    if continues is None:
        continues = earlier_namesake(ref, head, [(other, read_head(other)) for other in namesakes])
    around = folder_project(ref, in_sight) if head.cwd is None else None
    return History(frozenset(inherited), continues, index_title(ref), around)


def related(ref: SessionRef, in_sight: Sequence[SessionRef]) -> list[SessionRef]:
    """Return those of the sessions in sight that `history_of` would read to tell what `ref` has from others, and the
    one that it may continue. Reads the ends of files alone."""
    sharing, namesakes = _related(ref, read_head(ref), in_sight)
    return list({other.path: other for other in (*sharing, *namesakes)}.values())


def _related(ref: SessionRef, head: Head, in_sight: Sequence[SessionRef]) -> tuple[list[SessionRef], list[SessionRef]]:
    """Return the sessions that may share replies with `ref`, and those of its folders that write one of its slugs."""
    marks = [mark.encode("utf-8", "replace") for mark in head.marks[:4]] + [ref.id.encode("utf-8", "replace")]
    slugs = [b'"slug":"' + slug.encode("utf-8", "replace") + b'"' for slug in head.slugs]
    own = _start(ref.files[0], END)
    reach = min(END, max((own.find(mark) for mark in marks[:-1]), default=0) + _SLACK)
    sharing, namesakes = [], []
    folders = set(ref.folders)
    for other in in_sight:
        if other.id == ref.id:
            continue
        start = _start(other.files[0], reach)
        if other.id == head.continues or any(mark in start for mark in marks):
            sharing.append(other)
        if slugs and folders.intersection(other.folders) and any(slug in start for slug in slugs):
            namesakes.append(other)
    return sharing, namesakes


def _start(file: TranscriptFile, length: int) -> bytes:
    try:
        with open_transcript(file.path) as body:
            return read_fully(body, min(length, file.size))
    except OSError:
        return b""


def earlier_namesake(ref: SessionRef, head: Head, others: Sequence[tuple[SessionRef, Head]]) -> str | None:
    """Return the id of the latest session of the same project with the same slug that had ended when this one began."""
    best: tuple[int, str] | None = None
    for other, theirs in others:
        if theirs.project != head.project or not head.slugs.keys() & theirs.slugs.keys() or head.start_ms is None:
            continue
        if theirs.last_ms is not None and theirs.last_ms <= head.start_ms and other.id != ref.id:
            best = max(best or (theirs.last_ms, other.id), (theirs.last_ms, other.id))
    return best[1] if best else None


def owners(indexes: Sequence[ReplyIndex]) -> dict[str, str]:
    """Return the owner's session id of each reply that several of these sessions hold.

    It is the session that `forkedFrom` names, else, of those that hold the reply, the one whose first reply that no
    other holds is the oldest; one without any such reply comes before all.
    """
    holders: dict[str, list[ReplyIndex]] = {}
    for index in indexes:
        for reply in index.replies:
            holders.setdefault(reply, []).append(index)
    age = {index.session: _age(index, holders) for index in indexes}
    return {reply: _owner(reply, held, age) for reply, held in holders.items() if len(held) > 1}


def _age(index: ReplyIndex, holders: Mapping[str, list[ReplyIndex]]) -> tuple[bool, int, str]:
    own = [held.ms for reply, held in index.replies.items() if len(holders[reply]) == 1]
    times = [ms for ms in own if ms is not None]
    return bool(own), min(times, default=1 << 62 if own else 0), index.session


def _owner(reply: str, held: Sequence[ReplyIndex], age: Mapping[str, tuple[bool, int, str]]) -> str:
    there = {index.session: index.replies[reply].forked_from for index in held}
    named = {source for session, source in there.items() if source in there and source != session}
    # A fork of a fork names the fork: the source is the one named that names no other in turn.
    ends = [session for session in named if there[session] not in named or there[session] == session]
    return min(ends or there, key=lambda session: age[session])


_indexes: dict[tuple[object, ...], ReplyIndex] = {}  # by the identity of a session's files, most recent last
_KEPT = 64


def reply_index(ref: SessionRef) -> ReplyIndex:
    """Return the replies that a session holds; what cannot be read is left out. Kept while its files stay the same."""
    identity = (ref.id, *((file.path, file.size, file.modified_ms) for file in ref.files))
    index = _indexes.pop(identity, None)
    if index is None:
        replies: dict[str, Held] = {}
        for file in ref.files:
            for record in _records(file):
                message = record.message
                if record.type != "assistant" or message is None or not message.id or message.model == SYNTHETIC_MODEL:
                    continue
                source = record.forkedFrom.sessionId if record.forkedFrom else None
                known = replies.get(message.id)
                if known is None:
                    replies[message.id] = Held(time_ms(record.timestamp), source)
                elif source is not None and known.forked_from is None:
                    replies[message.id] = Held(known.ms, source)
        index = ReplyIndex(ref.id, replies)
    _indexes[identity] = index
    while len(_indexes) > _KEPT:
        del _indexes[next(iter(_indexes))]
    return index


def _records(file: TranscriptFile) -> Iterator[BriefRecord]:
    for line in _lines(file):
        try:
            yield decode_brief(line)
        except REFUSED:
            yield from brief_records(bytes(line))


def _lines(file: TranscriptFile) -> Iterator[memoryview]:
    """Yield the lines of a file where they lie in one buffer; each is valid until the next is asked for. Empty
    lines and those of `_LONGEST` or more are left out."""
    try:
        with open_transcript(file.path) as raw:
            left = size_of(raw)  # not what is written meanwhile: a live file has no end
            buffer, have, passing = bytearray(min(_BLOCK, left) or 1), 0, False
            while left and (got := raw.readinto(memoryview(buffer)[have : have + left])):
                view, at, have, left = memoryview(buffer), 0, have + got, left - got
                while (end := buffer.find(b"\n", at, have)) >= 0:
                    if end == at:  # empty lines come in runs of any length
                        run = _RUN.match(buffer, at, have)
                        end = run.end() - 1 if run else end
                    elif not passing:
                        yield view[at:end]
                    passing, at = False, end + 1
                passing = passing or have - at >= _LONGEST  # up to its end: the rest of it is no line
                rest = b"" if passing else bytes(view[at:have])
                have = len(rest)
                if have == len(buffer):
                    buffer = bytearray(min(2 * have, _LONGEST))
                buffer[:have] = rest
            if have:
                yield memoryview(buffer)[:have]
    except OSError:
        return
