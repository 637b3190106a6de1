"""A text as its reader sees it, decoded, and where each of its characters stands in what was written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

# What is not seen on a screen and may stand in the middle of a token: colours and other escapes, zero-width characters.
_UNSEEN = re.compile(
    "\x1b\\[[0-9;:?]{0,64}[ -/]{0,4}[@-~]|\x1b\\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\\\)|\x1b[()][0-9A-B]"
    "|[\x00\x1b\x9b\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]"
)
_UNSEEN_MARKS = re.compile("[\x00\x1b\x9b\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]")
# Characters written as numbers: `\u0067` and `\x67` below any number of backslashes, `%67` (`%2567`), `&#103;`.
_NUMBERED = re.compile(
    r"\\{1,16}(?:u00|x)([2-7][0-9A-Fa-f]|1[Bb])|%(?:25){0,3}([2-7][0-9A-Fa-f])"
    r"|&#(?:[xX]0{0,4}([2-7][0-9A-Fa-f])|0{0,4}(3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6]));"
    r"|(\\{1,16}u(?:200[bBcCdD]|2060|[fF][eE][fF][fF]|00[aA][dD]))"
)
# Where such characters may stand. Each of these is looked for by its first letter, which is several times as fast.
_MAY_BE_NUMBERED = tuple(re.compile(start) for start in (r"\\[ux][0-9fF]", r"%[2-7][0-9A-Fa-f]", r"&#[xX0-9]"))
_DECIMAL, _HIDDEN = 4, 5  # groups of the expression above
# JSON in JSON in a string: read a level at a time, where a quote or a deeper line end shows that there is one. Each
# level writes a backslash as two.
_DEEPER = (re.compile(r"\\[\"']"), re.compile(r"\\\\\\\\[nrt]"))
_ESCAPED = re.compile(r"((?:\\\\)+)|\\([\"'/nrtbf])")
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_LEVELS = 8
_REACH = 2_000  # characters around a number that are read with it, at most to the ends of its line
BREAK = "\n\x1f\n"  # between two texts that are searched as one: nothing that is looked for goes over it
_ROUNDS = 3


class View:
    """A text made of pieces of another one. `at(start, end)` says where a stretch of it stands in the original."""

    def __init__(self, below: View | None = None) -> None:
        self._below = below
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[tuple[int, int]] = []
        self._size = 0
        self.text = ""

    def add(self, piece: str, start: int, end: int) -> None:
        """Append `piece`, which stands for characters `start` to `end`; one as long as they are is written so."""
        if piece:
            self._pieces.append(piece)
            self._starts.append(self._size)
            self._origins.append((start, end))
            self._size += len(piece)

    def done(self) -> View:
        """Make the text, once all pieces are there."""
        self.text = "".join(self._pieces)
        self._pieces = []
        return self

    def at(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original that characters `start` to `end` of this text were made of."""
        first = self._place(start)[0]
        last = self._place(end - 1)[1] if end > start else first
        return (first, last) if self._below is None else self._below.at(first, last)

    def _place(self, at: int) -> tuple[int, int]:
        index = bisect_right(self._starts, at) - 1
        start, end = self._origins[index]
        into = at - self._starts[index]
        size = (self._starts[index + 1] if index + 1 < len(self._starts) else self._size) - self._starts[index]
        return (start + into, start + into + 1) if end - start == size else (start, end)


def seen(text: str) -> View:
    """The text without what no screen shows."""
    view, done = View(), 0
    if _UNSEEN_MARKS.search(text):
        for hidden in _UNSEEN.finditer(text):
            view.add(text[done : hidden.start()], done, hidden.start())
            done = hidden.end()
    view.add(text[done:], done, len(text))
    return view.done()


def readings(view: View) -> Iterator[View]:
    """The text itself, and what it says once its numbers and its deeper levels of strings in strings are read."""
    yield view
    yield from _decoded(view)
    for _ in range(_LEVELS):
        stretches = _stretches(view.text, _DEEPER)
        if not stretches:
            return
        view = _read(view, stretches, _ESCAPED, _unescaped)
        yield view
        yield from _decoded(view)


def _decoded(view: View) -> Iterator[View]:
    """The stretches of a text in which characters are written as numbers, decoded once, and again while some are."""
    for _ in range(_ROUNDS):
        stretches = _stretches(view.text, _MAY_BE_NUMBERED)
        if not stretches:
            return
        view = _read(view, stretches, _NUMBERED, _letter)
        if _UNSEEN_MARKS.search(view.text):
            view = _again_seen(view)
        yield view


def _read(
    below: View, stretches: list[tuple[int, int]], coded: re.Pattern[str], say: Callable[[re.Match[str]], str]
) -> View:
    """These stretches of a text, with what is `coded` in them replaced by what it says."""
    text, view = below.text, View(below)
    for begin, end in stretches:
        at = begin
        for found in coded.finditer(text, begin, end):
            view.add(text[at : found.start()], at, found.start())
            view.add(say(found), found.start(), found.end())
            at = found.end()
        view.add(text[at:end], at, end)
        view.add(BREAK, end, end)
    return view.done()


def _again_seen(view: View) -> View:
    """A decoded text without what no screen shows: `\\u001b[1m` is a colour, too."""
    new, done = View(view), 0
    for hidden in _UNSEEN.finditer(view.text):
        new.add(view.text[done : hidden.start()], done, hidden.start())
        done = hidden.end()
    new.add(view.text[done:], done, len(view.text))
    return new.done()


def _letter(found: re.Match[str]) -> str:
    kind = found.lastindex or 0
    if kind == _HIDDEN:
        return ""
    return chr(int(found[kind], 10 if kind == _DECIMAL else 16))


def _unescaped(found: re.Match[str]) -> str:
    backslashes, letter = found.groups()
    return _MEANT.get(letter, letter) if backslashes is None else backslashes[: len(backslashes) // 2]


def _stretches(text: str, starts: Iterable[re.Pattern[str]]) -> list[tuple[int, int]]:
    """Where one of `starts` is found, each with the line around it, in order and without overlap."""
    stretches: list[tuple[int, int]] = []
    done = 0
    for at in sorted(found.start() for start in starts for found in start.finditer(text)):
        if at < done:
            continue
        begin = max(done, text.rfind("\n", max(0, at - _REACH), at) + 1, at - _REACH)
        end = text.find("\n", at, at + _REACH)
        done = end if end >= 0 else min(len(text), at + _REACH)
        if stretches and stretches[-1][1] == begin:
            begin = stretches.pop()[0]
        stretches.append((begin, done))
    return stretches
