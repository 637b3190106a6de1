"""The index behind search and statistics: one thread brings it up to date while somebody asks, others read it.

Nothing is written before somebody searches or looks at statistics. What is asked for last is done first: a long work
is left between two files for it, and goes on where it was.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, TypeVar

from waterglass.discover import Discovery, Unreadable
from waterglass.errors import WaterglassError
from waterglass.index import Store, Updated, open_store, update, using
from waterglass.stats import Gathered, Judge, SettingsOf, figures, gather

Result = TypeVar("Result")
TEXTS, FIGURES = "texts", "figures"
_FRESH_S = 2.0  # folders are not looked through again before
_PAUSE_S = 3.0  # between two rounds, and at least so many times as long as a round took:
_COST = 8.0
_PATIENCE_S = 2.0  # for another process that writes the index, and for the thread to end
_ELSEWHERE = "another process is writing the index, so it is not up to date"


class _Left(Exception):
    """The work at hand is left: something else comes first, or the server ends."""


class Upkeep:
    """The index of the sessions that `find` returns; `settings` tell by project how they are judged.

    `folder` is that of the index; None: this user's. `before` is called before each update, which takes texts out of
    the index that are deleted, and returns what a person should know.
    """

    def __init__(
        self,
        find: Callable[[], Discovery],
        settings: SettingsOf,
        folder: str | None = None,
        before: Callable[[Discovery], list[str]] = lambda discovery: [],
    ) -> None:
        self._find = find
        self._settings = settings
        self._folder = folder
        self._before = before
        self._said: list[str] = []  # by `before`
        self._opened = False
        self._resources = ExitStack()
        self._changed = threading.Condition()  # guards all that follows
        self._notes: list[str] = []
        self._found: tuple[float, Discovery] | None = None
        self._wanted: list[str] = []  # the last asked for comes first
        self._left: set[str] = set()  # of them what was begun, and left for something else
        self._due: dict[str, float] = {}  # when each may be done again, by `time.monotonic`
        self._done: set[str] = set()  # what was done at least once
        self._at: str | None = None  # TEXTS or FIGURES
        self._doing: str | None = None  # which part of it
        self._progress = (0, 0)
        self._updated = Updated()
        self._uncounted: list[Unreadable] = []
        self._failure: WaterglassError | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    # -- for whoever asks ---------------------------------------------------------------------------------------------

    def want(self, what: str) -> None:
        """Ask for TEXTS or FIGURES to be brought up to date soon, before what was asked for earlier."""
        with self._changed:
            if self._closed or what == self._at or what in self._wanted or self._due.get(what, 0) > time.monotonic():
                return  # asking again and again moves nothing: two who do would hold each other up
            self._wanted.insert(0, what)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="index", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def discovery(self) -> Discovery:
        """Return the sessions as they are now, or were two seconds ago."""
        with self._changed:
            found = self._found
        if found is None or time.monotonic() - found[0] > _FRESH_S:
            found = (time.monotonic(), self._find())
            with self._changed:
                self._found = found
        return found[1]

    def read(self, work: Callable[[Store], Result]) -> Result:
        """Return what `work` makes of the index, which it only reads. Raises WaterglassError."""
        folder = self._place()

        def reading(store: Store) -> Result:
            if store.temporary:  # it was damaged, and is being made anew by the thread
                raise WaterglassError("the index is being made anew", store.path, "once more in a moment")
            return work(store)

        return using(reading, folder)

    def figures(self) -> Gathered:
        """Return what the index knows of each session now, and what could not be counted or judged."""
        discovery, judge = self.discovery(), Judge(self._settings, time.time_ns() // 1_000_000)
        gathered = self.read(lambda store: figures(store, discovery, judge))
        with self._changed:
            gathered.unread = [*self._uncounted, *discovery.unreadable]
        return gathered

    def updated(self) -> Updated:
        """Return what the last update of the texts said."""
        with self._changed:
            return self._updated

    def state(self, what: str) -> dict[str, Any]:
        """Return how far TEXTS or FIGURES are: `doing` says what is done now, `complete` whether there is nothing to
        wait for, `checking` whether all was known and is only looked through for what is new; `done` and `total` are
        bytes of transcripts."""
        with self._changed:
            complete = what in self._done and what not in self._wanted and what != self._at
            done, total = self._progress
            return {
                "doing": self._doing,
                "done": done,
                "total": total,
                "complete": complete,
                "checking": what in self._done and not complete and total == 0,
                "notes": [*self._notes, *self._said],
                "failed": None if self._failure is None else self._failure.what,
            }

    def close(self) -> None:
        """End the thread; what it has done stays."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_PATIENCE_S)
        self._resources.close()

    # -- the place of the index ---------------------------------------------------------------------------------------

    def _place(self) -> str | None:
        """Return the folder of the index; where that cannot be used, one that ends with this server."""
        with self._changed:
            if self._opened:
                return self._folder
            store = open_store(self._folder)
            store.close()
            self._notes = store.notes
            if store.temporary:
                path = tempfile.mkdtemp(prefix="waterglass-")
                self._resources.callback(_remove, path)
                self._folder = path
            self._opened = True
            return self._folder

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (what := self._next()) is not None:
            begun = time.monotonic()
            try:
                failure = None
                self._do(what)
            except _Left:
                with self._changed:
                    self._at, self._doing = None, None
                    self._wanted.append(what)
                    self._left.add(what)
                continue
            except WaterglassError as error:
                failure = error
            except Exception as error:  # the thread must outlive what nobody thought of
                failure = WaterglassError(f"the index could not be brought up to date ({type(error).__name__})")
            with self._changed:
                self._failure = failure
                self._at, self._doing = None, None
                self._done.add(what)
                now = time.monotonic()
                self._due[what] = now + max(_PAUSE_S, _COST * (now - begun))

    def _next(self) -> str | None:
        """Wait for something to do and return it; None: the server ends."""
        with self._changed:
            while not self._closed:
                if self._wanted:
                    self._doing, self._progress = "sessions", (0, 0)
                    self._at = self._wanted.pop(0)
                    self._left.discard(self._at)
                    return self._at
                self._changed.wait()
            return None

    def _do(self, what: str) -> None:
        discovery = self.discovery()
        folder = self._place()
        said = self._before(discovery)
        with self._changed:
            self._said = said
        if what == TEXTS:
            updated = using(lambda store: self._update(store, discovery), folder)
            with self._changed:
                self._updated = updated
            return
        gathered = using(lambda store: self._gather(store, discovery), folder)
        with self._changed:
            self._uncounted = gathered.unread

    def _update(self, store: Store, discovery: Discovery) -> Updated:
        self._begin("sessions")
        update(store, discovery, texts=False)
        self._begin("texts")
        updated = update(store, discovery, self._went_on)
        if updated.waiting:
            raise WaterglassError(_ELSEWHERE)
        return updated

    def _gather(self, store: Store, discovery: Discovery) -> Gathered:
        self._begin("sessions")
        if update(store, discovery, texts=False).waiting or not store.may_write(_PATIENCE_S):
            raise WaterglassError(_ELSEWHERE)
        unread: dict[tuple[str, str], Unreadable] = {}
        gathered = Gathered()
        for doing, settings in (("figures", None), ("scores", self._settings)):
            self._begin(doing)
            gathered = gather(store, discovery, self._show, settings=settings, stop=self._is_over)
            unread |= {(one.path, one.reason): one for one in gathered.unread}
        gathered.unread = list(unread.values())
        self._begin("scores")
        return gathered

    def _begin(self, doing: str) -> None:
        if self._is_over():
            raise _Left
        with self._changed:
            self._doing, self._progress = doing, (0, 0)

    def _show(self, done: int, total: int) -> None:
        with self._changed:
            self._progress = (done, total)

    def _went_on(self, done: int, total: int) -> None:
        self._show(done, total)
        if self._is_over():
            raise _Left

    def _is_over(self) -> bool:
        with self._changed:
            return self._closed or any(what != self._at and what not in self._left for what in self._wanted)


def _remove(folder: str) -> None:
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
