"""Redact a stream of lines: JSON lines as documents, everything else as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from waterglass.redact.redactor import Redactor

# Text is scanned in pieces of this many characters, cut at line ends, so that memory does not grow with the input.
_BLOCK = 262_144
_LONGEST_KEY = 16_384


def redact_lines(redactor: Redactor, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without secrets, in the same order; a line without any comes out byte for byte."""
    held, size = list[str](), 0
    for line in lines:
        text = line.decode("utf-8", "surrogateescape")
        record = _record(text)
        if record is None:
            held.append(text)
            size += len(text)
            if size < _BLOCK:
                continue
            block, rest = _cut("".join(held))
            held, size = [rest], len(rest)
            yield _encode(redactor.text(block))
        else:
            yield _encode(redactor.text("".join(held)))
            held, size = [], 0
            yield _line(redactor, text, record)
    yield _encode(redactor.text("".join(held)))


def texts_of(lines: Iterable[bytes]) -> Iterator[str]:
    """The lines as text, for `Redactor.learn`."""
    for line in lines:
        yield line.decode("utf-8", "surrogateescape")


def _record(text: str) -> dict[str, Any] | None:
    if text.lstrip()[:1] != "{":
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _line(redactor: Redactor, text: str, record: dict[str, Any]) -> bytes:
    walked = redactor.value(record)
    if walked != record:
        end = text[len(text.rstrip("\r\n")) :]
        text = _dumps(walked, ascii_only=False) + end
        try:
            text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half of a pair, which only its escape can write
            text = _dumps(walked, ascii_only=True) + end
    # Once more as text: of a key that is there twice, the record knows the second value alone.
    return _encode(redactor.text(text))


def _dumps(value: Any, *, ascii_only: bool) -> str:
    return json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _cut(text: str) -> tuple[str, str]:
    """Text that can be scanned, and a private key at its end that is not whole yet."""
    at = text.rfind("-----BEGIN ")
    if at < 0 or "-----END" in text[at:] or len(text) - at > _LONGEST_KEY:
        return text, ""
    return text[:at], text[at:]
