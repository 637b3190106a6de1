"""What a compaction lost: what was in view before it, which of it the summary names, and what was asked for again.

Matching is literal: a path is named if its whole text or its file name stands in the summary, anything else if its text
does. A summary that says the same in other words counts as silent.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from waterglass.model import TEXT_KEPT, Event
from waterglass.replies import Reply
from waterglass.rows import Row
from waterglass.view import View

MOST_ITEMS = 300  # of one compaction
MOST_LOSSES = 100  # compactions of one session
_MOST_SEEN = 5_000  # things in view that are looked at
_MOST_EVIDENCE = 20  # ids of one item
_TEXT_READ = 20_000  # characters of one reply
_SUMMARY_READ = 400_000

# The digit stands before the look at what is before it: so texts are searched for digits, not tried at each letter.
_NUMBER = re.compile(r"\d(?<![\w./-]\d)[\d,]*(?:\.\d+)?(?:%|ms\b|s\b|[kKMG]i?B?\b)?(?![\w/-])")
_LIKE_A_PATH = re.compile(r"\A[^|<>*?]*[./][^|<>*?]*\Z|\A[A-Z][a-z]+file\Z")
_QUOTED = re.compile(r"`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|“([^”\n]{2,80})”")


class LostItem(Struct, rename="camel"):
    """One thing that was in view. `again` are the rows that read or ran it after the compaction."""

    kind: str  # path | command | number | name
    text: str
    named: bool
    seen: list[str]  # ids of rows, or of replies for a number or name
    again: list[str]


class Loss(Struct, rename="camel"):
    """One compaction as a table; what the summary does not name stands first."""

    event_id: str
    agent_id: str | None
    ms: int | None
    summary_event_id: str | None  # None: no summary was written, and nothing is named
    items: list[LostItem]
    counts: dict[str, dict[str, int]]  # by kind: seen, named, again, unnamedAgain
    left_out: int
    basis: str


class LossNeeds(Struct, frozen=True):
    """Texts that are longer than what is kept in memory: `compaction_losses` takes them by these ids."""

    summaries: tuple[Event, ...]
    replies: tuple[str, ...]


class _Cut(Struct):
    """One compaction of a thread: where what it dropped began and ended, and its summary."""

    event: Event
    agent_id: str | None
    start: int
    end: int
    summary: Event | None
    until: int  # where what came after it was dropped in turn


def loss_needs(view: View) -> LossNeeds:
    """Return which texts must be read whole."""
    cuts = _cuts(view)
    summaries = tuple(cut.summary for cut in cuts if cut.summary is not None and cut.summary.text_chars > TEXT_KEPT)
    spoken = _by_agent(view)
    replies = {
        r.id: None for cut in cuts for r in _within(spoken.get(cut.agent_id, []), cut) if r.text_chars > TEXT_KEPT
    }
    return LossNeeds(summaries, tuple(replies))


def compaction_losses(view: View, texts: Mapping[str, str]) -> list[Loss]:
    """Return a table for each compaction, in the order of the session.

    `texts` holds whole texts by event id (of a summary) and by reply id; where one is missing, the part that is kept in
    memory serves.
    """
    rows: dict[str | None, list[Row]] = {}
    for row in sorted(view.rows, key=_order):
        rows.setdefault(row.agent_id, []).append(row)
    spoken = _by_agent(view)
    found = []
    for cut in _cuts(view):
        replies = _within(spoken.get(cut.agent_id, []), cut)
        found.append(_loss(rows.get(cut.agent_id, []), replies, cut, texts))
    return found


def _cuts(view: View) -> list[_Cut]:
    found: list[_Cut] = []
    open_cuts: dict[str | None, _Cut] = {}
    marks = view.linked.index.marks
    for order, event in marks:
        if event.kind == "compact_summary":
            last = open_cuts.get(event.agent_id)
            fresh = last is not None and last.summary is None
            if last is not None and (fresh or (last.summary is not None and last.summary.offset == event.offset)):
                if fresh:
                    last.summary = event
                continue
        elif event.kind != "compaction":
            continue
        before = open_cuts.get(event.agent_id)
        if before is not None:
            before.until = order
        summary = event if event.kind == "compact_summary" else None
        cut = _Cut(event, event.agent_id, before.end if before else -1, order, summary, len(view.linked.events))
        open_cuts[event.agent_id] = cut
        found.append(cut)
    hidden = {agent.id for agent in view.linked.agents if agent.kind == "internal"}
    return [cut for cut in found if cut.agent_id not in hidden][:MOST_LOSSES]


def _order(thing: Row | Reply) -> int:
    return thing.order


def _by_agent(view: View) -> dict[str | None, list[Reply]]:
    found: dict[str | None, list[Reply]] = {}
    for reply in view.replies:
        if reply.text_chars:
            found.setdefault(reply.agent_id, []).append(reply)
    return found


def _within(replies: list[Reply], cut: _Cut) -> list[Reply]:
    """Return the replies of a thread that one compaction dropped."""
    start, end = (bisect_left(replies, order, key=_order) for order in (cut.start + 1, cut.end))
    return replies[start:end][:_MOST_SEEN]


def _loss(rows: list[Row], replies: list[Reply], cut: _Cut, texts: Mapping[str, str]) -> Loss:
    seen: dict[tuple[str, str], list[str]] = {}
    start, end, until = (bisect_left(rows, order, key=_order) for order in (cut.start + 1, cut.end, cut.until))
    for row in rows[start:end]:
        _note(seen, _of_row(row), row.id)
    for reply in replies:
        _note(seen, _of_text(texts.get(reply.id, reply.text)[:_TEXT_READ]), reply.id)
    again: dict[tuple[str, str], list[str]] = {}
    for row in rows[end:until]:
        if _looks(row):
            for key in _of_row(row):
                if key in seen:
                    again.setdefault(key, []).append(row.id)
    summary = cut.summary
    text = (texts.get(summary.id, summary.text or "") if summary is not None else "")[:_SUMMARY_READ]
    words = set(re.findall(r"[\w.-]+", text))
    items = [
        LostItem(kind, value, _is_named(kind, value, text, words), ids, again.get((kind, value), [])[:_MOST_EVIDENCE])
        for (kind, value), ids in seen.items()
    ]
    items.sort(key=lambda item: (item.named, not item.again, ("path", "command", "name", "number").index(item.kind)))
    basis = "literal: a path by its text or its file name, anything else by its text"
    if summary is None:
        basis += "; no summary was written"
    elif summary.id not in texts and summary.text_chars > TEXT_KEPT:
        basis += f"; only the first {TEXT_KEPT:,} characters of the summary were read"
    return Loss(
        cut.event.id, cut.agent_id, cut.event.ms, summary.id if summary is not None else None, items[:MOST_ITEMS],
        _counts(items), max(0, len(items) - MOST_ITEMS), basis,
    )  # fmt: skip


def _note(seen: dict[tuple[str, str], list[str]], keys: Iterable[tuple[str, str]], by: str) -> None:
    for key in keys:
        ids = seen.get(key)
        if ids is None:
            if len(seen) < _MOST_SEEN:
                seen[key] = [by]
        elif ids[-1] != by and len(ids) < _MOST_EVIDENCE:
            ids.append(by)


def _of_row(row: Row) -> Iterator[tuple[str, str]]:
    if row.outcome != "ok" and row.outcome != "error":
        return
    facts = row.facts
    if facts.command is not None:
        yield "command", " ".join(facts.command.split())[:500]
    for target in facts.targets[:100]:
        # Of a shell line's operands some are no paths: a branch, a test's name.
        if target not in (".", "..") and (facts.command is None or _LIKE_A_PATH.search(target)):
            yield "path", target


def _looks(row: Row) -> bool:
    """Whether a call reads or runs, and does not only change."""
    facts = row.facts
    return facts.command is not None or not {"edit"}.issuperset(facts.acts)


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    for found in _QUOTED.finditer(text):
        name = (found.group(1) or found.group(2) or found.group(3)).strip()
        if len(name) > 1:
            yield "name", name
    for found in _NUMBER.finditer(text):
        number = found.group().rstrip(",")
        if sum(char.isdigit() for char in number) >= 3 or not number.isdigit():
            yield "number", number


def _is_named(kind: str, value: str, text: str, words: set[str]) -> bool:
    if kind == "number":
        bare = number_text(value)
        return value in words or bare in words or _stands_in(value, text)
    if kind == "path":
        name = value.rstrip("/").rpartition("/")[2]
        return name in words or f"{name}." in words or _stands_in(value, text)
    return _stands_in(value, text)


def number_text(number: str) -> str:
    """Return a number without the commas between its thousands."""
    return number.replace(",", "")


def _stands_in(value: str, text: str) -> bool:
    """Whether a text holds a value that is not a piece of a longer word or number."""
    at = text.find(value)
    for _ in range(1_000):
        if at < 0:
            return False
        before, after = text[max(0, at - 1) : at], text[at + len(value) : at + len(value) + 1]
        if not (before.isalnum() and value[0].isalnum()) and not (after.isalnum() and value[-1].isalnum()):
            return True
        at = text.find(value, at + 1)
    return False


def _counts(items: list[LostItem]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for item in items:
        own = counts.setdefault(item.kind, {"seen": 0, "named": 0, "again": 0, "unnamedAgain": 0})
        own["seen"] += 1
        own["named"] += item.named
        own["again"] += bool(item.again)
        own["unnamedAgain"] += bool(item.again) and not item.named
    return counts
