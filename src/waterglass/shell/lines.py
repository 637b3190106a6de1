"""A whole shell line: its simple commands, what each does, and what they do together."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from waterglass.shell.lexer import Draft, Lexer
from waterglass.shell.programs import CHECKS, FILTER, Verdict, judge
from waterglass.shell.wrappers import program_name, shell_text, unwrap

# "bash -c" in "ssh" in "docker exec": three levels are seen in real lines.
MAX_LEVELS = 4
MAX_COMMANDS = 2_000
MAX_TARGETS = 200

_CHECKED_FILE = re.compile(r"^[^\s@=]*(?:/[^\s]*|\.[A-Za-z]{1,6})$")
_NOWHERE = ("/dev/null", "nul", "$null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_TEMPORARY = ("/tmp/", "/private/tmp/", "/var/tmp/", "/var/folders/", "$TMPDIR", "${TMPDIR", "$env:TEMP")
_WRITERS = ("cat", "echo", "printf", "", "write-output", "write-host")
# Output that ends in these is text for the reader; in a variable or an argument it is not.
_PRINTS = (None, "echo", "printf", "for", "cat")
# A substitution in these only sets the stage: `export $(grep -v '^#' .env | xargs)`.
_SETTINGS = ("export", "source", "kill", "set", "declare", "local")
_CHANGES_FOLDER = ("cd", "pushd", "set-location", "sl", "chdir")


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


class LineFacts(msgspec.Struct, frozen=True):
    """What a shell line does."""

    acts: tuple[str, ...]
    """Sorted, of edit, read, search, verify; empty when it is none of them."""
    verify_kinds: tuple[str, ...]
    """Sorted, of build, lint, syntax, test, typecheck."""
    targets: tuple[str, ...]
    """Files that it reads, searches, checks or changes, as written, with a `cd` before them joined on."""
    changed: tuple[str, ...]
    """Those of the targets that it changes."""


def judge_line(text: str, powershell: bool = False) -> LineFacts:
    """What the shell line `text` does. Never raises; only the first 20,000 characters are looked at."""
    # Short lines repeat (git status), long ones do not: 2,048 lines of 500 characters are 1 MB of memory at most.
    return _judge(text, powershell) if len(text) > 500 else _judge_short(text, powershell)


@lru_cache(maxsize=2048)
def _judge_short(text: str, powershell: bool) -> LineFacts:
    return _judge(text, powershell)


def _judge(text: str, powershell: bool) -> LineFacts:
    pipelines: dict[int, list[SimpleCommand]] = {}
    for command in read_shell(text, powershell):
        pipelines.setdefault(command.pipe, []).append(command)
    line = _Line()
    for commands in pipelines.values():
        line.add(commands)
    return line.facts()


def read_shell(text: str, powershell: bool = False) -> tuple[SimpleCommand, ...]:
    """The simple commands of a shell line, in order, wrappers and `bash -c "..."` seen through. Never raises."""
    commands: list[SimpleCommand] = []
    _read(text, powershell, 0, None, commands)
    return tuple(commands)


def _read(text: str, powershell: bool, level: int, outer: SimpleCommand | None, found: list[SimpleCommand]) -> None:
    drafts = Lexer(text, powershell).run()
    # Pipelines of different texts must not share a number; an inner line's last pipeline is the outer command's.
    base = found[-1].pipe + 10_000 if found else 0
    last = drafts[-1].pipe if drafts else 0
    for draft in drafts:
        if len(found) >= MAX_COMMANDS:
            return
        words, through = unwrap(draft.words)
        pipe = outer.pipe if outer and draft.pipe == last else base + draft.pipe
        command = SimpleCommand(
            tuple(words),
            tuple(draft.reads),
            tuple(draft.writes),
            pipe,
            draft.piped or bool(outer and outer.piped),
            draft.heredoc,
            _inside(draft) or (outer.inside if outer else None),
            tuple(through),
        )
        inner = shell_text(words) if words and level < MAX_LEVELS else None
        if inner is not None and inner[0].strip():
            _read(inner[0], inner[1], level + 1, command, found)
        else:
            found.append(command)


def _inside(draft: Draft) -> str | None:
    outer = draft.outer
    if outer is None:
        return None
    return program_name(outer.words[0]) if outer.words else "="


def _shown_after(commands: list[SimpleCommand], verdicts: list[Verdict]) -> tuple[list[bool], list[bool]]:
    """For each command of a pipeline: does its output reach the reader as text, and does `xargs` take it."""
    last = commands[-1]
    shown = last.inside in _PRINTS and (not last.writes or all(path.lower() in _NOWHERE for path in last.writes))
    taken = False
    if len(commands) == 1:
        return [shown], [taken]
    shown_after: list[bool] = []
    taken_after: list[bool] = []
    for command, verdict in zip(reversed(commands), reversed(verdicts), strict=True):
        shown_after.append(shown)
        taken_after.append(taken)
        shown = shown and verdict.flow != "" and "edit" not in verdict.acts and "search" not in verdict.acts
        taken = taken or "xargs" in command.through
    return shown_after[::-1], taken_after[::-1]


class _Line:
    def __init__(self) -> None:
        self.acts: set[str] = set()
        self.kinds: set[str] = set()
        self.targets: dict[str, bool] = {}
        self.folder = ""

    def facts(self) -> LineFacts:
        """What was added so far."""
        targets = list(self.targets.items())[:MAX_TARGETS]
        return LineFacts(
            tuple(sorted(self.acts)),
            tuple(sorted(self.kinds)),
            tuple(path for path, _ in targets),
            tuple(path for path, changed in targets if changed),
        )

    def add(self, commands: list[SimpleCommand]) -> None:
        """Add one pipeline."""
        verdicts = [judge(list(command.words), command.heredoc, command.reads) for command in commands]
        shown_after = _shown_after(commands, verdicts)
        given = False
        for command, verdict, shown, taken in zip(commands, verdicts, *shown_after, strict=True):
            if command.inside in _SETTINGS:
                continue
            self._change_folder(command)
            through_xargs = "xargs" in command.through
            if command.words and program_name(command.words[0]) == "tee" and all(map(_is_log, verdict.files)):
                verdict = FILTER
            for act in verdict.acts:
                filters = verdict.flow == "grep" and command.piped and not through_xargs
                if (act == "search" and filters and (taken or not given)) or (act == "read" and not shown):
                    continue
                self._note(act, verdict)
            given = given or verdict.flow == "source" or through_xargs
            self._redirections(command)

    def _note(self, act: str, verdict: Verdict) -> None:
        if act in CHECKS:
            self.kinds.add(act)
            self.acts.add("verify")
            # Of a check's operands ("run", a test's name, "./...") only some are files; a place in one is cut off.
            files = [path.partition("::")[0] for path in verdict.files]
            files = [path for path in files if _CHECKED_FILE.search(path) and "..." not in path]
        else:
            self.acts.add(act)
            files = list(verdict.files)
        for path in files:
            self._target(path, changed=act == "edit")

    def _redirections(self, command: SimpleCommand) -> None:
        if not command.writes:
            return
        name = program_name(command.words[0]) if command.words else ""
        written_out = name in ("echo", "printf") or (name in _WRITERS and command.heredoc is not None)
        for path in command.writes:
            if path.lower() in _NOWHERE:
                continue
            if not written_out and _is_log(path):
                continue
            self.acts.add("edit")
            self._target(path, changed=True)

    def _change_folder(self, command: SimpleCommand) -> None:
        if len(command.words) > 1 and program_name(command.words[0]) in _CHANGES_FOLDER and command.inside is None:
            path = command.words[1]
            self.folder = path if _absolute(path) or not self.folder else f"{self.folder}/{path}"

    def _target(self, path: str, changed: bool) -> None:
        if not path or path == "-" or len(path) > 1024 or any(char in path for char in "$*{}\n") or path.isdigit():
            return
        if self.folder and not _absolute(path):
            if "$" in self.folder:
                return
            path = f"{self.folder}/{path}"
        self.targets[path] = self.targets.get(path, False) or changed


def _is_log(path: str) -> bool:
    return path.startswith(_TEMPORARY) or path.endswith((".log", ".out"))


def _absolute(path: str) -> bool:
    return path.startswith(("/", "~", "\\")) or path[1:2] == ":"
