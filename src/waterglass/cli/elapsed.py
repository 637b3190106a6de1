"""How long a work takes whose end cannot be told, on stderr, where somebody sees it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_AFTER_S, _EACH_S = 1.0, 0.5


@contextmanager
def elapsed(verb: str) -> Iterator[None]:
    """Say after a second, and from then on, for how many seconds the work within goes on.

    By the system's alarm and not by a thread: beside a thread no second process may read half of a long file.
    """
    alarm, clock = getattr(signal, "SIGALRM", None), getattr(signal, "setitimer", None)
    if alarm is None or clock is None or not sys.stderr.isatty() or not _is_main():
        yield
        return
    begun, shown = time.monotonic(), 0

    def show(*_: object) -> None:
        nonlocal shown
        text = f"{verb} … {time.monotonic() - begun:.0f} s (Ctrl-C stops it)"
        shown = len(text)
        # Not through Python's stream, which may be in the middle of writing something.
        os.write(2, f"\r{text}".encode("utf-8", "replace"))

    before = signal.signal(alarm, show)
    clock(signal.ITIMER_REAL, _AFTER_S, _EACH_S)
    try:
        yield
    finally:
        clock(signal.ITIMER_REAL, 0)
        signal.signal(alarm, before)
        if shown:
            os.write(2, b"\r" + b" " * shown + b"\r")  # no escape: a terminal may not know any


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()  # no other may set an alarm
