"""Jobs over any executor: a few at a time, and a process that ends costs only what it was doing."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import NamedTuple

from waterglass.errors import WaterglassError
from waterglass.export.jobs import Did, Job, run_job
from waterglass.remote import failed, shown

_ROOM = 64  # jobs at once for an executor that does not tell how many it can do


class Crew(NamedTuple):
    """Who does the jobs: `make` starts an executor, `room` is how many jobs it gets at once. One that is our `own` is
    started anew where it broke, and shut down at the end."""

    make: Callable[[], Executor]
    room: int
    own: bool = True


def processes(number: int) -> Crew:
    """Return a crew of so many processes of this machine."""

    def make() -> Executor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Not forked: a library for addresses may have threads, which a fork would leave half there.
        return ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_leave_interrupts)

    return Crew(make, 2 * number)


def _leave_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that hands out the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def dask(address: str) -> Iterator[Crew]:
    """A crew of the workers of a Dask cluster. Raises WaterglassError where there is none."""
    try:
        from distributed import Client
    except ImportError as error:
        raise WaterglassError(
            "Dask's `distributed` is not installed", shown(address), "pip install 'waterglass[dask]'"
        ) from error
    try:
        client = Client(address, set_as_default=False)
    except Exception as error:  # a wrong address is a ValueError, one where nobody answers an OSError
        raise failed("cannot reach the Dask cluster", address, error) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise WaterglassError("the Dask cluster has no worker", shown(address), "dask worker ADDRESS")
        yield Crew(client.get_executor, max(_ROOM, 2 * threads), own=False)  # it goes with the client


def crew_of(executor: Executor) -> Crew:
    """Return the crew of an executor that somebody else made, and shuts down."""
    return Crew(lambda: executor, _ROOM, own=False)


def run_jobs(jobs: Iterator[Job], crew: Crew | None) -> Iterator[tuple[Job, Did]]:
    """Do the jobs and yield what became of each, in any order; without a crew here, one by one.

    No more jobs are made than there is room for. Raises WaterglassError where the executor is gone for good.
    """
    if crew is None:
        for job in jobs:
            yield job, run_job(job)
        return
    shift = _Shift(jobs, crew)
    try:
        while shift.fill():
            yield from shift.done()
    finally:
        shift.end()


class _Shift:
    """The jobs at work. Those that were at work when an executor broke are done again one by one, so that the one
    that broke it is known and is the only one that is left out."""

    def __init__(self, jobs: Iterator[Job], crew: Crew) -> None:
        self._jobs = jobs
        self._crew = crew
        self._executor = crew.make()
        self._working: dict[Future[Did], Job] = {}
        self._suspects: deque[Job] = deque()
        self._alone = False  # a suspect is at work, and nothing else

    def fill(self) -> bool:
        """Hand out jobs while there is room; return whether any is at work."""
        if self._suspects and not self._working:
            self._alone = True
            self._hand_out(self._suspects.popleft())
        while not self._alone and not self._suspects and len(self._working) < self._crew.room:
            job = next(self._jobs, None)
            if job is None:
                break
            self._hand_out(job)
        return bool(self._working)

    def _hand_out(self, job: Job) -> None:
        try:
            future = self._executor.submit(run_job, job)
        except BrokenExecutor:  # between two jobs: no job's fault
            self._renew()
            future = self._executor.submit(run_job, job)
        self._working[future] = job

    def done(self) -> Iterator[tuple[Job, Did]]:
        """Wait for some and yield what became of them."""
        finished, _ = wait(self._working, return_when=FIRST_COMPLETED)
        broken = any(isinstance(future.exception(), BrokenExecutor) for future in finished if not future.cancelled())
        if broken:
            finished, _ = wait(self._working)  # it takes all of them with it
        alone, self._alone = self._alone, False
        for future in finished:
            job = self._working.pop(future)
            did = _outcome(future, job, alone)
            if did is None:
                self._suspects.append(job)
            else:
                yield job, did
        if broken:
            self._renew()

    def _renew(self) -> None:
        if not self._crew.own:
            raise WaterglassError("the executor has ended before all sessions were exported")
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._crew.make()

    def end(self) -> None:
        """Give up what is not done."""
        for future in self._working:
            future.cancel()
        if self._crew.own:
            self._executor.shutdown(wait=True, cancel_futures=True)


def _outcome(future: Future[Did], job: Job, alone: bool) -> Did | None:
    """Return what became of a job, None where it is to be done again."""
    try:
        return future.result()
    except CancelledError:
        raise WaterglassError("the executor gave up before all sessions were exported") from None
    except BrokenExecutor:
        problem = ("the process that read this session ended", job.ref.id, "") if alone else None
        return Did(job.number, problem=problem) if problem is not None else None
    except Exception as error:  # as Dask tells that a job has ended its workers again and again
        return Did(job.number, problem=(f"this session cannot be exported ({type(error).__name__})", job.ref.id, ""))
