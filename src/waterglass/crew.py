"""Jobs over any executor: a few at a time, and a process that ends costs only what it was doing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from itertools import chain
from multiprocessing import active_children, parent_process
from typing import Generic, NamedTuple, TypeVar

from waterglass.errors import WaterglassError

Job = TypeVar("Job")
Did = TypeVar("Did")
Result = TypeVar("Result")

_STARTED_BY_ANOTHER = "--multiprocessing-fork"  # the argument by which `multiprocessing` starts a process anew
ROOM = 64  # jobs at once for an executor that does not tell how many it can do


class Crew(NamedTuple):
    """Who does the jobs: `make` starts an executor, `room` is how many jobs it gets at once. One that is our `own` is
    started anew where it broke, and shut down at the end; where it cannot be started, this process does the jobs."""

    make: Callable[[], Executor]
    room: int
    own: bool = True


def processors() -> int:
    """Return on how many processors this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(number: int, prepare: Callable[[], None] | None = None) -> Crew:
    """Return a crew of so many processes of this machine; each begins with `prepare`, a function of a module."""

    def make() -> Executor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Not forked: a library for addresses may have threads, which a fork would leave half there.
        return ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_begin, initargs=(prepare,))

    return Crew(make, 2 * number)


def _begin(prepare: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all: the one that hands out the jobs answers it
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    """End when the process that hands out the jobs is gone: killed, it can tell nobody, and jobs would be waited for
    for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def crew_of(executor: Executor) -> Crew:
    """Return the crew of an executor that somebody else made, and shuts down."""
    return Crew(lambda: executor, ROOM, own=False)


class Work(NamedTuple, Generic[Job, Did]):
    """What is done with each job. Both are functions of a module: other processes find them by name."""

    run: Callable[[Job], Did]
    lost: Callable[[Job, str], Did]
    """What stands for a job that could not be done, and why."""


def run_jobs(
    jobs: Iterator[Job], work: Work[Job, Did], crew: Crew | None, meanwhile: Callable[[], None] = lambda: None
) -> Generator[tuple[Job, Did]]:
    """Do the jobs and yield what became of each, in any order; without a crew here, one by one.

    No more jobs are made than there is room for. `meanwhile` is called when the first are handed out, before any is
    waited for. Raises WaterglassError where the executor is gone for good.
    """
    if crew is None:
        meanwhile()
        for job in jobs:
            yield job, work.run(job)
        return
    shift = _Shift(jobs, work, crew)
    try:
        shift.fill()
        meanwhile()
        while shift.fill():
            yield from shift.done()
        for job in shift.left():
            yield job, work.run(job)
    finally:
        shift.end()


class _NoProcessError(Exception):
    """No process can be had: there is no room for one more, no shared memory, or the program's main module does not let
    itself be imported again."""


class _Shift(Generic[Job, Did]):
    """The jobs at work. Those that were at work when an executor broke are done again one by one, so that the one
    that broke it is known and is the only one that is left out."""

    def __init__(self, jobs: Iterator[Job], work: Work[Job, Did], crew: Crew) -> None:
        self._jobs = jobs
        self._work = work
        self._crew = crew
        self._executor: Executor | None = None
        self._broken = False
        self._none = False  # no process can be had
        self._working: dict[Future[Did], Job] = {}
        self._suspects: deque[Job] = deque()
        self._alone = False  # a suspect is at work, and nothing else
        self._others = set(active_children())  # that are none of ours

    def fill(self) -> bool:
        """Hand out jobs while there is room; return whether any is at work."""
        if not self._none:
            try:
                self._hand_out_what_fits()
            except _NoProcessError:
                self._give_up()
        return bool(self._working)

    def left(self) -> Iterator[Job]:
        """The jobs that no other process can do."""
        return chain(self._suspects, self._jobs) if self._none else iter(())

    def _hand_out_what_fits(self) -> None:
        if self._broken:
            self._start_anew()
        if self._suspects and not self._working:
            self._alone = True
            self._hand_out(self._suspects.popleft())
        while not self._alone and not self._suspects and len(self._working) < self._crew.room:
            job = next(self._jobs, None)
            if job is None:
                break
            self._hand_out(job)

    def _hand_out(self, job: Job) -> None:
        try:
            future = self._submit(job)
        except _NoProcessError:
            self._suspects.append(job)
            raise
        self._working[future] = job

    def _submit(self, job: Job) -> Future[Did]:
        executor = self._executor or self._start()
        try:
            return self._ours(lambda: executor.submit(self._work.run, job))
        except BrokenExecutor:  # between two jobs: no job's fault
            anew = self._start_anew()
            return self._ours(lambda: anew.submit(self._work.run, job))

    def _ours(self, do: Callable[[], Result]) -> Result:
        """Do what may start processes, which may be refused.

        Raises _NoProcessError for processes of our own. One that was started as such and imports the main module again
        must not do the whole work: there the refusal ends it.
        """
        try:
            return do()
        except BrokenExecutor:
            raise
        except (OSError, RuntimeError, ImportError) as refusal:
            if not self._crew.own or _STARTED_BY_ANOTHER in sys.orig_argv:
                raise
            raise _NoProcessError from refusal

    def _start(self) -> Executor:
        self._executor = self._ours(self._crew.make)
        return self._executor

    def _start_anew(self) -> Executor:
        if not self._crew.own:
            raise WaterglassError("the executor has ended before all sessions were read")
        self._broken = False
        self._shut_down()
        executor = self._start()
        # One that breaks without any of our jobs breaks with all of them: no job's fault.
        trial = self._ours(lambda: executor.submit(os.getpid))
        if isinstance(trial.exception(), BrokenExecutor):
            raise _NoProcessError
        return executor

    def _shut_down(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def _give_up(self) -> None:
        """Leave what is at work, and all that follows, to this process."""
        self._none = True
        self._shut_down()
        self._executor = None
        # Some may have been started before there was no room for more; nobody would ever end them.
        for process in set(active_children()) - self._others:
            process.terminate()
            process.join()
        self._suspects.extend(self._working.values())
        self._working.clear()

    def done(self) -> Iterator[tuple[Job, Did]]:
        """Wait for some and yield what became of them."""
        finished, _ = wait(self._working, return_when=FIRST_COMPLETED)
        self._broken = any(
            isinstance(future.exception(), BrokenExecutor) for future in finished if not future.cancelled()
        )
        if self._broken:
            finished, _ = wait(self._working)  # it takes all of them with it
        alone, self._alone = self._alone, False
        for future in finished:
            job = self._working.pop(future)
            if isinstance(future.exception() if not future.cancelled() else None, BrokenExecutor) and not alone:
                self._suspects.append(job)
            else:
                yield job, self._outcome(future, job)

    def end(self) -> None:
        """Give up what is not done."""
        for future in self._working:
            future.cancel()
        if self._crew.own and self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def _outcome(self, future: Future[Did], job: Job) -> Did:
        try:
            return future.result()
        except CancelledError:
            raise WaterglassError("the executor gave up before all sessions were read") from None
        except BrokenExecutor:
            return self._work.lost(job, "the process that read this session ended")
        except Exception as error:  # as Dask tells that a job has ended its workers again and again
            return self._work.lost(job, f"this session cannot be read ({type(error).__name__})")
