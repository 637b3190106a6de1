"""A line of bytes to records: typed, else loose, else mended, else skipped with a reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct

from waterglass.schema.records import RawRecord, is_degraded

MAX_DEPTH = 512  # brackets in brackets; what nests deeper is no transcript

# The quick way, for all but about one line in ten thousand. Raises what `REFUSED` names.
decode_typed = msgspec.json.Decoder(RawRecord).decode
REFUSED = (msgspec.DecodeError, RecursionError, UnicodeError)


class Found(Struct, frozen=True):
    """One record of a line: bytes from the line's start, and what it took to get it."""

    record: RawRecord
    start: int = 0
    degraded: bool = False
    recovered: bool = False
    repaired: bool = False


class Decoded(Struct, frozen=True):
    """All that a line gave. Without a record, `reason` says why (`blank` is no fault)."""

    found: tuple[Found, ...] = ()
    reason: str | None = None
    repairs: tuple[str, ...] = ()


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

    with room_for_depth():
        mended = mend(line)
        found = []
        for piece in mended.pieces:
            record, lost = record_from(piece.value)
            lost = lost or "nan" in mended.repairs or "number" in mended.repairs
            found.append(Found(record, piece.start, lost, piece.recovered, piece.repaired))
    return Decoded(tuple(found), mended.reason, mended.repairs)


def decode_objects(line: bytes) -> list[tuple[int, dict[str, Any]]]:
    """Return the whole objects of a line as plain values with their places in it, for a body or the raw view."""
    try:
        value = msgspec.json.decode(line)
    except REFUSED:
        from waterglass.schema.repair import mend

        with room_for_depth():
            return [(piece.start, piece.value) for piece in mend(line).pieces]
    return [(0, value)] if isinstance(value, dict) else []


@contextmanager
def room_for_depth() -> Iterator[None]:
    """Let parsers go as deep as `MAX_DEPTH` allows, however deep the caller already stands."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + 4 * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
