"""Statements that run in a thread of their own, in the order in which they come.

SQLite cuts texts into words outside of the interpreter's lock, so that meanwhile the next records can be read.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

_AHEAD = 64  # statements that wait at most; of those with texts each holds some two million characters
_TEXTS_AHEAD = 2  # of these so many


class Inserter:
    """Runs what it is given. While something is left to run, nobody else may use the connection."""

    def __init__(self) -> None:
        self._todo: queue.Queue[tuple[Callable[[], object], bool] | None] = queue.Queue(_AHEAD)
        self._texts = threading.Semaphore(_TEXTS_AHEAD)
        self._failure: BaseException | None = None
        self._stopped = False
        self._thread: threading.Thread | None = threading.Thread(target=self._run, name="index", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # no more threads for this user: what is given runs at once
            self._thread = None

    def put(self, work: Callable[[], object], *, large: bool = False) -> None:
        """Have `work` run after all that came before. Raises what failed of that."""
        if self._thread is None:
            work()
            return
        if large:
            self._texts.acquire()
        self._todo.put((work, large))
        self._check()

    def wait(self) -> None:
        """Return when all has run. Raises what failed."""
        self._todo.join()
        self._check()

    def stop(self) -> None:
        """Drop what has not begun, and end."""
        self._stopped = True
        if self._thread is not None:
            self._todo.put(None)
            self._thread.join()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        while (item := self._todo.get()) is not None:
            work, large = item
            try:
                if self._failure is None and not self._stopped:
                    work()
            except BaseException as error:  # told to whoever gives or waits
                self._failure = error
            finally:
                if large:
                    self._texts.release()
                self._todo.task_done()
