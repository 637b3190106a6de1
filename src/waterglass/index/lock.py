"""One writer at a time: a lock that the system gives back when its holder ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Self

from waterglass.index.place import make_file

_POLL_S = 0.05


class WriterLock:
    """The right to change an index. Not for several threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._handle: int | None = None

    @property
    def held(self) -> bool:
        """Is it ours?"""
        return self._handle is not None

    def acquire(self, patience_s: float) -> bool:
        """Take it, waiting `patience_s` seconds at most; False where another process holds it. Raises OSError."""
        if self._handle is not None:
            return True
        make_file(self._path)
        handle = os.open(self._path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        end = time.monotonic() + patience_s
        while not _lock(handle):
            if time.monotonic() >= end:
                os.close(handle)
                return False
            time.sleep(_POLL_S)
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)  # which ends the lock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
