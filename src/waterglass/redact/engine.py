"""What runs the token rules: RE2 where its wheel is installed, else Python's own engine, with the same answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, Protocol

try:
    import re2
except ImportError:  # the extra `waterglass[re2]` is not installed
    re2 = None

# No token with white space in it is shorter (`a://:abc@b`), and none without is.
_SHORTEST = 10
_SHORT = 200  # characters of a text that is not divided into words


class Keyword(NamedTuple):
    """A word to look for. `fold`: in any case. `alone`: white space may part it from what it announces."""

    text: str
    fold: bool = False
    alone: bool = False


class Pattern(Protocol):
    """A compiled expression of either engine, asked for a window of text at a time: RE2 encodes all it is given."""

    @property
    def groups(self) -> int:
        """How many groups it has."""

    def match(self, text: str, /) -> Any:
        """Return the match at the beginning of `text`, or None."""

    def search(self, text: str, /) -> Any:
        """Return the first match in `text`, or None."""

    def finditer(self, text: str, /) -> Iterator[Any]:
        """Yield the matches in `text`, none overlapping another."""


class Keywords(Protocol):
    """Which words of a fixed list occur in a text."""

    def found(self, text: str, low: str) -> Iterable[int]:
        """Return the indexes of the words in `text`; `low` is the text in lower case."""


class PythonEngine:
    """Python's `re`. A rule sees a window of bounded length; the words are one expression made of their letters."""

    name = "re"

    def compile(self, pattern: str) -> Pattern:
        """Return the compiled expression; letters and word borders are those of ASCII, as in RE2."""
        return re.compile(pattern, re.ASCII)

    def keywords(self, words: Iterable[Keyword]) -> Keywords:
        """Return the index of these words."""
        return _Lookup(tuple(words))


class Re2Engine:
    """RE2: the time of every expression is linear, and all words are looked for in one pass."""

    name = "re2"

    def compile(self, pattern: str) -> Pattern:
        """Return the compiled expression. Raises `re2.error` for syntax that RE2 does not have."""
        compiled: Pattern = re2.compile(pattern)
        return compiled

    def keywords(self, words: Iterable[Keyword]) -> Keywords:
        """Return the index of these words."""
        return _Set(tuple(words))


Engine = PythonEngine | Re2Engine


@cache
def engine() -> Engine:
    """The engine of this process."""
    return PythonEngine() if re2 is None else Re2Engine()


class _Set:
    def __init__(self, words: tuple[Keyword, ...]) -> None:
        self._set = re2.Set.SearchSet()
        for word in words:
            self._set.Add(f"(?i:{re2.escape(word.text)})" if word.fold else re2.escape(word.text))
        self._set.Compile()

    def found(self, text: str, low: str) -> Iterable[int]:
        matched: Iterable[int] | None = self._set.Match(text)
        return matched or ()


class _Lookup:
    """A text says the same words again and again: each is looked through once, which takes half the time."""

    def __init__(self, words: tuple[Keyword, ...]) -> None:
        alone = [(index, word) for index, word in enumerate(words) if word.fold or word.alone]
        # What has white space in it lies in more than one word: its longest part is looked for first.
        self._alone = [(index, word, max(word.text.split(), key=len)) for index, word in alone]
        apart = {index for index, _ in alone}
        self._trie = _Trie({word.text: index for index, word in enumerate(words) if index not in apart})

    def found(self, text: str, low: str) -> Iterable[int]:
        if len(text) < _SHORT:
            said, long = text, text
        else:
            words = set(text.split())
            said, long = "\n".join(words), "\n".join([word for word in words if len(word) >= _SHORTEST])
        said_low = said.lower()
        found = self._trie.found(long)
        ascii_only = said_low.isascii()
        for index, word, part in self._alone:
            if ascii_only and not part.isascii():
                continue
            if part in (said_low if word.fold else said) and (
                part == word.text or word.text in (low if word.fold else text)
            ):
                found.add(index)
        return found


class _Trie:
    """Words as one expression that branches letter by letter: a place fails at the first letter that no word has."""

    def __init__(self, words: Mapping[str, int]) -> None:
        # The expression names the longest word at a place; the words within that one are there as well.
        self._within = {word: frozenset(words[w] for w in words if w in word) for word in words}
        tree: dict[str, Any] = {}
        for word in words:
            node = tree
            for letter in word:
                node = node.setdefault(letter, {})
            node[""] = {}
        self._pattern = re.compile(f"(?=({_branches(tree)}))")

    def found(self, text: str) -> set[int]:
        found: set[int] = set()
        for word in set(self._pattern.findall(text)):
            found |= self._within[word]
        return found


def _branches(node: dict[str, Any]) -> str:
    ways = [re.escape(letter) + _branches(below) for letter, below in node.items() if letter]
    if not ways:
        return ""
    joined = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{joined})?" if "" in node else joined
