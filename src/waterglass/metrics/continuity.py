"""Was a file that says where the work stands read before the first edit?"""

from __future__ import annotations

import re

from waterglass.metrics.actions import Action, server_and_name
from waterglass.metrics.files import is_generated, is_loaded, is_outside, kind_of, project_path
from waterglass.metrics.result import Evidence, Finding, Metric
from waterglass.metrics.trace import Trace, shown
from waterglass.model import Event

# Edits by these need a file that is there; a write may make it.
_MENDS = frozenset({"edit", "multiedit", "str_replace_editor", "replace_string_in_file", "edit_file", "search_replace"})
_ATTACHED = frozenset({"nested_memory", "memory", "claude_md", "relevant_memories"})
_NAMED = re.compile(
    r"\b(?:read|see|check|follow|consult|review|open|look at|continue from|resume from|start from|pick up from|"
    r"according to|as described in)\s+(?:[\w'-]+\s+){0,3}[`'\"(]?@?([\w./-]{3,120})",
    re.IGNORECASE,
)
_PATH = re.compile(r"[\w./~-]{3,200}")
_LISTING_READ = 100_000  # characters of one listing
_MENTIONED = re.compile(r"(?:^|\s)@([\w./-]{3,200})")
_CONTENTS = re.compile(r"Contents of ([^\n]{1,300}?)(?: \(|:\n|$)", re.MULTILINE)


def measure(trace: Trace) -> Finding:
    """Value: 1 if a state file was read before the first edit, 0 if one is in evidence and was not."""
    first = next((a for a in trace.actions if a.edits and _is_work(trace, a)), None)
    if first is None:
        return Finding("na", None, "no edits")
    read = _read_before(trace, first)
    if read is not None:
        return Finding("ok", 1, "a state file was read before the first edit", {"read": read[0]}, [], [read[1]])
    loaded = _loaded_before(trace, first)
    if loaded is not None:
        words = "a state file was loaded at the start"
        return Finding("ok", 1, words, {"read": loaded[0]}, [], [loaded[1]])
    found = _in_evidence(trace, first)
    if found is None:
        return Finding("na", None, "no state file in evidence")
    path, evidence = found
    if is_loaded(path):
        note = f"{path}: Claude Code loads it at the start by itself and writes no record of it"
        return Finding("ok", 1, "a state file was loaded at the start", {"read": path}, [note], [evidence])
    words = f"{path} is there and was not read before the first edit"
    return Finding("warn", 0, words, {"notRead": path}, [], [shown(first, "first edit"), evidence])


def _is_work(trace: Trace, action: Action) -> bool:
    """Whether an edit is one of the work: of a known file that is no plan, memory or temporary file."""
    paths = (*action.changed, *action.removed)
    return any(kind_of(path) not in ("own", "temporary") and not trace.is_state(path) for path in paths)


def _states(trace: Trace, action: Action) -> list[str]:
    """State files that a call looked at."""
    if action.row.outcome != "ok":
        return []
    cwd = action.row.tool.cwd
    paths = (project_path(target, cwd, trace.root) for target in action.looked_at if trace.is_state(target))
    return [path for path in paths if not is_generated(path)]


def _read_before(trace: Trace, first: Action) -> tuple[str, Evidence] | None:
    for action in trace.actions:
        if action.order >= first.order:
            return None
        for path in _states(trace, action):
            return path, shown(action, f"read {path}")
    return None


def _loaded_before(trace: Trace, first: Action) -> tuple[str, Evidence] | None:
    """A state file that the program put into the context, as far as records say so."""
    for event in trace.view.linked.events[: first.order]:
        if event.kind == "attachment" and event.detail_of("name") in _ATTACHED:
            return "memory", _event(event, "the program put a memory file into the context")
        if event.type == "user" and event.text:
            text = event.text
            names = _MENTIONED.findall(text) if event.kind == "prompt" else ()
            names = names or (_CONTENTS.findall(text) if event.kind in ("reminder", "meta") else ())
            for name in names:
                if trace.is_state(name):
                    return name, _event(event, f"the program put {name} into the context")
    return None


def _in_evidence(trace: Trace, first: Action) -> tuple[str, Evidence] | None:
    """A state file that was there at the first edit: read or mended later, and not made by the session itself."""
    made: set[str] = set()
    for action in trace.actions:
        if action.order > first.order:
            for path in _states(trace, action):
                if path not in made:
                    return path, shown(action, f"read {path} only here")
        for path in action.changed:
            if trace.is_state(path) and not is_generated(path):
                mends = action.edits and server_and_name(action.row.tool.name)[1] in _MENDS
                if mends and path not in made:
                    return path, shown(action, f"changed {path}, which was there before")
                made.add(path)
    return _listed(trace, first) or _named(trace, first, made)


def _listed(trace: Trace, first: Action) -> tuple[str, Evidence] | None:
    """A state file that a list of the project's files shows before the first edit, near the root."""
    for action in trace.actions:
        if action.order >= first.order:
            return None
        output = trace.judged.listings.get(action.row.id)
        cwd = action.row.tool.cwd
        if output is None or any(is_outside(project_path(path, cwd, trace.root)) for path in action.facts.targets):
            continue
        for word in _PATH.findall(output[:_LISTING_READ]):
            path = project_path(word, None, trace.root).removeprefix("./")
            near = path.count("/") <= 1 and "." in path.rpartition("/")[2] and not is_outside(path)
            if near and trace.is_state(path) and not is_generated(path):
                return path, shown(action, f"a list of files shows {path}")
    return None


def _named(trace: Trace, first: Action, made: set[str]) -> tuple[str, Evidence] | None:
    """A state file that a person told the agent to read."""
    missed = {
        project_path(t, a.row.tool.cwd, trace.root)
        for a in trace.actions
        if a.row.outcome != "ok"
        for t in a.facts.targets
    }
    for _, event in trace.view.linked.index.marks:
        if event.kind == "prompt" and event.type == "user" and event.agent_id is None and event.text:
            for name in _NAMED.findall(event.text):
                path = name.rstrip(".")
                if trace.is_state(path) and path not in made and path not in missed:
                    return path, _event(event, f"a prompt says to read {path}")
        if event.kind == "prompt":
            break  # the first prompt alone: later ones may speak of files that came to be meanwhile
    return None


def _event(event: Event, why: str) -> Evidence:
    return Evidence(event.id, None, None, why)


METRIC = Metric(
    "continuity",
    "State read before editing",
    "Whether a state file (progress, status, to-do, feature list, CLAUDE.md, AGENTS.md, memory) was read before the "
    "first edit: by a tool, by the shell, or loaded by the program.",
    "read",
    "higher",
    measure,
)
