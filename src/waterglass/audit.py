"""Which records each counted reply is made of, and why every other reply record is left out: the ledger, shown.

Nothing is counted here: the ledger's own entries are held against all records of all files, copies included.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from waterglass.link import Linked
from waterglass.model import Event, ReplyPart
from waterglass.usage import Ledger, Spent, reply_key

# Why a record's figures are in no sum of their own.
RULES = {
    "replay": "the same record (uuid, type, content) stands earlier: in this file or in one before it",
    "synthetic": "written by the program itself: no API call",
    "no_figures": "neither usage nor message id: nothing that could be counted",
    "inherited": "copied from another session, which owns the reply",
}


class RecordPlace(Struct, frozen=True):
    """One record of a reply; `line` counts from 1, `offset` is in bytes."""

    file: str
    line: int
    offset: int


class Counted(Struct):
    """An entry of the ledger and the records that it is made of; an advisor's call names the reply that asked it."""

    call: Spent
    records: list[RecordPlace]


class LeftOut(Struct, frozen=True):
    """A reply record in no sum, and the rule (a key of `RULES`) that left it out."""

    place: RecordPlace
    rule: str
    key: str


class Audit(Struct):
    """Every reply record once: under the reply that counts it, or left out with its rule."""

    counted: list[Counted]
    left_out: list[LeftOut]


def audit(linked: Linked, book: Ledger) -> Audit:
    """Hold the ledger against every reply record of the session's files, in the order of the files."""
    kept = {(event.file, event.offset) for event in linked.events}
    inherited = {call.key for call in book.calls if call.inherited}
    places: dict[str, list[RecordPlace]] = {}
    left_out: list[LeftOut] = []
    for event, part in _parts(linked):
        key = reply_key(event)
        place = RecordPlace(event.file, event.line, event.offset)
        rule = _rule(event, part, kept, inherited)
        if rule is None:
            places.setdefault(key, []).append(place)
        else:
            left_out.append(LeftOut(place, rule, key))
    counted = [Counted(call, places.get(call.within or call.key, [])) for call in book.calls if not call.inherited]
    return Audit(counted, left_out)


def _parts(linked: Linked) -> Iterable[tuple[Event, ReplyPart]]:
    for source in linked.sources:
        for event in source.events:
            if event.reply is not None:
                yield event, event.reply


def _rule(event: Event, part: ReplyPart, kept: set[tuple[str, int]], inherited: set[str]) -> str | None:
    if (event.file, event.offset) not in kept:
        return "replay"
    if part.synthetic:
        return "synthetic"
    if part.usage is None and event.message_id is None:
        return "no_figures"
    return "inherited" if reply_key(event) in inherited else None
