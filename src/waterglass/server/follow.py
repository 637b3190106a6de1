"""One thread that keeps the followed sessions up to date, however many clients follow them.

It looks when it is told that something changed, and once a second in any case, since news of changes can be lost. What
a session costs decides how often it is looked at, so that one of great length does not hold up the others.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection

from msgspec import Struct, field

from waterglass.errors import WaterglassError
from waterglass.server.answers import Busy
from waterglass.server.opened import Files, Message, OpenSessions

MOST_CLIENTS = 100  # at once; half of the connections that are accepted
PACE_S = 0.12  # between two looks at one session, however often it is written to
IDLE_S = 1.0  # between two looks at a session of which nothing was heard
_COST = 3.0  # pauses last so many times as long as the look before them: a session never takes more than a quarter


class _Followed(Struct):
    """A session that somebody follows; times are those of `time.monotonic`, in seconds."""

    due: float
    state: str
    calls: list[Callable[[], None]] = field(default_factory=list)
    pause: float = 0.0
    looked: float = 0.0


class Follow:
    """Calls back when a followed session has changed. `find` returns a session's files as they are now, or None.

    Its thread starts with the first client, and ends with the process or with `close`.
    """

    def __init__(self, sessions: OpenSessions, find: Callable[[str], Files | None]) -> None:
        self._sessions = sessions
        self._find = find
        self._changed = threading.Condition()  # guards all that follows
        self._followed: dict[str, _Followed] = {}
        self._clients = 0
        self._thread: threading.Thread | None = None
        self._closed = False

    def add(self, ref: Files, call: Callable[[], None]) -> str:
        """Call `call`, from another thread, whenever the session may have changed; return the state served last.

        Raises Busy, or WaterglassError where the session cannot be read.
        """
        with self._changed:
            if self._clients >= MOST_CLIENTS:
                raise Busy("Too many pages follow sessions", "close some of them")
            self._clients += 1
        try:
            state = self._sessions.follow(ref)
        except BaseException:
            with self._changed:
                self._clients -= 1
            raise
        with self._changed:
            followed = self._followed.setdefault(ref.id, _Followed(0.0, state))
            followed.calls.append(call)
            followed.due = 0.0
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="follow", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return state

    def remove(self, session: str, call: Callable[[], None]) -> None:
        """Take back one `add`."""
        with self._changed:
            followed = self._followed.get(session)
            if followed is None or call not in followed.calls:
                return
            followed.calls.remove(call)
            self._clients -= 1
            if not followed.calls:
                del self._followed[session]
        self._sessions.leave(session)

    def since(self, session: str, state: str, *, tails: bool) -> Message | None:
        """Return what leads from a state to the present one, None where that is the same."""
        return self._sessions.since(session, state, tails=tails)

    def changed(self, sessions: Collection[str] | None = None) -> None:
        """Tell that the files of these sessions (None: of any) have changed."""
        with self._changed:
            for session in self._followed if sessions is None else sessions:
                followed = self._followed.get(session)
                if followed is not None:
                    followed.due = min(followed.due, followed.looked + followed.pause)
            self._changed.notify_all()

    def close(self) -> None:
        """Stop looking."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                while True:
                    if self._closed:
                        return
                    session = min(self._followed, key=lambda id_: self._followed[id_].due, default=None)
                    wait = self._followed[session].due - time.monotonic() if session is not None else None
                    if wait is not None and wait <= 0:
                        break
                    self._changed.wait(wait)
                assert session is not None, "somebody is due"
                followed = self._followed[session]
                started = followed.looked = time.monotonic()
                followed.due = started + IDLE_S
                followed.pause = PACE_S
            state = self._look(session)
            with self._changed:
                cost = time.monotonic() - started
                followed.pause = max(PACE_S, cost * (1 + _COST))
                followed.due = max(followed.due, started + followed.pause)
                news = state is not None and state != followed.state
                if state is not None:
                    followed.state = state
                calls = list(followed.calls) if news else []
            for call in calls:
                call()

    def _look(self, session: str) -> str | None:
        try:
            ref = self._find(session)
            if ref is not None and not any(os.path.lexists(file.path) for file in ref.files):
                ref = None  # deleted, and whoever lists the sessions has not been told
            return self._sessions.refresh(session, ref)
        except WaterglassError:
            return None  # for now; the next look may find it readable
        except Exception:  # one odd session must not end the thread for all
            return None
