"""What an export is asked for beside its sessions, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.load import unread_since

if TYPE_CHECKING:
    from waterglass.session import Session

Progress = Callable[[int, int], object]


class Done(Struct):
    """What an export came to."""

    sessions: int
    bytes: int
    counts: dict[str, int]
    """How many secrets were replaced, per kind."""
    left_out: list[tuple[str, str]]
    """Sessions that could not be read, with the reasons."""
    unread: list[tuple[str, str]] = []
    """Of the sessions that are in it, the files that were found and could not be read: the session, then the file and
    the reason."""
    kept: int = 0
    """Of the sessions, those whose tables were there already and did not change; they are in none of the sums."""

    def add(self, size: int, counts: Mapping[str, int], kept: bool) -> None:
        """Add a session."""
        self.sessions += 1
        self.kept += kept
        self.bytes += size
        for kind, count in counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + count


def unread_of(session: Session) -> list[str]:
    """Return the files of a session that could be opened when they were found and could not be read, with the
    reasons."""
    return [f"{problem.file}: {problem.message}" for problem in unread_since(session.ref, session.unread)]


class Reading(Struct, frozen=True):
    """How sessions are read."""

    window: int | None = None
    """The context window in tokens, where it is known."""
    now_ms: int | None = None
    """The time of asking, in Unix milliseconds; None: now."""
    strict: bool = True
    """Raise for a session that cannot be read, instead of leaving it out."""
