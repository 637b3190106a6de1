"""A whole shell line: its simple commands, what each does, and what they do together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from waterglass.shell.drafts import MAX_COMMANDS, Draft, Step
from waterglass.shell.facts import Check, LineFacts, SimpleCommand
from waterglass.shell.flow import Flow, Printed
from waterglass.shell.inline import judge_code
from waterglass.shell.posix import read_posix
from waterglass.shell.programs import judge
from waterglass.shell.verdict import CHECKS, FILTER, Verdict
from waterglass.shell.windows import read_windows
from waterglass.shell.wrappers import is_bare_shell, program_name, shell_text, unwrap

# "bash -c" in "ssh" in "docker exec": three levels are seen in real lines.
MAX_LEVELS = 4
# More pipelines than characters no text has.
MAX_PIPES = 100_000
MAX_TARGETS = 200

_CHECKED_FILE = re.compile(r"^[^\s@=]*(?:/[^\s]*|\.[A-Za-z]{1,6})$")
# An "&" that is neither "&&" nor part of "2>&1".
_JOB = re.compile(r"(?<![&<>|])&(?![&>])")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,6}$")
_NOWHERE = ("/dev/null", "nul", "$null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_TEMPORARY = ("/tmp/", "/private/tmp/", "/var/tmp/", "/var/folders/", "$TMPDIR", "${TMPDIR", "$env:TEMP")
_WRITERS = ("cat", "echo", "printf", "", "write-output", "write-host")
# Output that ends in these is text for the reader; in a variable or an argument it is not.
_PRINTS = (None, "echo", "printf", "for", "cat")
# A substitution in these only sets the stage: `export $(grep -v '^#' .env | xargs)`.
_PRINTERS = ("cat", "head", "tail", "sed", "awk", "bat", "nl", "jq", "less", "more", "get-content")
_SETTINGS = ("export", "source", "kill", "set", "declare", "local")
_CHANGES_FOLDER = ("cd", "pushd", "set-location", "sl", "chdir")


def judge_line(text: str, powershell: bool = False) -> LineFacts:
    """What the shell line `text` does. Never raises; only the first 20,000 characters are looked at."""
    # Short lines repeat (git status), long ones do not: 2,048 lines of 500 characters are 1 MB of memory at most.
    return _judge(text, powershell) if len(text) > 500 else _judge_short(text, powershell)


@lru_cache(maxsize=2048)
def _judge_short(text: str, powershell: bool) -> LineFacts:
    return _judge(text, powershell)


def _judge(text: str, powershell: bool) -> LineFacts:
    commands, drafts, step = _read_line(text, powershell)
    pipelines: dict[int, list[int]] = {}
    for position, command in enumerate(commands):
        pipelines.setdefault(command.pipe, []).append(position)
    line = _Line()
    for positions in pipelines.values():
        line.add([commands[position] for position in positions], [drafts[position] for position in positions])
    may_have_jobs = "&" in text and _JOB.search(text) is not None
    may_print = "$?" in text or "{?}" in text or "PIPESTATUS" in text
    return line.facts(step, _leaves_running(step, commands, may_have_jobs), may_print)


def read_shell(text: str, powershell: bool = False) -> tuple[SimpleCommand, ...]:
    """The simple commands of a shell line, in order, wrappers and `bash -c "..."` seen through. Never raises."""
    return tuple(_read_line(text, powershell)[0])


def _read_line(text: str, powershell: bool) -> tuple[list[SimpleCommand], list[Draft], Step]:
    commands: list[SimpleCommand] = []
    drafts: list[Draft] = []
    step = _read(text, "powershell" if powershell else "posix", None, commands, drafts)
    return commands, drafts, step


def _read(
    text: str,
    dialect: str,
    outer: SimpleCommand | None,
    found: list[SimpleCommand],
    drafts: list[Draft],
    level: int = 0,
    shell: tuple[int, ...] = (),
) -> Step:
    read, step = read_posix(text) if dialect == "posix" else read_windows(text, dialect)
    # Pipelines of different texts must not share a number; an inner line's last pipeline is the outer command's.
    base = (len(found) + 1) * (level > 0) * MAX_PIPES
    last = read[-1].pipe if read else 0
    for draft in read:
        if len(found) >= MAX_COMMANDS:
            break
        words, through = unwrap(draft.words)
        command = SimpleCommand(
            tuple(words),
            tuple(draft.reads),
            tuple(draft.writes),
            outer.pipe if outer and draft.pipe == last else base + draft.pipe,
            draft.piped or bool(outer and outer.piped),
            draft.heredoc,
            _inside(draft) or (outer.inside if outer else None),
            tuple(through),
        )
        draft.shell = (*shell, *draft.shell)
        draft.sure = not _may_not_run(draft.words, through)
        inner = shell_text(words) if words and level < MAX_LEVELS else None
        if inner is None and draft.heredoc and words and level < MAX_LEVELS and is_bare_shell(words):
            inner = draft.heredoc, "posix"
        if inner is not None and inner[0].strip():
            draft.sure = draft.sure and words[0] != "script"  # whose exit code is its own
            draft.words = words
            within = (*draft.shell, -len(found) - 1)
            draft.carried = _read(inner[0], inner[1], command, found, drafts, level + 1, within)
        else:
            draft.words = words
            found.append(command)
            drafts.append(draft)
    return step


def _may_not_run(words: list[str], through: list[str]) -> bool:
    """Whether a wrapper may exit 0 though what it runs has not run or not ended."""
    if not through:
        return False
    if "xargs" in through and any(word in ("-r", "--no-run-if-empty", "-0r", "-r0") for word in words[:6]):
        return True
    if "setsid" in through or "watch" in through or "entr" in through:
        return True
    return through[0] in ("docker", "podman", "docker-compose") and any(
        word in ("-d", "--detach", "-itd", "-dit", "-td", "-di") for word in words[:12]
    )


def _leaves_running(step: Step, commands: list[SimpleCommand], may_have_jobs: bool) -> bool:
    if any(map(_detaches, commands)):
        return True
    if not may_have_jobs:
        return False
    jobs, pending = 0, [step]
    while pending:
        current = pending.pop()
        jobs += current.kind == "job"
        pending.extend(current.parts)
        if current.draft is not None and current.draft.carried is not None:
            pending.append(current.draft.carried)
    # A "wait" at the end, or a "kill" of the job, leaves nothing behind.
    return jobs > 0 and not any(command.words[:1] in (("wait",), ("kill",)) for command in commands)


def _detaches(command: SimpleCommand) -> bool:
    if "setsid" in command.through:
        return True
    name = command.words[0] if command.words else ""
    return (name == "tmux" and "-d" in command.words) or (name == "screen" and "-dmS" in command.words[:3])


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
        self.targets: dict[str, list[bool]] = {}
        self.folders: dict[tuple[int, ...], str] = {}
        self.shell: tuple[int, ...] = ()
        self.written: dict[str, str] = {}
        self.checks: list[tuple[Draft, str, tuple[str, ...], tuple[str, ...]]] = []

    def facts(self, step: Step, background: bool, may_print: bool) -> LineFacts:
        """What was added so far, for the line whose outermost step is `step`."""
        targets = list(self.targets.items())[:MAX_TARGETS]
        flow = Flow(step) if self.checks or may_print else None
        printed = flow.printed if flow else []
        return LineFacts(
            tuple(sorted(self.acts)),
            tuple(sorted(self.kinds)),
            tuple(path for path, _ in targets),
            tuple(path for path, (changed, _) in targets if changed),
            tuple(path for path, (_, looked_at) in targets if looked_at),
            tuple(self._checks(step, printed)),
            background,
            bool(printed),
            printed[0].prefix if printed else None,
        )

    def _checks(self, step: Step, printed: list[Printed]) -> Iterator[Check]:
        steps: dict[int, Step] = {}
        pending = [step] if self.checks else []
        while pending:
            current = pending.pop()
            pending.extend(current.parts)
            if current.draft is not None:
                steps[id(current.draft)] = current
                if current.draft.carried is not None:
                    pending.append(current.draft.carried)
        prefixes = {id(proven.draft): one.prefix for one in reversed(printed) for proven in one.steps}
        for draft, name, words, kinds in self.checks:
            own = steps.get(id(draft)) or Step("run", [])  # in a substitution: its exit code goes nowhere
            prefix = prefixes.get(id(draft))
            yield Check(name, words, kinds, own.proven, own.fails, own.surely, prefix)

    def add(self, commands: list[SimpleCommand], drafts: list[Draft]) -> None:
        """Add one pipeline."""
        verdicts = [
            judge(draft.words, command.heredoc, command.reads) for command, draft in zip(commands, drafts, strict=True)
        ]
        shown_after = _shown_after(commands, verdicts)
        given = False
        for command, draft, verdict, shown, taken in zip(commands, drafts, verdicts, *shown_after, strict=True):
            if command.inside in _SETTINGS:
                continue
            self.shell = draft.shell
            self._change_folder(command)
            through_xargs = "xargs" in command.through
            if (
                verdict.acts == ("edit",)
                and program_name(command.words[0]) == "tee"
                and all(map(_is_log, verdict.files))
            ):
                verdict = FILTER
            if not verdict.acts and self.written:
                verdict = self._by_written(command) or verdict
            if verdict.acts:
                self._check(command, draft, verdict)
            if through_xargs and verdict.flow == "filter" and _prints_files(command):
                verdict = Verdict(("read",), (), "source")
            for act in verdict.acts:
                filters = verdict.flow == "grep" and command.piped and not through_xargs
                if act == "search" and filters and (taken or not given):
                    continue
                if act == "read" and not shown:
                    for path in verdict.files:
                        self._target(path, changed=False, looked_at=True)
                    continue
                self._note(act, verdict)
            if verdict.looked or command.reads:
                for path in (*verdict.looked, *command.reads):
                    self._target(path, changed=False, looked_at=True)
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
            if act == "edit" and CHECKS.intersection(verdict.acts):
                # A linter that mends: which files of a folder it changes is not known.
                files = [path for path in files if _ENDING.search(path)]
        for path in files:
            self._target(path, changed=act == "edit", looked_at=act in ("read", "search"))

    def _check(self, command: SimpleCommand, draft: Draft, verdict: Verdict) -> None:
        kinds = tuple(sorted(set(verdict.acts) & CHECKS))
        if kinds:
            draft.check = True
            draft.sure = draft.sure and (program_name(command.words[0]) != "find")
            self.checks.append((draft, program_name(command.words[0]), command.words, kinds))

    def _by_written(self, command: SimpleCommand) -> Verdict | None:
        """What a script checks that the line itself has just written."""
        for word in command.words[1:4]:
            if word in self.written:
                verdict = judge_code(self.written[word])
                return verdict if CHECKS.intersection(verdict.acts) else None
        return None

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
            if command.heredoc is not None:
                self.written[path] = command.heredoc

    def _change_folder(self, command: SimpleCommand) -> None:
        if len(command.words) > 1 and command.words[0].lower() in _CHANGES_FOLDER and command.inside is None:
            folder, path = self._folder(), command.words[1]
            if path == "-":
                path = ""
            self.folders[self.shell] = path if _absolute(path) or not folder else f"{folder}/{path}"

    def _folder(self) -> str:
        for length in range(len(self.shell), -1, -1):
            folder = self.folders.get(self.shell[:length])
            if folder is not None:
                return folder
        return ""

    def _target(self, path: str, changed: bool, looked_at: bool = False) -> None:
        if not path or path == "-" or len(path) > 1024 or any(char in path for char in "$*{}\n") or path.isdigit():
            return
        folder = self._folder()
        if folder and not _absolute(path):
            if "$" in folder:
                return
            path = f"{folder.rstrip('/')}/{path}"
        roles = self.targets.setdefault(path, [False, False])
        roles[0] = roles[0] or changed
        roles[1] = roles[1] or looked_at


def _prints_files(command: SimpleCommand) -> bool:
    return bool(command.words) and program_name(command.words[0]) in _PRINTERS


def _is_log(path: str) -> bool:
    return path.startswith(_TEMPORARY) or path.endswith((".log", ".out"))


def _absolute(path: str) -> bool:
    return path.startswith(("/", "~", "\\")) or path[1:2] == ":"
