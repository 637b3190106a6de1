"""Many texts looked through as one, and neighbouring blocks of text read as one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from waterglass.redact.rules import Span
from waterglass.redact.views import BREAK

_BATCH = 64_000  # characters: little is spent on calls, and few keywords occur in one batch
_MOST_BLOCKS, _LEAST = 64, 24  # items; characters


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
        for n, item in enumerate(listed if len(listed) <= _MOST_BLOCKS else ()):
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
