"""What a tool call does: its category, acts, files, command and label, from its name and its input alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from waterglass.classify.kept import kept_arguments
from waterglass.classify.labels import label_of
from waterglass.classify.table import Tool, tool_named
from waterglass.classify.targets import relative_path, targets_of

if TYPE_CHECKING:  # the grammar of shells is imported when the first line is judged
    from waterglass.shell import LineFacts

__all__ = [
    "CATEGORIES",
    "CallFacts",
    "KnownCall",
    "classify",
    "classify_call",
    "kept_arguments",
    "label",
    "starts_agent",
]

CATEGORIES = ("search", "semantic", "edit", "verify", "read", "other", "unknown")
# Of a shell line that does several things: the one that weighs most for whoever reads the waterfall.
_MAIN_ACT = ("verify", "edit", "search", "read")
_NO_INPUT: Mapping[object, object] = {}


class CallFacts(msgspec.Struct, frozen=True):
    """What one tool call does."""

    category: str
    """The main act: search, semantic, edit, verify, read or other; unknown when the tool is not known."""
    acts: tuple[str, ...]
    """All acts, sorted; `("other",)` when it is none of the named ones, `("unknown",)` when the tool is not known."""
    targets: tuple[str, ...]
    """Files it names: POSIX paths, relative to the working directory when inside it."""
    command: str | None
    """The whole shell command; None for other tools."""
    label: str
    """The tool and its main argument, one line, at most 200 characters."""
    verify_kinds: tuple[str, ...]
    """Sorted, of build, lint, syntax, test, typecheck; empty when it checks nothing."""
    spawns: bool
    """It starts a sub-agent."""
    background: bool
    """Its input asks to run in the background."""


class KnownCall(msgspec.Struct, frozen=True):
    """What one tool call does, with the whole of the line where it ran one in a shell."""

    facts: CallFacts
    line: LineFacts | None


def classify(name: str, tool_input: Mapping[str, object] | object, cwd: str | None) -> CallFacts:
    """The facts of the call of tool `name` with `tool_input`, made in folder `cwd`. Pure; never raises.

    `tool_input` is normally a mapping; a string or anything else, as third-party models write it, is taken as no
    arguments. `cwd` may be None: then paths stay as they are.
    """
    return _classify(name, tool_input, cwd, level=0).facts


def classify_call(name: str, tool_input: object, cwd: str | None) -> KnownCall:
    """The facts of a call as `classify` has them, and those of the whole line where it ran one in a shell."""
    return _classify(name, tool_input, cwd, level=0)


def label(name: str, tool_input: object, cwd: str | None) -> str:
    """The `label` of `classify` alone, without working out what a shell line does."""
    arguments: Mapping[object, object] = tool_input if isinstance(tool_input, Mapping) else _NO_INPUT
    return label_of(tool_named(name), arguments, cwd)


def starts_agent(name: str) -> bool:
    """Return whether a call of tool `name` starts a sub-agent."""
    return tool_named(name).spawns


def _classify(name: str, tool_input: object, cwd: str | None, level: int) -> KnownCall:
    tool = tool_named(name)
    arguments: Mapping[object, object] = tool_input if isinstance(tool_input, Mapping) else _NO_INPUT
    label = label_of(tool, arguments, cwd)
    background = arguments.get("run_in_background") in (True, "true")
    if tool.category == "shell":
        return _shell_call(tool, arguments, cwd, label, background)
    targets = targets_of(arguments, cwd)
    if tool.category == "batch":
        acts = _batch_acts(arguments, cwd, level)
        return KnownCall(CallFacts(_main(acts), acts, targets, None, label, (), tool.spawns, background), None)
    facts = CallFacts(tool.category, (tool.category,), targets, None, label, (), tool.spawns, background)
    return KnownCall(facts, None)


def _shell_call(
    tool: Tool, arguments: Mapping[object, object], cwd: str | None, label: str, background: bool
) -> KnownCall:
    command = arguments.get("command")
    if isinstance(command, list | tuple):
        command = " ".join(word for word in command if isinstance(word, str))
    if not isinstance(command, str):
        return KnownCall(CallFacts("other", ("other",), (), None, label, (), tool.spawns, background), None)
    from waterglass.shell import judge_line  # late: a summary asks for the acts of no call

    line = judge_line(command, tool.powershell)
    targets = dict.fromkeys(target for path in line.targets if (target := relative_path(path, cwd)) is not None)
    acts = line.acts or ("other",)
    facts = CallFacts(_main(acts), acts, tuple(targets), command, label, line.verify_kinds, tool.spawns, background)
    return KnownCall(facts, line)


def _batch_acts(arguments: Mapping[object, object], cwd: str | None, level: int) -> tuple[str, ...]:
    acts: set[str] = set()
    calls = arguments.get("invocations")
    # A batch in a batch is not real; one level keeps hostile nesting flat.
    for call in calls[:100] if isinstance(calls, list | tuple) and level == 0 else ():
        if isinstance(call, Mapping) and isinstance(call.get("tool_name"), str):
            acts.update(_classify(call["tool_name"], call.get("input"), cwd, level + 1).facts.acts)
    named = acts - {"other", "unknown"}
    return tuple(sorted(named)) or ("other",)


def _main(acts: tuple[str, ...]) -> str:
    return next((act for act in (*_MAIN_ACT, "semantic") if act in acts), "other")
