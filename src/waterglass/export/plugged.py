"""What an exporter of a third party writes: given redacted sessions, its lines looked through once more."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from waterglass.errors import WaterglassError
from waterglass.export.hiding import Hider, Part, SecondLook
from waterglass.export.jsonl import events_of
from waterglass.export.place import refused
from waterglass.export.told import tell
from waterglass.newfile import place_file, scratch_file
from waterglass.payload import encode
from waterglass.plugins import Exported, exporter_named
from waterglass.session import Session


def write_plugged(target: Path, name: str, sessions: Iterator[tuple[Session, Part]], hider: Hider) -> int:
    """Write sessions by the exporter of that name and return the file's size in bytes.

    Raises WaterglassError where there is none, where it fails or yields anything but text, where a secret is still
    found, or the file cannot be written; what was there before stays then.
    """
    exporter = exporter_named(name)
    if exporter is None:
        raise WaterglassError("no exporter of this name can be used", name, "waterglass plugins")
    try:
        with scratch_file(target) as (_, spool):
            for line in _lines_of(name, exporter.lines, _exported(sessions, hider)):
                spool.write(encode(line) + b"\n")
            with scratch_file(target) as (path, stream):
                _write_safe(spool, stream, hider, target)
                return place_file(path, stream, target)
    except OSError as error:
        raise refused(target, error) from error


def _exported(sessions: Iterator[tuple[Session, Part]], hider: Hider) -> Iterator[Exported]:
    for session, part in sessions:
        hider.learn(session, part)
        told = tell(session, hider, scores=True)

        def events(session: Session = session) -> Iterator[dict[str, Any]]:
            return (hider.event(event) for event in events_of(session))

        yield Exported(hider.id(session.id), told.payload, told.rows, events)


def _lines_of(name: str, lines: Any, sessions: Iterator[Exported]) -> Iterator[str]:
    """Yield what an exporter yields. Of what it raises, the kind alone is said: the rest may be a transcript's."""
    try:
        with redirect_stdout(sys.stderr):  # the export itself may go to standard output
            for line in lines(sessions):
                if not isinstance(line, str):
                    raise WaterglassError(f"the exporter yielded {type(line).__name__} and not text", name)
                yield line
    except (WaterglassError, OSError):
        raise
    except (Exception, SystemExit) as error:
        raise WaterglassError(f"the exporter failed ({type(error).__name__})", name, "waterglass plugins") from error


def _write_safe(spool: BinaryIO, stream: BinaryIO, hider: Hider, target: Path) -> None:
    """Copy the lines, each looked through once more now that all secrets are known."""
    look = SecondLook(hider)
    spool.seek(0)
    for coded in spool:
        line = msgspec.json.decode(coded, type=str)
        if look.kinds(line):
            line = str(hider.again(line))
            left = look.kinds(line)
            if left:
                raise WaterglassError(
                    f"a secret was still found in the export, so it was removed (kind: {', '.join(left)})",
                    str(target),
                    "--redact structure, and report the kind as a fault",
                )
        stream.write(line.encode("utf-8", "replace") + b"\n")
