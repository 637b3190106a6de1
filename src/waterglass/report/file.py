"""A report as text or on disk: whole and without a secret that a second look finds, or not at all; never through a
link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from waterglass.errors import WaterglassError
from waterglass.newfile import place_file, refuse_transcript, refused, scratch_file
from waterglass.redact import Level, Redactor
from waterglass.report.blocks import HEAD
from waterglass.report.check import Leaks, find_leaks, mended
from waterglass.report.document import Reported, report_parts

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_PLACEHOLDER = re.compile(r"\[(?:REDACTED:[a-z0-9_]+#\d+|user|host|\d+ chars)\]")


def default_name(
    session_id: str, title: str | None, redact: Level = "secrets", own: Mapping[str, str] | None = None
) -> str:
    """Return a file name that holds nothing but `a-z`, `0-9` and dashes, whatever the title holds, and nothing that
    the report hides."""
    shown = _PLACEHOLDER.sub(" ", Redactor(redact, own).text(title or ""))
    slug = _NOT_IN_NAMES.sub("-", shown.lower()).strip("-")[:40].strip("-")
    short = _NOT_IN_NAMES.sub("", session_id.lower())[:8]
    return "-".join(part for part in ("waterglass", slug, short) if part) + ".html"


def render_report(
    session: Reported, redact: Level = "secrets", now_ms: int | None = None, own: Mapping[str, str] | None = None
) -> str:
    """Return the report as one HTML string. Raises WaterglassError where a secret would still be in it.

    `redact` is secrets, paths, structure or off (ValueError for others); `own` are exact values to hide with their
    kinds; `now_ms` is the time that the report gives as its own, in Unix milliseconds (default: now).
    """
    redactor = Redactor(redact, own)
    lines = "".join(report_parts(session, redactor, now_ms)).encode("utf-8").splitlines(keepends=True)
    leaks = find_leaks(lines, redactor)
    if leaks is not None:
        lines = list(mended(lines, redactor, leaks.blocks))
        leaks = find_leaks(lines, redactor, None if not leaks.blocks else leaks.blocks | {HEAD})
    if leaks is not None:
        raise _still_there(leaks, "")
    return b"".join(lines).decode("utf-8")


def write_report(
    session: Reported,
    target: Path,
    redact: Level = "secrets",
    now_ms: int | None = None,
    own: Mapping[str, str] | None = None,
) -> int:
    """Write the report to `target` and return its size in bytes. Raises WaterglassError where that cannot be done.

    It is written to a new file beside it, read again, and only then takes its name: a full disk, or a secret that is
    found in it, leaves what was there before. A link, a folder, a device or a transcript of that name is refused.
    """
    refuse_transcript(target, "report")
    redactor = Redactor(redact, own)
    try:
        with scratch_file(target) as (path, stream):
            _write((part.encode("utf-8") for part in report_parts(session, redactor, now_ms)), stream)
            leaks = find_leaks(stream, redactor)
            if leaks is None:
                return place_file(path, stream, target)
            with scratch_file(target) as (second_path, second):
                stream.seek(0)
                _write(mended(stream, redactor, leaks.blocks), second)
                leaks = find_leaks(second, redactor, None if not leaks.blocks else leaks.blocks | {HEAD})
                if leaks is None:
                    return place_file(second_path, second, target)
    except OSError as error:
        raise refused(target, error, "report") from error
    raise _still_there(leaks, str(target))


def _write(parts: Iterable[bytes], stream: BinaryIO) -> None:
    """Write all parts and go back to the beginning."""
    for part in parts:
        stream.write(part)
    stream.seek(0)


def _still_there(leaks: Leaks, where: str) -> WaterglassError:
    return WaterglassError(
        f"a secret was still found in the report, so it was removed (kind: {', '.join(leaks.kinds)}; in {leaks.where})",
        where,
        "--redact structure, and report the kind and the row as a fault",
    )
