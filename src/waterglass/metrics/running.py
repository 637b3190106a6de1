"""What ran that may have been a check, though it is not known as one: a script, the program, what a person ran."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from waterglass.classify.table import OTHER_SERVERS
from waterglass.metrics.actions import Action, commands_of, server_and_name
from waterglass.metrics.table import is_command, table
from waterglass.shell import SimpleCommand
from waterglass.shell.table import programs
from waterglass.shell.wrappers import program_name

# An address of this machine: what answers there is most likely the program that was changed.
_HERE = re.compile(
    r"(?:^|//|@)(?:localhost|127\.0\.0\.\d{1,3}|0\.0\.0\.0|\[::1\]|[\w-]{1,60}\.(?:local|localhost|test|internal))"
    r"(?:[:/?]|$)|^:\d{2,5}(?:/|$)",
    re.IGNORECASE,
)
# A prompt is read at both ends: output is pasted in front of the question or behind it.
_READ = 4_000

# A wish is no report.
_WISHED = re.compile(
    r"\b(?:make sure|ensure|so that|verify|until|how (?:it|this|that|the))\b[^.\n!?]{0,200}", re.IGNORECASE
)


@cache
def _reports() -> re.Pattern[str]:
    return re.compile("|".join(table().reports), re.IGNORECASE | re.MULTILINE)


def reports_run(prompt: str) -> bool:
    """Whether a prompt tells of a run of the program or of its tests: it holds what one printed, or says how it went.

    Says nothing of how the run went.
    """
    if len(prompt) > 2 * _READ:
        prompt = f"{prompt[:_READ]}\n{prompt[-_READ:]}"
    return _reports().search(_WISHED.sub(" ", prompt.replace("’", "'"))) is not None


def may_check(action: Action) -> bool:
    """Whether a call ran something that may be a check, though nobody can tell from outside: a script of unknown
    content."""
    ran = action.row.outcome not in ("error", "rejected", "blocked")
    return ran and not action.checks and runs_unknown(action)


def runs_unknown(action: Action) -> bool:
    """Whether a shell line runs a program of which nobody can tell from outside what it does."""
    if action.facts.command is None:
        return False
    commands = commands_of(action)
    if not commands:
        return "edit" not in action.facts.acts
    known = table().commands
    for command in commands:
        if not command.words or command.inside is not None:
            continue
        name = program_name(command.words[0])
        if command.words[0] in ("source", ".") and any(word.endswith(".sh") for word in command.words[1:2]):
            return True
        if command.words[0].startswith(("./", "../")) or name.endswith((".sh", ".py", ".js", ".mjs", ".ts", ".rb")):
            return True
        if is_command(command.words, name, known["builds"]):
            return True
        if is_command(command.words, name, known["harmless"]):
            continue
        from_input = name in known["opaque"] and command.words[1:] in ((), ("-",))  # the program itself is piped in
        if command.piped and name in programs().filters and not from_input:
            continue  # it only shows another's output
        if is_command(command.words, name, known["opaque"]) or not (name in known["known"] or is_known(name)):
            return True
    return False


def is_known(program: str) -> bool:
    """Whether the shell's tables say what a program does; of others nobody knows whether they check."""
    known = programs()
    return program in known.alone or program in known.filters or program in known.word_heads


def looked_at_program(actions: Iterable[Action]) -> Action | None:
    """Return the call of `actions` (in the order of time) that shows the program at work, None where none does.

    It is a request to an address of this machine, a step in a browser or simulator, a server's tool that builds, runs
    or lists errors, the output of a server that ran for a while or in the background, or the log of a service that
    a call before it started.
    """
    started = False
    for action in actions:
        if action.checks or not _went_well(action):
            continue
        if action.facts.command is None:
            if _is_look(action):
                return action
            continue
        for command in commands_of(action):
            if _asks(command) or (started and _is(command, "shows_log")) or _is_tried(command):
                return action
            started = started or _is(command, "starts")
    return None


def _went_well(action: Action) -> bool:
    """Whether a call did what it was to do. That a timeout stopped a server is an error for the shell alone."""
    if action.row.outcome == "error":
        return any(map(_is_tried, commands_of(action)))
    return action.row.outcome in ("ok", "running")


def _is_look(action: Action) -> bool:
    server, name = server_and_name(action.row.tool.name)
    known = table()
    if not server:
        return name in known.output_tools
    if known.browsers.search(server.lower()):
        return "install" not in name
    if server.lower() in OTHER_SERVERS:
        return False
    # What a tool with a telling name did is not known: a build, a test, a list of errors.
    return action.facts.category in ("other", "unknown", "semantic") and known.run_names.search(name) is not None


def _asks(command: SimpleCommand) -> bool:
    return _is(command, "requests") and any(_HERE.search(word) for word in command.words[1:])


def _is_tried(command: SimpleCommand) -> bool:
    """Whether a server was run for a while (`timeout 9 npm start`): what it printed is the call's output."""
    return "timeout" in command.through and _is(command, "serves")


def _is(command: SimpleCommand, kind: str) -> bool:
    words = command.words
    return bool(words) and is_command(words, program_name(words[0]), table().commands[kind])
