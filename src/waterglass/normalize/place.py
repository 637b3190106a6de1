"""Where a record stands: what all its events have in common."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from waterglass.model import Coverage, Event
from waterglass.schema.records import RawRecord


class Place(Struct, gc=False):
    """The record at hand. One object per file is filled again for each record, since making one costs as much as an
    event."""

    file: str
    agent_id: str | None
    coverage: Coverage
    kept: dict[str | None, str | None]
    offset: int = 0
    length: int = 0
    line: int = 0
    ms: int | None = None
    uuid: str | None = None
    parent: str | None = None
    sidechain: bool = False

    def keep(self, text: str | None) -> str | None:
        """Return one and the same object for equal strings: a model's name stands in every record."""
        return self.kept.setdefault(text, text)

    def system(self, kind: str, tool_use_id: str | None = None, detail: dict[str, Any] | None = None) -> list[Event]:
        """Return the one event of a record that the program wrote about itself."""
        return [
            Event(
                self.file, self.offset, self.length, self.line, 0, "system", kind, self.ms, self.agent_id, self.uuid,
                self.parent,
                None, None, 0, None, None, None, tool_use_id, None, detail, self.sidechain,
            )
        ]  # fmt: skip

    def text(
        self, type_: str, kind: str, text: str, kept: int, detail: dict[str, Any] | None = None, block: int = 0
    ) -> Event:
        """Return an event with a text of which `kept` characters stay in memory."""
        return Event(
            self.file, self.offset, self.length, self.line, block, type_, kind, self.ms, self.agent_id, self.uuid,
            self.parent,
            None, text[:kept], len(text), None, None, None, None, None, detail, self.sidechain, (),
            hash(text) if len(text) > kept else 0,
        )  # fmt: skip


def message_id(record: RawRecord) -> str | None:
    """Return the id of the reply that a record is a part of; an empty one is none."""
    return (record.message.id or None) if record.message is not None else None
