"""`waterglass check`: exit codes, gates and forms, on sessions that were read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript

FAULT, CALM = "5e551044-0000-4000-8000-000000000001", "5e551044-0000-4000-8000-000000000002"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A session whose agent edits and says done unchecked, and one whose check passed last."""
    root = tmp_path / "projects"
    for session_id, checked in ((FAULT, False), (CALM, True)):
        t = Transcript(session_id, cwd="/code/demo", version="2.1.220")
        t.at("2026-03-02T09:00:00Z").prompt("Round the totals")
        given = {"file_path": "/code/demo/cart.py", "old_string": "a", "new_string": "b"}
        t.at("+1s").reply(calls=[Call("Edit", given, "c1")])
        t.at("+1s").result("c1", "The file has been updated")
        if checked:
            t.at("+1s").reply(calls=[Call("Bash", {"command": "pytest -q"}, "c2")])
            t.at("+9s").result("c2", "3 passed in 0.10s")
        t.at("+1s").reply(text="Done. The totals are rounded now.")
        t.write(root)
    return root


def test_a_session_that_breaks_no_gate_leaves_with_zero(root: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("check", CALM, "--root", root)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 of 1 session broke a gate")


def test_an_alert_leaves_with_three_and_names_the_call(root: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("check", FAULT, CALM, "--root", root)
    assert done.returncode == 3
    assert f"✕ {FAULT}" in done.stdout and f"✓ {CALM}" in done.stdout
    assert done.stdout.endswith("1 of 2 sessions broke a gate\n")


def test_a_limit_that_holds_lets_an_alert_pass(root: Path, run_waterglass: RunWaterglass) -> None:
    assert run_waterglass("check", FAULT, "--root", root, "--max", "earlyVictory=1").returncode == 0
    assert run_waterglass("check", FAULT, "--root", root, "--max", "earlyVictory=0").returncode == 3


def test_a_baseline_is_what_the_json_form_printed(root: Path, tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    earlier = run_waterglass("check", FAULT, "--root", root, "--format", "json")
    assert json.loads(earlier.stdout)["passed"] is False
    (tmp_path / "base.json").write_text(earlier.stdout)
    assert run_waterglass("check", FAULT, "--root", root, "--baseline", tmp_path / "base.json").returncode == 0
    missing = run_waterglass("check", FAULT, "--root", root, "--baseline", tmp_path / "no.json")
    assert (missing.returncode, "cannot read the baseline" in missing.stderr) == (1, True)


def test_sarif_points_to_the_line_of_the_evidence(root: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("check", FAULT, "--root", root, "--format", "sarif", "--max", "earlyVictory=0")
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    lines = {place["physicalLocation"]["region"]["startLine"] for place in result["locations"]}
    assert 2 in lines  # the edit stands on the second line of the file


def test_a_gate_that_is_none_is_wrong_usage(root: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("check", FAULT, "--root", root, "--max", "speed=3")
    assert (done.returncode, "no such metric: speed" in done.stderr) == (2, True)


def test_a_session_that_is_named_twice_is_checked_once(root: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("check", CALM, CALM, FAULT, "--format", "json", "--root", root)
    assert [one["id"] for one in json.loads(done.stdout)["sessions"]] == [CALM, FAULT]
