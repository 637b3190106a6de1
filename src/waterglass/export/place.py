"""Where an export goes: a file or folder that is whole or not there, never written through a link or into what is
there."""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from waterglass.errors import WaterglassError

_ANOTHER = "-o PATH with another name"
_FIRST_LINE = 1 << 20  # bytes of an old file that are read to see what it is
_OWN_FIELDS = frozenset({"session", "id", "seq", "toolUseId", "warnings"})  # of the events that an export writes
_one_by_one = threading.Lock()
_BINARY = getattr(os, "O_BINARY", 0)


def check_file(target: Path, roots: Iterable[str]) -> None:
    """Raise WaterglassError where a file may not be written: over a link, a folder, a device or a transcript, or as a
    `.jsonl` below one of the folders where transcripts are looked for."""
    if target.name.lower().endswith((".jsonl", ".jsonl.gz")):
        parent = os.path.realpath(target.parent)
        if any(_is_below(parent, os.path.realpath(root)) for root in roots):
            raise WaterglassError(
                "will not write among the transcripts, it would be read as one", str(target), _ANOTHER
            )
    mode = _mode(target)
    if mode is None:
        return
    if not stat.S_ISREG(mode):
        raise WaterglassError(f"will not write the export over {_what(mode)}", str(target), _ANOTHER)
    if target.name.lower().endswith((".jsonl", ".jsonl.gz")) and not _is_own(target):
        raise WaterglassError("will not write the export over what may be a transcript", str(target), _ANOTHER)


def check_folder(target: Path) -> bool:
    """Return whether nothing is there yet but an empty folder. Raises WaterglassError where there is a link or a
    file."""
    mode = _mode(target)
    if mode is None:
        return True
    if not stat.S_ISDIR(mode):
        raise WaterglassError(f"will not write the export over {_what(mode)}", str(target), _ANOTHER)
    try:
        with os.scandir(target) as entries:
            return next(entries, None) is None
    except OSError as error:
        raise refused(target, error) from error


@contextmanager
def scratch_file(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file beside `target` that nobody else can read, never one that is there; gone at the end if not moved."""
    path = _beside(target)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | _BINARY
    with open(os.open(path, flags, 0o600), "w+b") as stream:
        try:
            yield path, stream
        finally:
            stream.close()  # Windows removes no open file
            path.unlink(missing_ok=True)


def place_file(path: Path, stream: BinaryIO, target: Path) -> int:
    """Give a finished file its name and return its size in bytes."""
    stream.flush()
    os.fsync(stream.fileno())
    size = os.fstat(stream.fileno()).st_size
    stream.close()  # Windows moves no open file
    made_public(path)
    os.replace(path, target)
    return size


def made_public(path: Path) -> None:
    """Give a file the rights that a new one has, now that it is whole."""
    os.chmod(path, 0o666 & ~_umask())


def refused(target: Path, error: OSError) -> WaterglassError:
    """Return the error for a target that the system does not let be written."""
    reason = error.strerror or type(error).__name__
    return WaterglassError(
        f"cannot write the export ({reason})", str(target), "-o PATH in a folder that you can write to"
    )


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(6)}")


def _mode(target: Path) -> int | None:
    try:
        return os.lstat(target).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(target, error) from error


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "something that is no file"


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _is_own(target: Path) -> bool:
    """Is this a file of events or spans that an export wrote, and not a transcript?"""
    try:
        with open(target, "rb") as stream:
            first = stream.readline(_FIRST_LINE)
    except OSError as error:
        raise refused(target, error) from error
    if first.startswith((b'{"session":', b'{"resourceSpans":')):
        # A transcript's lines have neither; a very long first event is cut here and need not parse.
        return len(first) == _FIRST_LINE or _has_own_fields(first)
    return False


def _has_own_fields(line: bytes) -> bool:
    try:
        fields = set(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return False
    return fields >= _OWN_FIELDS or "resourceSpans" in fields


def _umask() -> int:
    with _one_by_one:  # it can only be read by being set, for all threads
        mask = os.umask(0)
        os.umask(mask)
    return mask
