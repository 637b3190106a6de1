"""One call as the metrics see it: what it changed, what it checked, what it only looked at."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from waterglass.classify import CallFacts
from waterglass.classify.table import split_name, tool_named
from waterglass.classify.targets import relative_path
from waterglass.metrics.comments import only_comments
from waterglass.metrics.files import project_path
from waterglass.metrics.table import is_command, table
from waterglass.rows import Row
from waterglass.shell import LineFacts, SimpleCommand, read_shell
from waterglass.shell.programs import judge
from waterglass.shell.wrappers import program_name

_UNDOES = re.compile(r"\bgit\b[^;&|\n]{0,80}?\b(?:stash|reset|clean)\b")
_NOT_CHANGED = (
    "quiet",
    "touches",
    "removes",
    "undoes_file",
)  # what may happen to a file beside a change of its content
_LONG = 2_000  # a longer line is mostly a heredoc: what it writes is known, the rest is not read a second time


class Action(Struct):
    """One call, with paths below the project's root."""

    row: Row
    order: int  # index of the call in the merged events
    exchange: int
    facts: CallFacts
    edits: bool = False  # it succeeded in changing files
    may_edit: bool = False  # it may have changed files, whatever its outcome says
    changed: tuple[str, ...] = ()  # files whose content it changed
    touched: tuple[str, ...] = ()  # files that it made without content
    undone: tuple[str, ...] = ()  # files that it put back as they were
    removed: tuple[str, ...] = ()  # files that it deleted
    undoes_all: bool = False  # it put files back, and which is not known
    formats: bool = False  # what it changed is the layout only
    comments: bool = False  # what it changed is comments only
    line: LineFacts | None = None  # of a shell line that edits or checks
    checks: bool = False
    own_check: bool = False  # a check by the project's own patterns

    @property
    def thread(self) -> str | None:
        """The agent that made the call, None for the main thread."""
        return self.row.agent_id

    @property
    def searches(self) -> bool:
        """Whether it looks for text or names."""
        return "search" in self.facts.acts

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Targets, as written, that it reads or searches."""
        if self.line is not None:
            cwd = self.row.tool.cwd
            return tuple(path for raw in self.line.looked_at if (path := relative_path(raw, cwd)) is not None)
        return self.facts.targets if {"read", "search", "semantic"}.intersection(self.facts.acts) else ()


def action_of(row: Row, exchange: int, root: str | None, verify: tuple[str, ...]) -> Action:
    """Return what the call of a row did. The facts of the row are worked out here if nothing asked for them before."""
    facts = row.facts
    action = Action(row, row.order, exchange, facts)
    acts = facts.acts
    ran = row.outcome == "ok"
    action.checks = "verify" in acts
    if verify and facts.command is not None:
        action.own_check = any(_is_own(command, verify) for command in commands_of(action))
        action.checks = action.checks or action.own_check
    if facts.command is not None:
        if "edit" in acts or action.checks:
            action.line = row.line
        if "edit" in acts and action.line is not None:
            _shell_edit(action, action.line, root)
        elif _UNDOES.search(facts.command[:_LONG]):
            action.undoes_all = ran and any(_is(command, "undoes_all") for command in commands_of(action))
    elif "edit" in acts:
        action.edits, action.may_edit = ran, row.outcome not in ("rejected", "blocked", "error")
        action.changed = tuple(project_path(path, row.tool.cwd, root) for path in facts.targets) if ran else ()
        if len(action.changed) == 1 and b'"old_string"' in row.tool.written:
            action.comments = only_comments(action.changed[0], row.tool.arguments)
    return action


def commands_of(action: Action) -> tuple[SimpleCommand, ...]:
    """Return the simple commands of a shell line, those of a heredoc's length left out."""
    command = action.facts.command
    if command is None or len(command) > _LONG:
        return ()
    return read_shell(command, tool_named(action.row.tool.name).powershell)


def server_and_name(name: str) -> tuple[str, str]:
    """Return the server of a tool (empty for a built-in one) and its bare name in lower case."""
    return _server_and_name(name[:200])


@lru_cache(maxsize=1024)
def _server_and_name(name: str) -> tuple[str, str]:
    server, bare = split_name(name)
    return server, bare.lower()


@cache
def _telling() -> re.Pattern[str]:
    """Programs whose operands are not simply changed: lines without one need no second reading."""
    commands = table().commands
    names = {name for kind in (*_NOT_CHANGED, "formats", "formats_with") for name in commands[kind]}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")


def _is(command: SimpleCommand, kind: str) -> bool:
    words = command.words
    return bool(words) and is_command(words, program_name(words[0]), table().commands[kind])


def _is_own(command: SimpleCommand, patterns: tuple[str, ...]) -> bool:
    from fnmatch import fnmatchcase  # late: few projects name their own checks

    text = " ".join(command.words)[:_LONG]
    return any(fnmatchcase(text, one) or fnmatchcase(text, f"{one} *") for one in patterns)


class _Named(Struct):
    """Operands of a line's commands, by what the commands do to them."""

    quiet: set[str] = set()
    touches: set[str] = set()
    removes: set[str] = set()
    undoes_file: set[str] = set()
    changes: set[str] = set()
    read: bool = False  # the commands were looked at one by one
    mends: bool = False  # one of them changes contents

    def kind(self, path: str) -> str:
        """What happens to a file that the line as a whole changes."""
        if not self.read or _among(path, self.changes):
            return "changes"
        return next((kind for kind in _NOT_CHANGED if _among(path, getattr(self, kind))), "changes")


def _shell_edit(action: Action, line: LineFacts, root: str | None) -> None:
    """Tell the files that a line changes from those that it deletes, puts back, or only gives a mode."""
    row = action.row
    action.may_edit = row.outcome not in ("rejected", "blocked")
    if row.outcome != "ok":
        return
    named = _named(action) if _telling().search(action.facts.command or "") else _Named()
    found: dict[str, list[str]] = {kind: [] for kind in ("changes", *_NOT_CHANGED)}
    for raw in line.changed:
        target = relative_path(raw, row.tool.cwd)
        if target is not None and "*" not in target:
            found[named.kind(raw)].append(project_path(target, row.tool.cwd, root))
    action.changed = tuple(path for path in found["changes"] if not _is_folder(path, action.formats))
    action.removed, action.undone = tuple(found["removes"]), tuple(found["undoes_file"])
    action.touched = tuple(found["touches"])
    unnamed = not (line.changed or action.formats or action.checks) and (named.mends or not named.read)
    action.edits = bool(action.changed or action.removed) or unnamed


def _named(action: Action) -> _Named:
    named = _Named(set(), set(), set(), set(), set())
    for command in commands_of(action):
        named.read = True
        kind = next((kind for kind in _NOT_CHANGED if _is(command, kind)), None)
        if kind is not None:
            getattr(named, kind).update(command.words[1:])
        else:
            verdict = judge(list(command.words), command.heredoc, command.reads)
            if "edit" in verdict.acts:
                named.mends = True
                named.changes.update(verdict.files)
        named.changes.update(command.writes)
        action.formats = action.formats or _is(command, "formats") or _is(command, "formats_with")
        action.undoes_all = action.undoes_all or _is(command, "undoes_all")
    return named


def _among(path: str, words: set[str]) -> bool:
    """Whether a path is one of some operands, or one of them behind a folder that a `cd` before it went to."""
    if not words:
        return False
    path = path.rstrip("/")
    at = -1
    while True:
        tail = path[at + 1 :]
        if tail in words or f"{tail}/" in words:
            return True
        at = path.find("/", at + 1)
        if at < 0:
            return False


def _is_folder(path: str, formats: bool) -> bool:
    """Whether a target of a shell line is no single file: a formatter's `.` or `src`."""
    name = path.rpartition("/")[2]
    if path.endswith("/") or name in ("", ".", "..", "..."):
        return True
    return "." not in name and (formats or (name.islower() and "/" not in path))
