"""A file on disk that is whole or not there: written beside its place, and never put over a link or a folder."""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from waterglass.errors import WaterglassError

_one_by_one = threading.Lock()
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def file_is_there(target: Path, what: str, option: str = "-o FILE") -> bool:
    """Return whether there is a file in the place of a new one. Raises WaterglassError where something else is.

    `what` and `option` name the new one for a person, here and below.
    """
    mode = mode_of(target, what, option)
    if mode is not None and not stat.S_ISREG(mode):
        raise not_over(said_of(mode), target, what, option)
    return mode is not None


def refuse_transcript(target: Path, what: str) -> None:
    """Raise WaterglassError where a file may not be written: over what is no file, or what may be a transcript."""
    if file_is_there(target, what) and is_named_as_transcript(target):
        raise not_over("a transcript", target, what)


def is_named_as_transcript(target: Path) -> bool:
    """Has it the name of a transcript?"""
    return target.name.lower().endswith((".jsonl", ".jsonl.gz"))


def mode_of(target: Path, what: str, option: str = "-o FILE") -> int | None:
    """Return the mode of what is there, links not followed; None where nothing is. Raises WaterglassError."""
    try:
        return os.lstat(target).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(target, error, what, option) from error


def said_of(mode: int) -> str:
    """Return in words what is there."""
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "something that is no file"


@contextmanager
def scratch_file(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file beside `target` that nobody else can read, never one that is there; gone at the end if not moved."""
    path = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    with open(os.open(path, _FLAGS, 0o600), "w+b") as stream:
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
    with _one_by_one:  # they can only be read by being set, for all threads
        mask = os.umask(0)
        os.umask(mask)
    os.chmod(path, 0o666 & ~mask)


def refused(target: Path, error: OSError, what: str, option: str = "-o FILE") -> WaterglassError:
    """Return the error for a target that the system does not let be written."""
    reason = error.strerror or type(error).__name__
    return WaterglassError(
        f"cannot write the {what} ({reason})", str(target), f"{option} in a folder that you can write to"
    )


def not_over(there: str, target: Path, what: str, option: str = "-o FILE") -> WaterglassError:
    """Return the error for a target whose place something else has."""
    return WaterglassError(f"will not write the {what} over {there}", str(target), f"{option} with another name")
