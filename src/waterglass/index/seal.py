"""Whether the index is as its last writer left it: told by size and time, in a small file beside it.

SQLite notices much of what may happen to a file, but not a changed byte among words, which would cost a hit and be said
nowhere. While somebody writes there is no seal, and none is left by a writer that was killed: then SQLite's own log
makes the file whole, and there is nothing to hold it against.
"""

from __future__ import annotations

import os
from contextlib import suppress

from waterglass.index.place import SEAL, make_file


def _seal_of(path: str) -> bytes:
    status = os.stat(path)
    return f"{status.st_size} {status.st_mtime_ns}\n".encode()


def _file(path: str) -> str:
    return os.path.join(os.path.dirname(path), SEAL)


def _read(path: str) -> bytes:
    try:
        with open(_file(path), "rb") as file:
            return file.read(64)
    except OSError:
        return b""


def seal(path: str) -> None:
    """Note the state of the index, whose writer is done and whose log is empty."""
    with suppress(OSError):
        told = _seal_of(path)
        make_file(_file(path))
        with open(_file(path), "r+b") as file:
            file.write(told)
            file.truncate()


def unseal(path: str) -> None:
    """Note that somebody writes. Raises OSError."""
    with suppress(FileNotFoundError):
        os.unlink(_file(path))


def is_changed(path: str) -> bool:
    """Has something else changed the index since its last writer was done? False where nothing tells."""
    told = _read(path)
    if not told.endswith(b"\n"):
        return False
    try:
        now = _seal_of(path)
    except OSError:
        return False
    return now != told and _read(path) == told  # unless somebody began to write in between
