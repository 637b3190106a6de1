"""What the exit code of a line tells about the commands in it.

Assumed, so that real lines tell anything at all: what only sets the stage (`cd`, `export`, `source`, `echo`) does not
fail; a wrapper (`uv run`, `docker exec`, `timeout`) hands on the code of what it runs, and its own failure counts as
that command's; `xargs` runs its command at least once; nothing kills the shell.
"""

from __future__ import annotations

import re

import msgspec

from waterglass.shell.drafts import Step

# Taken not to fail. "head" is not here: with pipefail it makes what is in front of it fail.
_HARMLESS = frozenset(
    (
        "cd",
        "pushd",
        "popd",
        "echo",
        "printf",
        "export",
        "unset",
        "set",
        "shopt",
        "declare",
        "local",
        "readonly",
        "typeset",
        "source",
        ".",
        "true",
        ":",
        "sleep",
        "pwd",
        "date",
        "clear",
        "tee",
        "tail",
        "wait",
        "ulimit",
        "umask",
        "hash",
        "read",
        "for",
    )
)
_ALWAYS_ZERO = frozenset(("true", ":", "echo", "printf", "sleep", "date"))
# What these get through a pipe they read to its end, so nothing in front of them dies of it.
_READS_ALL = frozenset(("tail", "tee", "cat", "sed", "awk", "grep", "wc", "sort", "uniq"))
_STATUS = re.compile(r"\$(?:\?|\{\?\})|\$\{PIPESTATUS\[(\d)\]\}")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_EXPANSION = re.compile(r"\$\(\)|\$\{[^{}]*\}|\$[\w?!#*@$]+|%[-0-9]*[a-z]|\n|\\n")
# More codes than that no line prints for a reader.
MAX_PRINTED = 20
# So many commands before its use a variable was set at most.
MAX_LOOK_BACK = 30


class Printed(msgspec.Struct, frozen=True):
    """An exit code that the line prints itself."""

    prefix: str
    """The literal text in front of it, `exit=` where `exit=0` is printed; may be empty."""
    steps: tuple[Step, ...]
    """The checks that are proven to have exited 0 when it is 0."""


class _State:
    __slots__ = ("errexit", "left", "pipefail")

    def __init__(self, pipefail: bool = False) -> None:
        self.errexit = False
        self.pipefail = pipefail
        self.left = False
        """The shell may have ended with exit code 0 before this point."""

    def set_options(self, words: list[str]) -> None:
        """Take over the options of `set` or `bash`."""
        for position, word in enumerate(words):
            on = word[:1] == "-"
            letters = word[1:] if word[:1] in ("-", "+") and word[1:].isalpha() and len(word) <= 6 else ""
            if "e" in letters:
                self.errexit = on
            if letters[-1:] == "o" and position + 1 < len(words):
                self.pipefail = on if words[position + 1] == "pipefail" else self.pipefail
                self.errexit = on if words[position + 1] == "errexit" else self.errexit


# Which checks a failure can come from, and whether it can come from nothing else.
_Causes = tuple[list[Step], bool]
_NEVER: _Causes = ([], True)
_UNKNOWN: _Causes = ([], False)


class Flow:
    """Follows the exit codes of one line, whose checks are marked in its drafts."""

    def __init__(self, step: Step) -> None:
        self.printed: list[Printed] = []
        self._probed: list[Step] | None = None
        causes, only = self._visit(step, True, True, _State())
        for check in causes if only else ():
            check.fails = True

    def _visit(self, step: Step, proven: bool, surely: bool, state: _State) -> _Causes:
        kind = step.kind
        if kind == "run":
            return self._run(step, proven, surely, state)
        if kind == "seq":
            return self._sequence(step.parts, proven, surely, state)
        if kind == "and":
            return _all([self._visit(part, proven, surely, state) for part in step.parts])
        if kind == "or":
            return self._or(step.parts, proven, surely, state)
        if kind == "pipe":
            return self._pipe(step.parts, proven, surely, state, None)
        if kind in ("branch", "loop"):
            head, *bodies = step.parts
            self._visit(head, False, surely and kind == "branch", state)
            return _all([self._visit(body, False, False, state) for body in bodies])
        for part in step.parts:
            self._visit(part, False, False, _State())
        # "!" turns success into failure; a job's code goes nowhere.
        return _UNKNOWN if kind == "not" else _NEVER

    def _run(self, step: Step, proven: bool, surely: bool, state: _State) -> _Causes:
        draft = step.draft
        surely = surely and not state.left
        sure = surely and (draft is None or draft.sure)
        if self._probed is None:
            step.proven, step.surely = proven and sure, sure
        elif draft is not None and draft.check and proven and sure:
            self._probed.append(step)
        if draft is None:
            return _UNKNOWN
        if not draft.words:
            # `x=$(a)` has the exit code of a.
            found = [self._visit(part, proven and part is step.parts[-1], surely, _State()) for part in step.parts]
            return found[-1] if found else _NEVER
        program = draft.words[0]
        if draft.carried is not None:
            inside = _State()
            inside.set_options(draft.words[1:-1])
            causes = self._visit(draft.carried, proven and draft.sure, surely and draft.sure, inside)
            # The exit code of "ssh" may be that of a lost connection.
            return causes if draft.sure and program != "ssh" else _UNKNOWN
        if program == "set":
            state.set_options(draft.words[1:])
        elif program in ("exit", "return", "exec"):
            state.left = state.left or not _fails_always(step)
            return _UNKNOWN
        if draft.check:
            return ([step], True) if draft.sure else _UNKNOWN
        return _NEVER if program in _HARMLESS else _UNKNOWN

    def _or(self, parts: list[Step], proven: bool, surely: bool, state: _State) -> _Causes:
        first, *others = parts
        if len(others) == 1 and _fails_always(others[0]):
            causes = self._visit(first, proven, surely, state)
            self._visit(others[0], False, False, _State())
            return causes
        found = [self._visit(first, False, surely, state)]
        found += [self._visit(part, False, False, state) for part in others]
        if any(_program(part) in _ALWAYS_ZERO or _leaves_with_zero(part) for part in others):
            return _NEVER
        # It fails only when each part did: one part that only checks make fail is enough to know.
        checks = [check for causes, only in found if only for check in causes]
        return (checks, True) if any(only for _, only in found) else _UNKNOWN

    def _pipe(self, parts: list[Step], proven: bool, surely: bool, state: _State, member: int | None) -> _Causes:
        chosen = len(parts) - 1 if member is None else member
        found: list[_Causes] = []
        for number, part in enumerate(parts):
            counts = number == chosen or (state.pipefail and member is None)
            causes = self._visit(part, proven and counts, surely, _State(state.pipefail))
            if not counts:
                continue
            found.append(_UNKNOWN if number and number != chosen and _program(part) not in _READS_ALL else causes)
        if len(found) > 1 and _program(parts[-1]) not in _READS_ALL:
            return _UNKNOWN
        return _all(found)

    def _sequence(self, parts: list[Step], proven: bool, surely: bool, state: _State) -> _Causes:
        if not parts:
            return _NEVER
        last = len(parts) - 1
        chosen, member = (_code_of(parts, last) if _program(parts[last]) == "exit" else None) or (last, None)
        causes: list[_Causes] = []
        for number, part in enumerate(parts):
            if self._probed is None and _program(part) in ("echo", "printf"):
                self._prints(parts, number, state)
            # `a || exit 1` counts wherever it stands, and with "set -e" each plain command does.
            leaves = part.kind == "or" and _exits(part.parts[-1]) and _fails_always(part.parts[-1])
            counts = number == chosen or leaves or (state.errexit and part.kind in ("run", "seq", "pipe"))
            if number == chosen and member is not None and part.kind == "pipe":
                found = self._pipe(part.parts, proven, surely, state, min(member, len(part.parts) - 1))
            else:
                found = self._visit(part, proven and counts, surely, state)
            if counts:
                causes.append(found)
            elif number != last and _has_exit(part):
                causes.append(_UNKNOWN)
        return _all(causes)

    def _prints(self, parts: list[Step], position: int, state: _State) -> None:
        found = _printed_code(parts, position) if len(self.printed) < MAX_PRINTED else None
        if found is None:
            return
        prefix, (carrier, member) = found
        self._probed = []
        if member is not None and parts[carrier].kind == "pipe":
            members = parts[carrier].parts
            self._pipe(members, True, True, _State(), min(member, len(members) - 1))
        else:
            self._visit(parts[carrier], True, True, _State(state.pipefail))
        self.printed.append(Printed(prefix, tuple(self._probed)))
        self._probed = None


def _all(found: list[_Causes]) -> _Causes:
    return [check for causes, _ in found for check in causes], all(only for _, only in found)


def _program(step: Step) -> str:
    return step.draft.words[0] if step.draft is not None and step.draft.words else ""


def _exits(step: Step) -> bool:
    return _program(step) in ("exit", "return") or (step.kind == "seq" and bool(step.parts) and _exits(step.parts[-1]))


def _fails_always(step: Step, direct: bool = True) -> bool:
    """Whether the right side of an `||` has an exit code other than 0, whatever happens."""
    if step.kind == "seq":
        return bool(step.parts) and _fails_always(step.parts[-1], direct=False)
    words = step.draft.words if step.draft is not None else []
    if words[:1] == ["false"]:
        return True
    if words[:1] not in (["exit"], ["return"]):
        return False
    return (words[1].isdigit() and int(words[1][:9]) != 0) or (direct and words[1] == "$?") if words[1:] else direct


def _leaves_with_zero(step: Step) -> bool:
    return step.draft is not None and step.draft.words[:2] in (["exit", "0"], ["return", "0"])


def _has_exit(step: Step) -> bool:
    """Whether the shell may end in it with another code than 0."""
    if step.kind == "aside" or _leaves_with_zero(step):
        return False
    return _program(step) in ("exit", "return") or any(map(_has_exit, step.parts))


def _code_of(parts: list[Step], position: int) -> tuple[int, int | None] | None:
    """Whose exit code the words of the command at `position` name: the part, and the member of that pipe."""
    draft = parts[position].draft
    return _named_code(parts, position, " ".join(draft.words[1:])) if draft is not None else None


def _named_code(parts: list[Step], position: int, text: str) -> tuple[int, int | None] | None:
    status = _STATUS.search(text)
    if status is not None:
        return (position - 1, int(status.group(1)) if status.group(1) else None) if position else None
    names = {one or other for one, other in _VARIABLE.findall(text)}
    for earlier in range(position - 1, max(position - MAX_LOOK_BACK, 0), -1) if names else ():
        draft = parts[earlier].draft
        if draft is None or draft.words:
            continue
        for name, value in draft.assigned:
            if name in names:
                return _named_code(parts, earlier, value) if _STATUS.search(value) else None
    return None


def _printed_code(parts: list[Step], position: int) -> tuple[str, tuple[int, int | None]] | None:
    """The literal text in front of an exit code that an `echo` or `printf` prints, and whose code it is."""
    draft = parts[position].draft
    words = draft.words[1:] if draft is not None else []
    words = [word for word in words if word not in ("-e", "-n", "-en", "-ne", "-E")]
    text = " ".join(words)[:2000]
    code = _named_code(parts, position, text)
    if code is None:
        return None
    if draft is not None and draft.words[0] == "printf":
        before = words[0].partition("%")[0]
    else:
        status = _STATUS.search(text)
        wanted = status.start() if status else -1
        if wanted < 0:
            for variable in _VARIABLE.finditer(text):
                if _named_code(parts, position, variable.group()) is not None:
                    wanted = variable.start()
                    break
        before = text[: max(wanted, 0)]
    return _EXPANSION.split(before)[-1], code
