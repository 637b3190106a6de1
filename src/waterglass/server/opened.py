"""The sessions that are open in a browser: read once, read again when their files have changed."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

KEPT = 4  # sessions; a 100 MB one takes about 70 MB


class Files(Protocol):
    """What is needed of a session's place on disk."""

    @property
    def id(self) -> str:
        """The session's id."""

    @property
    def files(self) -> Any:
        """Its files, each with a `path`."""


class Opened(Protocol):
    """What is served of a session."""

    def payload(self, now_ms: int | None = None, *, table: bool = False) -> dict[str, Any]:
        """Return the whole payload."""

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        """Return one row's body."""

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return one reply's whole text."""

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return one prompt's whole text."""


class OpenSessions:
    """Keeps the sessions that were asked for last. Safe for many threads; one session is read by one of them."""

    def __init__(self, load: Callable[[Any], Opened]) -> None:
        self._load = load
        self._kept: OrderedDict[str, tuple[Any, Opened]] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._changing = threading.Lock()

    def get(self, ref: Files) -> Opened:
        """Return the session as its files are now. Raises WaterglassError where it cannot be read."""
        with self._changing:
            lock = self._locks.setdefault(ref.id, threading.Lock())
        with lock:
            state = [_state(file.path) for file in ref.files]
            known = self._kept.get(ref.id)
            if known is None or known[0] != state:
                known = (state, self._load(ref))
            with self._changing:
                self._kept[ref.id] = known
                self._kept.move_to_end(ref.id)
                while len(self._kept) > KEPT:
                    gone, _ = self._kept.popitem(last=False)
                    self._locks.pop(gone, None)
            return known[1]


def _state(path: str) -> tuple[int, int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
