"""Tokens that go over the end of a line: a terminal of 80 columns breaks most of them, and so do two blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waterglass.redact.rules import WINDOW, Rule, Span, is_boundary
from waterglass.redact.views import View

_PIECE = re.compile(r"[A-Za-z0-9_.=+/~:;$-]{1,4096}")
_BEFORE = re.compile(r"[A-Za-z0-9_-]+\Z")
_LINE_END = re.compile(r"(\r?\n|\\{1,3}(?:r\\{1,3})?n)[ \t>|]{0,32}")
_MAX_PIECES = 8
_LEAST_AFTER = 4  # characters of a token on its first line, beyond its keyword
_LEAST_MORE = 8  # characters on the next line, where the first line could hold the whole token


def find_wrapped(text: str, rules: tuple[Rule, ...], keyword: str, places: list[int]) -> Iterator[Span]:
    """Spans of tokens that begin with the keyword at one of `places` and run over the end of its line."""
    ours = [rule for rule in rules if not (rule.fold or rule.anywhere or (rule.back and rule.regex.groups))]
    back = max((rule.back for rule in ours), default=0)
    for at in places if ours else ():
        before = _BEFORE.search(text, max(0, at - back), at) if back else None
        begin = before.start() if before else at
        joined = _joined(text, begin, at - begin + len(keyword) + _LEAST_AFTER) if is_boundary(text, begin) else None
        if joined is not None:
            for rule in ours:
                yield from _over_the_end(rule, *joined)


def _joined(text: str, at: int, least: int) -> tuple[View, int] | None:
    """The token's pieces without what lies between them, and how long the first one is."""
    view, size, width = View(), 0, 0
    begin = max(text.rfind("\n", max(0, at - WINDOW), at) + 1, text.rfind("\\n", max(0, at - WINDOW), at) + 2)
    for number in range(_MAX_PIECES):
        piece = _PIECE.match(text, at)
        if piece is None:
            break
        view.add(piece[0], *piece.span())
        if not number:
            size, width = len(piece[0]), piece.end() - begin
        end = _LINE_END.match(text, piece.end())
        # A line that is shorter than the first one was not broken: what follows it is another line.
        if end is None or size < least or piece.end() - begin < width:
            break
        at, begin = end.end(), end.end(1)
    view.done()
    return (view, size) if len(view.text) > size >= least else None


def _over_the_end(rule: Rule, view: View, size: int) -> Iterator[Span]:
    found = rule.begins(view.text[:WINDOW])
    if found is None or found.end <= size:
        return
    more = view.text[size : found.end]
    if rule.begins(view.text[:size]) is not None and not (len(more) >= _LEAST_MORE and _is_random(more)):
        return  # the token may end with its line, and words follow it
    yield Span(*view.at(found.start, found.end), rule.kind)


def _is_random(text: str) -> bool:
    """No word looks so: digits between letters, and letters of both cases or digits alone."""
    digits = sum(c.isdigit() for c in text)
    return digits >= 2 and (text.lower() != text or digits * 4 >= len(text))
