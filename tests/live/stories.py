"""Sessions that are written step by step, and what a client of their changes makes of them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tests.transcripts import Call, Transcript, dumps
from waterglass.discover import SessionRef, discover
from waterglass.payload import encode
from waterglass.session import Session, load

SESSION = "5e551044-0000-4000-8000-000000000001"
FOLDER = "-code-demo"


def story(now_ms: int | None = None) -> Transcript:
    """A session with prompts, a failed call, two sub-agents (one inside the other), a background call, two replies."""
    t = Transcript(SESSION)
    t.at(now_ms - 60_000 if now_ms is not None else "2026-03-02T09:00:00Z").prompt("Mend the gäte — 終わり")
    t.at("+2s").reply("I look.", [Call("Agent", {"description": "look", "prompt": "Look"}, id="toolu_outer")])
    outer = t.at("+1s").agent("a0ffee1", sidecar={"agentType": "Explore", "toolUseId": "toolu_outer"})
    outer.prompt("Look")
    outer.at("+1s").reply(None, [Call("Agent", {"description": "closer", "prompt": "Closer"}, id="toolu_inner")])
    inner = outer.at("+1s").agent("a0ffee2", sidecar={"agentType": "Explore", "toolUseId": "toolu_inner"})
    inner.prompt("Closer")
    inner.at("+1s").reply(None, [Call("Grep", {"pattern": "sluice"}, id="toolu_grep")])
    inner.at("+1s").result("toolu_grep", "src/gate.py:12: sluice = None")
    inner.at("+1s").reply("It is None.")
    outer.at(inner).result("toolu_inner", "It is None.")
    outer.at("+1s").reply("Line 12.")
    t.at(outer).result("toolu_outer", "Line 12.")
    t.at("+1s").reply("Now the test.", [Call("Bash", {"command": "pytest tests/test_gate.py"}, id="toolu_test")])
    t.at("+3s").result("toolu_test", "Exit code 1\n1 failed: é 😀", is_error=True)
    t.at("+1s").prompt("And again")
    t.at("+1s").reply(None, [Call("Read", {"file_path": "/code/demo/a.py"}, id="toolu_read")])
    t.at("+1s").result("toolu_read", "1\tpass")
    t.at("+1s").reply("Done.")
    return t


def files(transcript: Transcript, below: Path) -> dict[Path, bytes]:
    """The files of a session as they will be when all is written; written nowhere."""
    project = below / FOLDER
    made = {project / f"{transcript.session_id}.jsonl": transcript.content()}
    for agent in transcript.all_agents():
        if agent.agent_id is not None:
            place = project / transcript.session_id / "subagents"
            made[place / f"agent-{agent.agent_id}.jsonl"] = agent.content()
            if agent.sidecar is not None:
                made[place / f"agent-{agent.agent_id}.meta.json"] = dumps(agent.sidecar).encode()
    return made


def add(path: Path, data: bytes) -> None:
    """Append to a file, which is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        stream.write(data)


def ref_of(root: Path, session: str = SESSION) -> SessionRef | None:
    """The session as it lies on disk now."""
    return next((ref for ref in discover([str(root)]) if ref.id == session), None)


def cold(root: Path, session: str = SESSION, now_ms: int | None = None) -> Session:
    """The session read from scratch."""
    ref = ref_of(root, session)
    assert ref is not None
    return load(ref, in_sight=[], now_ms=now_ms)


def told(session: Session, now_ms: int) -> dict[str, Any]:
    """All that a payload says."""
    said = session.payload(now_ms, table=True)
    return dict(json.loads(encode(said)))


class Mirror:
    """What a client knows that applies each message."""

    def __init__(self, payload: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        self.payload = payload
        self.rows = rows

    def take(self, message: dict[str, Any]) -> None:
        """Apply a message that is no reset."""
        assert not message["reset"]
        gone = {*message["removed"], *(row["id"] for row in message["rows"])}
        kept = iter([row for row in self.rows if row["id"] not in gone])
        named = {row["index"]: row for row in message["rows"]}
        after = [named[at] if at in named else next(kept) for at in range(message["count"])]
        assert next(kept, None) is None
        self.rows = [{name: value for name, value in row.items() if name != "index"} for row in after]
        self.payload = {**self.payload, **message["head"]}


def rows_of(session: Session, now_ms: int | None = None) -> list[dict[str, Any]]:
    """The rows of a session as a message carries them."""
    return [json.loads(encode(fields)) for fields in session.row_fields(now_ms)]


def now_ms() -> int:
    """Unix milliseconds."""
    return time.time_ns() // 1_000_000
