"""The bodies of a record, read when they are asked for: a call's input, a result's output, the whole text of a prompt
or reply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from waterglass.schema.decode import decode_objects

# Only these are shown as pictures: a browser takes others as documents that may hold script.
_MAGIC = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
}
# In a line, ASCII letters can be hidden by an escape; and these two signs have small letters that are ASCII.
_HIDING = re.compile(rb"\\u00|\\/|\xe2\x84\xaa|\xc4\xb0")
_WRITTEN_OTHERWISE = re.compile(r"[^ -~]|[\"\\]")
_DEEP = 12  # levels of an input that texts are looked for in


def record_object(data: bytes) -> dict[str, Any] | None:
    """Return the record that the bytes of one place hold, as a plain object."""
    found = decode_objects(data)
    return found[0][1] if found else None


def may_hold(line: bytes, texts: Sequence[str]) -> bool:
    """Tell whether a record as it is written can hold one of these texts, given in lower case, whatever its case.

    False is certain; it spares decoding most records.
    """
    if any(_WRITTEN_OTHERWISE.search(text) for text in texts) or _HIDING.search(line):
        return True
    lowered = line.lower()
    return any(text.encode() in lowered for text in texts)


def strings_of(value: Any, depth: int = _DEEP) -> list[str]:
    """Return the texts in a call's input, keys left out, not deeper than some levels."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in strings_of(part, depth - 1)] if depth else []


def _content(record: dict[str, Any] | None) -> Any:
    message = record.get("message") if record else None
    if isinstance(message, dict):
        return message.get("content")
    return record.get("content") if record else None


def _block(record: dict[str, Any] | None, number: int) -> Any:
    content = _content(record)
    return content[number] if isinstance(content, list) and number < len(content) else None


def call_input(record: dict[str, Any] | None, number: int) -> Any:
    """Return the input of the call in block `number`, None where it is not there."""
    block = _block(record, number)
    return block.get("input") if isinstance(block, dict) else None


def result_output(record: dict[str, Any] | None, number: int) -> tuple[str, list[dict[str, str]]]:
    """Return the text of the result in block `number` and its pictures as `{mediaType, data}` with base64 data."""
    block = _block(record, number)
    content = block.get("content") if isinstance(block, dict) else None
    if isinstance(content, str):
        return content, []
    parts: list[str] = []
    images: list[dict[str, str]] = []
    for item in content if isinstance(content, list) else ():
        if isinstance(item, str):
            parts.append(item)
        elif isinstance(item, dict):
            if isinstance(item.get("text"), str):
                parts.append(item["text"])
            picture = _picture(item)
            if picture is not None:
                images.append(picture)
    return "\n".join(parts), images


def _picture(item: dict[str, Any]) -> dict[str, str] | None:
    source = item.get("source")
    data = source.get("data") if item.get("type") == "image" and isinstance(source, dict) else None
    if not isinstance(data, str):
        return None
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    return {"mediaType": kind, "data": data} if kind else None


def result_patch(record: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    """Return how a result changed its file, as `{oldStart, newStart, lines}` with each line after its sign.

    None where the record has no such thing, or one that does not add up: line numbers that may be wrong are none. So
    it is where the record holds several results, since it does not say whose it is.
    """
    content = _content(record)
    blocks = content if isinstance(content, list) else []
    if sum(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks) > 1:
        return None
    mirror = (record.get("toolUseResult") or record.get("tool_use_result")) if record else None
    hunks = mirror.get("structuredPatch") if isinstance(mirror, dict) else None
    if not isinstance(hunks, list) or not hunks:
        return None
    found = [_hunk(hunk) for hunk in hunks]
    return None if None in found else [hunk for hunk in found if hunk is not None]


def _hunk(hunk: Any) -> dict[str, Any] | None:
    if not isinstance(hunk, dict):
        return None
    lines = hunk.get("lines")
    numbers = [hunk.get(name) for name in ("oldStart", "oldLines", "newStart", "newLines")]
    if not isinstance(lines, list) or not all(type(n) is int and 0 <= n < 1 << 31 for n in numbers):
        return None
    if not all(isinstance(line, str) and line[:1] in _SIGNS and line for line in lines):
        return None
    kept = [line for line in lines if line[0] != "\\"]  # "\ No newline at end of file" is no line
    counts = [sum(line[0] != sign for line in kept) for sign in "+-"]
    if counts != [numbers[1], numbers[3]]:
        return None
    return {"oldStart": numbers[0], "newStart": numbers[2], "lines": kept}


_SIGNS = (" ", "+", "-", "\\")
_TITLES = ("summary", "customTitle", "aiTitle", "agentName")
Numbered = list[tuple[int, str]]


def texts_of(record: dict[str, Any] | None) -> tuple[Numbered, Numbered]:
    """Return the texts of a record and its thoughts, each with the number of its block."""
    content = _content(record)
    if record is not None and not isinstance(record.get("message"), dict):
        attachment = record.get("attachment")
        if content is None and isinstance(attachment, dict):
            content = attachment.get("prompt")
        if content is None:
            content = next((record[name] for name in _TITLES if isinstance(record.get(name), str)), None)
        content = _joined(content)  # what waits in a queue is one text, however many blocks it has
    if isinstance(content, str):
        return [(0, content)], []
    found: Numbered = []
    thoughts: Numbered = []
    for number, item in enumerate(content if isinstance(content, list) else ()):
        if isinstance(item, str):
            found.append((number, item))
        elif isinstance(item, dict):
            if item.get("type") == "text" and isinstance(item.get("text"), str):
                found.append((number, item["text"]))
            elif item.get("type") == "thinking" and isinstance(item.get("thinking"), str):
                thoughts.append((number, item["thinking"]))
    return found, thoughts


def _joined(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    parts = [item.get("text") if isinstance(item, dict) else item for item in content]
    return "\n".join(part for part in parts if isinstance(part, str) and part)
