"""What the tests of the pipeline share: a session written by hand, read by the product."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Transcript
from waterglass.session import Session, load

LONG_AFTER = 1_780_000_000_000  # Unix milliseconds; 87 days after the clock of the builder starts

Read = Callable[..., Session]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A projects folder of its own."""
    return tmp_path / "projects"


@pytest.fixture
def read(root: Path) -> Read:
    """Return `read(transcript, *others, now=, window=)`: write the transcripts and read the first as a session."""

    def read(
        t: Transcript, *others: Transcript, now: int | str = LONG_AFTER, window: int | None = None, **options: Any
    ) -> Session:
        for one in (t, *others):
            one.write(root)
        now_ms = now if isinstance(now, int) else t.at(now).now
        return load(t.session_id, roots=[str(root)], now_ms=now_ms, window=window, **options)

    return read
