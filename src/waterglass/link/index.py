"""The merged events sorted by what later steps look for, so that none of them walks over all events again."""

from __future__ import annotations

from msgspec import Struct

from waterglass.model import Event

# Written by the program about itself and very often: no later step asks for these one by one.
_BOOKKEEPING = frozenset({"progress", "bookkeeping", "attachment", "unknown_block"})
_EMPTIES = ("compaction", "compact_summary")  # what empties a context


class EventIndex(Struct):
    """Events by kind, each list in merged order; an order is an index in the merged events."""

    calls: list[tuple[int, Event]]
    results: list[Event]
    replies: list[Event]  # those that say something of their reply, and what empties the context between them
    hooks: list[tuple[int, Event]]  # those that name the commands of hooks
    marks: list[tuple[int, Event]]  # the rest, few: prompts and other texts, notifications, interrupts, titles …


def index_events(events: list[Event]) -> EventIndex:
    """Sort the events in one pass."""
    index = EventIndex([], [], [], [], [])
    calls, results, replies, marks = index.calls, index.results, index.replies, index.marks
    for order, event in enumerate(events):
        type_ = event.type
        if type_ == "tool_result":
            results.append(event)
        elif type_ == "tool_call" or type_ == "assistant":
            if type_ == "tool_call":
                calls.append((order, event))
            if event.reply is not None:
                replies.append(event)
        elif event.kind == "hook":
            if event.detail and "commands" in event.detail:
                index.hooks.append((order, event))
        elif event.kind not in _BOOKKEEPING:
            if event.kind == "notice" and event.detail and "commands" in event.detail:
                index.hooks.append((order, event))
            marks.append((order, event))
            if event.kind in _EMPTIES:
                replies.append(event)
    return index
