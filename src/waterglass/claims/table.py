"""The rules of the languages, read once from `tables/claims.toml`, turned into look-ups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Any

import msgspec

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/claims.toml"
# An escaped character, a set of characters or one character.
_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
# A letter that stands for itself.
_PLAIN_START = re.compile(r"[^\W\d_](?![?*+{])")
# An alternative of letters alone stands for itself: it can be looked for before anything is compiled.
_LITERAL = re.compile(r"[^\W\d_]+(?:[ ’-][^\W\d_]+)*")
_NEVER = re.compile(r"(?!)")
# So often the rules are made anew for words that they did not know; after that, for all words.
_MOST_BUILDS = 3


class Rules(msgspec.Struct, frozen=True):
    """How one language says things. All look anywhere in a sentence in lower case."""

    done: re.Pattern[str]
    """Says that the work is done."""
    state: re.Pattern[str]
    """Says how things are after the work: a claim only at an end of the text, or beside another one."""
    item: re.Pattern[str]
    """Says in an item of a list what was done."""
    heading: re.Pattern[str]
    """Says so as a heading."""
    title: re.Pattern[str]
    """Stands over a list of what was done: a claim as a heading, wherever it stands."""
    unless: re.Pattern[str]
    """Takes a claim back: negation, condition, plan."""
    history: re.Pattern[str]
    """Anywhere in a sentence: it tells of the past, so that what it says was done is no claim."""
    remains: re.Pattern[str]
    """Says that something is left or failed."""
    resolved: re.Pattern[str]
    """Takes that back: nothing is left."""
    ahead: re.Pattern[str]
    """Stands over a list of what comes next."""
    unbuilt: re.Pattern[str]
    """An item of that list which is work not begun: something is left. Steps for the reader are none."""
    recap: re.Pattern[str]
    """At the start of a text: lists what was done before, which is no claim."""
    denies: re.Pattern[str]
    """As one of the first sentences: there was nothing to do, or the text is an answer. There is no claim."""
    undecided: re.Pattern[str]
    """Near the end: the reader is asked whether or how to do the work. There is no claim."""
    goes_on: re.Pattern[str]
    """At the end of a text: the work goes on."""


class Language:
    """One language.

    `script` is `latin`, `cyrillic` or `cjk`; `words` are small words, with what each weighs: less where other languages
    have it too; `same` has characters that are read as another, as `str.translate` takes them: traditional Chinese as
    simplified. `has_rules` is false for a language that is only told from the others.
    """

    def __init__(self, table: dict[str, Any], words: dict[str, float]) -> None:
        self.script: str = table["script"]
        self.words = words
        self.same = {ord(pair[0]): pair[1] for pair in table.get("same", "").split()}
        self.has_rules = "done" in table
        self._table = table
        self._parts = {part: _alternatives(text) for part, text in table.get("parts", {}).items()}
        self._unknown = {word for words in self._parts.values() for word in words if _LITERAL.fullmatch(word)}
        self._rules: Rules | None = None
        self._builds = 0
        self._lock = Lock()  # sessions are judged by several threads of a server

    @property
    def rules(self) -> Rules | None:
        """The rules for any text; None for a language without. Making them takes a tenth of a second for English."""
        return self._with(self._unknown)

    def rules_for(self, texts: Iterable[str]) -> Rules | None:
        """The rules for texts like these, in lower case: they say the same as `rules` of each, and are made in a
        fraction of the time.

        Verbs such as "added" are the most of the rules, and 22 patterns hold all of them; a text has a few. One that
        stands in no text matches nothing there, so it is left out until a text has it.
        """
        words = {word for text in texts for word in text.split()} if self._unknown else set()
        said = "\n".join(words)
        return self._with({one for one in self._unknown if all(word in said for word in one.split())})

    def _with(self, words: set[str]) -> Rules | None:
        if not self.has_rules:
            return None
        with self._lock:
            if self._rules is None or not words.isdisjoint(self._unknown):
                self._builds += 1
                self._unknown = self._unknown - words if self._builds <= _MOST_BUILDS else set()
                known = {part: [one for one in all_ if one not in self._unknown] for part, all_ in self._parts.items()}
                self._rules = _rules(self._table, known)
            return self._rules


def read_languages(text: str) -> dict[str, Language]:
    """The languages of a table, by their codes."""
    import tomllib  # late: nothing is paid for it where no claim is read

    raw = tomllib.loads(text)
    tables: dict[str, dict[str, Any]] = {
        name: {"script": "latin", "words": text} for name, text in raw["others"].items()
    }
    tables |= raw["languages"]
    shared = Counter(word for table in tables.values() for word in set(table["words"].split()))
    return {
        name: Language(table, {word: 1 / shared[word] for word in table["words"].split()})
        for name, table in tables.items()
    }


def grouped(words: str, depth: int = 4) -> str:
    """Alternatives (`added|applied|built`) by their first letters (`a(?:dded|pplied)|built`), which `re` tries far
    faster. The same texts match: within a letter the order stays. As it is where one does not start with a letter."""
    groups: dict[str, list[str]] = {}
    for word in _alternatives(words):
        if not _PLAIN_START.match(word):
            return words
        groups.setdefault(word[0], []).append(word[1:])
    if not depth:
        return words
    return "|".join(
        first + (rest[0] if len(rest) == 1 else f"(?:{grouped('|'.join(rest), depth - 1)})")
        for first, rest in groups.items()
    )


def by_start(patterns: list[str]) -> str:
    """The patterns as one. Those for the start of a sentence stand together, and so do those for the start of a word:
    at most places of a sentence one look then rules out all of them."""
    groups: dict[str, list[str]] = {"^": [], r"\b": [], "": []}
    for pattern in patterns:
        start = next(start for start in groups if pattern.startswith(start))
        if len(_alternatives(pattern)) > 1:
            start = ""
        groups[start].append(f"(?:{pattern[len(start) :]})")
    return "|".join(f"{start}(?:{'|'.join(parts)})" for start, parts in groups.items() if parts)


def _alternatives(words: str) -> list[str]:
    """The alternatives of an expression that stand in no parentheses."""
    found, open_ones = [""], 0
    for part in _PART.findall(words):
        open_ones += (part == "(") - (part == ")")
        if part == "|" and not open_ones:
            found.append("")
        else:
            found[-1] += part
    return found


def _rules(raw: dict[str, Any], parts: dict[str, list[str]]) -> Rules:
    """The rules of a language's table, with these words for its parts."""
    written = {part: f"(?:{grouped('|'.join(words))})" if words else "(?!)" for part, words in parts.items()}

    def compiled(name: str) -> re.Pattern[str]:
        if name not in raw:
            return _NEVER
        text = by_start(raw[name])
        for part, words in written.items():
            text = text.replace(f"<{part}>", words)
        return re.compile(text)

    return Rules(*(compiled(name) for name in Rules.__struct_fields__))


@cache
def languages() -> dict[str, Language]:
    """All languages; the file is read at the first call."""
    with open(_FILE, encoding="utf-8") as stream:
        return read_languages(stream.read())


@cache
def latin_weights() -> dict[str, list[tuple[str, float]]]:
    """Per small word, the languages in Latin letters that have it and what it weighs for each."""
    found: dict[str, list[tuple[str, float]]] = {}
    for name, language in languages().items():
        if language.script == "latin":
            for word, weight in language.words.items():
                found.setdefault(word, []).append((name, weight))
    return found
