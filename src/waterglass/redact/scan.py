"""Where the secrets of a text are: tokens by format, values by name, private keys; each stretch once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from waterglass.redact.names import find_named
from waterglass.redact.rules import Span, find_tokens

# What is not seen on a screen and may stand in the middle of a token: colours and other escapes, zero-width characters.
_UNSEEN = re.compile(
    "\x1b\\[[0-9;:?]{0,64}[ -/]{0,4}[@-~]|\x1b\\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\\\)|\x1b[()][0-9A-B]"
    "|[\x00\x1b\x9b\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]"
)
_UNSEEN_MARKS = (
    "\x00\x9b\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u202a\u202e\u2066\u2069"
)
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_LINE = re.compile(r"[ \t>|+*0-9→:-]{0,16}[A-Za-z0-9+/=]{8,}[\\rn\s]*")
_PEM_HEADER = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,200}\n")
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/=]{12}")
_PEM_LIMIT = 16_384


def find_secrets(text: str) -> list[Span]:
    """The stretches of `text` that hold a secret, in order, none overlapping another."""
    seen, offsets = _seen(text)
    low = seen.lower()
    if len(low) != len(seen):  # İ and its like grow in lower case; the words looked for are all ASCII
        low = seen.translate(_ASCII_LOWER)
    spans = [*find_tokens(seen, low), *find_named(seen, low), *_find_pem(seen)]
    if not spans:
        return spans
    merged = _merge(spans)
    if offsets is None:
        return merged
    return [Span(offsets[span.start], offsets[span.end - 1] + 1, span.kind) for span in merged]


def _seen(text: str) -> tuple[str, list[int] | None]:
    """The text as a screen shows it, and where each of its characters stands in the original (None: same places)."""
    if "\x1b" not in text and not any(mark in text for mark in _UNSEEN_MARKS[: 1 if text.isascii() else None]):
        return text, None
    pieces, offsets, done = list[str](), list[int](), 0
    for hidden in _UNSEEN.finditer(text):
        pieces.append(text[done : hidden.start()])
        offsets.extend(range(done, hidden.start()))
        done = hidden.end()
    pieces.append(text[done:])
    offsets.extend(range(done, len(text)))
    return "".join(pieces), offsets


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
    if "PRIVATE KEY" not in text:
        return
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
