"""The texts of a record that are searched: what was asked, answered, given to tools and returned by them.

The same function makes the words of the index and the text in which a hit is confirmed, so that both speak of the
same. Only values are texts; keys of records and of inputs are not, and neither is what the program wrote for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from waterglass.schema.names import CALL_BLOCKS
from waterglass.schema.records import RawBlock, RawRecord
from waterglass.schema.texts import program_text

VERSION = 2  # of what this, and `indexable`, make of a record: a change has every index made anew
PARTS = ("prompt", "reply", "input", "output")
_Content = list[RawBlock | str | None] | str | None


class Passage(Struct, frozen=True, gc=False):
    """One text of a record: its part (one of PARTS), the number of its block, and the id of the call it belongs to."""

    part: str
    block: int
    text: str
    call: str | None = None


def passages(record: RawRecord) -> list[Passage]:
    """Return the texts of a record in the order of its blocks; none for most of the program's own records."""
    message = record.message
    kind = record.type or record.role or (message.role if message is not None else None)
    content: _Content = message.content if message is not None else None
    if kind == "user":
        hidden = record.isMeta or record.isSynthetic or record.isCompactSummary or record.isVisibleInTranscriptOnly
        return list(_of_user(content, bool(hidden)))
    if kind == "assistant":
        return list(_of_assistant(content))
    if kind == "queue-operation":
        return list(_of_user(record.content, record.operation != "enqueue"))
    given = record.attachment
    if kind == "attachment" and given is not None and given.type == "queued_command":
        return list(_of_user(given.prompt, bool(given.isMeta)))
    return []


def _blocks(content: _Content) -> Iterator[tuple[int, RawBlock | str]]:
    if isinstance(content, str):
        yield 0, content
    elif content:
        for number, block in enumerate(content):
            if block is not None:
                yield number, block


def _of_user(content: _Content, hidden: bool) -> Iterator[Passage]:
    for number, block in _blocks(content):
        if isinstance(block, RawBlock) and block.type == "tool_result":
            text = output_text(block)
            if text:
                yield Passage("output", number, text, block.tool_use_id)
            continue
        typed = block if isinstance(block, str) else block.text if block.type == "text" else None
        if typed and not hidden and program_text(typed) is None:
            yield Passage("prompt", number, typed)


def _of_assistant(content: _Content) -> Iterator[Passage]:
    for number, block in _blocks(content):
        if isinstance(block, str):
            said: str | None = block
        elif block.type in CALL_BLOCKS:
            if given := "\n".join(values(block.input)):
                yield Passage("input", number, given, block.id)
            continue
        elif block.type == "tool_result":
            if text := output_text(block):
                yield Passage("output", number, text, block.tool_use_id)
            continue
        else:
            said = block.text if block.type == "text" else block.thinking if block.type == "thinking" else None
        if said:
            yield Passage("reply", number, said)


def output_text(block: RawBlock) -> str:
    """Return the text of a tool result, its pieces joined by newlines."""
    content = block.content
    if isinstance(content, str):
        return content
    texts = (piece if isinstance(piece, str) else piece.text for piece in content or () if piece is not None)
    return "\n".join(text for text in texts if text)


def values(given: Any) -> Iterator[str]:
    """Yield the texts and numbers of an input in their order, at any depth; keys are none of them."""
    todo = [given]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            if value:
                yield value
        elif isinstance(value, dict):
            todo.extend(reversed(value.values()))
        elif isinstance(value, list):
            todo.extend(reversed(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield repr(value) if isinstance(value, float) or abs(value) < 1 << 64 else hex(value)
