"""What a person searches for, as words for the index and as text to be found.

The index holds runs of letters and digits; characters of scripts that are written without spaces are words of their
own, and `++` and `#` right after a letter are part of its word: languages have such names, and many texts have a C.
Everything else in a query is text like any other: it has no meaning but itself, and is held against the body.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from waterglass.index.passages import PARTS

_MOST_WORDS = 64  # of a query that are asked of the index; the rest is held against the body alone
# Han, kana, Hangul; Thai, Lao, Burmese and Khmer.
_ALONE = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u31ff\u3400-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff])"
)
_SIGNS = {"++": "\ue000", "#": "\ue001"}  # as letters for private use, which no text brings into the index
_NO_WORD = re.compile(r"[^\w\x00-\x7f]")
_WORD = re.compile("[0-9A-Za-z\x80-\U0010ffff]+")
_TERM = re.compile(r'(?<!\S)"(?=\s*+[^"\s])([^"]*+)"(?!\S)|\S+')
_LITERAL = re.compile(r"[A-Za-z0-9 .,:;=+*%$#@!?()\[\]{}|~^_-]+")  # JSON writes these as they are

_ESCAPE = re.compile(rb"\\u[0-9a-f]{4}")
# Letters beyond ASCII that are, with case folded, written with letters of ASCII.
FOLD_TO_ASCII = "ßİŉſǰẖẗẘẙẚẞ\N{KELVIN SIGN}ﬀﬁﬂﬃﬄﬅﬆ"
_ASCII = bytes(range(0x80))
_FOLD_TO_ASCII = tuple(letter.encode() for letter in FOLD_TO_ASCII)


def indexable(text: str) -> str:
    """Return a text so that splitting it at ASCII other than letters and digits gives the words of the index."""
    ascii_alone = text.isascii()
    if not ascii_alone:
        text = _NO_WORD.sub(" ", text.casefold())
    for sign, letter in _SIGNS.items():
        if sign in text:
            text = _signed(text, sign, letter)
    return text if ascii_alone else " ".join(_ALONE.split(text))  # half of the time of `sub`


def _signed(text: str, sign: str, letter: str) -> str:
    """Return a text with the letter that stands for a sign wherever that ends a word."""
    *pieces, last = text.split(sign)
    return "".join([f"{piece}{letter if piece[-1:].isalnum() else ''} " for piece in pieces]) + last


def words(text: str) -> list[str]:
    """Return the words of a text as the index has them."""
    return _WORD.findall(indexable(text.lower() if text.isascii() else text))


class Term(Struct, frozen=True):
    """One thing that must be in a text: its pieces, of which several stand with any space between them."""

    pieces: tuple[str, ...]  # with case folded
    pattern: re.Pattern[str] | None  # where there are several pieces
    raw: (
        bytes | None
    )  # what a record with this text must hold, in small letters; None where it may be written otherwise

    def find(self, folded: str) -> tuple[int, int] | None:
        """Return where it first stands in a text whose case is folded."""
        if self.pattern is not None:
            match = self.pattern.search(folded)
            return match.span() if match else None
        at = folded.find(self.pieces[0])
        return (at, at + len(self.pieces[0])) if at >= 0 else None


class Query(Struct, frozen=True):
    """All terms must stand in one passage. `expression` is for the index; None where no term has a word."""

    text: str
    terms: tuple[Term, ...]
    expression: str | None

    def may_hold(self, record: bytes) -> bool:
        """Tell by its bytes whether a record may hold all terms: a quick look before it is decoded."""
        small = record.lower()
        if all(term.raw is None or term.raw in small for term in self.terms):
            return True
        if b"\\u" in small and _ESCAPE.search(small):
            return True
        beyond = small.translate(None, _ASCII)
        return any(letter in beyond for letter in _FOLD_TO_ASCII)

    def spans(self, text: str) -> list[tuple[int, int]] | None:
        """Return where each term first stands in `text`, None where one does not stand in it."""
        folded = text.casefold()
        found = []
        for term in self.terms:
            span = term.find(folded)
            if span is None:
                return None
            found.append(span)
        return found if len(folded) == len(text) else [_unfolded(text, span) for span in found]


def parse(text: str, parts: Collection[str] = PARTS) -> Query:
    """Make a query of any text. What stands in double quotes is one term, else each word is; nothing is refused.

    A term is found where a word begins with it; a single letter or digit only where it is the whole word.
    """
    terms: list[Term] = []
    asked: list[str] = []
    for match in _TERM.finditer(text):
        given = match[1] if match[1] is not None else match[0]
        pieces = tuple(given.casefold().split())
        if not pieces:
            continue
        pattern = re.compile(r"\s+".join(map(re.escape, pieces))) if len(pieces) > 1 else None
        plain = len(pieces) == 1 and given.isascii() and _LITERAL.fullmatch(given)
        terms.append(Term(pieces, pattern, pieces[0].encode() if plain else None))
        if (own := words(given)) and len(asked) < _MOST_WORDS:
            asked.append(_phrase(own[:_MOST_WORDS]))
    expression = " AND ".join(asked)
    if asked and set(parts) != set(PARTS):
        expression = f"{{{' '.join(part for part in PARTS if part in parts)}}} : ({expression})"
    return Query(text, tuple(terms), expression or None)


def _phrase(own: Sequence[str]) -> str:
    if len(own) == 1 and len(own[0]) == 1 and not _ALONE.match(own[0]):
        forms = [f'"{own[0]}{sign}"' for sign in ("", *_SIGNS.values())]
        return f"({' OR '.join(forms)})"
    return f'"{" ".join(own)}"{"" if _ALONE.fullmatch(own[-1]) else " *"}'


def _unfolded(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the place in `text` of a place in its folded form, which is longer where a letter folds to several."""
    start = end = at = 0
    for number, character in enumerate(text):
        if at <= span[0]:
            start = number
        if at >= span[1]:
            break
        at += len(character.casefold())
        end = number + 1
    return start, end
