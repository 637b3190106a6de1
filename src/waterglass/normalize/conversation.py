"""What was said and done: user and assistant records, block by block."""

from __future__ import annotations

from typing import Any

import msgspec

from waterglass.classify import kept_arguments, starts_agent
from waterglass.model import TEXT_KEPT, Event, ReplyPart, ToolCall
from waterglass.normalize.place import Place
from waterglass.normalize.replies import reply_part
from waterglass.schema import texts
from waterglass.schema.names import BLOCK_TYPES, CALL_BLOCKS
from waterglass.schema.records import RawBlock, RawRecord
from waterglass.schema.results import result_facts

_encode = msgspec.json.Encoder().encode
ARGUMENTS_KEPT = 1_500  # bytes of an input that stays in memory as it is; of a longer one only what says what it does


def user(record: RawRecord, place: Place) -> list[Event]:
    """Return the events of a user record: typed text, tool results, and what the program put in."""
    message = record.message
    content = message.content if message is not None else None
    hidden = None
    if record.isCompactSummary:
        hidden = "compact_summary"
    elif record.isMeta or record.isSynthetic:
        hidden = "meta"
    elif record.isVisibleInTranscriptOnly:
        hidden = "hidden"
    if content.__class__ is str:
        return [_user_text(place, 0, str(content), hidden)]
    events: list[Event] = []
    if content:
        alone = len(content) == 1 or sum(b.__class__ is RawBlock and b.type == "tool_result" for b in content) == 1
        for number, block in enumerate(content):
            if block is None:
                continue
            if isinstance(block, str):
                events.append(_user_text(place, number, block, hidden))
            elif block.type == "tool_result":
                events.append(_result(record, place, number, block, alone))
            elif block.type == "text" and block.text is not None:
                events.append(_user_text(place, number, block.text, hidden))
            else:
                events.append(_block(record, place, number, block, "user", None, None))
    return events or [place.text("user", hidden or "empty", "", TEXT_KEPT)]


def _user_text(place: Place, number: int, text: str, hidden: str | None) -> Event:
    kind = hidden or texts.program_text(text) or "prompt"
    detail: dict[str, Any] | None = None
    if kind == "notification":
        detail = dict(texts.notification(text))
    elif kind == "command":
        detail = {"label": texts.command_name(text)}
    elif kind in ("shell", "command_output"):
        detail = {"label": texts.inner_text(text)}
    return place.text("user", kind, text, TEXT_KEPT, detail, number)


def assistant(record: RawRecord, place: Place) -> list[Event]:
    """Return the events of an assistant record; the first carries what the record says of its reply."""
    message = record.message
    content = message.content if message is not None else None
    part: ReplyPart | None = reply_part(record, message, place)
    reply_id = place.keep((message.id or None) if message is not None else None)
    if isinstance(content, str):
        content = [content]
    events: list[Event] = []
    for number, block in enumerate(content or ()):
        if block is None:
            continue
        if isinstance(block, str):
            block = RawBlock("text", block)
        events.append(_block(record, place, number, block, "assistant", reply_id, part))
        part = None
    if not events:
        events.append(
            Event(
                place.file, place.offset, place.length, place.line, 0, "assistant", "empty", place.ms, place.agent_id,
                place.uuid,
                place.parent, reply_id, reply=part, sidechain=place.sidechain,
            )
        )  # fmt: skip
    return events


def _result(record: RawRecord, place: Place, number: int, block: RawBlock, alone: bool) -> Event:
    return Event(
        place.file, place.offset, place.length, place.line, number, "tool_result", "result", place.ms, place.agent_id,
        place.uuid, place.parent, None, None, 0, None, None, result_facts(block, record, alone),
        block.tool_use_id or None, None, None, place.sidechain,
    )  # fmt: skip


def _block(
    record: RawRecord, place: Place, number: int, block: RawBlock, type_: str, reply_id: str | None,
    part: ReplyPart | None,
) -> Event:  # fmt: skip
    kind = block.type
    text, chars, thinking, tool, use_id, detail, digest = None, 0, None, None, None, None, 0
    if kind in CALL_BLOCKS:
        type_, kind, use_id = "tool_call", "call", block.id or None
        tool = _call(block, record.cwd, place)
    elif kind == "tool_result":
        return _result(record, place, number, block, True)
    elif kind == "text":
        whole = block.text or ""
        text, chars = whole[:TEXT_KEPT], len(whole)
        digest = hash(whole) if chars > TEXT_KEPT else 0
    elif kind == "thinking" or kind == "redacted_thinking":
        whole = block.thinking or ""
        kind, thinking, chars = "thinking", whole[:TEXT_KEPT], len(whole)
        digest = hash(whole) if chars > TEXT_KEPT else 0
    elif kind not in BLOCK_TYPES:
        name = str(kind)
        place.coverage.unknown_block_types[name] = place.coverage.unknown_block_types.get(name, 0) + 1
        kind, detail = "unknown_block", {"block": name}
    return Event(
        place.file, place.offset, place.length, place.line, number, type_, str(kind), place.ms, place.agent_id,
        place.uuid, place.parent, reply_id, text, chars, thinking, tool, None, use_id, part, detail, place.sidechain,
        (), digest,
    )  # fmt: skip


def _call(block: RawBlock, cwd: str | None, place: Place) -> ToolCall:
    name = "?" if block.name is None else place.keep(block.name) or ""
    given = block.input
    written = _encode(given)
    digest = hash(written)
    spawns = starts_agent(name)
    if given.__class__ is not dict:
        return ToolCall(name, digest, b"", place.keep(cwd), spawns)
    if len(written) > ARGUMENTS_KEPT:
        written = _encode(kept_arguments(name, given))
    background = "run_in_background" in given and given["run_in_background"] in (True, "true")
    if not (spawns or "to" in given):
        return ToolCall(name, digest, written, place.keep(cwd), spawns, background)
    prompt = given.get("prompt")
    return ToolCall(
        name,
        digest,
        written,
        place.keep(cwd),
        spawns,
        background,
        agent_type=_string(given.get("subagent_type")),
        description=_string(given.get("description")),
        prompt=prompt[:TEXT_KEPT] if isinstance(prompt, str) else None,
        prompt_chars=len(prompt) if isinstance(prompt, str) else 0,
        agent_id=_string(given.get("resume")) if spawns else _string(given.get("to")),
    )


def _string(value: object) -> str | None:
    return value[:TEXT_KEPT] if isinstance(value, str) and value else None
