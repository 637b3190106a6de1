"""One wrong byte costs its line and what hangs on it, is said where the line is no JSON any more, and never raises."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

from tests.hostile.damage import NOW_MS, Told, damages, faults_of_reading, faults_of_telling
from tests.transcripts import Call, Transcript, used
from waterglass.session import load

SESSION = "5e550001-0000-4000-8000-0000000000d0"
ROUNDS = 300


def session(version: str) -> Transcript:
    """A session with agents, results, titles, a compaction and texts of several scripts."""
    t = Transcript(SESSION, version=version)
    t.prompt("Count the boats in the harbour ⛵")
    t.at("+2s").reply(
        "Looking.",
        [
            Call("Bash", {"command": "ls boats"}, "toolu_harbour"),
            Call("Read", {"file_path": "/code/demo/map"}, "toolu_map0"),
        ],
        thinking="Three, or four?",
        usage=used(9, 120, 4_000, 50),
    )
    t.at("+1s").result(
        "toolu_map0", "Пристань\n埠頭", tool_use_result={"file": {"content": "Пристань\n埠頭", "numLines": 2}}
    )
    t.at("+1s").result("toolu_harbour", "Exit code 2\nno such folder", is_error=True)
    t.at("+1s").reply(calls=[Call("Agent", {"description": "Look", "prompt": "Look at pier 4"}, "toolu_pier4")])
    agent = t.agent("a0ffee4", sidecar={"agentType": "Explore", "toolUseId": "toolu_pier4"})
    agent.prompt("Look at pier 4")
    agent.at("+1s").reply("Here: é€😀", [Call("Grep", {"pattern": "boat"}, "toolu_grep7")])
    agent.at("+1s").result("toolu_grep7", "two boats")
    t.at(agent).result("toolu_pier4", [{"type": "text", "text": "Two."}], tool_use_result={"agentId": "a0ffee4"})
    t.compact_boundary()
    t.compact_summary("So far: two boats")
    t.queue("enqueue", "And the ferries?")
    t.attachment("queued_command", prompt="And the ferries?")
    t.title("Boats", "custom")
    t.at("+9s").reply("Two boats.", usage=used(1, 30))
    return t


def test_a_wrong_byte_changes_its_line_alone_and_is_told(tmp_path: Path) -> None:
    faults = []
    for version in ("1.0.60", "2.0.30", "2.1.220"):
        root = tmp_path / version / "projects"
        session(version).write(root)
        paths = sorted(root.rglob("*.jsonl"))
        before = Told.of(load(SESSION, roots=[str(root)], now_ms=NOW_MS))
        assert before.rows.keys() == {"toolu_harbour", "toolu_map0", "toolu_pier4", "toolu_grep7"}
        for damage in islice(damages(Random(version), paths), ROUNDS // 3):
            faults += [f"{damage}: {fault}" for fault in faults_of_reading(damage)]
            faults += [f"{damage}: {fault}" for fault in faults_of_telling(damage, SESSION, root, before)]
            damage.path.write_bytes(damage.clean)
    assert not faults, "\n".join(faults)
