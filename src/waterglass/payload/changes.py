"""What changed in a payload that grows, since any of its last states: what a client that stays connected is sent.

Each state has a number. A client that names the one it has gets the rows that differ now, whatever lies between, so
that nothing has to be queued for a client that is slow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Protocol

from msgspec import Struct

from waterglass.payload.nested import fields_of
from waterglass.schema.json import encode

LISTS = ("prompts", "replies", "exchanges", "marks")  # those of the head that grow with the session
SERIES = "series"  # the list in `context` that does too
MOST_ROWS = 4_000  # changes that are remembered; who has missed more fetches the payload again
MOST_BYTES = 8 << 20


class State(Protocol):
    """What a row is made of: hashable, and of equal states the fields are equal."""

    @property
    def id(self) -> str:
        """The row's id."""


class _Step(Struct):
    """What became different with one state."""

    event: int
    rows: list[str]
    removed: list[str]
    lists: dict[str, int]  # the index from which a list differs


class _Row(Struct, gc=False):
    """A row as it is now: a hash of its state, its place in the table, and its fields where they changed lately."""

    hash: int
    index: int
    event: int = 0
    fields: bytes | None = None


class ChangeLog:
    """Holds a payload's rows as hashes, and those that changed lately as JSON."""

    def __init__(
        self,
        event: int,
        rows: Iterable[State],
        head: dict[str, Any],
        fields: Callable[[Any], dict[str, Any]] = fields_of,
    ) -> None:
        self.event = event
        self._fields = fields  # of a state
        self._floor = event  # the oldest state from which the way to this one is known
        self._rows = {state.id: _Row(hash(state), index) for index, state in enumerate(rows)}
        self._head = head
        self._lists = _lists(head)
        self._steps: deque[_Step] = deque()
        self._kept = 0  # rows named by the steps
        self._bytes = 0  # of the fields that are kept
        self._made: dict[tuple[int, bool], bytes] = {}  # messages to this state
        self.gone = False

    def take(self, event: int, rows: Iterable[State], head: dict[str, Any], *, over: bool = False) -> None:
        """Enter the next state. `over` says that it does not follow from the one before: everyone has to fetch."""
        before = self._rows
        step = _Step(event, [], [], {})
        after: dict[str, _Row] = {}
        for index, state in enumerate(rows):
            known, now = before.get(state.id), hash(state)
            row = _Row(now, index) if known is None else known
            if known is None or known.hash != now:
                data = encode(self._fields(state))
                step.rows.append(state.id)
                self._bytes += len(data) - len(row.fields or b"")
                row.hash, row.event, row.fields = now, event, data
            after[state.id] = row
        changed = set(step.rows)
        step.removed = [id_ for id_ in before if id_ not in after]
        stayed = [(before[id_].index, id_) for id_ in after if id_ in before and id_ not in changed]
        over = over or any(one > other for one, other in pairwise(stayed))
        for id_ in step.removed:
            self._bytes -= len(before[id_].fields or b"")
        for index, row in enumerate(after.values()):
            row.index = index
        lists = _lists(head)
        step.lists = {name: _first_difference(self._lists[name], whole) for name, whole in lists.items()}
        self._rows, self._head, self._lists, self.event, self.gone = after, head, lists, event, False
        self._made.clear()
        self._steps.append(step)
        self._kept += len(step.rows) + len(step.removed)
        while self._steps and (over or self._kept > MOST_ROWS or self._bytes > MOST_BYTES):
            self._forget(self._steps.popleft())

    def lose(self, event: int) -> None:
        """Enter a state in which the session's files are gone; what was read of them stays."""
        self._steps.append(_Step(event, [], [], {}))
        self.event, self.gone = event, True
        self._made.clear()

    def _forget(self, step: _Step) -> None:
        self._floor = step.event
        self._kept -= len(step.rows) + len(step.removed)
        for id_ in step.rows:
            row = self._rows.get(id_)
            if row is not None and row.event == step.event and row.fields is not None:
                self._bytes -= len(row.fields)
                row.fields = None

    def since(self, event: int, *, tails: bool = False) -> bytes:
        """Return what changed since a state, as JSON: `{"event", "reset", "rows", "removed", "head", "count"}`.

        Each row has its `index` in the table of `count` rows; rows that are not named keep their order. With `reset`
        the payload has to be fetched again. `gone` says that the files are no longer there. With `tails` the long
        lists of the head are null, that of its context too, and `lists` holds `{name: {"from", "items"}}`: what stands
        from that index on.
        """
        known = self._floor <= event <= self.event
        key = (event if known else -1, tails)
        if key not in self._made:
            self._made[key] = self._message(event if known else None, tails)
        return self._made[key]

    def _message(self, event: int | None, tails: bool) -> bytes:
        steps = [step for step in self._steps if event is not None and step.event > event]
        rows = {id_: self._rows[id_] for step in steps for id_ in step.rows if id_ in self._rows}
        removed = dict.fromkeys(id_ for step in steps for id_ in step.removed if id_ not in self._rows)
        named = sorted(rows.values(), key=lambda row: row.index)
        written = b",".join(row.fields[:-1] + b',"index":%d}' % row.index for row in named if row.fields)
        head, lists = self._head, {}
        if tails:
            head = {**head, **dict.fromkeys(LISTS)}
            if head.get("context"):
                head["context"] = {**head["context"], SERIES: None}
            for name, whole in self._lists.items() if event is not None else ():
                same = min((step.lists[name] for step in steps if name in step.lists), default=len(whole))
                lists[name] = {"from": min(same, len(whole)), "items": whole[same:]}
        parts = {"removed": list(removed), "head": head, "count": len(self._rows)}
        more: dict[str, Any] = {**({"lists": lists} if tails else {}), **({"gone": True} if self.gone else {})}
        start = b'{"event":%d,"reset":%s,"rows":[' % (self.event, b"false" if event is not None else b"true")
        return start + written + b"]," + encode({**parts, **more})[1:]


def _lists(head: dict[str, Any]) -> dict[str, list[Any]]:
    series = (head.get("context") or {}).get(SERIES)
    return {**{name: head.get(name) or [] for name in LISTS}, SERIES: series or []}


def _first_difference(one: list[Any], other: list[Any]) -> int:
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))
