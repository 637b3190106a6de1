"""Replies: all blocks of one model response, however many records they were written in."""

from __future__ import annotations

from msgspec import Struct

from waterglass.model import TEXT_KEPT, Event, Usage
from waterglass.usage import Spent, context_of, reply_key, with_bound


class Reply(Struct):
    """One model response. `text` and `thinking` are cut at TEXT_KEPT; the chars are of the whole."""

    id: str
    agent_id: str | None
    model: str | None = None
    ms: int | None = None
    end_ms: int | None = None
    stop_reason: str | None = None
    text: str = ""
    text_chars: int = 0
    thinking: str | None = None
    thinking_chars: int = 0
    thinking_withheld: bool = False  # it took place, but only a signature was kept
    usage: Usage = Usage()
    context_tokens: int | None = None
    synthetic: bool = False  # written by the program: an API error, "No response requested."
    api_error: bool = False
    order: int = 0  # index of its first event in the merged events
    parts: list[tuple[str, int, int]] = []  # file, offset, length of its records, for the whole text


def collect_replies(events: list[Event], spent: list[Spent], hidden: set[str]) -> list[Reply]:
    """Return the replies of all threads that are shown, in the order of their first records.

    `hidden` names the files of the program's own helpers.
    """
    counted = {call.key: call for call in spent}
    found: dict[str, Reply] = {}
    for order, event in enumerate(events):
        if (event.type != "assistant" and event.type != "tool_call") or event.file in hidden:
            continue
        key = reply_key(event)
        reply = found.get(key)
        if reply is None:
            reply = found[key] = Reply(key, event.agent_id, ms=event.ms, end_ms=event.ms, order=order)
            call = counted.get(key)
            if call is not None and not call.inherited:
                reply.usage = with_bound(call.usage, not call.stopped)
        _add(reply, event)
    return list(found.values())


def _add(reply: Reply, event: Event) -> None:
    if event.ms is not None and (reply.end_ms is None or event.ms > reply.end_ms):
        reply.end_ms = event.ms
    part = event.reply
    if part is not None:
        reply.parts.append((event.file, event.offset, event.length))
        reply.model = part.model or reply.model
        reply.stop_reason = part.stop_reason or reply.stop_reason
        reply.synthetic = part.synthetic
        reply.api_error = reply.api_error or part.api_error
        context = context_of(part)
        reply.context_tokens = context if context is not None else reply.context_tokens
    if event.kind == "text" and event.text is not None:
        reply.text_chars += event.text_chars + (1 if reply.text else 0)
        reply.text = _joined(reply.text, event.text)
    elif event.kind == "thinking":
        reply.thinking_chars += event.text_chars
        if event.thinking:
            reply.thinking = _joined(reply.thinking or "", event.thinking)
        else:
            reply.thinking_withheld = True


def _joined(before: str, more: str) -> str:
    return (f"{before}\n{more}" if before else more)[:TEXT_KEPT]
