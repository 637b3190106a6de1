"""Typed decodes of very few fields, for questions asked of many files: whose is it, how is it called, what is in it?

msgspec skips every field that is not named here, so these run at twice the speed of the whole record's decode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from waterglass.schema.decode import REFUSED, checked, decode_line
from waterglass.schema.records import RawFork, RawMessage, RawRecord


class _Owned(Struct, gc=False):
    sessionId: str | None = None


class BriefMessage(Struct, gc=False):
    """`message` of a record, as far as it names an API call."""

    id: str | None = None
    model: str | None = None


class BriefRecord(Struct, gc=False):
    """What decides which session a reply belongs to."""

    type: str | None = None
    uuid: str | None = None
    timestamp: Any = None
    forkedFrom: RawFork | None = None
    message: BriefMessage | None = None


class HeadRecord(Struct, gc=False):
    """What a list says of a session; the message stays undecoded until it may be the first prompt."""

    type: str | None = None
    role: str | None = None
    uuid: str | None = None
    timestamp: Any = None
    ts: Any = None
    created_at: Any = None
    sessionId: str | None = None
    cwd: str | None = None
    slug: str | None = None
    forkedFrom: RawFork | None = None
    isSidechain: bool | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isVisibleInTranscriptOnly: bool | None = None
    message: msgspec.Raw = msgspec.Raw(b"")
    summary: str | None = None
    leafUuid: str | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    agentName: str | None = None


_head = msgspec.json.Decoder(HeadRecord).decode
_message = msgspec.json.Decoder(RawMessage).decode
_owned = msgspec.json.Decoder(_Owned).decode
_brief = msgspec.json.Decoder(BriefRecord).decode

# A line longer than what was read of it cannot be decoded. Claude Code writes the session's id before the message; one
# behind that word could be a part of the text.
_TORN_OWNER = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')


def owner(head: bytes, whole: bool) -> str | None:
    """Return the first session id in the records at the head of a file; `whole` says that `head` is all of it."""
    *lines, torn = head.split(b"\n")
    if whole:
        lines.append(torn)
    for line in lines:
        try:
            found = _owned(checked(line)).sessionId
        except REFUSED:
            found = next((f.record.sessionId for f in decode_line(line).found if f.record.sessionId), None)
        if found:
            return found
    if not whole and (match := _TORN_OWNER.search(torn.partition(b'"message"')[0])):
        return match.group(1).decode("utf-8", "replace")
    return None


def head_records(data: bytes) -> Iterator[HeadRecord | RawRecord]:
    """Yield the records of whole lines."""
    for line in data.split(b"\n"):
        if not line:
            continue
        try:
            yield _head(checked(line))
        except REFUSED:
            for found in decode_line(line).found:
                yield found.record


def message_of(record: HeadRecord | RawRecord) -> RawMessage | None:
    """Return the message of a record, None where it has none that can be read."""
    message = record.message
    if not isinstance(message, msgspec.Raw):
        return message
    if not message:
        return None
    try:
        return _message(message)
    except REFUSED:
        found = decode_line(b'{"message":' + bytes(message) + b"}").found
        return found[0].record.message if found else None


def decode_brief(line: bytes | memoryview) -> BriefRecord:
    """Return the record of a line that reading takes as it is. Raises what `schema.decode.REFUSED` names."""
    return _brief(checked(line))


def brief_records(line: bytes) -> list[BriefRecord]:
    """Return the records of a line that the quick decode refused, mended where need be."""
    briefs = []
    for found in decode_line(line).found:
        record = found.record
        message = BriefMessage(record.message.id, record.message.model) if record.message else None
        briefs.append(BriefRecord(record.type, record.uuid, time_of(record), record.forkedFrom, message))
    return briefs


def time_of(record: HeadRecord | RawRecord) -> Any:
    """Return a record's time as it is written, under whichever name."""
    if record.timestamp is not None:
        return record.timestamp
    return record.ts if record.ts is not None else record.created_at
