"""A server in this process, with made-up sessions, asked without a socket."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.metrics import Settings
from waterglass.server import Upkeep, make_app
from waterglass.server.access import Access

with warnings.catch_warnings():  # it would rather have another HTTP library, and works with this one
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

CODE = "the-code-of-this-run"
PORT = 8765


@dataclass
class File:
    """One file of a session."""

    path: str
    sidecar: str | None = None


@dataclass
class Place:
    """Where a session lies."""

    id: str
    files: list[File]


@dataclass
class Made:
    """A session that holds a row, a reply and a prompt."""

    live: bool = False
    started_over: bool = False

    def is_live(self, now_ms: int) -> bool:
        return self.live

    def payload(self, now_ms: int | None = None, *, table: bool = False, scores: bool | None = True) -> dict[str, Any]:
        return {"payload": 1, "table": {"count": 1}, "asked": table}

    def head(self, now_ms: int | None = None) -> dict[str, Any]:
        return {"payload": 1, "session": {"state": "live" if self.live else "idle"}}

    def row_states(self, now_ms: int | None = None) -> list[Any]:
        return []

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        return {"id": row_id, "input": {}} if row_id in ("toolu_1", "a/b#2", "../x") else None

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        return {"id": reply_id, "text": "whole"} if reply_id == "msg_1" else None

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        return {"uuid": uuid, "text": "whole"} if uuid == "u-1" else None


@dataclass
class Sessions:
    """The list, and how often each session was read; a gate holds reading up where a test wants it."""

    folder: Path
    reads: list[str] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    asked: list[int | None] = field(default_factory=list)
    listed: list[dict[str, Any]] = field(default_factory=list)
    unfound: set[str] = field(default_factory=set)  # until somebody waits

    def __post_init__(self) -> None:
        self.gate.set()
        (self.folder / "one.jsonl").write_text("{}\n")

    def snapshot(self, after: int | None = None, first: int | None = None) -> dict[str, Any]:
        self.asked.append(after)
        return {"revision": 7, "complete": False, "sample": False, "sessions": self.listed[:first], "lookedIn": []}

    def find(self, session: str) -> Place | None:
        if session not in ("one", "broken", "gone") or session in self.unfound:
            return None
        return Place(session, [File(str(self.folder / "one.jsonl"))])

    def wait(self, *, timeout: float) -> bool:
        self.unfound.clear()
        return True

    def load(self, place: Place, before: Made | None = None) -> Made:
        self.gate.wait(10)
        self.reads.append(place.id)
        if place.id == "broken":
            raise ValueError("what a transcript holds")
        if place.id == "gone":
            raise WaterglassError("cannot read the transcript", "/somewhere", "check that it is there")
        return Made()


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)


@pytest.fixture
def upkeep(tmp_path: Path) -> Iterator[Upkeep]:
    """The index of the transcripts below `projects`, of which there are none until a test writes some."""
    projects = tmp_path / "projects"
    projects.mkdir()
    made = Upkeep(lambda: discover([str(projects)]), lambda project: Settings(), str(tmp_path / "cache"))
    yield made
    made.close()


@pytest.fixture
def stranger(sessions: Sessions, upkeep: Upkeep) -> Iterator[TestClient]:
    """A client without the code."""
    app = make_app(sessions, sessions.load, Access(CODE, PORT, frozenset({"box.example"})), upkeep=upkeep)
    client = TestClient(app, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)
    yield client
    client.close()


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A client that opened the printed address."""
    assert stranger.get(f"/?code={CODE}").status_code == 303
    return stranger
