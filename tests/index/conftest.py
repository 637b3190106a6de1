"""Invented trees to index, and the questions that tests ask of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.transcripts import Call, Transcript
from waterglass.discover import discover
from waterglass.index import Found, Store, Updated, Wanted, open_store, parse, search, update

FIRST, SECOND = "1a2b0001-0000-4000-8000-000000000001", "1a2b0002-0000-4000-8000-000000000002"


class Place:
    """A projects folder with its index."""

    def __init__(self, folder: Path) -> None:
        self.projects = folder / "projects"
        self.projects.mkdir()
        self.cache = folder / "cache"
        self.store: Store = open_store(str(self.cache))

    def update(self, store: Store | None = None) -> Updated:
        return update(store or self.store, discover([str(self.projects)]), patience_s=0)

    def find(self, text: str, store: Store | None = None, **wanted: object) -> Found:
        asked = Wanted(**wanted)  # type: ignore[arg-type]
        return search(store or self.store, discover([str(self.projects)]), parse(text, asked.parts), asked)

    def places(self, text: str, store: Store | None = None) -> list[tuple[str, str]]:
        """Session and event of each hit, in the order of the hits."""
        return [(hit.session, hit.event_id) for hit in self.find(text, store, limit=10_000).hits]

    def reopen(self) -> Store:
        self.store.close()
        self.store = open_store(str(self.cache))
        return self.store

    def write(self, session: str, *prompts: str, when: str = "2026-03-02T09:00:00Z") -> Path:
        """Write a session of prompts, each with a reply."""
        made = Transcript(session)
        made.at(when)
        for number, text in enumerate(prompts):
            made.at("+1m").prompt(text)
            made.reply(f"answer {number}", message_id=f"msg_{session[:8]}_{number}")
        return made.write(self.projects)

    def rebuilt(self, folder: Path) -> Store:
        """An index of the same tree, made from nothing."""
        store = open_store(str(folder))
        self.update(store)
        return store


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def session(place: Place) -> Callable[[], None]:
    """A session with every part, and a sub-agent."""

    def write() -> None:
        main = Transcript(FIRST)
        main.prompt("Please port the lantern to C++ and keep it at 100%")
        main.reply("On my way.", thinking="A hidden lighthouse", message_id="msg_1", calls=[
            Call("Bash", {"command": "grep -n 'foo/bar' src", "timeout": 4711}, id="toolu_1")
        ])  # fmt: skip
        main.result("toolu_1", "3:foo/bar = marmalade\n重新评审完成")
        agent = main.agent("ab12")
        agent.prompt("Look for the heron")
        agent.reply("No HERON there.", message_id="msg_2")
        main.write(place.projects)

    return write
