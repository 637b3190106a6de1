"""The hostile set of the shared material: reasons and repairs by name, through each command, in small memory."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.hostile.test_memory import MOST
from waterglass.cli.main import cli
from waterglass.model import Coverage
from waterglass.session import load

NOW_MS = 1_900_000_000_000
MOST_MEMORY = 400  # MB, for the whole set
DEEP_BUT_READABLE = ("b02_deep_5000.jsonl",)  # some parsers from Python 3.12 on take so many levels
MEASURED = (
    MOST
    + """
from pathlib import Path
from waterglass.session import load
for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    load(str(path)).write_json(lambda part: None, events=True)
print(most())
"""
)


@pytest.fixture(scope="module")
def made(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A projects folder with the whole set as one project."""
    root = tmp_path_factory.mktemp("hostile") / "projects"
    maker = shared / "hostile" / "make_hostile.py"
    subprocess.run([sys.executable, str(maker), str(root / "-set")], check=True, capture_output=True)
    return root / "-set"


@pytest.fixture(scope="module")
def expected(made: Path) -> dict[str, dict[str, Any]]:
    """What the set says of each of its files."""
    found: dict[str, dict[str, Any]] = json.loads((made / "expected.json").read_text("utf-8"))["files"]
    assert len(found) == len(list(made.glob("*.jsonl"))) == 55
    return found


def told(path: Path) -> tuple[Counter[str], Counter[str], list[str]]:
    """Reasons of skipped lines, repairs by line, and all messages."""
    reasons: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    problems = load(str(path), now_ms=NOW_MS).coverage.problems
    for problem in problems:
        if problem.code == "skipped_line":
            reasons[problem.message.removeprefix("line skipped: ").partition(",")[0]] += 1
        elif problem.code == "repaired_line":
            repairs.update(problem.message.removeprefix("line mended: ").split(", "))
    return reasons, repairs, [problem.message for problem in problems]


def test_each_reason_and_each_repair_is_the_expected_one(
    made: Path, expected: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Coverage, "MOST_PROBLEMS", 10_000)
    faults = []
    for name, want in expected.items():
        reasons, repairs, _ = told(made / name)
        if want["reasons"] == {"too_deep": 1} and sys.version_info >= (3, 12) and name in DEEP_BUT_READABLE:
            reasons = reasons or Counter(too_deep=1)  # a parser that has room for it keeps it whole
        recovered = "kept_allowed" in want and repairs["torn"]  # what may be recovered need not be skipped
        if want["reasons"] and not want.get("reasons_any") and not recovered and reasons != want["reasons"]:
            faults.append(f"{name}: reasons {dict(reasons)}, expected {want['reasons']}")
        if want["skipped"] == 0 and reasons:
            faults.append(f"{name}: reasons {dict(reasons)}, expected none")
        if not want.get("repaired_any") and not recovered and repairs != want["repaired"]:
            faults.append(f"{name}: repairs {dict(repairs)}, expected {want['repaired']}")
        if not set(reasons) <= {"bad_json", "not_object", "too_deep", "too_large"}:
            faults.append(f"{name}: reasons {dict(reasons)}")
    assert faults == []


def test_no_problem_tells_what_the_line_held(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    form = re.compile(r"line skipped: [a-z_]+, [\d,]+ bytes|line mended: [a-z0-9]+(?:, [a-z0-9]+)*")
    messages = [message for name in expected for message in told(made / name)[2] if message.startswith("line ")]
    assert len(messages) > 400
    assert [message for message in messages if not form.fullmatch(message)] == []


def test_the_list_holds_each_file_and_tells_what_its_payload_tells(made: Path, expected: dict[str, Any]) -> None:
    done = CliRunner().invoke(cli, ["list", "--root", str(made.parent), "--json"])
    assert done.exit_code == 0, done.exception
    listed = {entry["id"]: entry for entry in json.loads(done.stdout)["sessions"]}
    assert set(listed) == {name.removesuffix(".jsonl") for name in expected}
    for id, entry in listed.items():
        head = load(id, roots=[str(made.parent)], now_ms=NOW_MS).head()
        want = {name: head["session"][name] for name in ("title", "project", "startMs", "endMs")}
        assert {name: entry[name] for name in want} == want, id


@pytest.mark.parametrize("command", [["show"], ["show", "--json", "--events"], ["report"]], ids=" ".join)
def test_each_command_ends_well_on_each_file(
    made: Path, expected: dict[str, Any], command: list[str], tmp_path: Path
) -> None:
    faults = []
    for name in expected:
        target = ["-o", str(tmp_path / f"{name}.html")] if command == ["report"] else []
        done = CliRunner().invoke(cli, [*command, str(made / name), *target])
        if done.exit_code != 0 or "Traceback" in done.output:
            faults.append(f"{name}: exit {done.exit_code} {done.exception!r} {done.stderr[-200:]}")
        if command == ["show"] and re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", done.stdout):
            faults.append(f"{name}: a control character reached the terminal")
    assert faults == []


def test_the_whole_set_is_read_in_small_memory(made: Path, child_environment: dict[str, str]) -> None:
    pytest.importorskip("resource", reason="this system does not tell how much memory was used")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(made)], env=child_environment, capture_output=True, check=True, text=True
    )
    assert int(done.stdout) < MOST_MEMORY
