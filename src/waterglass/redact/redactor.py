"""The same strings and documents without secrets: one function for reports, exports and the command."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from waterglass.redact.names import is_secret_name, kind_of
from waterglass.redact.paths import find_places, users_in
from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.rules import Span
from waterglass.redact.scan import find_secrets
from waterglass.redact.structure import mask, mask_value

Level = Literal["secrets", "paths", "structure", "off"]
LEVELS: tuple[str, ...] = get_args(Level)
_PLACEHOLDER = re.compile(r"\[REDACTED:[a-z_]+#\d+\]")
# Ids, names and short labels come again and again; longer texts hardly ever do.
_REMEMBER_CHARS, _REMEMBER_MAX = 200, 50_000
_ROUNDS = 4
_PLACES = ("user", "host")
_JSON_DEPTH = 3


class Redactor:
    """Replaces secrets by `[REDACTED:kind#n]`, where n is the same for the same value within one Redactor.

    level: "secrets"; "paths" also replaces user and host names; "structure" keeps no free text at all; "off" changes
    nothing. `counts` says how many were replaced, per kind. Best effort: no list of formats is complete.
    """

    def __init__(self, level: Level = "secrets") -> None:
        if level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {level!r}")
        self.level = level
        self.counts: Counter[str] = Counter()
        self._placeholders: dict[str, str] = {}
        self._known: dict[str, tuple[str, Counter[str] | None]] = {}
        self._users: set[str] = set()

    def note(self) -> dict[str, Any]:
        """What to say in a report's head: {"level", "counts": {kind: how many}, "bestEffort": true}."""
        return {"level": self.level, "counts": dict(sorted(self.counts.items())), "bestEffort": True}

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
        return self._text(text, 0)

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
            self.learn(_strings(value))
        return self._walk(value, 0)

    def learn(self, texts: Iterable[str]) -> None:
        """Take the user names from home folders in these texts, so that level "paths" finds them everywhere after."""
        known = len(self._users)
        for text in texts:
            self._users |= users_in(text)
        if len(self._users) > known:
            self._known.clear()

    def _walk(self, value: Any, depth: int) -> Any:
        root: list[Any] = [None]
        stack: list[tuple[Any, Any, Any, str | None]] = [(value, root, 0, None)]
        while stack:
            node, into, at, name = stack.pop()
            if isinstance(node, str):
                into[at] = self._named(name, node) if name is not None else self._text(node, depth)
            elif isinstance(node, dict):
                new: dict[Any, Any] = {}
                into[at] = new
                for key, child in node.items():
                    shown = self._key(new, key, depth)
                    new[shown] = child
                    if isinstance(child, (str, dict, list, tuple)):
                        stack.append((child, new, shown, key if isinstance(key, str) and is_secret_name(key) else None))
            elif isinstance(node, (list, tuple)):
                listed: list[Any] = list(node)
                into[at] = listed
                for n, child in enumerate(listed):
                    if isinstance(child, str):
                        listed[n] = self._named(name, child) if name is not None else self._text(child, depth)
                    elif isinstance(child, (dict, list, tuple)):
                        stack.append((child, listed, n, name))
            else:
                into[at] = node
        return root[0]

    def _key(self, new: dict[Any, Any], key: Any, depth: int) -> Any:
        if not isinstance(key, str):
            return key
        shown = base = self._text(key, depth)
        n = 2
        while shown in new:  # two homes of two users become one word; neither entry may be lost
            shown, n = f"{base} ({n})", n + 1
        return shown

    def _named(self, name: str, value: str) -> str:
        """A string under a secret's name."""
        if is_placeholder(value):
            return self._text(value, 0)
        return self._placeholder(kind_of(name), value)

    def _text(self, text: str, depth: int) -> str:
        if len(text) < 5:
            return text
        known = self._known.get(text)
        if known is None:
            before = self.counts.copy() if len(text) <= _REMEMBER_CHARS else None
            result = self._scan(text, depth)
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

    def _scan(self, text: str, depth: int) -> str:
        result = self._inner_json(text, depth) if depth < _JSON_DEPTH else text
        # A replacement can bring two pieces together that were none before: again until nothing is found.
        for _ in range(_ROUNDS):
            spans = self._spans(result)
            if not spans:
                break
            result = self._replace(result, spans)
            if all(span.kind in _PLACES for span in spans):
                break
        return result

    def _spans(self, text: str) -> list[Span]:
        spans = find_secrets(text)
        if self.level != "secrets":
            spans = _joined(spans, find_places(text, self._users))
        if spans and "[REDACTED:" in text:
            held = [found.span() for found in _PLACEHOLDER.finditer(text)]
            spans = [s for s in spans if not any(start < s.end and s.start < end for start, end in held)]
        return spans

    def _replace(self, text: str, spans: list[Span]) -> str:
        pieces, done = [], 0
        for start, end, kind in spans:
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

    def _inner_json(self, text: str, depth: int) -> str:
        """A string that is a JSON document with escapes (`\\u0067hp_…`) is read, redacted and written again."""
        head = text.lstrip()[:1]
        if head not in ("{", "[", '"') or "\\u" not in text:
            return text
        try:
            inner = json.loads(text)
            walked = self._walk(inner, depth + 1)
            return text if walked == inner else json.dumps(walked, ensure_ascii=False)
        except (ValueError, RecursionError):
            return text


def _joined(spans: list[Span], places: Iterable[Span]) -> list[Span]:
    """Both in order; a name is found in more than one way, and one within a secret is hidden with it."""
    joined: list[Span] = []
    for span in sorted([*spans, *(place for place in places if not _within(place, spans))]):
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
    return joined


def _within(place: Span, spans: list[Span]) -> bool:
    return any(span.start < place.end and place.start < span.end for span in spans)


def _strings(value: Any) -> Iterable[str]:
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            stack += [key for key in node if isinstance(key, str)]
            stack += node.values()
        elif isinstance(node, (list, tuple)):
            stack += node
