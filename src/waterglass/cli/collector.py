"""Python's cyclic collector, off while a transcript is read.

Reading makes hundreds of thousands of objects that live until the end and hold no cycles; the collector would walk
over all of them again and again, which costs a tenth of the time of a 100 MB file.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
