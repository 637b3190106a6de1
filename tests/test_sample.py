"""The packaged sample: made by tools/make_sample.py, small, and whole wherever it is written."""

from __future__ import annotations

import errno
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from waterglass.errors import WaterglassError
from waterglass.sample import sample_root, write_sample

CHECKOUT = Path(__file__).resolve().parent.parent


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def blocks(path: Path, kind: str) -> list[dict[str, Any]]:
    contents = [r["message"]["content"] for r in records(path) if "message" in r]
    return [b for content in contents if isinstance(content, list) for b in content if b["type"] == kind]


@pytest.fixture(scope="module")
def longest() -> Path:
    return max(sample_root().rglob("*.jsonl"), key=lambda path: path.stat().st_size)


def test_the_committed_sample_is_the_one_that_the_tool_makes() -> None:
    tool = CHECKOUT / "tools" / "make_sample.py"
    if not tool.exists():
        pytest.skip("tools/make_sample.py is only in the checkout")
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in sample_root().rglob("*") if path.is_file()) < 300_000


def test_the_longest_session_has_the_calls_of_an_afternoon(longest: Path) -> None:
    calls = {block["id"] for block in blocks(longest, "tool_use")}
    assert 60 <= len(calls) <= 120
    assert calls == {block["tool_use_id"] for block in blocks(longest, "tool_result")}


def test_an_agent_of_the_longest_session_starts_another(longest: Path) -> None:
    sidecars = [json.loads(path.read_text()) for path in longest.with_suffix("").rglob("*.meta.json")]
    assert sorted(sidecar["spawnDepth"] for sidecar in sidecars) == [1, 1, 1, 2]


def test_one_session_stops_at_a_call_without_an_answer() -> None:
    open_calls = {block["id"] for path in sample_root().rglob("*.jsonl") for block in blocks(path, "tool_use")} - {
        block["tool_use_id"] for path in sample_root().rglob("*.jsonl") for block in blocks(path, "tool_result")
    }
    assert len(open_calls) == 1


@pytest.mark.parametrize(
    "text",
    [
        "compact_boundary",
        "isCompactSummary",
        "backgroundTaskId",
        "async_launched",
        "<task-notification>",
        "queued_command",
        "[Request interrupted by user for tool use]",
        "The user doesn't want to proceed",
        "hook error",
        "tool_use_error",
        "<command-name>",
        "mcp__serena__find_symbol",
        "agent_progress",
        "image/png",
        "TodoWrite",
        "WebFetch",
        "structuredPatch",
        "customTitle",
    ],
)
def test_the_sample_shows(text: str) -> None:
    assert any(text.encode() in path.read_bytes() for path in sample_root().rglob("*.jsonl"))


def test_the_longest_session_rests_for_more_than_two_hours(longest: Path) -> None:
    times = [r["timestamp"] for r in records(longest) if "timestamp" in r]
    assert times == sorted(times)
    hours = [int(time[11:13]) + int(time[14:16]) / 60 for time in times]
    assert max(b - a for a, b in itertools.pairwise(hours)) > 2


def test_writing_gives_the_packaged_files(tmp_path: Path) -> None:
    paths = write_sample(tmp_path / "new" / "folder")
    for path in paths:
        assert path.read_bytes() == (sample_root() / path.relative_to(tmp_path / "new/folder/projects")).read_bytes()
    assert len(paths) == sum(1 for path in sample_root().rglob("*") if path.is_file())


def test_writing_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(WaterglassError) as caught:
        write_sample(tmp_path)
    assert "not empty" in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_target_that_is_a_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WaterglassError):
        write_sample(tmp_path / "file")


def test_a_sample_that_cannot_be_finished_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(range(5))

    def full(handle: int) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(WaterglassError, match="No space left"):
            write_sample(tmp_path / "s")
    assert list((tmp_path / "s").rglob("*")) == []
    assert len(write_sample(tmp_path / "s")) > 10
