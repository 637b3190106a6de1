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

from waterglass.schema.decode import beyond_limits

_MAX_DIGITS = 400  # a float ends at 309 digits; Python refuses integers above 4,300
_NOTHING = b" \t\r\n\0"  # between records, and NUL where a block was never written
_GAP = re.compile(r"[ \t\r\n\0]*")
_SURROGATES = re.compile("[\ud800-\udfff]")
# Keys that a record was seen to begin with: where to look for a whole record behind a torn one.
_BEGIN = re.compile(
    r'\{\s*"(?:type|parentUuid|uuid|sessionId|session_id|message|timestamp|isSidechain|userType|cwd|version|summary|leafUuid|messageId|'
    r'subtype|operation|agentId|gitBranch|requestId|content|attachment|data|snapshot)"'
)
_MAX_SEARCHES = 2_000
_MAX_WORK = 4  # times the length of a line: what the search behind a torn record may read again
_MAX_OBJECTS = 100_000  # on one line; text of them alone takes forty times its size in memory


class Piece(Struct, frozen=True):
    """One object found on a damaged line: where its text begins (bytes from the line's start) and how it was got."""

    start: int
    value: dict[str, Any]
    recovered: bool
    repaired: bool


class Mended(Struct, frozen=True):
    """What a damaged line holds. `reason` is set when it holds nothing: bad_json, not_object, too_deep or too_large.

    `repairs` names what was done: utf8, control, surrogate, nan, number (one out of all range), nul, concat, torn.
    `unfinished`: something torn, or NUL bytes, stands behind the last object. At a file's end it may still be written.
    """

    pieces: tuple[Piece, ...]
    reason: str | None
    repairs: tuple[str, ...]
    unfinished: bool = False


def mend(line: bytes) -> Mended:
    """Return the whole objects of a line that the strict parsers refuse."""
    if (reason := beyond_limits(line)) is not None:
        return Mended((), reason, ())
    if not line.strip(_NOTHING):
        return Mended((), "bad_json", ())
    repairs: set[str] = set()
    text = _decoded(line, repairs)
    parse = _Parser(repairs)
    found: list[tuple[int, Any, bool]] = []  # where, value, beside something torn
    at, torn, unfinished = _skip(text, 0), False, False
    nul = "\0" in text[:at]  # between records, that is: one within a text is mended and no hole
    while at < len(text):
        if len(found) == _MAX_OBJECTS:
            return Mended((), "too_large", ())
        got = parse.at(text, at)
        if got is None:
            later = _whole_record_at_end(text, at, parse)
            torn, unfinished = True, later is None
            if later is not None:
                found.append((later[0], later[1], True))
            break
        found.append((at, got[0], False))
        at = _skip(text, got[1])
        nul = nul or "\0" in text[got[1] : at]
    objects = [(where, value, beside) for where, value, beside in found if isinstance(value, dict)]
    if torn:
        objects = [o for o in objects if o[2] or _is_record(o[1])]
    if not objects:
        return Mended((), "not_object" if found and not torn else "bad_json", ())
    hole = line.rstrip(b"\r\n \t").endswith(b"\0")
    nul = nul or hole or "\0" in text[: objects[0][0]]
    if nul:
        repairs.add("nul")
    if torn:
        repairs.add("torn")
    if len(objects) > 1:
        repairs.add("concat")
    starts = _places(line, text, [where for where, _, _ in objects])
    values = [without_surrogates(value) for _, value, _ in objects]
    if any(clean is not value for clean, (_, value, _) in zip(values, objects, strict=True)):
        repairs.add("surrogate")
    mended = bool(repairs & {"utf8", "control", "surrogate", "nan"})
    pieces = tuple(
        Piece(start, value, index > 0 or nul or torn, mended)
        for index, (start, value) in enumerate(zip(starts, values, strict=True))
    )
    return Mended(pieces, None, tuple(sorted(repairs)), unfinished or hole)


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
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _places(line: bytes, text: str, starts: list[int]) -> list[int]:
    """Return where in `line` the objects stand that begin at `starts` in its mended text; 0 for one at the beginning.

    Mending makes other bytes of what is no UTF-8 but never touches a brace, so braces are counted.
    """
    places: list[int] = []
    done, at = 0, -1
    for start in starts:
        for _ in range(text.count("{", done, start + 1)):
            at = line.index(b"{", at + 1)
        done = start + 1
        places.append(at if start else 0)
    return places


class _Parser:
    """Python's own parser with the switches that msgspec lacks; remembers which of them were needed."""

    def __init__(self, repairs: set[str]) -> None:
        self.repairs = repairs
        self.work = 0  # characters read
        self.strict = self._decoder(strict=True)
        self.lax = self._decoder(strict=False)

    def _decoder(self, *, strict: bool) -> json.JSONDecoder:
        return json.JSONDecoder(
            strict=strict, parse_constant=self._constant, parse_int=self._integer, parse_float=self._float
        )

    def at(self, text: str, at: int) -> tuple[Any, int] | None:
        """Return the value that begins at a place and where it ends, None where none does."""
        for decoder in (self.strict, self.lax):
            try:
                got: tuple[Any, int] = decoder.raw_decode(text, at)
            except json.JSONDecodeError as error:
                self.work += error.pos - at
                continue
            except (ValueError, RecursionError):
                return None
            self.work += got[1] - at
            if decoder is self.lax:
                self.repairs.add("control")
            return got
        return None

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
    most = parse.work + _MAX_WORK * len(text)
    for tries, match in enumerate(_BEGIN.finditer(text, at + 1)):
        if tries >= _MAX_SEARCHES or parse.work > most:
            return None
        got = parse.at(text, match.start())
        if got is None or got[1] < end or not isinstance(got[0], dict) or not _is_record(got[0]):
            continue
        # Where quotes are torn the count of the whole line may have taken brackets for text.
        return (
            (match.start(), got[0]) if beyond_limits(text[match.start() :].encode("utf-8", "replace")) is None else None
        )
    return None


def without_surrogates(value: Any) -> Any:
    """Return a JSON value with each lone surrogate, which no file, database or browser takes, replaced by U+FFFD.

    It is `value` itself where it has none.
    """
    return _clean(value) if _has_surrogate(value) else value


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


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
