"""An invented tree, the archive that is made of it, and what both say of their sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Call, Transcript, used
from waterglass.archive import Archived, archive
from waterglass.discover import SessionRef, discover
from waterglass.session import load

FIRST, SECOND = "a4c50001-0000-4000-8000-000000000001", "a4c50002-0000-4000-8000-000000000002"


class Kept:
    """A projects folder and its archive."""

    def __init__(self, folder: Path) -> None:
        self.projects = folder / "projects"
        self.archive = folder / "kept"

    def write(self, session: str = FIRST, *, layout: str = "subagents") -> Path:
        """Write a session with a sub-agent, its sidecar, and a long output beside it."""
        made = Transcript(session, layout=layout)
        made.prompt("Look for the heron")
        made.reply("On it.", message_id=f"msg_{session[:8]}", usage=used(10, 100), calls=[
            Call("Agent", {"prompt": "Count herons", "description": "Count"}, id=f"toolu_{session[:8]}")
        ])  # fmt: skip
        agent = made.agent(f"ab{session[7]}", sidecar={"agentType": "Explore", "toolUseId": f"toolu_{session[:8]}"})
        agent.prompt("Count herons")
        agent.reply("Two herons.", message_id=f"msg_{session[:8]}_a")
        made.result(f"toolu_{session[:8]}", "Two herons.")
        path = made.write(self.projects)
        long = path.with_suffix("") / "tool-results" / "toolu_9.txt"
        long.parent.mkdir(parents=True, exist_ok=True)
        long.write_text("a long output\n" * 300)
        return path

    def keep(self, *roots: Path, **how: Any) -> Archived:
        return archive(discover([str(root) for root in roots or (self.projects,)]), str(self.archive), **how)

    def ref(self, *roots: Path, session: str = FIRST) -> SessionRef:
        return next(ref for ref in discover([str(root) for root in roots]) if ref.id == session)

    def told(self, *roots: Path, session: str = FIRST) -> dict[str, Any]:
        """The payload of a session as these folders have it, without the paths of its files."""
        payload = load(self.ref(*roots, session=session), now_ms=1_800_000_000_000).payload()
        for file in payload["session"]["files"]:
            file["path"] = Path(file["path"]).name.removesuffix(".gz")
        return payload


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


@pytest.fixture
def append() -> Callable[[Path, str], None]:
    """Make a transcript longer by a prompt."""

    def grow(path: Path, text: str) -> None:
        made = Transcript(path.stem)
        made._count = path.stat().st_size  # other ids than those that are there
        made.at("2026-03-03T09:00:00Z").prompt(text)
        with path.open("ab") as file:
            file.write(made.content())

    return grow
