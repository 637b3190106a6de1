"""What a reader of shell text hands on: simple commands in order, and the steps that bind them together."""

from __future__ import annotations

from typing import Literal

# Longer lines exist (a whole file in a heredoc); what they do is told by their beginning.
MAX_CHARS = 20_000
# Each level of nesting costs a handful of Python frames, so this stays far from the recursion limit.
MAX_DEPTH = 24
# More commands than that are hostile.
MAX_COMMANDS = 2_000

Kind = Literal["run", "seq", "and", "or", "pipe", "not", "branch", "loop", "job", "aside"]


class Draft:
    """A simple command while it is read."""

    __slots__ = (
        "assigned",
        "carried",
        "check",
        "heredoc",
        "outer",
        "pipe",
        "piped",
        "reads",
        "shell",
        "sure",
        "words",
        "writes",
    )

    def __init__(self, pipe: int, piped: bool, outer: Draft | None) -> None:
        self.words: list[str] = []
        """Program and arguments, quotes taken off; empty for `X=1` and for `> f`."""
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.pipe = pipe
        """Commands of one pipeline have the same number."""
        self.piped = piped
        self.outer = outer
        """The command that takes its output, when it stands in a substitution."""
        self.heredoc: str | None = None
        self.assigned: list[tuple[str, str]] = []
        """Variables set before the program, or instead of one: name and value as written."""
        self.carried: Step | None = None
        """The shell text that it runs, as in `bash -c "..."`."""
        self.check = False
        """It verifies something."""
        self.shell: tuple[int, ...] = ()
        """The subshells that it runs in, outermost first, each by a number of its own: a `cd` ends with them."""
        self.sure = True
        """When it has run, what it checks has run, and its exit code is that of the check."""


class Step:
    """A part of a line as far as its exit code goes.

    `run` is one command (`draft`), its `parts` the commands in its substitutions. `seq` is `a; b`, `branch` an `if`
    or `case` (the condition is its first part), `loop` a loop (the same), `job` what runs in the background, and
    `aside` all else whose exit code goes nowhere: functions, conditions of a loop, what is nested too deep, errors.
    """

    __slots__ = ("draft", "fails", "kind", "parts", "proven", "surely")

    def __init__(self, kind: Kind, parts: list[Step], draft: Draft | None = None) -> None:
        self.kind = kind
        self.parts = parts
        self.draft = draft
        self.proven = False
        """Exit code 0 of the line proves exit code 0 of this."""
        self.surely = False
        """It ran whenever the line has exit code 0."""
        self.fails = False
        """A failure of the line can only come from this or from another check."""


def last_command(step: Step) -> Draft | None:
    """The command that a chain ends with; None when it ends with a group."""
    while step.kind in ("and", "or", "pipe", "not") and step.parts:
        step = step.parts[-1]
    return step.draft


def joined(step: Step | None, rest: list[tuple[str, Step]]) -> Step | None:
    """`step` and what follows it, each behind its operator."""
    for operator, following in rest:
        if step is None:
            step = following
        elif operator == "|":
            step = Step("pipe", [step, *(following.parts if following.kind == "pipe" else [following])])
        else:
            kind: Kind = "and" if operator == "&&" else "or" if operator == "||" else "seq"
            step = Step(kind, [step, following])
    return step
