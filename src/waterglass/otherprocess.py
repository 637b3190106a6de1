"""A second process for a part of the work: reading and judging are bound by one processor, and most machines have two.

Only where it is safe and pays: on Linux, before any thread was started, with two processors, for work of some size.
Everything else is done in one go, with the same result.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from mmap import ACCESS_READ, mmap
from typing import Any, NamedTuple

import msgspec

from waterglass.packed import size_of
from waterglass.read import open_transcript

# Starting the process and handing its events over costs about 60 ms, which is what 12 MB of one transcript cost to
# read.
WORTH_IT = 24 << 20
_BLOCK = 1 << 20
_HEAD = 8  # bytes that tell the length of a value
# The other process also packs what it read, and begins later: it gets a little less than half.
_SHARE = 0.54


def may_fork() -> bool:
    """Return whether a forked process is safe here, and runs beside this one."""
    return hasattr(os, "memfd_create") and not _has_threads() and len(os.sched_getaffinity(0)) > 1


def _has_threads() -> bool:
    """Whether this process has other threads, those of libraries that Python knows nothing of included."""
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:  # nobody tells
        return True


def cut_in_two(path: str) -> int | None:
    """Return the byte after a newline near the middle of a file, None where one process does as well."""
    if not may_fork():
        return None
    with open_transcript(path) as file:
        size = size_of(file)
        if size < WORTH_IT:
            return None
        at = int(size * _SHARE)
        file.seek(at)
        while block := file.read(_BLOCK):
            end = block.find(b"\n")
            if end >= 0:
                cut = at + end + 1
                return cut if cut < size else None
            at += len(block)
    return None


class Job(NamedTuple):
    """One piece of work for the other process."""

    name: str
    work: Callable[[], Any]
    kind: Any
    """How to read its value: a type, as msgspec takes it."""


class Beside:
    """A forked process that does one job after the other; each value can be had as soon as it is there.

    `with Beside(jobs) as beside: ...; beside.value("name")`. Without jobs nothing is forked. The end of the block ends
    the process, whatever it is at. Values lie in memory that both share, not in a pipe: that holds 64 KB, so the
    process would wait with the rest until somebody reads.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._coming = deque(jobs)  # whose values are still to be read
        self._values: dict[str, Any] = {}
        self._pid = 0
        if not jobs:
            return
        self._shared = os.memfd_create("waterglass")
        self._read_to = 0  # bytes of what they share
        told, done = os.pipe()
        try:
            self._pid = os.fork()
        except OSError:  # no room for another process: all is done here
            for descriptor in (told, done, self._shared):
                os.close(descriptor)
            self._coming.clear()
            return
        if self._pid:
            os.close(done)
            self._signal = open(told, "rb", buffering=0)  # noqa: SIM115, closed by __exit__
            return
        try:  # the child: it must never return into the parent's code, whatever happens
            os.close(told)
            for job in jobs:
                data = msgspec.msgpack.encode(job.work())
                with open(self._shared, "wb", closefd=False) as stream:
                    stream.write(data)
                os.write(done, len(data).to_bytes(_HEAD, "big"))
        finally:
            os._exit(0)

    def value(self, name: str, otherwise: Callable[[], Any]) -> Any:
        """Wait for the value of a job; where the process failed, or has no such job, `otherwise` makes it."""
        while name not in self._values and any(job.name == name for job in self._coming):
            head = self._signal.read(_HEAD)
            if len(head) < _HEAD:
                self._coming.clear()
                break
            job = self._coming.popleft()
            self._values[job.name] = self._next(int.from_bytes(head, "big"), job.kind)
        return self._values[name] if name in self._values else otherwise()

    def _next(self, size: int, kind: Any) -> Any:
        begin, self._read_to = self._read_to, self._read_to + size
        with mmap(self._shared, self._read_to, access=ACCESS_READ) as data, memoryview(data)[begin:] as own:
            return msgspec.msgpack.decode(own, type=kind)

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid:
            self._signal.close()
            os.close(self._shared)
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
