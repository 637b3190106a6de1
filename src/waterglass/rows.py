"""Rows: every tool call as a span, under the call whose agent made it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.classify import CallFacts, KnownCall, classify_call, label
from waterglass.link import Agent, Call, Linked
from waterglass.link.calls import is_background
from waterglass.model import Event, ToolCall
from waterglass.outcome import ended_as, outcome_of
from waterglass.usage import reply_key

if TYPE_CHECKING:
    from waterglass.shell import LineFacts


class Row(Struct):
    """One tool call drawn. The tree is in pre-order: `parent` is an index, `subtree_end` the index after the last
    descendant."""

    id: str
    call: Event
    result: Event | None
    tool: ToolCall
    outcome: str
    start_ms: int | None
    end_ms: int | None  # None while open
    agent_id: str | None
    background: bool = False
    ack_ms: int | None = None  # from the call to its acknowledgement
    open_until_ms: int | None = None  # of an open one: the last record of its agent
    starts_agent_id: str | None = None
    parent_row_id: str | None = None  # the call that started its agent
    warnings: tuple[str, ...] = ()
    notification: Event | None = None  # of its end in the background
    ended_by: str | None = None  # id of the event that ended it from outside
    order: int = 0
    parent: int = -1
    depth: int = 0
    subtree_end: int = 0

    _known: KnownCall | None = None

    @property
    def facts(self) -> CallFacts:
        """What the call does; worked out when first asked, since a summary asks for a few rows only."""
        return (self._known or self.know()).facts

    @property
    def line(self) -> LineFacts | None:
        """What the shell line does that it ran, None where it ran none."""
        return (self._known or self.know()).line

    @property
    def is_known(self) -> bool:
        """Whether what it does was worked out before."""
        return self._known is not None

    def know(self, known: KnownCall | None = None) -> KnownCall:
        """Return what the call does: as `known`, as worked out before, or worked out now."""
        if known is not None:
            self._known = known
        elif self._known is None:
            self._known = classify_call(self.tool.name, self.tool.arguments, self.tool.cwd)
        return self._known

    @property
    def label(self) -> str:
        """The call in words, without the rest of its facts."""
        if self._known is not None:
            return self._known.facts.label
        return label(self.tool.name, self.tool.arguments, self.tool.cwd)

    @property
    def evidence(self) -> list[str]:
        """Ids of the events that it was made of."""
        made_of = [event.id for event in (self.call, self.result, self.notification) if event is not None]
        return made_of if self.ended_by is None else [*made_of, self.ended_by]

    @property
    def duration(self) -> int | None:
        """Milliseconds from start to end, None while open or without times."""
        return None if self.start_ms is None or self.end_ms is None else max(0, self.end_ms - self.start_ms)


def keep_facts(rows: list[Row], before: list[Row]) -> None:
    """Take over what is known of calls from an earlier view: working it out is the dearest part of one."""
    known = {id(row.tool): row for row in before}
    for row in rows:
        old = known.get(id(row.tool))
        if old is not None and old.tool is row.tool:
            row._known = old._known


def make_rows(linked: Linked, live: bool) -> list[Row]:
    """Return the rows in pre-order. `live` says that the session is being written: an open call may then be running."""
    rows = [_row(call) for call in linked.calls]
    by_id = {row.id: row for row in rows}
    for agent in linked.agents:
        starter = by_id.get(agent.parent or "")
        if starter is not None:
            starter.starts_agent_id = agent.id
    parents = {agent.id: agent.parent for agent in linked.agents}
    for row in rows:
        if row.agent_id is not None:
            row.parent_row_id = parents.get(row.agent_id)
    _end_by_interrupts(rows, linked.index.marks, by_id)
    _leave_open(rows, linked, live)
    return _in_tree(rows, by_id, linked.agents)


def _row(call: Call) -> Row:
    event = call.event
    tool = event.tool
    assert tool is not None, "a call event always carries its tool"
    row = Row(call.row_id, event, None, tool, "no_result", event.ms, None, event.agent_id, order=call.order)
    answer = call.result
    if answer is not None and answer.result is not None:
        row.result = answer
        if is_background(call):
            row.background = True
            row.ack_ms = _span(event.ms, answer.ms)
        else:
            row.outcome, row.end_ms = outcome_of(answer.result), answer.ms
    elif tool.background:
        row.background = True
    if row.background and call.notification is not None:
        row.notification = call.notification
        row.outcome, row.end_ms = ended_as(call.notification.detail_of("status")), call.notification.ms
    if row.end_ms is not None and row.start_ms is not None and row.end_ms < row.start_ms:
        row.end_ms = row.start_ms
        row.warnings = ("the result is older than the call",)
    return row


def _span(start: int | None, end: int | None) -> int | None:
    return None if start is None or end is None else max(0, end - start)


def is_open(row: Row) -> bool:
    """Whether the call never ended."""
    return row.outcome in ("no_result", "running")


def _end_by_interrupts(rows: list[Row], happened: list[tuple[int, Event]], by_id: dict[str, Row]) -> None:
    """An interrupt ends each open call of its thread, and those of the agents under a call that it or a person
    ended."""
    marks: dict[str | None, list[tuple[int, Event]]] = {}
    for order, event in happened:
        if event.kind == "interrupt" and event.type == "user":
            marks.setdefault(event.agent_id, []).append((order, event))
    waiting = [row for row in rows if is_open(row) and row.result is None]
    for row in waiting:
        if is_open(row):
            own = marks.get(row.agent_id, [])
            at = bisect_right(own, row.order, key=lambda mark: mark[0])
            if at < len(own):
                _interrupt(row, own[at][1].ms, own[at][1].id)
    for row in waiting:  # calls stand in order, so a parent is settled before its children
        above = by_id.get(row.parent_row_id or "")
        if is_open(row) and above is not None and above.outcome in ("interrupted", "rejected"):
            _interrupt(row, above.end_ms, above.evidence[-1])


def _interrupt(row: Row, ms: int | None, event_id: str) -> None:
    row.outcome = "interrupted"
    row.end_ms = ms if ms is None or row.start_ms is None else max(ms, row.start_ms)
    row.ended_by = event_id


def _leave_open(rows: list[Row], linked: Linked, live: bool) -> None:
    """What is open is running in a live session, unless its thread has gone on since; else its result is lost."""
    waiting = [row for row in rows if is_open(row)]
    if not waiting:
        return
    events = linked.events
    last_ms: dict[str | None, int | None] = {agent.id: agent.end_ms for agent in linked.agents}
    last_ms[None] = max((e.ms for e in events if e.agent_id is None and e.ms is not None), default=None)
    spoke = _spoke(events, {row.agent_id for row in waiting}) if live else {}
    newest = max((e.ms for e in events if e.ms is not None), default=None) if live else None
    for row in waiting:
        running = live and (row.background or not spoke[row.agent_id].after(row))
        row.outcome = "running" if running else "no_result"
        own = last_ms.get(row.starts_agent_id) if row.starts_agent_id else None
        row.open_until_ms = newest if running else (own or last_ms.get(row.agent_id))


def _spoke(events: list[Event], threads: set[str | None]) -> dict[str | None, _Spoke]:
    spoke: dict[str | None, _Spoke] = {}
    for order, event in enumerate(events):
        thread = event.agent_id
        reply = event.type == "assistant" or event.type == "tool_call"
        if thread in threads and (reply or (event.kind == "prompt" and event.type == "user")):
            before = spoke.get(thread)
            key = reply_key(event) if reply else None
            if before is None or key is None or key != before.key:
                spoke[thread] = _Spoke(key, order, before.order if before is not None else -1)
            else:
                before.order = order
    return spoke


class _Spoke(Struct):
    """The last prompt or reply of a thread, and where the one before it ended; orders are of the merged events."""

    key: str | None  # of a reply
    order: int
    before: int

    def after(self, row: Row) -> bool:
        """Whether a prompt or another reply stands behind the call."""
        return (self.before if self.key == reply_key(row.call) else self.order) > row.order


def _in_tree(rows: list[Row], by_id: dict[str, Row], agents: list[Agent]) -> list[Row]:
    """Order the rows as a tree and make each parent's bar hold its children.

    A later run of an agent hangs under the call that woke it, so it does not lengthen the first call.
    """
    starters = {a.id: [by_id[i] for i in [a.parent, *a.wakes] if i is not None and i in by_id] for a in agents}
    children: dict[str | None, list[Row]] = {}
    for row in rows:
        above = _starter(row, starters.get(row.agent_id or "", []))
        if above is not None and above.background is False and above.starts_agent_id != row.agent_id:
            _run_in_background(above)
        children.setdefault(above.id if above is not None else None, []).append(row)
    placed = _pre_order(children, rows)
    for index in range(len(placed) - 1, -1, -1):
        row = placed[index]
        row.subtree_end = max(row.subtree_end, index + 1)
        if row.parent >= 0:
            above = placed[row.parent]
            above.subtree_end = max(above.subtree_end, row.subtree_end)
            _hold(above, row)
    for row in placed:
        if row.parent >= 0:
            _start_inside(placed[row.parent], row)
    return placed


def _pre_order(children: dict[str | None, list[Row]], rows: list[Row]) -> list[Row]:
    placed: list[Row] = []
    seen: set[str] = set()
    for root in [*children.get(None, []), *rows]:  # the second part only finds what a circle keeps from the top
        todo = [(root, -1)]
        while todo:
            row, parent = todo.pop()
            if row.id in seen:
                continue
            seen.add(row.id)
            row.parent, row.depth = parent, 0 if parent < 0 else placed[parent].depth + 1
            own = len(placed)
            placed.append(row)
            todo.extend((child, own) for child in reversed(children.get(row.id, [])))
    return placed


def _starter(row: Row, starters: list[Row]) -> Row | None:
    """Return the call under which a row hangs: the last one before it that set its agent going, else the first."""
    before = [s for s in starters if s.start_ms is not None and row.start_ms is not None and s.start_ms <= row.start_ms]
    return before[-1] if before else (starters[0] if starters else None)


def _run_in_background(row: Row) -> None:
    """A message that woke an agent is answered at once and goes on behind: until the agent's last call."""
    if row.end_ms is not None and row.tool.spawns is False:
        row.background, row.ack_ms = True, row.duration


def _hold(above: Row, row: Row) -> None:
    """Make a parent's bar, closed or open, end with its child's at the earliest."""
    ends = row.end_ms if row.end_ms is not None else row.open_until_ms
    if ends is None:
        return
    if above.end_ms is not None and ends > above.end_ms:
        above.end_ms = ends
    if above.open_until_ms is not None and ends > above.open_until_ms:
        above.open_until_ms = ends


def _start_inside(above: Row, row: Row) -> None:
    """A clock that ran back may put a child before its parent: it begins with the parent then, and says so."""
    if above.start_ms is not None and row.start_ms is not None and row.start_ms < above.start_ms:
        row.start_ms = above.start_ms
        row.end_ms = None if row.end_ms is None else max(row.end_ms, row.start_ms)
        row.warnings = (*row.warnings, "starts before its parent by its own clock")


def rereads(rows: list[Row]) -> set[str]:
    """Return the ids of reads that told the agent nothing new.

    The same input as before in the same thread, with no edit of the target by anybody between; rows in pre-order are
    compared in the order in which they were made.
    """
    read: dict[tuple[str | None, int, str], int] = {}
    edited: dict[str, int] = {}
    again: set[str] = set()
    for row in sorted(rows, key=lambda r: r.order):
        facts = row.facts
        if "edit" in facts.acts:
            for target in facts.targets:
                edited[target] = row.order
        if facts.category == "read" and len(facts.targets) == 1 and row.outcome == "ok":
            key = (row.agent_id, row.tool.digest, row.tool.name)
            before = read.get(key)
            if before is not None and edited.get(facts.targets[0], -1) < before:
                again.add(row.id)
            read[key] = row.order
    return again
