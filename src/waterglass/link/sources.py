"""What the linking starts from: the events of each file, and what its sidecar says."""

from __future__ import annotations

from msgspec import Struct

from waterglass.model import Event, Facts, Sidecar


class Source(Struct):
    """One file of a session: main files come first, in the order in which they count for shared replies."""

    key: str
    agent_id: str | None  # None for a main file
    kind: str  # main | agent, as the file's name says
    internal: bool  # written by the program for itself, as the file's name says
    events: list[Event]
    facts: Facts
    sidecar: Sidecar | None = None
