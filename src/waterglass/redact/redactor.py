"""The same strings and documents without secrets: one function for reports, exports and the command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Literal, get_args

from waterglass.redact.batches import SHORTEST, Blocks, Survey, batches, parts_of, strings_in, united, unused
from waterglass.redact.engine import engine
from waterglass.redact.names import (
    NAMED_KINDS,
    gives_away,
    kind_of,
    may_give_away,
    option_before,
    secret_of_entry,
    secret_of_pair,
)
from waterglass.redact.paths import find_places, users_in
from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.rules import Span
from waterglass.redact.scan import find_secrets
from waterglass.redact.structure import mask, mask_value
from waterglass.redact.values import Values

Level = Literal["secrets", "paths", "structure", "off"]
LEVELS: tuple[str, ...] = get_args(Level)
_PLACEHOLDER = re.compile(r"\[REDACTED:[a-z][a-z0-9_]*#\d+\]")
# Ids, names and short labels come again and again; longer texts hardly ever do.
_REMEMBER_CHARS, _REMEMBER_MAX = 200, 50_000
_PROVEN_MAX = 200_000  # texts of which is known that they hold nothing: 16 bytes each
_ROUNDS = 8
_PLACES = ("user", "host")


class Redactor:
    """Replaces secrets by `[REDACTED:kind#n]`, where n is the same for the same value within one Redactor.

    level: "secrets"; "paths" also replaces user and host names; "structure" keeps no free text at all; "off" changes
    nothing. `own`: exact values to hide as well, with their kinds. `counts` says how many were replaced, per kind.
    Best effort: no list of formats is complete.
    """

    def __init__(self, level: Level = "secrets", own: Mapping[str, str] | None = None) -> None:
        if level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {level!r}")
        self.level = level
        self.counts: Counter[str] = Counter()
        self._values = Values(own)
        self._placeholders: dict[str, str] = {}
        self._known: dict[str, tuple[str, Counter[str] | None]] = {}
        self._clean: set[str] = set()
        self._proven: set[bytes] = set()
        self._users: set[str] = set()
        self.own_keys: frozenset[str] = frozenset()
        """Names of the document's own fields: they stay, whatever a user is called."""

    def note(self) -> dict[str, Any]:
        """What to say in a report's head: {"level", "counts": {kind: how many}, "bestEffort": true, "engine"}.

        `engine` is "re2", or "re" where the slower engine of Python ran the rules.
        """
        counts = dict(sorted(self.counts.items()))
        return {"level": self.level, "counts": counts, "bestEffort": True, "engine": engine().name}

    def again(self) -> Redactor:
        """Return a new Redactor of the same level that knows from its beginning what this one has learned."""
        return self._heir(self.level)

    def checker(self) -> Redactor | None:
        """Return one that finds in a document what this one should have hidden, or None at level "off"."""
        if self.level == "off":
            return None
        return self._heir("secrets" if self.level == "structure" else self.level)  # lengths stand where texts were

    def _heir(self, level: Level) -> Redactor:
        new = Redactor(level)
        new._values = self._values.copy()
        new._users = set(self._users)
        new._proven = set(self._proven)
        new.own_keys = self.own_keys
        return new

    @property
    def replaced(self) -> Mapping[str, str]:
        """Each secret that was found so far, with what stands in its place. Not to be written anywhere."""
        return self._placeholders

    def text(self, text: str) -> str:
        """The text without secrets; at level "structure" its length alone."""
        if self.level == "off":
            return text
        if self.level == "structure":
            return mask(text)
        if self.level == "paths":
            self.learn([text])
        return self._text(text)

    def value(self, value: Any) -> Any:
        """A JSON-like value with every string and every key redacted; parts without a secret may be shared.

        Lists, dicts, strings, numbers, booleans and None, nested to any depth. Strings under a secret's name
        (`password`, `authorization`, …) are replaced whole.
        """
        if self.level == "off":
            return value
        if self.level == "structure":
            value = mask_value(value)
        if self.level != "secrets":
            self.learn(strings_in(value))
        return self._parts(value)

    def _parts(self, value: Any) -> Any:
        """The value, of which only those parts are walked and made anew that hold something to hide."""
        divided = parts_of(value)
        parts = [value] if divided is None else divided
        surveys = [Survey(part) for part in parts]
        self._clean = self._clean_of(set[str]().union(*(survey.texts for survey in surveys)))
        try:
            # One by one: what is learned from one part makes a text of a later one unclean.
            done = [s.value if s.texts <= self._clean and not s.named else self._walk(s.value) for s in surveys]
        finally:
            self._clean = set()
        return done[0] if divided is None else done if isinstance(value, list) else united(done)

    def learn(self, texts: Iterable[str]) -> None:
        """Take the user names from home folders in these texts, so that level "paths" finds them everywhere after."""
        known = len(self._users)
        for text in texts:
            self._users |= users_in(text)
        if len(self._users) > known:
            self._known.clear()
            self._proven.clear()

    def _clean_of(self, texts: set[str]) -> set[str]:
        """The texts that hold nothing to hide: looked through as one, which takes a fraction of the time.

        One that was looked through before, for the same values, is not again: the answer would be the same.
        """
        known = {text: self._known[text][0] is text for text in texts if text in self._known}
        clean = {text for text, is_clean in known.items() if is_clean}
        marks = {text: _mark(text) for text in texts - known.keys()}
        clean.update(text for text, mark in marks.items() if mark in self._proven)
        for batch in batches(text for text, mark in marks.items() if mark not in self._proven):
            suspects = batch.touched(self._spans(batch.text))
            found = [text for n, text in enumerate(batch.texts) if n not in suspects]
            clean.update(found)
            if len(self._proven) < _PROVEN_MAX:
                self._proven.update(marks[text] for text in found)
        return clean

    def _walk(self, value: Any) -> Any:
        root: list[Any] = [None]
        stack: list[tuple[Any, Any, Any, str | None]] = [(value, root, 0, None)]
        while stack:
            node, into, at, name = stack.pop()
            if isinstance(node, str):
                into[at] = self._named(name, node) if name is not None else self._text(node)
            elif isinstance(node, dict):
                into[at] = self._walk_dict(node, stack)
            elif isinstance(node, (list, tuple)):
                into[at] = self._walk_list(node, name, stack)
            else:
                into[at] = node
        return root[0]

    def _walk_dict(self, node: dict[Any, Any], stack: list[tuple[Any, Any, Any, str | None]]) -> dict[Any, Any]:
        new: dict[Any, Any] = {}
        pair = secret_of_pair(node) if "value" in node or "Value" in node else None
        for key, child in node.items():
            ours = not isinstance(key, str) or key in self.own_keys
            shown = key if ours else unused(new, self._text(key))
            new[shown] = child
            telling = isinstance(key, str) and may_give_away(key)
            if telling and isinstance(child, int) and gives_away(key, child):
                new[shown] = self._placeholder(kind_of(key), str(child))
            elif isinstance(child, (str, dict, list, tuple)):
                name = key if telling and gives_away(key, child) else None
                stack.append((child, new, shown, pair if name is None and key in ("value", "Value") else name))
        return new

    def _walk_list(
        self, node: list[Any] | tuple[Any, ...], name: str | None, stack: list[tuple[Any, Any, Any, str | None]]
    ) -> list[Any]:
        listed: list[Any] = list(node)
        if len(listed) > 1:
            self._over_blocks(listed)
        entry = secret_of_entry(listed)
        for n, child in enumerate(listed):
            if isinstance(child, str):
                beside = (entry if n and entry else name) or option_before(listed, n)
                listed[n] = self._named(beside, child) if beside is not None else self._text(child)
            elif isinstance(child, (dict, list, tuple)):
                stack.append((child, listed, n, name))
        return listed

    def _over_blocks(self, listed: list[Any]) -> None:
        """Hide what begins in one block of text and goes on in the next, in place of the blocks that hold it."""
        blocks = Blocks(listed)
        if not blocks.follow:
            return
        for span in reversed(find_secrets(blocks.text, self._values)):
            if blocks.goes_over(span):
                blocks.replace(span, self._placeholder(span.kind, blocks.text[span.start : span.end]))

    def _named(self, name: str, value: str) -> str:
        """A string under a secret's name."""
        if is_placeholder(value):
            return self._text(value)
        kind = kind_of(name)
        self._take(value, kind)
        return self._placeholder(kind, value)

    def _take(self, value: str, kind: str) -> None:
        """Remember a value that only its name gave away, to find it where it has no name."""
        if self._values.learn(value, kind):
            self._known.clear()
            self._proven.clear()
            self._clean = {text for text in self._clean if value not in text}

    def _text(self, text: str) -> str:
        if len(text) < SHORTEST or text in self._clean:
            return text
        known = self._known.get(text)
        if known is None:
            before = self.counts.copy() if len(text) <= _REMEMBER_CHARS else None
            result = self._scan(text)
            if before is not None:
                self._remember(text, result, self.counts - before if result is not text else None)
            return result
        result, counts = known
        if counts:
            self.counts.update(counts)
        return result

    def _remember(self, text: str, result: str, counts: Counter[str] | None) -> None:
        if len(self._known) >= _REMEMBER_MAX:
            self._known.clear()
        self._known[text] = (result, counts)

    def _scan(self, text: str) -> str:
        result = text
        # A replacement can bring two pieces together that were none before: again until nothing is found.
        for _ in range(_ROUNDS):
            spans = self._spans(result)
            if not spans:
                return result
            result = self._replace(result, spans)
            if all(span.kind in _PLACES for span in spans):
                return result
        return self._placeholder("text", text) if self._spans(result) else result

    def _spans(self, text: str) -> list[Span]:
        spans = find_secrets(text, self._values)
        if self.level != "secrets":
            spans = _joined(spans, find_places(text, self._users))
        if spans and "[REDACTED:" in text:
            held = [found.span() for found in _PLACEHOLDER.finditer(text)]
            spans = [s for s in spans if not any(start < s.end and s.start < end for start, end in held)]
        return spans

    def _replace(self, text: str, spans: list[Span]) -> str:
        pieces, done = [], 0
        for start, end, kind in spans:
            if kind in NAMED_KINDS:
                self._take(text[start:end], kind)
            pieces += [text[done:start], self._placeholder(kind, text[start:end])]
            done = end
        return "".join([*pieces, text[done:]])

    def _placeholder(self, kind: str, value: str) -> str:
        self.counts[kind] += 1
        if kind in _PLACES:
            return f"[{kind}]"
        known = self._placeholders.get(value)
        if known is None:
            known = self._placeholders[value] = f"[REDACTED:{kind}#{len(self._placeholders) + 1}]"
        return known


def _mark(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _joined(spans: list[Span], places: Iterable[Span]) -> list[Span]:
    """Both in order; a name is found in more than one way, and one within a secret is hidden with it."""
    joined: list[Span] = []
    for span in sorted([*spans, *(place for place in places if not _within(place, spans))]):
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
    return joined


def _within(place: Span, spans: list[Span]) -> bool:
    return any(span.start < place.end and place.start < span.end for span in spans)
