"""What one simple command does, as the judges of programs answer it."""

from __future__ import annotations

import msgspec

CHECKS = frozenset({"test", "lint", "typecheck", "build", "syntax"})


class Verdict(msgspec.Struct, frozen=True):
    """What a simple command does."""

    acts: tuple[str, ...] = ()
    """Of search, edit, read and the kinds of checks (`CHECKS`)."""
    files: tuple[str, ...] = ()
    """Operands that name the files of its acts, as written."""
    flow: str = ""
    """`source`: gives contents or names of files; `grep`: searches what comes in; `filter`: shapes it; else empty."""
    looked: tuple[str, ...] = ()
    """Files that it reads on the way, such as the first one of `cp a b`."""


NONE = Verdict()
FILTER = Verdict(flow="filter")
