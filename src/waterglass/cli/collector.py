"""Python's cyclic collector, off while a transcript is read.

Reading makes hundreds of thousands of objects that live until the end and hold no cycles; the collector would walk
over all of them again and again, which costs a tenth of the time of a 100 MB file.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

Held = TypeVar("Held")
_held: list[object] = []


@contextmanager
def without_collector() -> Iterator[None]:
    """Switch the collector off for a while."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def keep_to_the_end(value: Held) -> Held:
    """Return `value`, and hold it until the process leaves, which then takes its memory at once.

    Letting a long session go when a command returns would free its objects one by one: 27 of 400 ms for 100 MB.
    """
    _held[:] = [value]  # one: in a process of many commands no more than the last stays
    return value
