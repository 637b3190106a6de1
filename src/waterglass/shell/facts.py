"""What is told about a shell line: its commands, and what they do together."""

from __future__ import annotations

import msgspec


class SimpleCommand(msgspec.Struct, frozen=True):
    """One program that a shell line runs."""

    words: tuple[str, ...]
    """The program and its arguments, quotes taken off, wrappers and `X=1` before it left out. May be empty."""
    reads: tuple[str, ...]
    """Files that its standard input is redirected from."""
    writes: tuple[str, ...]
    """Files that its standard output is redirected to."""
    pipe: int
    """Commands of one pipeline have the same number."""
    piped: bool
    """Its input comes from a pipe."""
    heredoc: str | None
    """The heredoc given as its input."""
    inside: str | None
    """Where it stands in a substitution: the program that takes its output, `=` for a variable; else None."""
    through: tuple[str, ...]
    """The wrappers seen through, outermost first."""


class Check(msgspec.Struct, frozen=True):
    """One simple command of a line that verifies something.

    What is assumed about exit codes is said in `waterglass.shell.flow`: what sets the stage (`cd`, `export`, `source`,
    `echo`) does not fail, and the failure of a wrapper (`timeout`, `docker exec`) counts as that of the check.
    """

    program: str
    """Name of the program that checks, without folders, in lower case: `pytest`, `npm`, `run_tests.sh`."""
    words: tuple[str, ...]
    """The program as written and its arguments, wrappers left out."""
    kinds: tuple[str, ...]
    """Sorted, of build, lint, syntax, test, typecheck; at least one."""
    passes_with_line: bool
    """Exit code 0 of the whole line proves that this check ran and exited 0."""
    fails_with_line: bool
    """Another exit code of the whole line can only come from this check or from another one of the line."""
    runs_surely: bool
    """It ran whenever the line exits 0. One in the background may not have ended, and counts as not sure."""
    status_prefix: str | None
    """The literal text behind which the line prints a code that is 0 only if this check exited 0; None: it does not."""


class LineFacts(msgspec.Struct, frozen=True):
    """What a shell line does."""

    acts: tuple[str, ...]
    """Sorted, of edit, read, search, verify; empty when it is none of them."""
    verify_kinds: tuple[str, ...]
    """Sorted, of build, lint, syntax, test, typecheck."""
    targets: tuple[str, ...]
    """Files that it reads, searches, checks or changes, as written, with a `cd` before them joined on."""
    changed: tuple[str, ...]
    """Those of the targets that it changes, creates or deletes."""
    looked_at: tuple[str, ...]
    """Those of the targets that it reads or searches; one may be in `changed` too."""
    checks: tuple[Check, ...]
    """Its commands that verify, in order."""
    background: bool
    """It leaves something running: `&` without a `wait` after it, `setsid`, `tmux new -d`, `docker exec -d`."""
    prints_status: bool
    """It prints an exit code itself: `; echo "exit=$?"`, `${PIPESTATUS[0]}`."""
    status_prefix: str | None
    """The literal text in front of the first such code (may be empty); None when it prints none."""
