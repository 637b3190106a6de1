"""A session as the metrics see it: its calls in the order of time, cut at the prompts, with each closing text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

from waterglass.metrics.actions import Action, action_of, commands_of, server_and_name
from waterglass.metrics.files import is_outside, kind_below, project_path, state_matcher
from waterglass.metrics.result import Evidence
from waterglass.metrics.running import reports_run
from waterglass.metrics.settings import Settings
from waterglass.metrics.table import is_command, table
from waterglass.metrics.wishes import wants_checks, wants_no_checks, wants_repeats
from waterglass.model import Event
from waterglass.replies import Reply
from waterglass.schema.names import CUT_SHORT, ENDED_BY_ITSELF
from waterglass.shell import judge_line
from waterglass.shell.wrappers import program_name
from waterglass.usage import reply_key
from waterglass.view import View

MOST_LISTINGS = 20
_REDIRECTED = re.compile(r"\d?>&\d|&>")
_HOOKS = (".husky", ".pre-commit-config", "lefthook.y", ".githooks", "lint-staged", ".git/hooks")
_COMMITS = re.compile(r"\bgit (?:commit|push)\b")
_CODE_OF_TASK = re.compile(r"\bexit code (\d{1,10})\b")


class Judged(Struct, frozen=True):
    """What was read in the bodies that `needs` names."""

    checks: Mapping[str, str] = {}
    """By row id: `pass`, `fail` or `unknown`. A check that is not named is unknown."""
    claims: Mapping[str, tuple[str, str | None]] = {}
    """By reply id: `done`, `partial`, `none` or `unknown`, and the sentence that says so."""
    listings: Mapping[str, str] = {}
    """By row id: the whole output of a call that says which files there are. What is missing is not known."""


class Needs(Struct, frozen=True):
    """What must be read before the session can be judged."""

    outputs: tuple[str, ...]
    """Ids of rows whose whole output tells whether a check passed."""
    texts: tuple[str, ...]
    """Ids of the replies that close an exchange in which files were changed."""
    listings: tuple[str, ...]
    """Ids of rows whose whole output says which files there were before the first edit."""


class Task(Struct):
    """One exchange: a prompt and what followed it, in the order of time."""

    index: int  # in the payload's exchanges
    prompt: str | None  # None for what came before any
    actions: list[Action]
    order: int = 0  # of the prompt
    close: Reply | None = None  # the text that the agent ended with, None where it did not end by itself

    @property
    def repeats(self) -> bool:
        """Whether a person asked for the same thing several times."""
        return self.prompt is not None and wants_repeats(self.prompt)


class Trace(Struct, dict=True):
    """The calls of all threads with what they did. Made once by `read_trace`; every metric reads it."""

    view: View
    settings: Settings
    root: str | None
    actions: list[Action]
    tasks: list[Task]
    judged: Judged = Judged()

    @cached_property
    def is_state(self) -> Callable[[str], bool]:
        """Whether a path is a state file of this project."""
        return state_matcher(self.settings.state_files)

    @cached_property
    def unchecked_tasks(self) -> frozenset[int]:
        """Indexes of the exchanges for which a person asked for no checks, and of those after them up to a wish for
        checks."""
        found: list[int] = []
        asked_none = False
        for at, task in enumerate(self.tasks):
            if task.prompt is not None:
                asked_none = wants_no_checks(task.prompt) or (asked_none and not wants_checks(task.prompt))
            if asked_none:
                found.append(at)
        return frozenset(found)

    @cached_property
    def transient(self) -> frozenset[str]:
        """Files that the session made itself and deleted again: no change of the project."""
        deleted = {path for action in self.actions for path in action.removed}
        names = {path.rpartition("/")[2] for path in deleted}
        made: set[str] = set()
        known: set[str] = set()  # named by any call before it was written
        gone: set[str] = set()
        for action in self.actions:
            for path in deleted.intersection((*action.changed, *action.touched)):
                gone.discard(path)
                if path not in known:
                    made.add(path)
            gone.update(path for path in action.removed if path in made)
            for target in action.facts.targets:
                if target.rpartition("/")[2] in names:
                    known.add(project_path(target, action.row.tool.cwd, self.root))
        return frozenset(gone)

    @cached_property
    def ran_checks(self) -> list[Action]:
        """The checks that were started, whatever came of them."""
        return [a for a in self.actions if a.checks and a.row.outcome not in ("rejected", "blocked")]

    @cached_property
    def passed_checks(self) -> list[Action]:
        """The checks that passed, in the order of time."""
        return [action for action in self.ran_checks if self.verdict(action) == "pass"]

    @cached_property
    def _covered_kinds(self) -> frozenset[str]:
        return frozenset({"code", "markup"} if self.ran_checks else {"code"})

    def covered(self, action: Action) -> list[str]:
        """Files changed by a call that a check could cover: code, and mark-up of a session that ran checks at all.

        A deletion alone is none, nor is a change of comments.
        """
        if not action.edits or action.formats or action.comments:
            return []
        shell = action.facts.command is not None  # a copy to somewhere else changes nothing in the project
        return [
            path
            for path in action.changed
            if kind_below(self.root, path) in self._covered_kinds
            and path not in self.transient
            and not (shell and self.root is not None and is_outside(path))
        ]

    @cached_property
    def runs_by_person(self) -> list[int]:
        """Orders of the prompts that tell of a run of the program or of its tests."""
        return [task.order for task in self.tasks if task.prompt is not None and reports_run(task.prompt)]

    def verdict(self, action: Action) -> str:
        """Return what came of a check: `pass`, `fail`, `unknown`, or `refused` where it was not let run."""
        row = action.row
        if row.outcome in ("rejected", "blocked"):
            return "refused"
        known = self.judged.checks.get(row.id)
        if known is not None and known != "unknown":
            return known
        if row.background:
            return _in_background(action)
        if action.own_check:
            return _by_outcome(action)
        return "unknown"

    @cached_property
    def checks_by_person(self) -> list[tuple[int, Evidence]]:
        """Shell lines that a person typed and that check, with their orders; what came of them is not looked at."""
        found: list[tuple[int, Evidence]] = []
        for order, event in self.view.linked.index.marks:
            if event.kind == "shell" and event.agent_id is None:
                line = str(event.detail_of("label") or "")
                if "verify" in judge_line(line).acts:
                    found.append((order, Evidence(event.id, None, None, "a person ran a check")))
        return found

    @cached_property
    def checks_by_hook(self) -> list[tuple[int, Evidence]]:
        """Hooks of the program whose commands check, with their orders; what came of them is not written."""
        found: list[tuple[int, Evidence]] = []
        known: dict[str, bool] = {}
        for order, event in self.view.linked.index.hooks:
            for command in event.detail_of("commands"):
                if command not in known:
                    known[command] = "verify" in judge_line(command).acts
                if known[command]:
                    found.append((order, Evidence(event.id, None, None, "a hook ran a check")))
                    break
        return found

    def end_of(self, exchange: int) -> int:
        """Return the order of the prompt that ends an exchange, one beyond all for the last."""
        return self.tasks[exchange + 1].order if exchange + 1 < len(self.tasks) else len(self.view.linked.events)

    @cached_property
    def has_hooks(self) -> bool:
        """Whether the project has git hooks, as far as the session shows: a hook's file, or a commit that failed."""
        for action in self.actions:
            command = action.facts.command
            if any(sign in target for target in action.facts.targets for sign in _HOOKS):
                return True
            if command is not None and action.row.outcome == "error" and _COMMITS.search(command):
                return True
        return False

    @cached_property
    def unseen_agents(self) -> list[Action]:
        """Calls that started a sub-agent whose own calls are in no file."""
        seen = {agent.id for agent in self.view.linked.agents if not agent.missing}
        ran = ("ok", "error", "interrupted", "no_result", "running")
        return [
            a for a in self.actions
            if a.facts.spawns and a.row.starts_agent_id not in seen and a.row.outcome in ran
        ]  # fmt: skip

    def text_event(self, reply: Reply) -> Event | None:
        """Return the event of a reply's last text."""
        found: Event | None = None
        for event in self.view.linked.events[reply.order : reply.order + 200]:
            if event.kind == "text" and event.type == "assistant" and reply_key(event) == reply.id:
                found = event
        return found

    def said(self, reply: Reply, why: str) -> Evidence:
        """Return a reply as evidence."""
        event = self.text_event(reply)
        return Evidence(event.id if event else None, None, reply.id, why)


def shown(action: Action, why: str) -> Evidence:
    """Return a call as evidence."""
    return Evidence(action.row.call.id, action.row.id, None, why)


def read_trace(view: View, settings: Settings, judged: Judged | None = None) -> Trace:
    """Return the calls of a session with what they did. Reads no file; costs the facts of each row."""
    cwd = view.linked.facts.cwd
    root = cwd.replace("\\", "/") if cwd and cwd[1:2] == ":" else cwd
    tasks, orders = _tasks(view)
    actions: list[Action] = []
    for row in sorted(view.rows, key=lambda row: row.order):
        action = action_of(row, bisect_right(orders, row.order), root, settings.verify)
        actions.append(action)
        tasks[action.exchange].actions.append(action)
    return Trace(view, settings, root, actions, tasks, judged or Judged())


def _tasks(view: View) -> tuple[list[Task], list[int]]:
    """Return the exchanges without their calls, and the orders of their prompts."""
    starts = [(p.order, n) for n, p in enumerate(view.prompts) if p.state != "unsent"]
    orders = [order for order, _ in starts]
    tasks = [Task(0, None, [])]
    shift = 1 if view.exchanges and view.exchanges[0].prompt is None else 0  # as the payload counts its exchanges
    tasks += [Task(at + shift, view.prompts[n].text, [], order) for at, (order, n) in enumerate(starts)]
    _close(view, tasks, orders)
    return tasks, orders


def _close(view: View, tasks: list[Task], orders: list[int]) -> None:
    """Find the text with which the agent ended each exchange by itself."""
    last: dict[int, Reply] = {}
    for reply in view.replies:
        if reply.agent_id is None and not reply.synthetic:
            calls = reply.id in view.reply_rows
            if calls or reply.text_chars or reply.api_error:
                last[bisect_right(orders, reply.order)] = reply
    cut: dict[int, int] = {}
    for order, event in view.linked.index.marks:
        if event.kind == "interrupt" and event.agent_id is None:
            cut[bisect_right(orders, order)] = order
    newest = max(last, default=-1)
    for index, reply in last.items():
        if view.state == "live" and index == newest and reply.stop_reason not in ENDED_BY_ITSELF:
            continue  # its call may just be on its way
        ended = reply.text_chars and not reply.api_error and reply.stop_reason not in CUT_SHORT
        if ended and reply.id not in view.reply_rows and cut.get(index, -1) < reply.order:
            tasks[index].close = reply


def needs(trace: Trace) -> Needs:
    """Return which bodies tell what the metrics cannot see in memory."""
    outputs = [a.row.id for a in trace.actions if a.checks and a.row.result is not None and not a.row.background]
    texts = [task.close.id for task in trace.tasks if task.close is not None and any(map(trace.covered, task.actions))]
    listings: list[str] = []
    for action in trace.actions:
        if action.edits or len(listings) >= MOST_LISTINGS:
            break
        if action.row.outcome == "ok" and _lists(action):
            listings.append(action.row.id)
    return Needs(tuple(outputs), tuple(texts), tuple(listings))


def _lists(action: Action) -> bool:
    if action.facts.command is None:
        return server_and_name(action.row.tool.name)[1] in table().list_tools
    wanted = table().commands["lists"]
    return not {"read", "search"}.isdisjoint(action.facts.acts) and any(
        c.words and is_command(c.words, program_name(c.words[0]), wanted) for c in commands_of(action)
    )


def may_run_hooks(trace: Trace, action: Action) -> bool:
    """Whether a commit or push may have run the project's own checks: there are signs of hooks in the session."""
    command = action.facts.command
    if command is None or action.row.outcome != "ok" or "git " not in command or not trace.has_hooks:
        return False
    words = [c.words for c in commands_of(action) if c.words[:1] == ("git",)]
    skip = {"--no-verify", "-n"}
    return any({"commit", "push"} & set(w[1:4]) and not skip & set(w) for w in words)


def _in_background(action: Action) -> str:
    """What the note of a background check's end says: the program writes the exit code of the line into it."""
    note = action.row.notification
    summary = note.detail_of("summary") if note is not None else None
    found = _CODE_OF_TASK.search(summary[-200:]) if isinstance(summary, str) else None
    checks = action.line.checks if action.line is not None else ()
    if found is None or not checks:
        return "unknown"
    if int(found.group(1)) == 0:
        return "pass" if all(check.passes_with_line for check in checks) else "unknown"
    return "fail" if any(check.fails_with_line for check in checks) else "unknown"


def _by_outcome(action: Action) -> str:
    """What came of a check that the project's own pattern names: its exit code, where nothing can hide it."""
    commands = commands_of(action)
    alone = len(commands) == 1 or all(command.words[:1] == ("cd",) for command in commands[:-1])
    written = _REDIRECTED.sub("", action.facts.command or "").replace("&&", "")
    if not alone or "|" in written or "&" in written:
        return "unknown"
    return {"ok": "pass", "error": "fail"}.get(action.row.outcome, "unknown")
