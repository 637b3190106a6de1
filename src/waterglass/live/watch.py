"""Watches the roots and says which sessions' files changed.

The system's notifications are quick and not complete: folders that come and go, network drives and queues that run
over lose some. So whoever needs to be right looks for itself now and then, and this only makes it quick. Where no
notification can be had, the looking is all there is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from waterglass.schema.layout import AGENTS_FOLDER, agent_id, session_id, written

_STEP_MS = 20  # without news, after which what came is handed on
_DEBOUNCE_MS = 60  # after which it is handed on in any case
_ROUND_MS = 500  # after which the roots are looked at: whether another one is there, or one is gone
_PAUSE_S = 0.2
_RETRY_S = 5.0  # until a root that cannot be watched is tried again


class Changes(Struct, frozen=True):
    """What changed: sessions by id, and whether there may be others: new folders, agents that name none."""

    sessions: frozenset[str]
    others: bool


def changes_of(paths: Iterable[str], roots: Sequence[str]) -> Changes:
    """Tell which sessions own these paths, by their names alone."""
    sessions: set[str] = set()
    others = False
    tops = [os.path.join(root, "") for root in roots]
    for path in paths:
        top = next((top for top in tops if path.startswith(top)), path)
        parts = path[len(top) :].split(os.sep)
        if len(parts) >= 3 and parts[2] == AGENTS_FOLDER:
            sessions.add(written(parts[1]))
        elif len(parts) == 2 and (session := session_id(parts[1])) is not None:
            sessions.add(session)
        elif len(parts) < 2 or (len(parts) == 2 and agent_id(parts[1]) is not None):
            others = True  # a project's folder, or an agent beside the transcripts, which says inside whose it is
    return Changes(frozenset(sessions), others)


class Watcher:
    """Calls `told` from a thread of its own, with what changed below the roots, until `close`."""

    def __init__(self, roots: Sequence[str], told: Callable[[Changes], None]) -> None:
        self._roots = list(roots)
        self._names = list(dict.fromkeys(path for root in roots for path in (root, os.path.realpath(root))))
        self._told = told
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self.notified = False  # whether notifications are to be had now

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        anything = Changes(frozenset(), True)
        while not self._stop.is_set():
            there = self._there()
            try:
                if there:
                    self._watch(there)
            except Exception:  # the system gives no notifications (a limit, a folder that went): later perhaps
                self._stop.wait(_RETRY_S)
            self.notified = False
            self._stop.wait(_PAUSE_S if there else _RETRY_S)
            if not self._stop.is_set():
                self._told(anything)

    def _there(self) -> list[str]:
        return [root for root in self._roots if os.path.isdir(root)]

    def _watch(self, there: list[str]) -> None:
        """Hand on changes until another root is there than those that are watched."""
        from watchfiles import watch

        for changes in watch(
            *there,
            watch_filter=None,
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=_ROUND_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            begun, self.notified = not self.notified, True
            if begun:  # what changed while the watch was being set up was told to nobody
                self._told(Changes(frozenset(), True))
            if changes:
                self._told(changes_of([path for _, path in changes], self._names))
            if self._there() != there:
                return
