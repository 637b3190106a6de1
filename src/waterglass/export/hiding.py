"""Redaction of what is exported: values while they are written, and a second look at what was written before more was
known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from waterglass.redact import Level, Redactor
from waterglass.report.cuts import Beginnings
from waterglass.session import Session

Part = Callable[[float], object]  # is told which part of a session is done, from 0 to 1
# Below these fields names are the transcript's own; elsewhere they are ours.
_OF_TRANSCRIPTS = frozenset({"input", "byModel", "unknownRecordTypes", "unknownBlockTypes", "detail"})
OUR_WORDS = frozenset({"outcome", "status", "category", "acts", "state", "key"})  # `key` of an attribute of a span
_OUR_ATTRIBUTES = frozenset({"error.type", "waterglass.outcome", "waterglass.category", "waterglass.acts"})
_BLOCK = 64  # bodies that are looked through at once
_FEW, _MOST_ENDS = 200, 5_000  # secrets whose beginnings are looked for at the ends of texts
_LONGEST = 1_000_000  # characters of one output that are looked through for secrets that labels may hold


class Hider:
    """One export's redactor. `redactor.counts` says what was hidden."""

    def __init__(self, level: Level, own: Mapping[str, str] | None = None) -> None:
        self.redactor = Redactor(level, own)
        self._ends = Beginnings({})
        self._known = 0

    @property
    def level(self) -> str:
        """The level of redaction."""
        return self.redactor.level

    def value(self, value: Any) -> Any:
        """Return a part of a payload with its secrets replaced, also those that a cut went through."""
        hidden = _keyed(value, self.redactor.value(value))
        if self.level in ("off", "structure"):
            return hidden
        replaced = self.redactor.replaced
        # Ends are made anew for each of the first secrets, then for a tenth more: a transcript may hold 100,000.
        if len(replaced) > self._known + self._known // 10 * (self._known > _FEW):
            self._learn_ends()
        return self._ends.hidden(hidden)

    def _learn_ends(self) -> None:
        self._known = len(self.redactor.replaced)
        self._ends = Beginnings(dict(islice(self.redactor.replaced.items(), _MOST_ENDS)))

    def event(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an event redacted. At level "structure" a call keeps its tool's name and what it does, as rows do."""
        hidden: dict[str, Any] = self.value(event)
        tool = event["tool"]
        if self.level == "structure" and tool is not None:
            kept = self.value({"toolName": tool["name"], "category": tool["category"], "acts": tool["acts"]})
            hidden["tool"] |= {"name": kept["toolName"], "category": kept["category"], "acts": kept["acts"]}
        return hidden

    def id(self, text: str) -> str:
        """Return an id, which stays at each level unless a secret is in it."""
        return str(self.value({"id": text})["id"])

    def learn(self, session: Session, progress: Part) -> None:
        """Find the secrets of a whole session, for what shows none of its bodies: a label may hold half of one."""
        if self.level in ("off", "structure"):
            return
        bodies, before, done = session.bodies(), self.redactor.counts.copy(), 0
        while block := list(islice(bodies, _BLOCK)):
            self.redactor.value([[body["input"], _cut(body["output"])] for body in block])
            done += len(block)
            progress(done / len(session.rows))
        self.redactor.counts.clear()  # of what was hidden in the file alone
        self.redactor.counts.update(before)
        self._learn_ends()

    def again(self, value: Any) -> Any:
        """Return what was written once more without secrets, now that more of them are known."""
        redactor = self.redactor.checker() if self.level == "structure" else self.redactor
        return value if redactor is None else _keyed(value, redactor.value(value))


class SecondLook:
    """Finds in what was written what should have been hidden, with all that the export has learned."""

    def __init__(self, hider: Hider) -> None:
        self._checker = hider.redactor.checker()

    def kinds(self, value: Any) -> tuple[str, ...]:
        """Return the kinds of the secrets in a value, none at level "off"."""
        if self._checker is None:
            return ()
        before = self._checker.counts.copy()
        self._checker.value(_bare(value))
        return tuple(sorted(self._checker.counts - before))

    def first(self, values: Iterable[Any]) -> tuple[str, ...]:
        """Return the kinds in the first value that holds any."""
        return next((kinds for value in values if (kinds := self.kinds(value))), ())


def _keyed(value: Any, hidden: Any) -> Any:
    """Return what redaction made of a value with the names of our fields and our words as they were: a user may be
    called `agents`. Redaction keeps the order of fields."""
    if hidden is value:
        return hidden
    if isinstance(value, dict) and isinstance(hidden, dict):
        if value.get("key") in _OUR_ATTRIBUTES:
            return value
        return {
            name: found if name in _OF_TRANSCRIPTS else own if name in OUR_WORDS else _keyed(own, found)
            for (name, own), found in zip(value.items(), hidden.values(), strict=True)
        }
    if isinstance(value, (list, tuple)) and isinstance(hidden, (list, tuple)):
        return [_keyed(own, found) for own, found in zip(value, hidden, strict=True)]
    return hidden


def _bare(value: Any) -> Any:
    """Return a value without the names of our fields and our words, in which no secret can be."""
    if isinstance(value, dict):
        if value.get("key") in _OUR_ATTRIBUTES:
            return None
        return [
            {name: one} if name in _OF_TRANSCRIPTS else _bare(one)
            for name, one in value.items()
            if name not in OUR_WORDS
        ]
    return [_bare(one) for one in value] if isinstance(value, (list, tuple)) else value


def _cut(output: Any) -> Any:
    return output[:_LONGEST] if isinstance(output, str) else output
