"""Many texts looked through as one, and neighbouring blocks of text read as one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from waterglass.redact.names import gives_away, may_give_away, option_before, secret_of_entry, secret_of_pair
from waterglass.redact.rules import Span
from waterglass.redact.views import BREAK

_BATCH = 64_000  # characters: little is spent on calls, and few keywords occur in one batch
SHORTEST = 4  # characters: no shorter value is hidden
_NO_TEXT = frozenset({int, float, bool, type(None)})  # of what a table is full
MOST_BLOCKS, _LEAST = 64, 24  # items; characters


class Batch:
    """Texts that are searched as one. What is found in one of them alone is found here as well."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.text = BREAK.join(texts)
        self._starts: list[int] = []
        at = 0
        for text in texts:
            self._starts.append(at)
            at += len(text) + len(BREAK)

    def touched(self, spans: Iterable[Span]) -> set[int]:
        """The indexes of the texts that these stretches lie in or reach into."""
        found: set[int] = set()
        for span in spans:
            first = bisect_right(self._starts, span.start) - 1
            found.update(range(first, bisect_right(self._starts, max(span.start, span.end - 1))))
        return found


def batches(texts: Iterable[str]) -> Iterator[Batch]:
    """The texts in batches of some ten thousand characters."""
    held, size = list[str](), 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size >= _BATCH:
            yield Batch(held)
            held, size = [], 0
    if held:
        yield Batch(held)


class Blocks:
    """The texts of a list's items, strings or `{"text": …}`, as lines of one text.

    `follow`: are there two in a row that could hold a token? A long list is a table's column and holds no blocks.
    """

    def __init__(self, listed: list[Any]) -> None:
        self._listed = listed
        self._places: list[tuple[int, int, int]] = []  # item, where its text starts in the whole, where it ends
        self._current: dict[int, str] = {}
        texts, at = list[str](), 0
        for n, item in enumerate(listed if len(listed) <= MOST_BLOCKS else ()):
            text = item if isinstance(item, str) else item.get("text") if isinstance(item, dict) else None
            if not isinstance(text, str):
                text = BREAK
            else:
                self._places.append((n, at, at + len(text)))
                self._current[n] = text
            texts.append(text)
            at += len(text) + 1
        together = any(a[0] + 1 == b[0] for a, b in zip(self._places, self._places[1:], strict=False))
        self.follow = together and at >= _LEAST
        self.text = "\n".join(texts) if self.follow else ""

    def goes_over(self, span: Span) -> bool:
        """Does this stretch lie in more than one item?"""
        return len(self._within(span)) > 1

    def replace(self, span: Span, placeholder: str) -> None:
        """Put `placeholder` where the stretch begins, and take the rest of it out of the items that follow.

        Of several stretches the last is replaced first, since the places of those before it stay.
        """
        for number, (n, start, _) in enumerate(self._within(span)):
            text = self._current[n]
            left, right = text[: max(0, span.start - start)], text[max(0, span.end - start) :]
            self._current[n] = text = f"{left}{'' if number else placeholder}{right}"
            item = self._listed[n]
            self._listed[n] = text if isinstance(item, str) else item | {"text": text}

    def _within(self, span: Span) -> list[tuple[int, int, int]]:
        return [place for place in self._places if place[1] < span.end and span.start < place[2]]


class Survey:
    """What a document holds, seen in one walk: its texts, and whether a name in it gives a value away.

    `value`: the document. `texts`: every string and key of four characters or more, and a list of blocks as the one
    text that they are. `named`: is there a value under a secret's name? Nothing else but a text can make redaction
    change a document.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self.texts: set[str] = set()
        self.named = False
        stack = [value]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                if len(node) >= SHORTEST:
                    self.texts.add(node)
            elif isinstance(node, dict):
                self._dict(node)
                stack += [child for child in node.values() if child.__class__ not in _NO_TEXT]
            elif isinstance(node, (list, tuple)):
                if len(node) > 1:
                    self._list(node)
                stack += [child for child in node if child.__class__ not in _NO_TEXT]

    def _dict(self, node: dict[Any, Any]) -> None:
        for key, child in node.items():
            if isinstance(key, str):
                if len(key) >= SHORTEST:
                    self.texts.add(key)
                if not self.named and may_give_away(key) and isinstance(child, (str, int, dict, list, tuple)):
                    self.named = gives_away(key, child)
        self.named = self.named or (("value" in node or "Value" in node) and secret_of_pair(node) is not None)

    def _list(self, node: list[Any] | tuple[Any, ...]) -> None:
        self.named = self.named or secret_of_entry(node) is not None
        if not self.named and isinstance(node[0], str):
            self.named = any(
                isinstance(item, str) and option_before(node, n) is not None for n, item in enumerate(node)
            )
        if isinstance(node[0], (str, dict)) and len(node) <= MOST_BLOCKS:
            text = Blocks(list(node)).text
            if text:
                self.texts.add(text)


def parts_of(value: Any) -> list[Any] | None:
    """The parts of a list of documents, or of a document with several fields, that do not depend on one another."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(p, dict) and "text" not in p for p in value):
        return value
    if isinstance(value, dict) and len(value) > 1 and "value" not in value and "Value" not in value:
        return [{key: child} for key, child in value.items()]
    return None


def united(parts: list[dict[Any, Any]]) -> dict[Any, Any]:
    """The fields of a document that was divided; of two that have one name now, both stay."""
    whole: dict[Any, Any] = {}
    for part in parts:
        for key, child in part.items():
            whole[unused(whole, key)] = child
    return whole


def unused(whole: dict[Any, Any], key: Any) -> Any:
    """A key that `whole` does not have yet: two homes of two users become one word, and neither entry may be lost."""
    shown, n = key, 2
    while shown in whole:
        shown, n = f"{key} ({n})", n + 1
    return shown


def strings_in(value: Any) -> Iterator[str]:
    """Every string and every key of a document, in no order."""
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
