"""Exports of one JSON value a line: written, looked through once more, and only then named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from waterglass.errors import WaterglassError
from waterglass.export.hiding import Hider, SecondLook
from waterglass.export.place import refused
from waterglass.newfile import place_file, scratch_file
from waterglass.payload import encode


class Framing(NamedTuple):
    """What stands around the lines of a file: nothing but their ends, for JSON lines."""

    before: bytes
    between: bytes
    after: Callable[[], bytes]
    """Asked for when all lines are written, since only then all is counted."""


JSON_LINES = Framing(b"", b"\n", lambda: b"\n")


def write_lines(target: Path, items: Iterable[Any], framing: Framing, hider: Hider) -> int:
    """Write the items to `target` and return the file's size in bytes.

    A password may stand alone in an early item before a later one names it: so all are read again once everything is
    known, redacted anew where need be, and read a third time. Raises WaterglassError where a secret is still found or
    the file cannot be written; what was there before stays then.
    """
    try:
        with scratch_file(target) as (_, spool):
            for item in items:
                spool.write(encode(item) + b"\n")
            with scratch_file(target) as (path, stream):
                mended = _write_framed(stream, _looked_through(spool, hider, target), framing)
                if mended:
                    left = SecondLook(hider).first(_values(stream, framing))
                    if left:
                        raise _still_there(left, target)
                return place_file(path, stream, target)
    except OSError as error:
        raise refused(target, error) from error


def _looked_through(spool: BinaryIO, hider: Hider, target: Path) -> Iterator[tuple[bytes, bool]]:
    """Yield each line without its end, and whether it had to be redacted again."""
    look = SecondLook(hider)
    spool.seek(0)
    for line in spool:
        if hider.level == "off":
            yield line[:-1], False
            continue
        value = _decoded(line)
        kinds = look.kinds(value)
        if kinds and isinstance(value, str):
            raise _still_there(kinds, target)
        yield (encode(hider.again(value)), True) if kinds else (line[:-1], False)


def _write_framed(stream: BinaryIO, lines: Iterable[tuple[bytes, bool]], framing: Framing) -> bool:
    """Write all lines with what stands around them; whether any had to be redacted again."""
    any_mended, first = False, True
    stream.write(framing.before)
    for line, mended in lines:
        stream.write(line if first else framing.between + line)
        any_mended, first = any_mended or mended, False
    if framing.before or not first:  # a file of no lines has no end of one
        stream.write(framing.after())
    return any_mended


def _values(stream: BinaryIO, framing: Framing) -> Iterator[Any]:
    """Read back the items of a framed file."""
    stream.seek(len(framing.before))
    for line in stream:
        if line.startswith(b"{"):
            yield _decoded(line.rstrip(b",\n"))


def _decoded(line: bytes) -> Any:
    """Return the value of a line, or its text where it is nested deeper than it can be read back from here."""
    try:
        return msgspec.json.decode(line)
    except RecursionError:
        return line.decode("utf-8")


def _still_there(kinds: tuple[str, ...], target: Path) -> WaterglassError:
    return WaterglassError(
        f"a secret was still found in the export, so it was removed (kind: {', '.join(kinds)})",
        str(target),
        "--redact structure, and report the kind as a fault",
    )
