"""Sessions side by side: figures with their differences, and where the steps part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript
from waterglass import load
from waterglass.compare import compare
from waterglass.compare.steps import Step, align
from waterglass.session import Session

ONE, TWO = "5e551044-0000-4000-8000-000000000001", "5e551044-0000-4000-8000-000000000002"


def session(root: Path, session_id: str, *commands: str) -> Session:
    t = Transcript(session_id, cwd="/code/demo", version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt("Work")
    for number, command in enumerate(commands):
        use_id = f"c{number}"
        t.at("+1s").reply(calls=[Call("Bash", {"command": command}, use_id)])
        t.at("+1s").result(use_id, f"out {number}")
    t.write(root)
    return load(session_id, roots=[str(root)], now_ms=1_780_000_000_000)


def compared(*sessions: Session) -> dict[str, Any]:
    return compare([one.head(scores=True) for one in sessions], [list(one.row_fields()) for one in sessions])


def test_the_same_session_twice_shows_no_difference(tmp_path: Path) -> None:
    one = session(tmp_path, ONE, "ls", "cat a.py")
    document = compared(one, one)
    for group in ("metrics", "usage", "time", "work", "health"):
        for figure in document[group]:
            assert all(delta["value"] in (0, None) for delta in figure["deltas"]), figure
    (steps,) = document["steps"]
    assert (steps["partAt"], steps["edits"], [run["op"] for run in steps["runs"]]) == (None, 0, ["equal"])


def test_a_difference_says_whether_it_is_better_and_where_the_steps_part(tmp_path: Path) -> None:
    document = compared(session(tmp_path, ONE, "ls", "cat a.py", "make"), session(tmp_path, TWO, "ls", "cat b.py"))
    calls = next(figure for figure in document["work"] if figure["name"] == "calls")
    assert (calls["values"], calls["deltas"]) == ([3, 2], [{"value": -1, "direction": "better"}])
    (steps,) = document["steps"]
    assert (steps["equal"], steps["edits"]) == (1, 2)
    assert (steps["partAt"]["a"]["label"], steps["partAt"]["b"]["label"]) == ("Bash: cat a.py", "Bash: cat b.py")


def test_each_further_session_is_held_against_the_first(tmp_path: Path) -> None:
    one, two = session(tmp_path, ONE, "ls"), session(tmp_path, TWO, "ls", "pwd")
    document = compared(one, two, one)
    assert [steps["edits"] for steps in document["steps"]] == [1, 0]


steps = st.lists(st.sampled_from("abc"), max_size=30).map(
    lambda names: [Step(f"r{n}", name, f"{name}: x", 0) for n, name in enumerate(names)]
)


@given(steps, steps)
def test_the_runs_of_an_alignment_cover_both_sides_once_in_order(a: list[Step], b: list[Step]) -> None:
    found = align(a, b)
    at_a = at_b = 0
    for run in found["runs"]:
        assert (run["a"][0], run["b"][0]) == (at_a, at_b)
        at_a, at_b = run["a"][1], run["b"][1]
    assert (at_a, at_b) == (len(a), len(b))
    assert (found["edits"] == 0) == ([s.label for s in a] == [s.label for s in b])


def test_the_command_prints_a_table_or_the_document(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    session(tmp_path, ONE, "ls", "cat a.py")
    session(tmp_path, TWO, "ls", "cat b.py")
    text = run_waterglass("compare", ONE, TWO, "--root", tmp_path).stdout
    assert "they part at step 2" in text and "A: Bash: cat a.py" in text
    document = json.loads(run_waterglass("compare", ONE, TWO, "--root", tmp_path, "--json").stdout)
    assert document["version"] == 1 and len(document["metrics"]) == 6


def test_one_session_alone_is_wrong_usage(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("compare", ONE, "--root", tmp_path)
    assert (done.returncode, "two sessions or more" in done.stderr) == (2, True)
