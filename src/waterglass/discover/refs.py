"""What discovery hands on: sessions as names, places and sizes, before anything is read of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct

from waterglass.schema.layout import written


class TranscriptFile(Struct, frozen=True):
    """One transcript file. `path` is what to open, `schema.layout.written` makes it fit for JSON; `size` is bytes."""

    path: str
    key: str  # names it in event ids: "main", "main#2", or the agent's id (with "#2" where two files have the same)
    kind: str  # main | agent
    size: int
    sidecar: str | None  # path of the `.meta.json` beside an agent's file
    agent_id: str | None = None  # None for a main file
    modified_ms: int = 0


class Unreadable(Struct, frozen=True):
    """A file or folder that could not be read, as it can be written in JSON, and why."""

    path: str
    reason: str

    @classmethod
    def of(cls, path: str, error: OSError) -> Unreadable:
        """Make one from what the system said."""
        return cls(written(path), (error.strerror or type(error).__name__).lower())


class SessionRef(Struct, frozen=True):
    """A session as it lies on disk. Main files come first, then agents, each sorted by path."""

    id: str
    root: str
    folders: tuple[str, ...]  # project folders that hold its files
    files: tuple[TranscriptFile, ...]
    size: int  # bytes, over all files
    modified_ms: int  # newest time of any file
    unread: tuple[Unreadable, ...] = ()  # its files, and folders of agents, that were seen and could not be opened

    @property
    def path(self) -> str:
        """The main transcript, or the first agent's where that is gone."""
        return self.files[0].path

    @property
    def orphan(self) -> bool:
        """Is the main transcript gone?"""
        return self.files[0].kind != "main"

    @property
    def deleted(self) -> bool:
        """Is the transcript gone, and what is read a copy that the setting `keep_text` has made?"""
        from waterglass.discover.kept import is_kept

        return is_kept(self.root)

    @property
    def modified(self) -> datetime:
        """The newest time of any file, in UTC."""
        return datetime.fromtimestamp(self.modified_ms / 1000, UTC)

    @property
    def project(self) -> str | None:
        """The project of the first working directory in the ends of its files, which this reads; None where none is."""
        from waterglass.discover.heads import read_head

        return read_head(self).project


class LookedIn(Struct, frozen=True):
    """A folder where transcripts were looked for."""

    path: str
    exists: bool


class Discovery(Struct):
    """All sessions that were found, newest file first. Iterates over its sessions."""

    sessions: list[SessionRef]
    unreadable: list[Unreadable]
    looked_in: list[LookedIn]

    @property
    def roots(self) -> list[str]:
        """The folders that were there."""
        return [place.path for place in self.looked_in if place.exists]

    def __iter__(self) -> Iterator[SessionRef]:
        return iter(self.sessions)

    def __len__(self) -> int:
        return len(self.sessions)
