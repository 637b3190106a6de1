"""The shared files that are written step by step: read on, each step is what a reading from scratch gives."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.live.stories import now_ms, told
from waterglass.discover import discover
from waterglass.session import Session, load

NAME = "5e551044-0000-4000-8000-000000000001.jsonl"
LOSING = {"truncate", "replace", "unlink", "rename"}  # after these, `kept` counts what is no longer in the file


@pytest.fixture(scope="module")
def scenarios(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The steps by the name of their fault."""
    maker = shared / "hostile" / "make_hostile.py"
    if not maker.is_file():
        pytest.skip("no ../shared/hostile beside the checkout")
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([sys.executable, str(maker), str(folder)], check=True, capture_output=True, timeout=120)
    return dict(json.loads((folder / "tail_scenarios.json").read_text(encoding="utf-8")))


def do(step: dict[str, Any], path: Path) -> None:
    """Carry out one step on a file."""
    data = base64.b64decode(step.get("b64", ""))
    match step["op"]:
        case "append" | "create":
            with path.open("ab") as out:
                out.write(data)
        case "append_to":
            with (path.parent / step["path"]).open("ab") as out:
                out.write(data)
        case "append_repeat":
            with path.open("ab") as out:
                out.write(step["byte"].encode() * step["count"])
        case "truncate":
            os.truncate(path, step["size"])
        case "replace":
            new = path.with_suffix(".new")
            new.write_bytes(data)
            os.replace(new, path)
        case "unlink":
            path.unlink()
        case "rename":
            path.rename(path.parent / step["to"])
        case "overwrite":
            status = path.stat()
            with path.open("r+b") as out:
                out.seek(step["offset"])
                out.write(data)
            late = 0 if step.get("keep_mtime") else 50_000_000
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + late))
        case "utime":
            os.utime(path, (step["mtime"], step["mtime"]))
        case "restart" | "kill9_during_index" | "expect":
            pass
        case other:
            pytest.fail(f"no such step: {other}")


def test_files_that_are_written_to_in_every_odd_way_are_read_on_as_from_scratch(
    scenarios: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    for name, steps in scenarios.items():
        root = tmp_path / name
        path = root / "-code-demo" / NAME
        path.parent.mkdir(parents=True)
        sessions: dict[str, Session] = {}
        anew = 0
        for step in steps:
            do(step, path)
            if step["op"] == "restart":
                sessions.clear()
            if step["op"] != "expect":
                continue
            now, records = now_ms(), 0
            for ref in discover([str(root)]):
                session = load(ref, in_sight=[], now_ms=now, growing=True, before=sessions.get(ref.id))
                anew += session.started_over
                sessions[ref.id] = session
                records += sum(transcript.coverage.records for transcript in session.transcripts)  # of whole lines
                if not any(s.get("keep_mtime") for s in steps):  # nothing but reading it all would tell
                    assert told(session, now) == told(load(ref, in_sight=[], now_ms=now), now), name
            if not LOSING & {s["op"] for s in steps}:
                assert records in step.get("kept_allowed", [step["kept"]]), name
            assert anew >= step.get("resets", 0), name


def expect(session: Session, wanted: dict[str, Any]) -> None:
    """Hold a session against what a case says of it."""
    assert session.coverage.records in (wanted.get("records", session.coverage.records), wanted.get("or_records"))
    assert session.coverage.skipped_lines == wanted.get("skipped_lines", session.coverage.skipped_lines)
    rows = {row.id: row for row in session.rows}
    for row in wanted.get("rows", []):
        assert rows[row["id"]].outcome == row["status"]
        assert rows[row["id"]].duration == row.get("duration_ms", rows[row["id"]].duration)
    for row_id, text in wanted.get("output_text", {}).items():
        body = session.row_body(row_id)
        assert body is not None and body["output"] == text


def test_a_record_that_comes_in_pieces_is_read_when_it_is_whole(shared: Path, tmp_path: Path) -> None:
    case = shared / "cases" / "C75"
    if not case.is_dir():
        pytest.skip("no ../shared/cases beside the checkout")
    steps = json.loads((case / "steps.json").read_text(encoding="utf-8"))
    path = tmp_path / steps["file"]
    path.parent.mkdir(parents=True)
    session: Session | None = None
    for step in steps["steps"]:
        with path.open("ab") as out:
            out.write(base64.b64decode(step["append_b64"]))
        ref = discover([str(tmp_path / "projects")]).sessions[0]
        first = json.loads(path.read_bytes().split(b"\n")[0])
        session = load(ref, in_sight=[], now_ms=moment(first["timestamp"]) + 60_000, growing=True, before=session)
        expect(session, step["expect"])


def moment(written: str) -> int:
    """Unix milliseconds of a record's time."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)


def test_sessions_and_agents_in_folders_that_come_later_are_found(shared: Path, tmp_path: Path) -> None:
    case = shared / "cases" / "C77"
    if not case.is_dir():
        pytest.skip("no ../shared/cases beside the checkout")
    steps = json.loads((case / "steps.json").read_text(encoding="utf-8"))["steps"]
    for source in (case / "projects").rglob("*.jsonl"):
        target = tmp_path / "projects" / source.relative_to(case / "projects")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    known: dict[str, Session] = {}
    for step in steps:
        for name, text in step.get("mkdir_and_write", {}).items():
            target = tmp_path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        found = discover([str(tmp_path / "projects")])
        known = {ref.id: load(ref, in_sight=[], growing=True, before=known.get(ref.id)) for ref in found}
        wanted = step["expect"]
        assert len(known) == wanted.get("sessions", len(known))
        agents = sorted(agent["id"] for session in known.values() for agent in session.head()["agents"])
        assert agents == wanted.get("agents", agents)
