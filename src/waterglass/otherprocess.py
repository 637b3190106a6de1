"""A second process for half of a long file: reading is bound by one processor, and most machines have two.

Only where it is safe and pays: on Linux, before any thread was started, with two processors, for files of some size.
Everything else reads in one go, with the same result.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from typing import Generic, TypeVar

import msgspec

from waterglass.packed import size_of
from waterglass.read import open_transcript

Result = TypeVar("Result")

# Starting the process and handing its events over costs about 60 ms, which is what 12 MB of one transcript cost to
# read.
WORTH_IT = 24 << 20
_BLOCK = 1 << 20
# The other process also packs what it read, and begins later: it gets a little less than half.
_SHARE = 0.54


def cut_in_two(path: str) -> int | None:
    """Return the byte after a newline near the middle of a file, None where one process does as well."""
    if not hasattr(os, "memfd_create") or threading.active_count() > 1 or len(os.sched_getaffinity(0)) < 2:
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


class OtherProcess(Generic[Result]):
    """A forked process that computes one value and leaves it in memory that both share.

    Not in a pipe: that holds 64 KB, so the process would wait with the rest until somebody reads.
    """

    def __init__(self, pid: int, shared: int, kind: type[Result], start: int) -> None:
        self.pid = pid
        self.shared = shared
        self.kind = kind
        self.start = start

    @classmethod
    def fork(cls, work: Callable[[], Result], kind: type[Result], start: int) -> OtherProcess[Result]:
        """Fork and let the child do `work`; `kind` says how to read its value, `start` is kept for the caller."""
        shared = os.memfd_create("waterglass")
        pid = os.fork()
        if pid:
            return cls(pid, shared, kind, start)
        code = 1
        try:  # the child: it must never return into the parent's code, whatever happens
            data = msgspec.msgpack.encode(work())
            with open(shared, "wb", closefd=True) as stream:
                stream.write(data)
            code = 0
        finally:
            os._exit(code)

    def result(self) -> Result | None:
        """Wait for the value; None if the process failed, and then the caller does the work itself."""
        _, status = os.waitpid(self.pid, 0)
        with open(self.shared, "rb", buffering=0, closefd=True) as stream:
            if os.waitstatus_to_exitcode(status) != 0:
                return None
            with mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
                return msgspec.msgpack.decode(data, type=self.kind)
