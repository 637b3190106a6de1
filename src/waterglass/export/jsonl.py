"""Events as JSON lines: each event of `show --json --events` with the id of its session, read one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waterglass.bodyreader import BodyReader
from waterglass.export.hiding import Hider, Part
from waterglass.payload.events import event_fields
from waterglass.session import Session

_TOLD_EACH = 64


def events_of(session: Session) -> Iterator[dict[str, Any]]:
    """Yield the events in arrival order with whole texts, no more than one in memory."""
    reader = BodyReader({file.key: file.path for file in session.ref.files})
    for seq, event in enumerate(session.events):
        fields = event_fields([event], reader.record)[0]
        yield {**fields, "seq": seq}


def event_items(session: Session, hider: Hider, progress: Part) -> Iterator[dict[str, Any]]:
    """Yield the events redacted, each with `session`, the id of its session."""
    for number, event in enumerate(events_of(session)):
        if number % _TOLD_EACH == 0:
            progress(number / len(session.events))
        yield {"session": hider.id(session.id), **hider.event(event)}
