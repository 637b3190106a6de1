"""The third try: text that no strict parser takes is mended, or searched for whole records.

Real causes: a power loss leaves NUL bytes, a killed writer leaves a stub that the next record is glued to,
JavaScript cuts a string inside an emoji and so writes half a surrogate pair. What cannot be mended is skipped with a
reason, never guessed at.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from msgspec import Struct

from waterglass.schema.decode import MAX_DEPTH

_MAX_DIGITS = 400  # a float ends at 309 digits; Python refuses integers above 4,300
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.S)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
# Keys that a record was seen to begin with: where to look for a whole record behind a torn one.
_BEGIN = re.compile(
    r'\{\s*"(?:type|parentUuid|uuid|sessionId|session_id|message|timestamp|isSidechain|userType|cwd|version|summary|leafUuid|messageId|'
    r'subtype|operation|agentId|gitBranch|requestId|content|attachment|data|snapshot)"'
)
_MAX_SEARCHES = 2_000


class Piece(Struct, frozen=True):
    """One object found on a damaged line: where its text begins (bytes from the line's start) and how it was got."""

    start: int
    value: dict[str, Any]
    recovered: bool
    repaired: bool


class Mended(Struct, frozen=True):
    """What a damaged line holds. `reason` is set when it holds nothing: bad_json, not_object or too_deep.

    `repairs` names what was done: utf8, control, surrogate, nan, number (one out of all range), nul, concat, torn.
    """

    pieces: tuple[Piece, ...]
    reason: str | None
    repairs: tuple[str, ...]


def too_deep(text: str) -> bool:
    """Whether brackets outside strings nest deeper than `MAX_DEPTH`; linear, and stops at the first place that does."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _BRACKETS.finditer(text):
        mark = match.group()
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def mend(line: bytes) -> Mended:
    """Return the whole objects of a line that the strict parsers refuse."""
    repairs: set[str] = set()
    text = _decoded(line, repairs)
    if too_deep(text):
        return Mended((), "too_deep", ())
    parse = _Parser(repairs)
    found: list[tuple[int, Any, bool]] = []  # where, value, beside something torn
    at, torn = _skip(text, 0), False
    while at < len(text):
        got = parse.at(text, at)
        if got is None:
            later = _whole_record_at_end(text, at, parse)
            torn = True
            if later is not None:
                found.append((later[0], later[1], True))
            break
        found.append((at, got[0], False))
        at = _skip(text, got[1])
    objects = [(where, value, beside) for where, value, beside in found if isinstance(value, dict)]
    if torn:
        objects = [o for o in objects if o[2] or _is_record(o[1])]
    if not objects:
        return Mended((), "not_object" if found and not torn else "bad_json", ())
    nul = "\0" in text[: objects[0][0]] or text.rstrip("\r\n \t").endswith("\0")
    if nul:
        repairs.add("nul")
    if torn:
        repairs.add("torn")
    if len(objects) > 1:
        repairs.add("concat")
    mended = bool(repairs & {"utf8", "control", "surrogate", "nan"})
    pieces = tuple(
        Piece(
            len(text[:where].encode("utf-8", "replace")) if where else 0,
            _clean(value, repairs),
            index > 0 or nul or torn,
            mended,
        )
        for index, (where, value, _) in enumerate(objects)
    )
    if "surrogate" in repairs and not mended:
        pieces = tuple(Piece(p.start, p.value, p.recovered, True) for p in pieces)
    return Mended(pieces, None, tuple(sorted(repairs)))


def _decoded(line: bytes, repairs: set[str]) -> str:
    if line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
        repairs.add("utf8")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        repairs.add("utf8")
        return line.decode("utf-8", "replace")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n\0":
        at += 1
    return at


class _Parser:
    """Python's own parser with the switches that msgspec lacks; remembers which of them were needed."""

    def __init__(self, repairs: set[str]) -> None:
        self.repairs = repairs
        self.strict = self._decoder(strict=True)
        self.lax = self._decoder(strict=False)

    def _decoder(self, *, strict: bool) -> json.JSONDecoder:
        return json.JSONDecoder(
            strict=strict, parse_constant=self._constant, parse_int=self._integer, parse_float=self._float
        )

    def at(self, text: str, at: int) -> tuple[Any, int] | None:
        try:
            return self.strict.raw_decode(text, at)
        except (ValueError, RecursionError):
            pass
        try:
            got = self.lax.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        self.repairs.add("control")
        return got

    def _constant(self, name: str) -> None:
        self.repairs.add("nan")

    def _integer(self, digits: str) -> int | None:
        if len(digits) <= _MAX_DIGITS:
            return int(digits)
        self.repairs.add("number")
        return None

    def _float(self, digits: str) -> float | None:
        number = float(digits)
        if math.isfinite(number):
            return number
        self.repairs.add("number")
        return None


def _is_record(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "summary":
        return "leafUuid" in value
    if kind == "file-history-snapshot":
        return "messageId" in value
    return "sessionId" in value


def _whole_record_at_end(text: str, at: int, parse: _Parser) -> tuple[int, dict[str, Any]] | None:
    end = len(text.rstrip(" \t\r\n\0"))
    for tries, match in enumerate(_BEGIN.finditer(text, at + 1)):
        if tries >= _MAX_SEARCHES:
            return None
        got = parse.at(text, match.start())
        if got is not None and got[1] >= end and isinstance(got[0], dict) and _is_record(got[0]):
            return match.start(), got[0]
    return None


def _clean(value: Any, repairs: set[str]) -> Any:
    """Replace lone surrogates, which no file, database or browser takes, by U+FFFD."""
    if not _has_surrogate(value):
        return value
    repairs.add("surrogate")
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(item, repairs) for item in value]
    if isinstance(value, dict):
        return {_clean(key, repairs): _clean(item, repairs) for key, item in value.items()}
    return value


def without_surrogates(value: Any) -> Any:
    """Return a JSON value with each lone surrogate replaced by U+FFFD."""
    return _clean(value, set())


def _has_surrogate(value: Any) -> bool:
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if _SURROGATES.search(item):
                return True
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            todo.extend(item)
            todo.extend(item.values())
    return False
