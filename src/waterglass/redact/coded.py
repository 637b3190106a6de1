"""Secrets inside base64 and hexadecimal text: what decodes to text is read, and a run that holds one goes whole."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable, Iterator

from waterglass.redact.rules import Span
from waterglass.redact.views import BREAK, View

_RUN = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){12,}")
_READABLE = re.compile(rb"[\t\n\r\x20-\x7e]{10,}")
# Base64 of more than a line's length is broken into lines, in a text or (as `\n`) in a string.
_WRAP = re.compile(
    r"(?:\n(?<=[A-Za-z0-9+/]{48}\n)|\r\n(?<=[A-Za-z0-9+/]{48}\r\n)|\\n(?<=[A-Za-z0-9+/]{48}\\n))[ \t]{0,32}"
)
_ALIGNMENTS = 4
_LONGEST_RUN = 1_000_000
_URL_SAFE = str.maketrans("-_", "+/")


def find_coded(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """Spans of runs in `text` that hold a secret once decoded; `find` finds those of a decoded text."""
    view = unwrapped(text)
    searched = text if view is None else view.text
    runs: dict[str, list[tuple[int, int]]] = {}
    for found in _RUN.finditer(searched):
        runs.setdefault(found[0], []).append(found.span())
    whole = View()
    for run, places in runs.items():
        for readable in _readable(run):
            whole.add(readable, *places[0])
            whole.add(BREAK, *places[0])
    whole.done()
    if not whole.text:
        return
    for span in find(whole.text):
        # A decoded text is never as long as its run, so that any part of it stands for the whole run.
        first, last = whole.at(span.start, span.start + 1)
        for place in runs[searched[first:last]]:
            start, end = place if view is None else view.at(*place)
            yield Span(start, end, span.kind)


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


def _readable(run: str) -> Iterator[str]:
    """The texts that a run decodes to, whatever stands before its first letter."""
    hexadecimal = _HEX.fullmatch(run)
    if hexadecimal:
        yield from _texts(bytes.fromhex(run))
        return
    if run.islower() or run.isupper() or run.isdigit():  # a path, a name, a constant
        return
    plain = run[:_LONGEST_RUN].rstrip("=").translate(_URL_SAFE)
    for skipped in range(_ALIGNMENTS):
        part = plain[skipped:]
        part = part[:-1] if len(part) % 4 == 1 else part
        try:
            yield from _texts(binascii.a2b_base64(part + "=" * (-len(part) % 4)))
        except binascii.Error:
            continue


def _texts(data: bytes) -> Iterator[str]:
    for found in _READABLE.findall(data):
        yield found.decode("ascii")
