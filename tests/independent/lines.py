"""Bytes of one file to raw records, with the counts that the contract's coverage names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = b" \t\r\v\f"


@dataclass
class Record:
    """One raw record and where it was found. `replayed` is set later, when the whole session is known."""

    value: dict[str, Any]
    key: str
    line: int
    offset: int
    replayed: bool = False

    @property
    def kind(self) -> str:
        found = self.value.get("type")
        return found if isinstance(found, str) else ""

    @property
    def uuid(self) -> str | None:
        return text_or_none(self.value.get("uuid"))

    @property
    def message(self) -> dict[str, Any]:
        found = self.value.get("message")
        return found if isinstance(found, dict) else {}

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Blocks of the message; a bare string is one text block."""
        content = self.message.get("content")
        if isinstance(content, str):
            return [{"type": "text", "text": content}]
        if not isinstance(content, list):
            return []
        dressed = [{"type": "text", "text": b} if isinstance(b, str) else b for b in content]
        return [b for b in dressed if isinstance(b, dict)]

    @property
    def sidechain(self) -> bool:
        return self.value.get("isSidechain") is True

    @property
    def ms(self) -> int | None:
        return millis(self.value.get("timestamp"))


@dataclass
class Lines:
    """What one file holds. Counts are of lines; `size` is bytes."""

    key: str
    size: int = 0
    physical: int = 0
    blank: int = 0
    skipped: int = 0
    recovered: int = 0
    repaired: int = 0
    whole: int = 0
    partial_tail: bool = False
    records: list[Record] = field(default_factory=list)


def text_or_none(value: object) -> str | None:
    """A string that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def millis(value: object) -> int | None:
    """Unix milliseconds of an ISO timestamp, else None."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def read(path: Path, key: str) -> Lines:
    """Read one file wholly."""
    data = path.read_bytes()
    out = Lines(key, size=len(data))
    pieces = data.split(b"\n")
    open_end = pieces.pop() if pieces[-1] == b"" else None
    last = len(pieces) if open_end is None else -1
    offset = 0
    for number, piece in enumerate(pieces, 1):
        out.physical += 1
        _take(out, piece, number, offset, is_tail=number == last)
        offset += len(piece) + 1
    return out


def _take(out: Lines, piece: bytes, number: int, offset: int, *, is_tail: bool) -> None:
    if not piece.strip(_BLANK):
        out.blank += 1
        return
    if is_tail and not piece.strip(_BLANK + b"\0"):
        out.partial_tail = True
        return
    try:
        value = json.loads(piece.decode("utf-8"), parse_constant=_no_constant)
        whole = isinstance(value, dict)
    except (ValueError, RecursionError):
        whole = False
    if whole:
        out.whole += 1
        mended = _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None
        out.repaired += mended
        out.records.append(Record(value, out.key, number, offset))
        return
    found, recovered, mended = _mend(piece)
    if not found:
        if is_tail:
            out.partial_tail = True
        else:
            out.skipped += 1
        return
    out.recovered += recovered
    out.repaired += len(found) if mended else 0
    out.records += [Record(v, out.key, number, offset) for v in found]


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _mend(piece: bytes) -> tuple[list[dict[str, Any]], int, bool]:
    """Whole objects of a damaged line, how many of them did not stand alone, and whether their text was mended."""
    text = piece.decode("utf-8", "replace")
    mended = "\ufffd" in text and b"\xef\xbf\xbd" not in piece
    lax = json.JSONDecoder(strict=False, parse_constant=lambda name: None)
    alone = text.strip(" \t\r\v\f\0\ufeff")
    nul = "\0" in text
    try:
        value = lax.decode(alone)
        return ([value], int(nul), not nul) if isinstance(value, dict) else ([], 0, False)
    except (ValueError, RecursionError):
        pass
    found = list(_glued(alone, lax))
    if found and found[-1][1] == len(alone):
        values = [v for v, _ in found]
        return values, len(values) - (0 if not nul else 1) - (1 if not nul else 0) + int(nul), mended
    kept = [v for v, _ in found if is_record(v)]
    tail = _whole_end(alone, found[-1][1] if found else 1, lax)
    kept += [] if tail is None else [tail]
    return kept, len(kept), mended


def _glued(text: str, lax: json.JSONDecoder) -> Iterator[tuple[dict[str, Any], int]]:
    at = 0
    while at < len(text):
        try:
            value, end = lax.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        if not isinstance(value, dict):
            return
        at = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\0"))
        yield value, at


def _whole_end(text: str, start: int, lax: json.JSONDecoder) -> dict[str, Any] | None:
    """The first object after `start` that runs to the end of the line and is a record."""
    for match in re.finditer(r"\{", text[start:]):
        try:
            value, end = lax.raw_decode(text, start + match.start())
        except (ValueError, RecursionError):
            continue
        if end == len(text) and is_record(value):
            return dict(value)
    return None


def is_record(value: object) -> bool:
    """Whether an object found beside a torn piece is a record of its own and no part of one."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    mark = {"summary": "leafUuid", "file-history-snapshot": "messageId"}.get(value["type"], "sessionId")
    return mark in value
