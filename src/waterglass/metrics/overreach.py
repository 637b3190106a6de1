"""How many files were changed, and which of them lie outside the scope that was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from waterglass.metrics.actions import Action
from waterglass.metrics.files import is_outside, kind_of, outside_scope
from waterglass.metrics.result import Finding, Metric, counted
from waterglass.metrics.trace import Trace, shown

_NOT_THE_WORK = frozenset({"temporary", "own", "generated"})
_SHOWN = 20  # tasks in the detail


class _Changes(Struct):
    """Files changed so far: each with the last call that changed it."""

    files: dict[str, Action] = {}
    put_back: dict[str, Action] = {}  # perhaps: a call put files back and did not say which
    tasks: dict[str, set[int]] = {}  # the exchanges in which a file was changed, unless it was put back since


def measure(trace: Trace) -> Finding:
    """Count distinct changed files; value: files outside the scope, without a scope files per task."""
    changes = _changes(trace)
    per_task = Counter(index for indexes in changes.tasks.values() for index in sorted(indexes))
    detail: dict[str, object] = {
        "files": len(changes.files),
        "tasks": len(per_task),
        "filesPerTask": [
            {"exchange": trace.tasks[index].index, "files": n} for index, n in sorted(per_task.items())[:_SHOWN]
        ],
        "mostFilesInATask": max(per_task.values(), default=0),
        "scope": list(trace.settings.scope),
    }
    if not trace.settings.scope:
        value = round(sum(per_task.values()) / len(per_task), 2) if per_task else 0
        found = f"{counted(len(changes.files), 'file')} changed in {counted(len(per_task), 'task')}"
        words = f"{value:g} {'file' if value == 1 else 'files'} a task ({found}); no scope given"
        evidence = [shown(action, f"changed {path}") for path, action in changes.files.items()]
        return Finding("ok", value, words, detail, ["no scope given: nothing is out of it"], evidence)
    return _by_scope(trace, changes, detail)


def _by_scope(trace: Trace, changes: _Changes, detail: dict[str, object]) -> Finding:
    is_out = outside_scope(trace.settings.scope, trace.root)
    out = {path: action for path, action in changes.files.items() if is_out(path)}
    maybe = {path: action for path, action in changes.put_back.items() if path not in changes.files and is_out(path)}
    nowhere = [path for path in out if trace.root is None and is_outside(path)]
    detail["outside"] = list(out)[:100]
    evidence = [shown(action, f"changed {path}, outside the scope") for path, action in out.items()]
    notes = [f"{counted(len(maybe), 'file')} outside the scope may have been put back by git"] if maybe else []
    if nowhere:
        note = "no record says in which folder the session ran: paths cannot be held against the scope"
        return Finding("unknown", None, "cannot be told", detail, [note], evidence)
    if out:
        words = f"{counted(len(out), 'file')} outside the scope changed, of {len(changes.files)}"
        return Finding("alert", len(out), words, detail, notes, evidence)
    if maybe:
        words = f"{counted(len(maybe), 'file')} outside the scope changed, and perhaps put back"
        return Finding("unknown", None, words, detail, notes, [shown(a, f"changed {p}") for p, a in maybe.items()])
    words = f"{counted(len(changes.files), 'file')} changed, none outside the scope"
    return Finding("ok", 0, words, detail, notes, [])


def _changes(trace: Trace) -> _Changes:
    changes = _Changes({}, {}, {})
    for action in trace.actions:
        for path in _work(trace, action):
            changes.files[path] = action
            changes.put_back.pop(path, None)
            changes.tasks.setdefault(path, set()).add(action.exchange)
        for path in action.undone:
            changes.files.pop(path, None)
            changes.tasks.pop(path, None)
        if action.undoes_all:
            changes.put_back.update(changes.files)
            changes.files.clear()
    return changes


def _work(trace: Trace, action: Action) -> Iterator[str]:
    """Yield the files of the work that a call changed or deleted."""
    paths = (*action.changed, *action.removed) if action.edits or action.formats else ()
    for path in (*paths, *action.touched):
        own = kind_of(path) in _NOT_THE_WORK or trace.is_state(path)
        if not own and path not in trace.transient:
            yield path


METRIC = Metric(
    "overreach",
    "Files changed beyond the scope",
    "Distinct files changed from prompt to prompt and in the whole session; with a scope (patterns by the rules of a "
    ".gitignore) those outside it. Temporary and generated files and the agent's plans and memory do not count.",
    "files",
    "lower",
    measure,
)
