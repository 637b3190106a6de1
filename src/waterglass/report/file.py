"""A report to disk: whole or not at all, and never through a link."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from waterglass.errors import WaterglassError
from waterglass.redact import Level
from waterglass.report.document import Reported, report_parts

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def default_name(session_id: str, title: str | None) -> str:
    """Return a file name that holds nothing but `a-z`, `0-9` and dashes, whatever the title holds."""
    slug = _NOT_IN_NAMES.sub("-", (title or "").lower()).strip("-")[:40].strip("-")
    short = _NOT_IN_NAMES.sub("", session_id.lower())[:8]
    return "-".join(part for part in ("waterglass", slug, short) if part) + ".html"


def write_report(session: Reported, target: Path, redact: Level = "secrets", now_ms: int | None = None) -> int:
    """Write the report to `target` and return its size in bytes. Raises WaterglassError where that cannot be done.

    It is written to a new file beside it, which then takes its name: a full disk leaves what was there before. A
    link, a folder, a device or a transcript of that name is refused.
    """
    _check(target)
    scratch = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(scratch, flags, 0o600)
    except OSError as error:
        raise _refused(target, error) from error
    try:
        with open(handle, "wb") as stream:
            for part in report_parts(session, redact, now_ms):
                stream.write(part.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
            size = stream.tell()
        os.chmod(scratch, 0o666 & ~_umask())
        os.replace(scratch, target)
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        scratch.unlink(missing_ok=True)
    return size


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
    if target.suffix.lower() == ".jsonl":
        raise WaterglassError("will not write the report over a transcript", str(target), "-o FILE with another name")


def _refused(target: Path, error: OSError) -> WaterglassError:
    return WaterglassError(
        f"cannot write the report ({error.strerror or error})", str(target), "-o FILE in a folder that you can write to"
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
