"""Marks: what happened beside the calls, as points or spans on the time axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from waterglass.model import Event
from waterglass.view import View

if TYPE_CHECKING:
    from waterglass.payload import shapes

LABEL = 120  # characters of a mark's label

_LABELS = {
    "microcompaction": "results dropped from the context",
    "interrupt": "interrupted by the user",
    "api_error": "API error, retried",
}
_KINDS = frozenset(
    {"command", "shell", "compaction", "microcompaction", "api_error", "hook", "interrupt", "notification"}
)


def payload_marks(view: View) -> list[shapes.MarkFields]:
    """Return the marks in time order; those of the program's own helpers are left out."""
    hidden = {a.id for a in view.linked.agents if a.kind == "internal"}
    marks: list[shapes.MarkFields] = []
    for prompt in view.prompts:
        if prompt.state != "unsent":
            marks.append(
                {
                    "kind": "prompt",
                    "ms": prompt.ms,
                    "endMs": None,
                    "label": _short(prompt.text),
                    "uuid": prompt.id,
                    "agentId": None,
                }
            )
    for reply in view.replies:
        label = _short(reply.text)
        marks.append(
            {
                "kind": "reply",
                "ms": reply.ms,
                "endMs": reply.end_ms,
                "label": label,
                "replyId": reply.id,
                "agentId": reply.agent_id,
            }
        )
    for kind, event in _happened(view.linked.events):
        if event.agent_id in hidden:
            continue
        label = _LABELS.get(kind) or event.detail_of("label") or event.detail_of("summary") or ""
        if kind == "compaction":
            label = event.detail_of("trigger") or ""
        marks.append(
            {"kind": kind, "ms": event.ms, "endMs": None, "label": _short(str(label)), "agentId": event.agent_id}
        )
    marks.sort(key=lambda mark: mark["ms"] if mark["ms"] is not None else -1)
    return marks


def _happened(events: list[Event]) -> Iterator[tuple[str, Event]]:
    """Yield the events that are marks, with their kinds. A compact summary is one only where no boundary stands before
    it in its thread (1.0.31 to 1.0.11x)."""
    bounded: dict[str | None, bool] = {}
    seen: tuple[str, int] | None = None  # the summary at hand: its blocks are one mark
    for event in events:
        if event.kind in _KINDS:
            if event.kind == "compaction":
                bounded[event.agent_id] = True
            yield event.kind, event
        elif event.kind == "compact_summary" and seen != (event.file, event.offset):
            seen = (event.file, event.offset)
            if not bounded.pop(event.agent_id, False):
                yield "compaction", event


def _short(text: str) -> str:
    return " ".join(text[: 2 * LABEL].split())[:LABEL]
