"""A report as text or on disk: whole and without a secret that a second look finds, or not at all; never through a
link."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from waterglass.errors import WaterglassError
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
    _check(target)
    redactor = Redactor(redact, own)
    try:
        with _scratch(target) as (path, stream):
            size = _copy((part.encode("utf-8") for part in report_parts(session, redactor, now_ms)), stream)
            leaks = find_leaks(stream, redactor)
            if leaks is None:
                return _placed(path, stream, target, size)
            with _scratch(target) as (second_path, second):
                stream.seek(0)
                size = _copy(mended(stream, redactor, leaks.blocks), second)
                leaks = find_leaks(second, redactor, None if not leaks.blocks else leaks.blocks | {HEAD})
                if leaks is None:
                    return _placed(second_path, second, target, size)
    except OSError as error:
        raise _refused(target, error) from error
    raise _still_there(leaks, str(target))


@contextmanager
def _scratch(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file beside `target` that nobody else can read, never one that is there; gone at the end if not moved."""
    path = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o600), "w+b") as stream:
        try:
            yield path, stream
        finally:
            path.unlink(missing_ok=True)


def _copy(parts: Iterable[bytes], stream: BinaryIO) -> int:
    """Write all parts, to the disk, and go back to the beginning; the number of bytes."""
    for part in parts:
        stream.write(part)
    stream.flush()
    os.fsync(stream.fileno())
    size = stream.tell()
    stream.seek(0)
    return size


def _placed(path: Path, stream: BinaryIO, target: Path, size: int) -> int:
    stream.close()  # Windows moves no open file
    os.chmod(path, 0o666 & ~_umask())
    os.replace(path, target)
    return size


def _still_there(leaks: Leaks, where: str) -> WaterglassError:
    return WaterglassError(
        f"a secret was still found in the report, so it was removed (kind: {', '.join(leaks.kinds)}; in {leaks.where})",
        where,
        "--redact structure, and report the kind and the row as a fault",
    )


def _check(target: Path) -> None:
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refused(target, error) from error
    if not stat.S_ISREG(status.st_mode):
        what = (
            "a link"
            if stat.S_ISLNK(status.st_mode)
            else "a folder"
            if stat.S_ISDIR(status.st_mode)
            else "something that is no file"
        )
        raise WaterglassError(f"will not write the report over {what}", str(target), "-o FILE with another name")
    if target.name.lower().endswith((".jsonl", ".jsonl.gz")):
        raise WaterglassError("will not write the report over a transcript", str(target), "-o FILE with another name")


def _refused(target: Path, error: OSError) -> WaterglassError:
    return WaterglassError(
        f"cannot write the report ({error.strerror or error})", str(target), "-o FILE in a folder that you can write to"
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
