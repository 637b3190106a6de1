"""A session as a metric of a third party sees it: documents in the payload's form, which are copies of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

from waterglass.metrics import Settings
from waterglass.model import Event


class Source(Protocol):
    """What is asked of a session."""

    @property
    def events(self) -> list[Event]:
        """All events in arrival order."""

    def row_fields(self, now_ms: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield each row's fields."""

    def head(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return the payload without rows."""

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        """Return a row's body."""

    def text_of(self, reply_id: str) -> str:
        """Return a reply's text."""


class Measured:
    """A session, read-only. Everything is worked out when it is first asked for; times are Unix milliseconds.

    The forms are those of the payload, which docs/schema/payload.json tells. What a metric changes in its copies is
    seen by nobody else.
    """

    def __init__(self, source: Source, settings: Settings, now_ms: int | None = None) -> None:
        self._source = source
        self._now_ms = now_ms
        self.settings = settings
        """What the project takes for granted: scope, threshold, state files, checks."""

    @cached_property
    def payload(self) -> dict[str, Any]:
        """The payload without rows: session, prompts, replies, exchanges, marks, agents, usage, time and so on.
        `metrics`, `health` and `cost` are null: they are not known yet."""
        return self._source.head(self._now_ms)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The calls of all threads in pre-order, each with `id`, `toolName`, `label`, `outcome`, `startTime`,
        `duration`, `acts`, `targets`, `agentId` and the other fields of a row, but without `input`, `output` and
        `children`."""
        return list(self._source.row_fields(self._now_ms))

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in arrival order; each has `id`, `type`, `kind`, `ms`, `text` (cut at 2,000 characters)."""
        return tuple(self._source.events)

    def input_of(self, row_id: str) -> Any:
        """Return the whole input of a call, None for an id that is not in the session or where the file is gone."""
        return (self._source.row_body(row_id) or {}).get("input")

    def output_of(self, row_id: str) -> str:
        """Return the whole output of a call, "" without a result or where the file is gone."""
        return (self._source.row_body(row_id) or {}).get("output") or ""

    def text_of(self, reply_id: str) -> str:
        """Return the whole text of a reply, "" for an id that is not in the session."""
        return self._source.text_of(reply_id)
