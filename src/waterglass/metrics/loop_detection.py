"""The same call with the same result, again and again, with nothing in between that could change it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from waterglass.metrics.actions import Action, commands_of, server_and_name
from waterglass.metrics.files import is_outside, kind_of, project_path
from waterglass.metrics.result import Finding, Metric, counted
from waterglass.metrics.running import runs_unknown
from waterglass.metrics.table import is_command, table
from waterglass.metrics.trace import Trace, shown
from waterglass.shell.wrappers import program_name

Key = tuple[object, ...]
Groups = dict[Key | None, list[Action]]
Place = tuple[str | None, str]  # the thread, and the server of its tools

_SHOWN = 20  # repeats and files in the detail
_MORE_TOLD = frozenset({"reminder", "compact_summary"})  # kinds of marks that are not a new word to the agent …
_EMPTIES = frozenset({"compaction", "microcompaction", "compact_summary"})  # … but these let it forget what it saw
_GROWS = re.compile(r"\.(?:log|out|output|txt|err|pid|jsonl)$|/tasks/|/logs?/", re.IGNORECASE)


def measure(trace: Trace) -> Finding:
    """Value: how many loops there are, each a call that was made `threshold` times or more."""
    actions = trace.actions
    detail = _detail(actions)
    if actions and not any(a.row.result is not None for a in actions):
        return Finding("unknown", None, "cannot be told", detail, ["no results were kept"])
    threshold = max(2, trace.settings.threshold)
    candidates = [group for group in _groups(trace) if len(group) >= threshold]
    first = min((group[0].order for group in candidates), default=0)
    last = max((group[-1].order for group in candidates), default=-1)
    repeated = {id(action) for group in candidates for action in group}
    resets = _reset_orders([action for action in actions if first < action.order < last], repeated)
    waiting = _Waiting(actions)
    loops: list[list[Action]] = []
    polls = asked = 0
    for candidate in candidates:
        for group in _split(candidate, resets):
            if len(group) >= threshold:
                if trace.tasks[group[0].exchange].repeats:
                    asked += 1
                elif _polls(trace, group, waiting):
                    polls += 1
                else:
                    loops.append(group)
    loops.sort(key=lambda group: group[0].order)
    detail["polling"] = polls
    notes = (
        [f"{counted(polls, 'repeated question', 'repeated questions')} about a running job: no loop"] if polls else []
    )
    if asked:
        notes.append("a prompt asks for something several times: what was repeated then is no loop")
    if not loops:
        return Finding("ok", 0, f"no call made {threshold} times or more with the same result", detail, notes)
    evidence = [shown(a, f"call {n} of {len(g)} with the same result") for g in loops for n, a in enumerate(g, 1)]
    longest = max(loops, key=len)
    words = f"{counted(len(loops), 'call')} repeated with the same result, the longest {len(longest)} times: "
    return Finding("alert", len(loops), words + longest[0].facts.label[:120], detail, notes, evidence)


def _groups(trace: Trace) -> Iterator[list[Action]]:
    """Yield the calls that are the same and have the same result, with no edit and no new prompt between."""
    open_groups: dict[Place, Groups] = {}
    resets = _told(trace)
    at = 0
    for action in trace.actions:
        while at < len(resets) and resets[at][0] < action.order:
            _, everything, thread = resets[at]
            at += 1
            if everything:
                yield from _closed(open_groups)
            else:
                for place in [place for place in open_groups if place[0] == thread]:
                    yield from open_groups.pop(place).values()
        key = _key(action)
        place = (action.thread, server_and_name(action.row.tool.name)[0])
        if action.may_edit:
            # A line that fails each time it tries to edit is still the same line.
            same = open_groups.get(place, {}).pop(key, None) if action.row.outcome == "error" else None
            yield from _closed(open_groups)
            if same is not None:
                open_groups[place] = {key: same}
        if key is None:
            continue
        groups = open_groups.setdefault(place, {})
        if place[1] and action.facts.category in ("other", "unknown"):
            # What another call to the same server changed (a click, a form) is not known.
            for other in [k for k in groups if k != key]:
                yield groups.pop(other)
        groups.setdefault(key, []).append(action)
    yield from _closed(open_groups)


def _closed(open_groups: dict[Place, Groups]) -> Iterator[list[Action]]:
    for groups in open_groups.values():
        yield from groups.values()
    open_groups.clear()


def _told(trace: Trace) -> list[tuple[int, bool, str | None]]:
    """Where the agent was told something new or forgot what it saw: order, whether for all threads, thread."""
    found: list[tuple[int, bool, str | None]] = []
    for order, event in trace.view.linked.index.marks:
        if event.kind in _EMPTIES:
            found.append((order, False, event.agent_id))
        elif event.kind == "prompt" and event.agent_id is None:
            found.append((order, True, None))
        elif (event.type == "user" and event.kind not in _MORE_TOLD) or event.kind in ("queued", "notification"):
            found.append((order, event.kind == "queued", event.agent_id))
    return found


def _key(action: Action) -> Key | None:
    """What makes two calls the same, None for one that is never a part of a loop."""
    row, known = action.row, table()
    result = row.result.result if row.result is not None else None
    if result is None or row.background or row.outcome not in ("ok", "error") or result.images or row.facts.spawns:
        return None
    server, name = server_and_name(row.tool.name)
    if server and known.poll_words.search(name):
        return None
    if name in known.poll_tools or name in known.asking_tools or row.tool.name == "?":
        return None
    return (row.tool.name, row.tool.digest, result.digest, row.outcome)


def _reset_orders(actions: list[Action], repeated: set[int]) -> list[int]:
    """Orders of the shell lines that change what other calls find, though they edit no file; a program of unknown work
    may do so too, unless it is one of the `repeated` calls itself."""
    programs = _telling()
    found: list[int] = []
    for action in actions:
        command = action.facts.command
        if command is None:
            continue
        unknown = "other" in action.facts.acts and id(action) not in repeated and runs_unknown(action)
        if unknown or (
            programs.search(command) and any(_is_reset(words) for c in commands_of(action) if (words := c.words))
        ):
            found.append(action.order)
    return found


def _is_reset(words: tuple[str, ...]) -> bool:
    return is_command(words, program_name(words[0]), table().commands["resets"])


@cache
def _telling() -> re.Pattern[str]:
    """What a line has that may be one of the commands: few lines need a second reading."""
    entries = []
    for program, words in table().commands["resets"].items():
        further = "|".join(re.escape(word) for entry in words for word in entry)
        entries.append(re.escape(program) + (rf"\b[^;&|\n]{{0,200}}?[ \t](?:{further})\b" if further else r"\b"))
    return re.compile(rf"\b(?:{'|'.join(entries)})")


def _split(group: list[Action], resets: list[int]) -> list[list[Action]]:
    parts = [[group[0]]]
    for before, action in pairwise(group):
        between = bisect_right(resets, action.order - 1) > bisect_right(resets, before.order)
        if between:
            parts.append([])
        parts[-1].append(action)
    return parts


class _Waiting:
    """The calls in the background: their orders, and up to each the latest end."""

    def __init__(self, actions: list[Action]) -> None:
        self.orders: list[int] = []
        self.ends: list[float] = []
        for action in actions:
            if action.row.background:
                end = action.row.end_ms if action.row.end_ms is not None else float("inf")
                self.orders.append(action.order)
                self.ends.append(max(end, self.ends[-1] if self.ends else end))

    def during(self, group: list[Action]) -> bool:
        """Whether a job was still running at the first of these calls, or was started before the last."""
        before = bisect_right(self.orders, group[-1].order)
        start = group[0].row.start_ms
        return before > 0 and (start is None or self.ends[before - 1] > start)


def _polls(trace: Trace, group: list[Action], waiting: _Waiting) -> bool:
    """Whether a repeated call asks how far something is that runs elsewhere."""
    action = group[0]
    known = table().commands["polls"]
    targets = [project_path(path, action.row.tool.cwd, trace.root) for path in action.facts.targets]
    grows = any(_GROWS.search(path) or kind_of(path) == "temporary" for path in targets)
    if action.facts.command is not None:
        commands = commands_of(action)
        if not commands or any(c.words and is_command(c.words, program_name(c.words[0]), known) for c in commands):
            return True
    elif not any(is_outside(path) for path in targets) and not grows:
        return False
    return (grows and "verify" not in action.facts.acts) or waiting.during(group)


def _detail(actions: list[Action]) -> dict[str, object]:
    same: dict[Key, list[Action]] = {}
    files: Counter[str] = Counter()
    poll_tools = table().poll_tools
    for action in actions:
        if server_and_name(action.row.tool.name)[1] not in poll_tools:
            same.setdefault((action.row.tool.name, action.row.tool.digest), []).append(action)
        for path in action.changed:
            files[path] += 1
    repeats = sorted((group for group in same.values() if len(group) > 1), key=len, reverse=True)
    return {
        "repeatedCalls": sum(len(group) - 1 for group in repeats),
        "mostRepeated": [{"label": g[0].facts.label, "count": len(g), "rowId": g[0].row.id} for g in repeats[:_SHOWN]],
        "editsPerFile": [{"path": path, "edits": n} for path, n in files.most_common(_SHOWN)],
    }


METRIC = Metric(
    "loopDetection",
    "Loops",
    "The same call with the same input and the same result, several times in one thread, with no edit, no new prompt "
    "and nothing forgotten between. Asking how far a job is counts as no loop.",
    "loops",
    "lower",
    measure,
)
