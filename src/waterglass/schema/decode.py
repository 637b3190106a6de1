"""A line of bytes to records: typed, else loose, else mended, else skipped with a reason."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from waterglass.schema.records import RawRecord, is_degraded

MAX_DEPTH = 512  # brackets in brackets; what nests deeper is no transcript
MAX_VALUES = 1 << 20  # in one line: three bytes of text may take a hundred of memory. Real lines hold some thousands
_MAY_BE_DEEP = 2 * MAX_DEPTH  # bytes; a shorter line has no room for so many brackets and their ends
_LOOKED_AT = 100_000  # brackets of a line that is refused for its values anyway; they decide which reason is named
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.S)
_BRACKETS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.S)

REFUSED = (msgspec.DecodeError, RecursionError, UnicodeError)
_room = Lock()
_in_room = 0
_limit_before = 0


class Found(Struct, frozen=True):
    """One record of a line: bytes from the line's start, and what it took to get it."""

    record: RawRecord
    start: int = 0
    degraded: bool = False
    recovered: bool = False
    repaired: bool = False

    @property
    def oddities(self) -> tuple[str, ...]:
        """What coverage counts the record as: of `degraded`, `recovered`, `repaired` those that hold."""
        names = (("degraded", self.degraded), ("recovered", self.recovered), ("repaired", self.repaired))
        return tuple(name for name, holds in names if holds)


class Decoded(Struct, frozen=True):
    """All that a line gave. Without a record, `reason` says why (`blank` is no fault). `unfinished`: something torn, or
    NUL bytes, stands behind the last record."""

    found: tuple[Found, ...] = ()
    reason: str | None = None
    repairs: tuple[str, ...] = ()
    unfinished: bool = False


# The quick way, which fits all but about one line in ten thousand: for lines of ASCII within `QUICK_BYTES`, which have
# no room for more than `MAX_VALUES` values. Raises what `REFUSED` names.
decode_quickly = msgspec.json.Decoder(RawRecord).decode
QUICK_BYTES = MAX_VALUES


def decode_typed(line: bytes | memoryview) -> RawRecord:
    """Return the record of any line, the quick way. Raises what `REFUSED` names."""
    return decode_quickly(checked(line))


def checked(line: bytes | memoryview) -> bytes | memoryview:
    """Return any line as it may be given to a parser of typed records. Raises what `REFUSED` names.

    How deep the parser goes depends on the interpreter and on the caller's stack. Where it refuses, `decode_slowly`
    counts: up to `MAX_DEPTH` levels are read in any case, and what is deeper is kept only if the parser takes it.
    Counting before, in every line, would cost more than reading them.
    """
    str(line, "utf-8")  # the parser takes any bytes for the text of a field that it skips
    if len(line) > QUICK_BYTES and beyond_limits(bytes(line)) is not None:
        raise RecursionError
    return line


def beyond_limits(line: bytes) -> str | None:
    """Return why a line is refused unread: `too_deep`, `too_large` (more values than `MAX_VALUES`), or None."""
    if len(line) <= _MAY_BE_DEEP:
        return None
    openings = line.count(b"{") + line.count(b"[")
    many = len(line) > MAX_VALUES and openings + line.count(b",") > MAX_VALUES and _values(line) > MAX_VALUES
    if openings > MAX_DEPTH and _nests_too_deep(line, _LOOKED_AT if many else None):
        return "too_deep"
    return "too_large" if many else None


def _values(line: bytes) -> int:
    """Return how many values a line holds, about: commas and opening brackets outside strings."""
    bare = _STRING.sub(b"", line)
    return bare.count(b"{") + bare.count(b"[") + bare.count(b",")


def _nests_too_deep(line: bytes, most: int | None) -> bool:
    """Whether the first `most` strings and brackets, or all, nest deeper than `MAX_DEPTH`; stops where they do."""
    depth = 0
    for match in islice(_BRACKETS.finditer(line), most):
        mark = match[0]
        if mark in (b"[", b"{"):
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in (b"]", b"}"):
            depth -= 1
    return False


def decode_line(line: bytes | memoryview) -> Decoded:
    """Return the records of one line, by the quick way where it fits."""
    try:
        record = decode_typed(line)
    except REFUSED:
        return decode_slowly(bytes(line))
    return Decoded((Found(record, degraded=is_degraded(record)),))


def decode_slowly(line: bytes) -> Decoded:
    """Return the records of a line that the typed decoder refused."""
    if not line.strip(b" \t\r\n\v\f"):
        return Decoded(reason="blank")
    if (reason := beyond_limits(line)) is not None:
        return Decoded(reason=reason)
    with room_for_depth():
        try:
            value = msgspec.json.decode(line)
        except REFUSED:
            return _mended(line)
        if not isinstance(value, dict):
            return Decoded(reason="not_object")
        from waterglass.schema.loose import record_from  # late, as below: most files need neither

        record, lost = record_from(value)
    return Decoded((Found(record, degraded=lost),))


def _mended(line: bytes) -> Decoded:
    from waterglass.schema.loose import record_from
    from waterglass.schema.repair import mend

    mended = mend(line)
    found = []
    for piece in mended.pieces:
        record, lost = record_from(piece.value)
        lost = lost or "nan" in mended.repairs or "number" in mended.repairs
        found.append(Found(record, piece.start, lost, piece.recovered, piece.repaired))
    return Decoded(tuple(found), mended.reason, mended.repairs, mended.unfinished)


def decode_objects(line: bytes) -> list[tuple[int, dict[str, Any]]]:
    """Return the whole objects of a line as plain values with their places in it, for a body or the raw view."""
    if beyond_limits(line) is not None:
        return []
    try:
        value = msgspec.json.decode(line)
    except REFUSED:
        from waterglass.schema.repair import mend

        with room_for_depth():
            return [(piece.start, piece.value) for piece in mend(line).pieces]
    return [(0, value)] if isinstance(value, dict) else []


@contextmanager
def room_for_depth() -> Iterator[None]:
    """Let parsers go as deep as `MAX_DEPTH` allows, however deep the caller already stands.

    The limit is one for all threads, so the first that comes raises it and the last that leaves puts it back.
    """
    global _in_room, _limit_before
    with _room:
        if not _in_room:
            _limit_before = sys.getrecursionlimit()
            sys.setrecursionlimit(_limit_before + 4 * MAX_DEPTH)
        _in_room += 1
    try:
        yield
    finally:
        with _room:
            _in_room -= 1
            if not _in_room:
                sys.setrecursionlimit(_limit_before)
