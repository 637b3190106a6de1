"""A line on stderr that says how far a work is, where somebody sees it; wiped away when the work ends."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

AFTER_S = 1.0  # work that is shorter says nothing


class Line:
    """Shown from a second after it was made. Without escape sequences: a terminal may not know any."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._shown:
            self._write(f"\r{' ' * len(self._shown)}\r")

    def show(self, text: str) -> None:
        """Show a text in the place of the one before."""
        if text != self._shown and sys.stderr.isatty() and time.monotonic() - self._begun > AFTER_S:
            self._write(f"\r{text.ljust(len(self._shown))}")
            self._shown = text

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
