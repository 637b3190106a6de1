"""The scorecard of a session that was read: the bodies that metrics ask for come from the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.transcripts import Call, Transcript
from waterglass.session import Session, load

SESSION = "5e551044-0000-4000-8000-000000000001"
EDIT = {"file_path": "/code/demo/a.py", "old_string": "a", "new_string": "b"}


def begun() -> Transcript:
    t = Transcript(SESSION, cwd="/code/demo", version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt("Work")
    return t


def read(t: Transcript, root: Path) -> Session:
    t.write(root)
    return load(SESSION, roots=[str(root)], now_ms=1_780_000_000_000)


def metric(session: Session, name: str) -> dict[str, Any]:
    return next(metric for metric in session.metrics if metric["id"] == name)


def test_a_state_file_that_only_a_listing_shows_is_in_evidence(tmp_path: Path) -> None:
    t = begun()
    t.at("+1s").reply(calls=[Call("Bash", {"command": "ls"}, "c1")])
    t.at("+1s").result("c1", "PROGRESS.md\na.py")
    t.at("+1s").reply(calls=[Call("Edit", EDIT, "c2")])
    t.at("+1s").result("c2", "The file has been updated")
    assert metric(read(t, tmp_path), "continuity")["status"] == "warn"


def test_a_check_is_judged_by_its_whole_output_though_memory_holds_its_beginning(tmp_path: Path) -> None:
    t = begun()
    t.at("+1s").reply(calls=[Call("Edit", EDIT, "c1")])
    t.at("+1s").result("c1", "The file has been updated")
    t.at("+1s").reply(calls=[Call("Bash", {"command": "pytest -q | tail -200"}, "c2")])
    t.at("+1s").result("c2", "." * 5_000 + "\n12 passed in 0.42s")
    t.at("+1s").reply(text="Done. It works now.")
    session = read(t, tmp_path)
    assert (metric(session, "earlyVictory")["status"], metric(session, "verificationDensity")["value"]) == ("ok", 1)


def test_a_summary_is_searched_to_its_end_for_what_a_compaction_lost(tmp_path: Path) -> None:
    t = begun()
    for number, name in enumerate(("kept.py", "lost.py")):
        t.at("+1s").reply(calls=[Call("Read", {"file_path": f"/code/demo/{name}"}, f"c{number}")])
        t.at("+1s").result(f"c{number}", "x = 1")
    t.compact_boundary()
    t.compact_summary("The talk so far. " * 400 + "We looked at /code/demo/kept.py.")
    health = read(t, tmp_path).scores().health
    (loss,) = health["compactionLosses"]
    named = {item["text"].rpartition("/")[2]: item["named"] for item in loss["items"] if item["kind"] == "path"}
    assert named == {"kept.py": True, "lost.py": False}
