"""The rules of the languages, read once from `tables/claims.toml`, turned into look-ups."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import msgspec

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/claims.toml"
_NEVER = re.compile(r"(?!)")


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
    remains: re.Pattern[str]
    """Says that something is left or failed."""
    resolved: re.Pattern[str]
    """Takes that back: nothing is left."""
    recap: re.Pattern[str]
    """At the start of a text: lists what was done before, which is no claim."""
    goes_on: re.Pattern[str]
    """At the end of a text: the work goes on."""


class Language(msgspec.Struct, frozen=True):
    """One language."""

    script: str
    """`latin`, `cyrillic` or `cjk`."""
    words: dict[str, float]
    """Small words, with what each weighs: less where other languages have it too."""
    rules: Rules | None
    """None for a language that is only told from the others."""


def read_languages(text: str) -> dict[str, Language]:
    """The languages of a table, by their codes."""
    import tomllib  # late: nothing is paid for it where no claim is read

    raw = tomllib.loads(text)
    found = {name: ("latin", words.split(), None) for name, words in raw["others"].items()}
    found |= {name: (rules["script"], rules["words"].split(), rules) for name, rules in raw["languages"].items()}
    shared = Counter(word for _, words, _ in found.values() for word in set(words))
    return {
        name: Language(script, {word: 1 / shared[word] for word in words}, None if rules is None else _rules(rules))
        for name, (script, words, rules) in found.items()
    }


def _rules(raw: dict[str, object]) -> Rules:
    parts = raw.get("parts", {})
    assert isinstance(parts, dict)

    def compiled(name: str) -> re.Pattern[str]:
        patterns = raw.get(name, [])
        if not isinstance(patterns, list) or not patterns:
            return _NEVER
        text = "|".join(f"(?:{pattern})" for pattern in patterns)
        for part, words in parts.items():
            text = text.replace(f"<{part}>", f"(?:{words})")
        return re.compile(text)

    return Rules(*(compiled(name) for name in Rules.__struct_fields__))


@cache
def languages() -> dict[str, Language]:
    """All languages; the file is read at the first call."""
    with open(_FILE, encoding="utf-8") as stream:
        return read_languages(stream.read())
