"""Pair each tool call with its result, by id and nothing else."""

from __future__ import annotations

from msgspec import Struct

from waterglass.link.index import EventIndex
from waterglass.model import Event, Problem


class Call(Struct):
    """One tool call: its event, where it stands in the merged order, its answers."""

    row_id: str  # the call's id, with #2, #3 … where another call used it before
    event: Event
    order: int  # index in the merged events
    result: Event | None = None
    notification: Event | None = None  # of its end in the background


class Paired(Struct):
    """Calls in merged order, results whose call is nowhere, and what was odd."""

    calls: list[Call]
    orphans: list[Event]
    problems: list[Problem]


def pair_calls(index: EventIndex, hidden: set[str]) -> Paired:
    """Pair calls and results over the whole session.

    Calls in the files named in `hidden` (the program's own helpers) make no row, but a result that answers one is no
    orphan.
    """
    calls: dict[str, list[Call]] = {}
    ordered: list[Call] = []
    quiet: set[str] = set()
    taken: set[str] = set()  # row ids that are given
    paired = Paired(ordered, [], [])
    for order, event in index.calls:
        if hidden and event.file in hidden:
            quiet.add(event.tool_use_id or "")
            continue
        call = _new_call(event, order, calls, taken)
        if call is not None:
            ordered.append(call)
    others: dict[str, list[Event]] = {}  # results that are not the one and first of a call with an id of its own
    for event in index.results:
        if hidden and event.file in hidden:
            continue
        use_id = event.tool_use_id or ""
        waiting = calls.get(use_id)
        if waiting is not None and len(waiting) == 1 and waiting[0].result is None:
            waiting[0].result = event
        else:
            others.setdefault(use_id, []).append(event)
    for use_id, answers in others.items():
        waiting = calls.get(use_id)
        if waiting is None:
            if use_id not in quiet:
                paired.orphans.extend(answers)
            continue
        first = waiting[0].result
        if first is not None:
            waiting[0].result = None
            answers = [first, *answers]
        _answer(waiting, answers, paired)
    return paired


def _new_call(event: Event, order: int, calls: dict[str, list[Call]], taken: set[str]) -> Call | None:
    """Return the call, or None for the copy of one: the same id, tool and input again is no second call."""
    use_id = event.tool_use_id or event.id
    if use_id not in taken:  # as nearly all are: then no call used it before
        taken.add(use_id)
        call = Call(use_id, event, order)
        calls[use_id] = [call]
        return call
    before = calls.get(use_id)
    row_id = use_id
    if before is None:
        before = calls[use_id] = []
    elif any(_same_request(call.event, event) for call in before):
        return None
    else:
        row_id = f"{use_id}#{len(before) + 1}"
    number = len(before) + 1
    while row_id in taken:  # an id may look like a numbered one
        number += 1
        row_id = f"{use_id}#{number}"
    taken.add(row_id)
    call = Call(row_id, event, order)
    before.append(call)
    return call


def _same_request(one: Event, other: Event) -> bool:
    """Whether two calls of one id ask for the same."""
    mine, theirs = one.tool, other.tool
    return mine is not None and theirs is not None and mine.name == theirs.name and mine.digest == theirs.digest


def _answer(waiting: list[Call], answers: list[Event], paired: Paired) -> None:
    """The first result of its own file answers a call; where an id names several calls they are answered in order."""
    own: dict[str, list[Event]] = {}
    for answer in reversed(answers):
        own.setdefault(answer.file, []).append(answer)
    used: set[int] = set()
    others = iter(answers)
    for call in waiting:
        mine = own.get(call.event.file)
        while mine and id(mine[-1]) in used:
            mine.pop()
        first = mine.pop() if mine else next((a for a in others if id(a) not in used), None)
        if first is None:
            break
        used.add(id(first))
        call.result = first
    for spare in (a for a in answers if id(a) not in used):
        paired.problems.append(
            Problem("second_result", spare.file, "another result for an answered call", spare.line, spare.offset)
        )


def end_background(calls: list[Call], index: EventIndex) -> None:
    """Give each background call the first notification that names it: by its own id, else by its task's or agent's
    id."""
    by_use: dict[str, Event] = {}
    by_task: dict[str, list[tuple[int, Event]]] = {}
    for order, event in index.marks:
        if event.kind != "notification" or not event.detail:
            continue
        use_id = event.detail.get("tool-use-id")
        if use_id:
            by_use.setdefault(use_id, event)
        for name in ("task-id", "agent-id"):
            if event.detail.get(name):
                by_task.setdefault(event.detail[name], []).append((order, event))
    if not by_use and not by_task:
        return
    for call in calls:
        if not is_background(call):
            continue
        found = by_use.get(call.event.tool_use_id or "")
        if found is None and call.result is not None and call.result.result is not None:
            facts = call.result.result
            named = [n for key in (facts.task_id, facts.agent_id, facts.text_id) if key for n in by_task.get(key, ())]
            found = next(
                (event for order, event in named if order > call.order and not event.detail_of("tool-use-id")), None
            )
        call.notification = found


def is_background(call: Call) -> bool:
    """Whether the call goes on after its result: the result says so, or the input asked for it and nothing speaks
    against it."""
    result = call.result.result if call.result else None
    if result is not None and result.background:
        return True
    asked = call.event.tool is not None and call.event.tool.background
    return asked and not (result is not None and (result.is_error or result.status == "completed"))
