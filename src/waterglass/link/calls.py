"""Pair each tool call with its result, by id and nothing else."""

from __future__ import annotations

from msgspec import Struct

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


def pair_calls(events: list[Event], hidden: set[str]) -> Paired:
    """Pair calls and results over the whole session.

    Calls in the files named in `hidden` (the program's own helpers) make no row, but a result that answers one is no
    orphan.
    """
    calls: dict[str, list[Call]] = {}
    results: dict[str, list[Event]] = {}
    ordered: list[Call] = []
    quiet: set[str] = set()
    taken: set[object] = set()
    paired = Paired(ordered, [], [])
    for order, event in enumerate(events):
        if event.type == "tool_call":
            if event.file in hidden:
                quiet.add(event.tool_use_id or "")
                continue
            call = _new_call(event, order, calls, taken)
            if call is not None:
                ordered.append(call)
        elif event.type == "tool_result" and event.file not in hidden:
            results.setdefault(event.tool_use_id or "", []).append(event)
    for use_id, answers in results.items():
        waiting = calls.get(use_id)
        if waiting is None:
            if use_id not in quiet:
                paired.orphans.extend(answers)
            continue
        _answer(waiting, answers, paired)
    return paired


def _new_call(event: Event, order: int, calls: dict[str, list[Call]], taken: set[object]) -> Call | None:
    """Return the call, or None for the copy of one: the same id, tool and input again is no second call.

    `taken` holds the row ids that are given, and of each call its id, tool and input.
    """
    use_id, tool = event.tool_use_id or event.id, event.tool
    request = (use_id, tool.name, tool.digest) if tool is not None else (use_id, event.id)
    if request in taken:
        return None
    before = calls.setdefault(use_id, [])
    number = len(before) + 1
    row_id = use_id if number == 1 else f"{use_id}#{number}"
    while row_id in taken:  # an id may look like a numbered one
        number += 1
        row_id = f"{use_id}#{number}"
    taken.update((row_id, request))
    call = Call(row_id, event, order)
    before.append(call)
    return call


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


def end_background(calls: list[Call], events: list[Event]) -> None:
    """Give each background call the first notification that names it: by its own id, else by its task's or agent's
    id."""
    by_use: dict[str, Event] = {}
    by_task: dict[str, list[tuple[int, Event]]] = {}
    for order, event in enumerate(events):
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
