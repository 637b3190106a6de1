"""A text in Markdown as sentences of the one who wrote it: no code, no quotations, no tables."""

from __future__ import annotations

import re

import msgspec

# A claim stands at the start or the end of a text. Of a longer one the middle is not read.
HEAD_CHARACTERS = TAIL_CHARACTERS = 12_000
LINE_CHARACTERS = 4_000
SENTENCE_CHARACTERS = 400
MAX_SENTENCES = 400

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTE = re.compile(r"^\s*>")
_TABLE = re.compile(r"^\s*\|")
_HEADING = re.compile(r"^\s*#{1,6}\s+(.*)$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_BOX = re.compile(r"^\s*[-*+]\s+\[([ xX])\]")
_BOLD_LINE = re.compile(r"^\s*\*\*([^*]{1,200})\*\*\s*:?\s*$")
# Code, addresses and names of files; each is `§` while sentences are told apart.
_OPAQUE = re.compile(
    r"`[^`\n]{0,400}`|https?://[^\s)>]{1,500}"
    r"|(?<![\w./-])[\w-]{1,80}\.(?:md|json|toml|ya?ml|py|tsx?|jsx?|go|rs|java|sh|sql|css|html|xml|txt|swift)\b(?![.\w/])"
)
_SAID = re.compile(r"[\"“«„][^\"”»“\n]{0,300}[\"”»“]|「[^」\n]{0,300}」|『[^』\n]{0,300}』")
_QUOTES = frozenset('"“«„「『')
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)")
_TAG = re.compile(r"<[^<>\n]{1,200}>")
_MARKS = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|~~")
_SIGNS = re.compile(r"^[^\w§(]+")
_END = re.compile(r"(?<=[.!?…])[)\"'*_]{0,3}\s+|(?<=[。\uff01\uff1f])|\s+[—–]\s+(?=[A-Z])")


class Sentence(msgspec.Struct, frozen=True):
    """One sentence."""

    text: str
    """As written, at most 400 characters."""
    words: str
    """The same in lower case for matching: without Markdown and signs in front; an apostrophe is `’`, code and
    quoted words are `§`."""
    form: str
    """`text`, `heading`, `item` (of a list), `ticked` or `open` (an item with a box)."""
    asks: bool
    """It is a question."""


def sentences(text: str) -> list[Sentence]:
    """The sentences of `text`, in order. Never raises."""
    if len(text) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        text = f"{text[:HEAD_CHARACTERS]}\n{text[-TAIL_CHARACTERS:]}"
    found: list[Sentence] = []
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and line.strip() and not _QUOTE.match(line) and not _TABLE.match(line):
            found.extend(_of_line(line))
    half = MAX_SENTENCES // 2
    return found if len(found) <= MAX_SENTENCES else found[:half] + found[-half:]


def _of_line(line: str) -> list[Sentence]:
    form, body = "text", line
    heading = _HEADING.match(line) or _BOLD_LINE.match(line)
    item = _ITEM.match(line)
    if heading:
        form, body = "heading", heading.group(1)
    elif item:
        box = _BOX.match(line)
        form, body = "item" if box is None else "open" if box.group(1) == " " else "ticked", item.group(1)
    body = body.strip()[:LINE_CHARACTERS].replace("§", "¶")
    # Most lines hold none of these: looking for a character costs less than looking for a pattern.
    if "](" in body:
        body = _LINK.sub(r"\1", body)
    if "`" not in body and "." not in body and "://" not in body:
        return [_sentence(part, part, form) for part in _parts(body)]
    opaque = iter(_OPAQUE.findall(body))
    return [
        _sentence(part, re.sub("§", lambda _: next(opaque), part) if "§" in part else part, form)
        for part in _parts(_OPAQUE.sub("§", body))
    ]


def _parts(body: str) -> list[str]:
    return [part.strip() for part in _END.split(body) if part and part.strip()]


def _sentence(part: str, written: str, form: str) -> Sentence:
    words = part = part[:SENTENCE_CHARACTERS]
    if not _QUOTES.isdisjoint(words):
        words = _SAID.sub("§", words)
    if "<" in words:
        words = _TAG.sub(" ", words)
    if "*" in words or "_" in words or "~" in words:
        words = _MARKS.sub("", words)
    words = words.strip()
    asks = words.rstrip(" *_)\"'").endswith(("?", "\uff1f")) or words.startswith("¿")
    plain = " ".join(_SIGNS.sub("", words.replace("'", "’")).lower().split())
    return Sentence(written[:SENTENCE_CHARACTERS], plain, form, asks)
