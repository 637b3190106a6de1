"""Files of telemetry, read as a stream and read on when they have grown."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO

from msgspec import Struct

from waterglass.discover import Roots
from waterglass.discover.peek import open_regular
from waterglass.errors import WaterglassError
from waterglass.otel.calls import ToldCall, told_calls
from waterglass.schema.layout import written
from waterglass.schema.telemetry import LogRecord, Piece, Span, otlp_items, piece_of

LONGEST_LINE = 32 << 20  # bytes; a collector writes a batch of some thousand spans a line, of about 1 kB each
MOST_PIECES = 500_000  # kept of all files together, some 150 MB
_HINT = "--otel FILE as a collector's file exporter writes it (OTLP/JSON, one object a line)"


class FileCount(Struct):
    """One file and what was read of it; lines and items that tell nothing of a call count as read."""

    path: str
    bytes: int = 0
    lines: int = 0
    bad_lines: int = 0
    long_lines: int = 0
    bad_items: int = 0
    left_out: int = 0


class Heard(Struct):
    """What the files told up to one moment, of whatever sessions."""

    calls: list[ToldCall]
    files: list[FileCount]


class _File(Struct):
    """One file as far as it is read."""

    count: FileCount
    identity: tuple[int, int] | None = None
    offset: int = 0  # after the last whole line
    pieces: list[Piece] = []
    begun: bool = False  # a line that does not end yet, and is none that can be read, stands at the end


class Telemetry:
    """What the files `paths` tell of calls, of whatever sessions. Safe for many threads."""

    def __init__(self, paths: Roots) -> None:
        given = [paths] if isinstance(paths, str | os.PathLike) else paths
        self._places = list(dict.fromkeys(os.path.realpath(os.fspath(path)) for path in given))
        self._files = [_File(FileCount(written(path)), pieces=[]) for path in self._places]
        self._reading = threading.Lock()
        self._known: Heard | None = None

    @classmethod
    def of(cls, given: Telemetry | Roots) -> Telemetry:
        """Return `given`, or the telemetry of these files."""
        return given if isinstance(given, Telemetry) else cls(given)

    def heard(self) -> Heard:
        """Return all that the files tell now; what was read before is not read again.

        Raises WaterglassError for a file that cannot be opened, or holds lines and none of them is OTLP/JSON.
        """
        with self._reading:
            return self._read()

    def _read(self) -> Heard:
        room, before = MOST_PIECES, self._state()
        for path, file in zip(self._places, self._files, strict=True):
            try:
                self._read_on(path, file, room)
            except OSError as error:
                raise WaterglassError(
                    f"cannot read the telemetry ({error.strerror or error})", file.count.path, _HINT
                ) from error
            count = file.count
            if count.lines and count.lines == count.bad_lines + count.long_lines:
                raise WaterglassError("no OTLP/JSON in this file", count.path, _HINT)
            room -= len(file.pieces)
        if self._known is None or before != self._state():
            calls = told_calls(piece for file in self._files for piece in file.pieces)
            self._known = Heard(calls, self._counts())
        return self._known

    def _state(self) -> list[tuple[object, int, bool]]:
        return [(file.identity, file.offset, file.begun) for file in self._files]

    def _counts(self) -> list[FileCount]:
        """What was read of each file; a line at the end that is still being written counts as a bad one."""
        return [
            FileCount(c.path, c.bytes, c.lines + f.begun, c.bad_lines + f.begun, c.long_lines, c.bad_items, c.left_out)
            for f in self._files
            for c in (f.count,)
        ]

    def _read_on(self, path: str, file: _File, room: int) -> None:
        with open(open_regular(path), "rb", buffering=1 << 20) as stream:
            status = os.fstat(stream.fileno())
            identity = (status.st_dev, status.st_ino)
            if file.identity != identity or status.st_size < file.offset:
                file.identity, file.offset, file.pieces = identity, 0, []
                file.count = FileCount(file.count.path)
            stream.seek(file.offset)
            file.begun = False
            count = file.count
            for line, whole in _lines(stream, count):
                try:
                    items = list(otlp_items(line, of_calls=True))
                except ValueError:
                    if not whole:
                        file.begun = True
                        break
                    count.bad_lines += 1
                    items = []
                count.lines += 1
                file.offset = stream.tell()
                self._take(file, items, room)
            count.bytes = file.offset

    def _take(self, file: _File, items: list[tuple[dict[str, Any], Span | LogRecord | None]], room: int) -> None:
        for shared, item in items:
            if item is None:
                file.count.bad_items += 1
                continue
            piece = piece_of(shared, item)
            if piece is None:
                continue
            if len(file.pieces) < room:
                file.pieces.append(piece)
            else:
                file.count.left_out += 1


def _lines(stream: BinaryIO, count: FileCount | None = None) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines that are not blank, each with whether it has its end; one that is too long is passed over and
    counted."""
    while line := stream.readline(LONGEST_LINE):
        whole = line.endswith(b"\n")
        if not whole and len(line) == LONGEST_LINE:
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            if count is not None:
                count.lines += 1
                count.long_lines += 1
            continue
        if line.strip():
            yield line, whole


def read_spans(path: str) -> Iterator[Span]:
    """Yield all spans of a file of OTLP/JSON lines as they are written; lines that are none are passed over.

    Raises OSError.
    """
    with open(open_regular(os.path.realpath(path)), "rb", buffering=1 << 20) as stream:
        for line, _ in _lines(stream):
            try:
                yield from (item for _, item in otlp_items(line) if isinstance(item, Span))
            except ValueError:
                continue
