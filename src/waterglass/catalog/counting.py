"""Counting a session in full: in this process, or in one beside it so that the server stays quick to answer."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from waterglass.discover import SessionRef
from waterglass.errors import WaterglassError

_COLLECT = 32_000_000  # bytes of transcripts that may be read before memory is tidied


class Job(Struct, frozen=True):
    """One session to count, with those that may share its history."""

    ref: SessionRef
    related: tuple[SessionRef, ...]


class Counted(Struct, frozen=True):
    """What `Session.listing` says, or why it could not be said."""

    listing: dict[str, Any] | None = None
    failure: str | None = None


def count(job: Job, now_ms: int) -> Counted:
    """Read a session in full. Never fails: what went wrong is in the answer."""
    from waterglass.session import load

    try:
        return Counted(load(job.ref, in_sight=job.related, now_ms=now_ms).listing(now_ms))
    except WaterglassError as error:
        return Counted(failure=error.what)
    except Exception as error:  # one odd transcript must not cost the list
        return Counted(failure=f"could not be counted ({type(error).__name__})")


class Child:
    """A process that counts, one session at a time. Ends with `close`, and by itself when this process is gone."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    @property
    def runs(self) -> bool:
        """Has the process been started, and not been ended?"""
        return self._process is not None

    def count(self, job: Job, now_ms: int) -> Counted:
        """Count in the child, which is started when first needed; without one, in this process."""
        process = self._process or self._start()
        if process is None or process.stdin is None or process.stdout is None:
            return count(job, now_ms)
        try:
            pickle.dump((job, now_ms), process.stdin)
            process.stdin.flush()
            line = process.stdout.readline()
            if line:
                return msgspec.json.decode(line, type=Counted)
        except (OSError, ValueError, msgspec.DecodeError):
            pass
        self.close()
        return Counted(failure="could not be counted (the process that counted it ended)")

    def _start(self) -> subprocess.Popen[bytes] | None:
        home = str(Path(__file__).resolve().parents[2])
        code = f"import sys; sys.path.insert(0, {home!r}); from waterglass.catalog.counting import serve; serve()"
        quiet = subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet
            )
        except OSError:
            self._process = None
        if self._stopped:  # while it was being started
            self.stop()
        return self._process

    def stop(self) -> None:
        """Have the process end now, and any that is started later, from another thread than the one that waits for its
        answer."""
        self._stopped = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process and wait for its end."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


def serve() -> None:
    """Answer jobs from standard input until it ends; what a `Child` runs."""
    import gc
    import signal

    import waterglass.session  # noqa: F401 - loaded now, so that the collector never looks at it again

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this
    if hasattr(os, "nice"):
        os.nice(5)  # the page and the session that is open come first
    gc.disable()  # a walk over all objects costs 10 ms, more than most sessions
    gc.freeze()
    read = 0
    while True:
        try:
            job, now_ms = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer = count(job, now_ms)
        read += job.ref.size
        if read > _COLLECT:
            gc.collect()
            read = 0
        sys.stdout.buffer.write(_encoded(answer) + b"\n")
        sys.stdout.buffer.flush()


def _encoded(answer: Counted) -> bytes:
    try:
        return msgspec.json.encode(answer)
    except (TypeError, ValueError, UnicodeError) as error:
        return msgspec.json.encode(Counted(failure=f"could not be counted ({type(error).__name__})"))
