"""Huge files: what may be kept is kept, and memory stays within bounds, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import dumps

pytestmark = pytest.mark.slow

MOST = """
import pathlib, re, resource, sys
def most():
    status = pathlib.Path("/proc/self/status")
    if status.exists():  # what getrusage tells on Linux begins with the memory of the process that forked this one
        return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)
"""
MEASURED = (
    MOST
    + """
import json
from click.testing import CliRunner
from waterglass.cli.main import cli
from waterglass.session import load
coverage = load(sys.argv[1]).head()["coverage"]
codes = [CliRunner().invoke(cli, command).exit_code for command in (
    ["show", sys.argv[1]], ["report", sys.argv[1], "-o", sys.argv[2]], ["list", "--root", sys.argv[3]])]
print(json.dumps([coverage, codes, most()]))
"""
)
Measure = Callable[[Callable[[Any], None]], tuple[dict[str, Any], int]]


def prompt(text: str) -> bytes:
    return dumps({"type": "user", "uuid": text[:1], "sessionId": "s", "message": {"content": text}}).encode()


@pytest.fixture
def measure(tmp_path: Path, child_environment: dict[str, str]) -> Measure:
    """Return `measure(fill)`: the coverage of a file that `fill(stream)` writes, and the memory in MB that it took."""
    pytest.importorskip("resource", reason="this system does not tell how much memory was used")

    def measure(fill: Callable[[Any], None]) -> tuple[dict[str, Any], int]:
        path = tmp_path / "projects" / "-code-demo" / "huge.jsonl"
        path.parent.mkdir(parents=True)
        with path.open("wb") as stream:
            fill(stream)
        args = [str(path), str(tmp_path / "report.html"), str(tmp_path / "projects")]
        try:
            done = subprocess.run(
                [sys.executable, "-c", MEASURED, *args], env=child_environment, capture_output=True, check=True
            )
        finally:
            path.unlink()
        coverage, codes, most = json.loads(done.stdout)
        assert codes == [0, 0, 0]
        return coverage, most

    return measure


def test_a_line_of_100_mb_is_kept_in_less_than_600(measure: Measure) -> None:
    def fill(stream: Any) -> None:
        before, after = prompt("@@").split(b"@@")
        stream.write(prompt("first") + b"\n" + before)
        for _ in range(100):
            stream.write(b"iVBORw0KGgoAAAAN" * 65_536)
        stream.write(after + b"\n" + prompt("last") + b"\n")

    coverage, most = measure(fill)
    assert (coverage["records"], coverage["skippedLines"]) == (3, 0)
    assert most < 600


def test_a_gigabyte_without_a_newline_costs_that_line_and_bounded_memory(measure: Measure) -> None:
    def fill(stream: Any) -> None:
        stream.write(prompt("first") + b'\n{"x":"')
        stream.truncate(1 << 30)  # a hole: it takes no room on the disk

    coverage, most = measure(fill)
    assert (coverage["records"], coverage["physicalLines"], coverage["bytes"]) == (1, 2, 1 << 30)
    assert most < 1_200


def test_three_million_levels_cost_their_line_and_no_memory_to_speak_of(measure: Measure) -> None:
    coverage, most = measure(
        lambda stream: stream.write(prompt("first") + b"\n" + b"[" * 3_000_000 + b"\n" + prompt("last") + b"\n")
    )
    assert (coverage["records"], coverage["skippedLines"]) == (2, 1)
    assert coverage["problems"][0]["message"] == "line skipped: too_deep, 3,000,000 bytes"
    assert most < 150


def test_small_values_without_number_on_one_line_are_refused_before_they_take_memory(measure: Measure) -> None:
    def fill(stream: Any) -> None:
        stream.write(prompt("first") + b'\n{"type":"assistant","message":{"content":[{"type":"tool_use","input":[0')
        for _ in range(60):
            stream.write(b",{}" * 350_000)
        stream.write(b"]}]}}\n" + b"{}" * 8_000_000 + b"\n" + prompt("last") + b"\n")

    coverage, most = measure(fill)
    assert [problem["message"].partition(",")[0] for problem in coverage["problems"]] == ["line skipped: too_large"] * 2
    assert (coverage["records"], coverage["skippedLines"]) == (2, 2)
    assert most < 600
