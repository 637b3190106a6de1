"""Passwords that a table sets apart from their name: a column of bars or of commas, below a head that names it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.rules import Span
from waterglass.redact.shapes import LINE_NUMBER, may_be_password

_LONGEST = 2_000  # characters of a row
_LINE_NUMBER = re.compile(LINE_NUMBER)
_BARS = re.compile(r"[|\u2502\u2503]")
_RULE = re.compile(r"[>+ \t]{0,6}[-+:|=~ \t\u2500-\u257f]{3,}")
_STROKES = re.compile(r"[-=\u2500\u2501\u2550]{3}|[-:]-")
_COMMAS = (",", ";", "\t")
_NAME = r"\"?[^\W\d][\w.-]*(?: [\w.-]+){0,2}\"?"
_HEAD = {sign: re.compile(f"{_NAME}(?:{sign}{_NAME}){{1,200}}") for sign in _COMMAS}
_CELL = {sign: re.compile(f'"(?:[^"\\n]|"")*"|[^{sign}\\n"][^{sign}\\n]*|') for sign in _COMMAS}
_CODE = re.compile(
    r"(?:return|yield|from|import|select|print|echo|read|local|def|const|let|var|del|global|nonlocal|raise)\s",
    re.IGNORECASE,
)
_MARKS = " \t*_`\"'"

Cells = list[tuple[int, int]]  # where each begins and ends in the text


def column(text: str, start: int, end: int, is_name: Callable[[str], bool]) -> tuple[list[Span], int]:
    """Return the passwords below the head of a column that has its name at `start` to `end`, and up to where the text
    needs no other look: to the end of the table, or of the line where there is none.

    `is_name` tells whether a head is the name of a password.
    """
    if not _is_cell(text, start, end):
        return [], end
    first, last = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    if last - first > _LONGEST:
        return [], last
    number = _LINE_NUMBER.match(text, first, start)
    begin = number.end() if number else first
    if text.startswith("\ufeff", begin):
        begin += 1
    rows = _Rows(text, last, number is not None)
    cut: Callable[[int, int], Cells]
    if _BARS.search(text, begin, last):
        if not _is_first(text, first) or not rows.has_rule():
            return [], last
        cut = rows.bars
    else:
        head = text[begin:last].rstrip("\r")
        sign = next((sign for sign in _COMMAS if _HEAD[sign].fullmatch(head)), None)
        if sign is None or _CODE.match(head):
            return [], last
        cut = rows.commas(sign)
    heads = cut(begin, last)
    named = [n for n, (at, stop) in enumerate(heads) if is_name(text[at:stop].strip(_MARKS))]
    if not named:
        return [], last
    return [
        Span(*place, "password")
        for cells in rows.cut(cut, len(heads))
        for n in named
        if (place := _password(text, *cells[n]))
    ], rows.at


def _is_cell(text: str, start: int, end: int) -> bool:
    """Can the name be all of a cell? Most names stand in other text, and that is seen at once."""
    after = text[end : end + 8].lstrip(_MARKS.replace("\t", ""))
    return not after or after[0] in "|\u2502\u2503,;\t\r\n"


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _is_first(text: str, first: int) -> bool:
    """Is the line that begins here the first row of its table? A rule above it may be the table's upper edge."""
    above = text[max(0, first - 2 * _LONGEST) : max(0, first - 1)].split("\n")
    if above and _RULE.fullmatch(above[-1]):
        if _STROKES.search(above[-1]) is None:
            return True
        above.pop()
    return not above or _BARS.search(above[-1]) is None


def _password(text: str, begin: int, stop: int) -> tuple[int, int] | None:
    """Return where in a cell a password stands, None where something else does."""
    whole = text[begin:stop]
    value = whole.strip(_MARKS + "\r")
    if is_placeholder(value) or not may_be_password(value):
        return None
    at = begin + whole.index(value)
    return at, at + len(value)


class _Rows:
    """The lines below a table's head. `at`: where the last row that belongs to it ends."""

    def __init__(self, text: str, at: int, numbered: bool) -> None:
        self.at = at
        self._text = text
        self._numbered = numbered

    def has_rule(self) -> bool:
        """Is the next line one that parts the head from the rows?"""
        begin, end = self._next(self.at)
        line = self._text[begin:end].rstrip("\r")
        return _RULE.fullmatch(line) is not None and _STROKES.search(line) is not None

    def cut(self, cut: Callable[[int, int], Cells], width: int) -> Iterator[Cells]:
        """Yield the cells of each row, as long as rows have so many; rules between them are passed over."""
        while self.at < len(self._text):
            begin, end = self._next(self.at)
            if end - begin > _LONGEST or begin >= end:
                return
            cells = cut(begin, end)
            if len(cells) == width:
                self.at = end
                yield cells
            elif _RULE.fullmatch(self._text[begin:end].rstrip("\r")):
                self.at = end
            else:
                return

    def bars(self, begin: int, end: int) -> Cells:
        """Return the cells between bars."""
        edges = [begin - 1, *(bar.start() for bar in _BARS.finditer(self._text, begin, end)), end]
        return [(left + 1, right) for left, right in pairwise(edges)]

    def commas(self, sign: str) -> Callable[[int, int], Cells]:
        """Return what gives the cells between these signs; quotes hold a cell together."""

        def cells(begin: int, end: int) -> Cells:
            found, at = [], begin
            while True:
                cell = _CELL[sign].match(self._text, at, end)
                found.append(cell.span())  # type: ignore[union-attr]
                at = found[-1][1]
                if self._text[at : at + 1] != sign or at >= end:
                    return found if at >= end or self._text[at] == "\r" else []
                at += 1

        return cells

    def _next(self, at: int) -> tuple[int, int]:
        """Return where the line after the one that ends here begins, without its number, and where it ends."""
        begin = at + 1
        end = _line_end(self._text, begin)
        number = _LINE_NUMBER.match(self._text, begin, end) if self._numbered else None
        return number.end() if number else begin, end
