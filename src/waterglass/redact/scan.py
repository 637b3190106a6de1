"""Where the secrets of a text are: tokens by format, values by name, private keys, as written and decoded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from waterglass.redact.coded import find_coded
from waterglass.redact.engine import engine
from waterglass.redact.names import NAME_WORDS, find_named
from waterglass.redact.rules import RuleIndex, Span, load_rules, places_of
from waterglass.redact.values import Values
from waterglass.redact.views import View, readings, seen
from waterglass.redact.wrapped import find_wrapped

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_LINE = re.compile(r"[ \t>|+*0-9→:-]{0,16}[A-Za-z0-9+/=]{8,}[\\rn\s]*")
_PEM_HEADER = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,200}\n")
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/=]{12}")
_PEM_LIMIT = 16_384
_DEPTH = 3  # base64 in base64, and what is written as numbers in it
NONE = Values()


@cache
def _index() -> RuleIndex:
    return RuleIndex(engine(), load_rules(), NAME_WORDS)


def find_secrets(text: str, values: Values = NONE) -> list[Span]:
    """The stretches of `text` that hold a secret or one of `values`, in order, none overlapping another."""
    return _merge(_find(_SURROGATE.sub("\ufffd", text) if not text.isascii() else text, values, 0))


def _find(text: str, values: Values, depth: int) -> Iterator[Span]:
    for view in readings(seen(text)):
        yield from _placed(view, _plain(view.text, values))
        if depth < _DEPTH:
            yield from _placed(view, find_coded(view.text, lambda inner: _find(inner, values, depth + 1)))


def _placed(view: View, spans: Iterable[Span]) -> Iterator[Span]:
    for span in spans:
        start, end = view.at(span.start, span.end)
        yield Span(start, end, span.kind)


def _plain(text: str, values: Values) -> Iterator[Span]:
    low = text.lower()
    if len(low) != len(text):  # İ and its like grow in lower case; the words looked for are all ASCII
        low = text.translate(_ASCII_LOWER)
    hits, words = _index().found(text, low)
    for keyword, rules in hits:
        folded = rules[0].fold
        places = list(places_of(low if folded else text, keyword))
        for rule in rules:
            yield from rule.find(text, places)
        if not folded:
            yield from find_wrapped(text, rules, keyword, places)
    if words:
        yield from find_named(text, low, words)
    if "PRIVATE KEY" in text:
        yield from _find_pem(text)
    yield from values.find(text)


def _merge(spans: Iterable[Span]) -> list[Span]:
    """Overlapping stretches become one; it has the kind of the first that begins there (a format before a name)."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        if merged and span.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _find_pem(text: str) -> Iterator[Span]:
    """Private keys in armour, whole or cut off."""
    done = 0
    for begin in _PEM_BEGIN.finditer(text):
        if begin.start() < done:
            continue
        end = text.find("-----END", begin.end(), begin.end() + _PEM_LIMIT)
        done = _pem_lines(text, begin.end()) if end < 0 else end
        if _KEY_TEXT.search(text, begin.end(), done):
            yield Span(begin.end(), done, "private_key")


def _pem_lines(text: str, at: int) -> int:
    """The end of a key without its last line: as far as lines look like base64."""
    at += len(text[at : at + 8]) - len(text[at : at + 8].lstrip("\\rn \n\t"))
    while found := _PEM_HEADER.match(text, at) or _PEM_LINE.match(text, at):
        at = found.end()
    return at
