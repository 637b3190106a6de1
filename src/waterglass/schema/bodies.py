"""The bodies of a record, read when they are asked for: a call's input, a result's output, the whole text of a prompt
or reply."""

from __future__ import annotations

from typing import Any

from waterglass.schema.decode import decode_objects

# Only these are shown as pictures: a browser takes others as documents that may hold script.
_MAGIC = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
}


def record_object(data: bytes) -> dict[str, Any] | None:
    """Return the record that the bytes of one place hold, as a plain object."""
    found = decode_objects(data)
    return found[0][1] if found else None


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
