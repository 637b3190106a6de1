"""The sessions that are open in a browser: read once, read again when their files have changed."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from waterglass.payload import encode

Answer = TypeVar("Answer")
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

    def is_live(self, now_ms: int) -> bool:
        """Return whether it is being written: all that its payload takes from the time of asking."""

    def payload(self, now_ms: int | None = None, *, table: bool = False) -> dict[str, Any]:
        """Return the whole payload."""

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        """Return one row's body."""

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return one reply's whole text."""

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return one prompt's whole text."""


class _Kept(Struct):
    state: list[tuple[int, int, int, int] | None]  # of its files, when it was read
    session: Opened
    payload: bytes | None = None  # as JSON
    live: bool = False  # whether it was live when that was made


class OpenSessions:
    """Keeps the sessions that were asked for last. Safe for many threads; one session is read by one of them."""

    def __init__(self, load: Callable[[Any], Opened]) -> None:
        self._load = load
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._changing = threading.Lock()

    def ask(self, ref: Files, question: Callable[[Opened], Answer]) -> Answer:
        """Return the answer of the session as its files are now; a session answers one at a time.

        Raises WaterglassError where it cannot be read.
        """
        with self._lock(ref):
            return question(self._fresh(ref).session)

    def payload(self, ref: Files, now_ms: int) -> bytes:
        """Return the session's payload with `table`, as JSON; made once while nothing changes."""
        with self._lock(ref):
            kept = self._fresh(ref)
            live = kept.session.is_live(now_ms)
            if kept.payload is None or kept.live != live:
                kept.payload, kept.live = encode(kept.session.payload(now_ms, table=True)), live
            return kept.payload

    def _lock(self, ref: Files) -> threading.Lock:
        with self._changing:
            return self._locks.setdefault(ref.id, threading.Lock())

    def _fresh(self, ref: Files) -> _Kept:
        state = [_state(file.path) for file in ref.files]
        kept = self._kept.get(ref.id)
        if kept is None or kept.state != state:
            kept = _Kept(state, self._load(ref))
        with self._changing:
            self._kept[ref.id] = kept
            self._kept.move_to_end(ref.id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept


def _state(path: str) -> tuple[int, int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
