"""Secrets inside base64 and hexadecimal text: what decodes to text is read, and a run that holds one goes whole."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from waterglass.redact.engine import Pattern, engine
from waterglass.redact.rules import Span
from waterglass.redact.views import BREAK, View

# Three ASCII characters in base64: the high bit of each is 0, and the first of them is printable, a tab or a line end.
# Any text of twelve bytes gives four such groups, at whatever place of its run; other runs give one in ten thousand.
_GROUP = "[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]"
_BASE64 = rf"(?:{_GROUP}){{4}}"
_HEX = "(?:0[9aAdD]|[2-7][0-9a-fA-F]){12}"
_REST = re.compile(rf"(?:{_GROUP}){{0,200000}}[A-Za-z0-9+/_-]{{0,3}}")
_REST_HEX = re.compile(r"(?:0[9aAdD]|[2-7][0-9a-fA-F]){0,400000}")
_RUN = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_RUN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_LONGEST_BEFORE = 4_096  # characters of a run before its readable part
# Base64 of more than a line's length is broken into lines, in a text or (as `\n`) in a string, or in one of a string.
_ENDS = (r"\n", r"\r\n", r"\\n", r"\\\\n")
_WRAP = re.compile(f"(?:{'|'.join(f'{end}(?<=[A-Za-z0-9+/]{{48}}{end})' for end in _ENDS)})[ \t]{{0,32}}")
_URL_SAFE = str.maketrans("-_", "+/")


@cache
def _readable() -> Pattern:
    return engine().compile(f"{_BASE64}|{_HEX}")


def find_coded(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """Spans of runs in `text` that hold a secret once decoded; `find` finds those of a decoded text."""
    view = unwrapped(text)
    searched = text if view is None else view.text
    whole, runs, done = View(), dict[str, list[tuple[int, int]]](), 0
    for start, stop in _readable_in(searched):
        if start < done:
            continue
        content, done = _decoded(searched, start, stop)
        run = _run_around(searched, start, done)
        key = searched[start:done]
        if key not in runs:
            whole.add(content, start, done)
            whole.add(BREAK, done, done)
        runs.setdefault(key, []).append(run)
    whole.done()
    if not whole.text:
        return
    for span in find(whole.text):
        # A decoded text is never as long as what it was made of, so that any part of it stands for all of that.
        first, last = whole.at(span.start, span.start + 1)
        for place in runs[searched[first:last]]:
            begin, end = place if view is None else view.at(*place)
            yield Span(begin, end, span.kind)


def _readable_in(text: str) -> Iterator[tuple[int, int]]:
    """Where a readable part of a run begins, and where what shows that it is one ends."""
    if engine().name == "re2":
        yield from (found.span() for found in _readable().finditer(text))
        return
    # The same places; Python's engine tries every letter, so it is given only what is long enough, and once.
    dull: set[str] = set()
    for run in _LONG_RUN.finditer(text):
        word, at = run[0], run.start()
        if word in dull:
            continue
        places = [(at + found.start(), at + found.end()) for found in _readable().finditer(word)]
        if not places:
            dull.add(word)
        yield from places


def _decoded(text: str, start: int, stop: int) -> tuple[str, int]:
    """The text that begins to be readable at `start`, and where in `text` it ends."""
    if stop - start == 24:  # twelve pairs of digits
        end = max(stop, _REST_HEX.match(text, start).end())  # type: ignore[union-attr]
        return bytes.fromhex(text[start : end - (end - start) % 2]).decode("latin-1"), end
    end = max(stop, _REST.match(text, start).end())  # type: ignore[union-attr]
    plain = text[start:end].translate(_URL_SAFE)
    plain = plain[:-1] if len(plain) % 4 == 1 else plain
    data = binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
    return data.decode("latin-1"), end


def _run_around(text: str, start: int, end: int) -> tuple[int, int]:
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    run = _RUN.match(text, end)
    return start - len(before) + len(before.rstrip(_RUN_LETTERS)), run.end() if run else end


def unwrapped(text: str) -> View | None:
    """The text with lines of base64 joined, or None where there are none."""
    view, done = View(), 0
    for found in _WRAP.finditer(text):
        view.add(text[done : found.start()], done, found.start())
        done = found.end()
    if not done:
        return None
    view.add(text[done:], done, len(text))
    return view.done()
