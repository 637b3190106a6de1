"""The sessions that are open in a browser: read once, and read on when their files have grown."""

from __future__ import annotations

import os
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from waterglass.payload import encode
from waterglass.payload.changes import ChangeLog, State

Answer = TypeVar("Answer")
KEPT = 4  # sessions beside those that are followed; a 100 MB one takes about 70 MB


class Files(Protocol):
    """What is needed of a session's place on disk."""

    @property
    def id(self) -> str:
        """The session's id."""

    @property
    def files(self) -> Any:
        """Its files, each with a `path` and a `sidecar`, which is a path or None."""


class Opened(Protocol):
    """What is served of a session."""

    @property
    def started_over(self) -> bool:
        """Was a file of it read anew that had been read before?"""

    def is_live(self, now_ms: int) -> bool:
        """Return whether it is being written: all that its payload takes from the time of asking."""

    def payload(self, now_ms: int | None = None, *, table: bool = False, scores: bool | None = True) -> dict[str, Any]:
        """Return the whole payload, without metrics where `scores` is None and they take long."""

    def scorecard(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return metrics, health and cost."""

    def head(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return the payload without rows."""

    def row_states(self, now_ms: int | None = None) -> Iterable[State]:
        """Return what each row's fields are made of, in the order of the table."""

    def find_texts(self, texts: Sequence[str], start: str | None = None, seconds: float = 1.0) -> dict[str, Any]:
        """Return which rows hold each text, for `seconds` at most, and where to go on."""

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        """Return one row's body."""

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return one reply's whole text."""

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return one prompt's whole text."""


Load = Callable[[Any, Any], Opened]  # a session's place and, where it was read before, that: it is read on


class Message(Struct, frozen=True):
    """What a client is sent: JSON, and the name of the state that it leads to."""

    data: bytes
    state: str


_State = list[tuple[str, tuple[int, int, int, int] | None]]  # of a session's files, by path


class _Kept(Struct):
    files: _State  # as they were when it was read
    session: Opened
    token: str  # names this reading: numbers of another one mean nothing here
    live: bool
    event: int = 0
    payload: bytes | None = None
    log: ChangeLog | None = None  # once somebody follows
    gone: bool = False

    @property
    def state(self) -> str:
        return f"{self.token}.{self.event}"


class OpenSessions:
    """Keeps the sessions that were asked for last. Safe for many threads; one session is read by one of them.

    `now` returns Unix milliseconds.
    """

    def __init__(self, load: Load, now: Callable[[], int]) -> None:
        self._load = load
        self._now = now
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._followed: Counter[str] = Counter()
        self._changing = threading.Lock()

    def ask(self, ref: Files, question: Callable[[Opened], Answer]) -> Answer:
        """Return the answer of the session as its files are now; a session answers one at a time.

        Raises WaterglassError where it cannot be read.
        """
        with self._lock(ref.id):
            return question(self._fresh(ref).session)

    def payload(self, ref: Files) -> bytes:
        """Return the session's payload with `table`, as JSON; made once while nothing changes.

        Its `event` names the state that it shows, from which changes can be asked for.
        """
        with self._lock(ref.id):
            kept = self._fresh(ref)
            if kept.payload is None:
                whole = kept.session.payload(self._now(), table=True, scores=None)
                kept.payload = encode({**whole, "event": kept.state})
            return kept.payload

    def scorecard(self, ref: Files) -> bytes:
        """Return the session's metrics, health and cost as JSON, with the name of the state that they judge."""
        with self._lock(ref.id):
            kept = self._fresh(ref)
            return encode({**kept.session.scorecard(self._now()), "event": kept.state})

    def forget(self, session: str) -> None:
        """Keep a session no longer: it is not to be shown."""
        with self._lock(session), self._changing:
            self._kept.pop(session, None)

    def follow(self, ref: Files) -> str:
        """Keep a session at hand and its changes in mind until `leave`; return the state that was served last."""
        with self._lock(ref.id):
            kept = self._kept.get(ref.id) or self._fresh(ref)
            if kept.log is None:
                now_ms = self._now()
                kept.log = ChangeLog(kept.event, kept.session.row_states(now_ms), kept.session.head(now_ms))
            with self._changing:
                self._followed[ref.id] += 1
            return kept.state

    def leave(self, session: str) -> None:
        """Take back one `follow`."""
        with self._changing:
            self._followed[session] -= 1
            if self._followed[session] <= 0:
                del self._followed[session]

    def refresh(self, session: str, ref: Files | None) -> str | None:
        """Bring a followed session up to date and return the name of its state, None where it is not kept.

        `ref` is None where its files are gone. Raises WaterglassError where it cannot be read.
        """
        with self._lock(session):
            kept = self._kept.get(session)
            if ref is not None:
                return self._fresh(ref).state
            if kept is not None and not kept.gone:
                kept.gone, kept.payload, kept.files = True, None, []
                kept.event += 1
                if kept.log is not None:
                    kept.log.lose(kept.event)
            return kept.state if kept is not None else None

    def since(self, session: str, state: str, *, tails: bool = False) -> Message | None:
        """Return what leads from a state to the present one, None where that is the same or the session not kept."""
        with self._lock(session):
            kept = self._kept.get(session)
            if kept is None or kept.log is None or state == kept.state:
                return None
            token, _, number = state.rpartition(".")
            known = token == kept.token and number.isascii() and number.isdigit() and len(number) < 16
            event = int(number) if known else -1
            return Message(kept.log.since(event, tails=tails), kept.state)

    def _lock(self, session: str) -> threading.Lock:
        with self._changing:
            return self._locks.setdefault(session, threading.Lock())

    def _fresh(self, ref: Files) -> _Kept:
        files = [(path, _state(path)) for file in ref.files for path in (file.path, file.sidecar) if path is not None]
        kept = self._kept.get(ref.id)
        if kept is None:
            session = self._load(ref, None)
            kept = _Kept(files, session, secrets.token_hex(4), session.is_live(self._now()))
            if self._followed[ref.id]:  # it was lost when it could not be read
                kept.log = ChangeLog(0, session.row_states(self._now()), session.head(self._now()))
        elif kept.files != files:
            self._read_on(kept, ref, files)
        elif kept.live != kept.session.is_live(self._now()):
            self._enter(kept, over=False)
        with self._changing:
            self._kept[ref.id] = kept
            self._kept.move_to_end(ref.id)
            spare = [id_ for id_ in self._kept if not self._followed[id_]]
            for id_ in spare[: max(0, len(spare) - KEPT)]:
                del self._kept[id_]
        return kept

    def _read_on(self, kept: _Kept, ref: Files, files: _State) -> None:
        try:
            kept.session = self._load(ref, None if kept.gone else kept.session)
        except BaseException:
            with self._changing:  # what was read on in part is of no use
                self._kept.pop(ref.id, None)
            raise
        kept.files = files
        self._enter(kept, over=kept.gone or kept.session.started_over)
        kept.gone = False

    def _enter(self, kept: _Kept, *, over: bool) -> None:
        now_ms = self._now()
        kept.event, kept.payload, kept.live = kept.event + 1, None, kept.session.is_live(now_ms)
        if kept.log is not None:
            kept.log.take(kept.event, kept.session.row_states(now_ms), kept.session.head(now_ms), over=over)


def _state(path: str) -> tuple[int, int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
