"""Bytes to records, from any place in a file.

A line ends at byte 0x0A and nowhere else. Memory is bounded by the longest line: one buffer is filled again and
again, and each line is decoded where it lies in it. A last line without its 0x0A is read, but the position stays
before it, since a live file ends in mid-line; whoever reads on gets it again, whole.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from msgspec import Struct

from waterglass.errors import WaterglassError
from waterglass.model import Coverage, Problem
from waterglass.packed import Body, open_body, read_fully, size_of
from waterglass.schema.decode import QUICK_BYTES, REFUSED, decode_line, decode_quickly, decode_slowly, decode_typed
from waterglass.schema.records import RawRecord, is_degraded, is_no_session

BLOCK = 1 << 20
_MARK = b"\xef\xbb\xbf"  # the byte order mark that some editors write
_RUN = re.compile(rb"\n+")
MAX_LINE = 128 << 20  # the longest real line is 2.8 MB; beyond this a line is dropped while it streams by


class Position(Struct, frozen=True):
    """Where whole lines end: bytes from the file's start, and the number of lines before."""

    offset: int = 0
    line: int = 0


DEGRADED = ("degraded",)
Read = tuple[
    RawRecord, int, int, int, bool
]  # record, its offset, its length, its line (1 is the first), whether it is the tail


def open_regular(path: str) -> int:
    """Open `path` for reading and return its descriptor; only a regular file, never through a link in its last part.

    Raises WaterglassError with what stands in the way.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise WaterglassError(
            f"cannot read the transcript ({error.strerror or error})", path, "check that it is there and yours to read"
        ) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise WaterglassError("not a regular file", path, "give the .jsonl file of a session")
    return handle


def open_transcript(path: str) -> Body:
    """Open a transcript for reading, compressed or not. Raises WaterglassError with what stands in the way."""
    handle = open_regular(path)
    try:
        return open_body(handle, path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: OSError) -> WaterglassError:
    return WaterglassError(f"cannot read the transcript ({error.strerror or error})", path, "another copy of it")


class RecordReader:
    """Iterates over the records of one file from `start` to the size that it has when opened.

    With `end` it stops there, as if the file did: a place after a newline, since what follows is read by somebody else.
    After the loop `position` is where to read on, `coverage` counts the whole lines, `tail` the unfinished last one;
    `odd` says of records that were `degraded`, `recovered` or `repaired`, by their offset, that they were.
    """

    def __init__(self, path: str, key: str, start: Position | None = None, end: int | None = None) -> None:
        self.path = path
        self.key = key
        self.end = end
        self.position = start or Position()
        self.coverage = Coverage()
        self.tail = Coverage()
        self.odd: dict[int, tuple[str, ...]] = {}

    def __iter__(self) -> Iterator[Read]:
        with open_transcript(self.path) as file:
            try:
                yield from self._records(file)
            except OSError as error:  # a disk that fails, a compressed file that is damaged
                raise _unreadable(self.path, error) from error

    def _records(self, file: Body) -> Iterator[Read]:
        base, line = self.position.offset, self.position.line
        size = size_of(file)
        left = max(0, (size if self.end is None else min(self.end, size)) - base)
        file.seek(base)
        buffer = bytearray(min(BLOCK, left) or 1)
        view, have, records = memoryview(buffer), 0, 0
        session, no_session = None, False  # the last record's, nearly always the next one's
        while left:
            got = file.readinto(view[have : have + min(left, len(buffer) - have)])
            if not got:
                break
            left -= got
            have += got
            at = 0
            # Stale bytes at the buffer's end can only choose the careful way where the quick one would do.
            decode = decode_quickly if len(buffer) <= QUICK_BYTES and buffer.isascii() else decode_typed
            while (end := buffer.find(10, at, have)) >= 0:
                line += 1
                if end == at:  # blank lines come in runs; each alone would cost an exception
                    run = _RUN.match(buffer, at, have)
                    blank = run.end() - at if run else 1
                    self.coverage.blank_lines += blank
                    line += blank - 1
                    at += blank
                    continue
                try:
                    record = decode(view[at:end])
                except REFUSED:
                    yield from self._refused(bytes(view[at:end]), base + at, line, self.coverage, False)
                else:
                    records += 1
                    if record.sessionId != session:
                        session = record.sessionId
                        no_session = is_no_session(session)
                    message = record.message  # a call of `is_incomplete` for each would cost a fiftieth of all
                    hollow = message is not None and message.content is None and message.role is None
                    if no_session or record.type is None or hollow:
                        self.coverage.degraded_records += 1
                        self.odd[base + at] = DEGRADED
                    yield record, base + at, end - at, line, False
                at = end + 1
            self._advance(base + at, line, records)
            records = 0
            base += at
            have -= at
            if have == len(buffer):
                if have >= MAX_LINE:
                    base, left = self._pass_over(file, base, have, left, line + 1)
                    have, line = 0, self.position.line
                    continue
                buffer, old = bytearray(min(2 * len(buffer), MAX_LINE)), view
                view = memoryview(buffer)
                view[:have] = old[:have]
            elif at:
                view[:have] = bytes(view[at : at + have])
        if have:
            yield from self._tail(bytes(view[:have]), base, line + 1)

    def _advance(self, offset: int, line: int, records: int) -> None:
        """Count the whole lines up to `offset`."""
        self.coverage.bytes += offset - self.position.offset
        self.coverage.physical_lines += line - self.position.line
        self.coverage.records += records
        self.position = Position(offset, line)

    def _refused(self, data: bytes, offset: int, line: int, coverage: Coverage, tail: bool) -> Iterator[Read]:
        lead = len(_MARK) if offset == 0 and data.startswith(_MARK) else 0  # at a file's start it is no fault
        decoded = decode_line(data[lead:]) if lead else decode_slowly(data)
        if decoded.reason == "blank":
            coverage.blank_lines += 1
            return
        if decoded.reason is not None:
            coverage.skipped_lines += 1
            coverage.add_problem(
                Problem("skipped_line", self.key, f"line skipped: {decoded.reason}, {len(data):,} bytes", line, offset)
            )
            return
        if decoded.repairs:
            names = ", ".join(decoded.repairs)
            coverage.add_problem(Problem("repaired_line", self.key, f"line mended: {names}", line, offset))
        if tail:
            coverage.partial_tail = decoded.unfinished
        starts = [lead + found.start for found in decoded.found] + [len(data)]
        for index, found in enumerate(decoded.found):
            coverage.records += 1
            coverage.degraded_records += found.degraded
            coverage.recovered_records += found.recovered
            coverage.repaired_records += found.repaired
            begin = offset + starts[index]
            if oddities := found.oddities:
                self.odd[begin] = oddities
            yield found.record, begin, starts[index + 1] - starts[index], line, tail

    def _tail(self, data: bytes, offset: int, line: int) -> Iterator[Read]:
        """The unfinished last line: its record if it is whole, else a partial tail and no skipped line."""
        self.tail.bytes += len(data)
        self.tail.physical_lines += 1
        try:
            record = decode_typed(data)
        except REFUSED:
            attempt = Coverage()
            found = list(self._refused(data, offset, line, attempt, True)) if data.strip(b"\0") else []
            if found:
                self.tail = self.tail + attempt
                yield from found
            elif attempt.blank_lines:
                self.tail.blank_lines += 1
            else:
                self.tail.partial_tail = True
            return
        self.tail.records += 1
        if is_degraded(record):
            self.tail.degraded_records += 1
            self.odd[offset] = DEGRADED
        yield record, offset, len(data), line, True

    def _pass_over(self, file: Body, base: int, have: int, left: int, line: int) -> tuple[int, int]:
        """Drop a line above `MAX_LINE` while it streams by; return where the next begins and how much is left."""
        size, spare = have, bytearray(BLOCK)
        while left:
            got = file.readinto(memoryview(spare)[: min(BLOCK, left)])
            if not got:
                break
            end = spare.find(10, 0, got)
            if end >= 0:
                file.seek(end + 1 - got, os.SEEK_CUR)
                left -= end + 1
                size += end + 1
                break
            left -= got
            size += got
        else:
            self.tail.bytes += size
            self.tail.physical_lines += 1
            self.tail.partial_tail = True  # it has no end yet, so it is no skipped line and is not passed
            return base, 0
        self.coverage.skipped_lines += 1
        self.coverage.add_problem(
            Problem("skipped_line", self.key, f"line skipped: too_large, {size:,} bytes", line, base)
        )
        self._advance(base + size, line, 0)
        return base + size, left


def read_bytes(path: str, offset: int, length: int) -> bytes:
    """Return `length` bytes of a file from `offset`; fewer where the file has shrunk. Raises WaterglassError."""
    with open_transcript(path) as body:
        try:
            body.seek(offset)
            return read_fully(body, length)
        except OSError as error:
            raise _unreadable(path, error) from error
