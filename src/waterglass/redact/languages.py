"""A password's name in other languages than that of most programs."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from waterglass.redact.shapes import is_east_asian
from waterglass.redact.tables import tables

_APART = re.compile(r"[\s_.-]+")
_OWN = ("password", "passphrase", "passcode")
_MOST_WORDS = 8  # of a label


@cache
def password_words() -> tuple[str, ...]:
    """The words as they stand in a text in lower case."""
    table = tables()["languages"]
    return (*table["words"], *table["joined"])


@cache
def _joined() -> frozenset[str]:
    return frozenset(tables()["languages"]["joined"])


def begins_here(text: str, at: int, word: str) -> bool:
    """May the word that stands at `at` be a name there? `senha` in `desenha` is none; some languages join words, and
    some write no spaces."""
    return not at or word in _joined() or word == word.upper() or not text[at - 1].isalpha()


@lru_cache(maxsize=10_000)
def names_password(name: str) -> bool:
    """Is a name, or its end, a word for a password?"""
    said = _APART.sub(" ", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).lower()).rstrip("0123456789 ")
    if not said.endswith(password_words()):
        return False
    return any(said.endswith(word) and begins_here(said, len(said) - len(word), word) for word in password_words())


def is_label(value: str) -> bool:
    """Is a value a word for a password itself, or a few words with one, as files of translations have them?"""
    said = value.strip(" \t:*.!\u2026\uff1a").lower()
    if len(said) > 80 or any(c.isdigit() for c in said):
        return False
    if said in password_words():
        return True
    if is_east_asian(said):
        return any(word in said for word in password_words() if is_east_asian(word))
    words = said.split()
    return 1 < len(words) <= _MOST_WORDS and (
        any(word in _OWN for word in words)
        or any(f" {word} " in f" {said} " for word in password_words())
        or any(words[n].endswith(word) for n in range(len(words)) for word in _joined())
    )
