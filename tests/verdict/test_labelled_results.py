"""The labelled results that ship with the program: each is what a person reads, and most are found."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import waterglass.verdict
from waterglass.shell import judge_line
from waterglass.verdict import VERDICTS, verify_ok

Result = dict[str, object]
OWN = Path(waterglass.verdict.__file__).parents[1] / "tables" / "labelled_results.jsonl"
SHARED = Path(__file__).parents[3] / "shared" / "labels" / "commands.jsonl"
# Of those that are not unknown, so many are right; of each kind, so many are found.
RIGHT = 0.97
FOUND = {"pass": 0.96, "fail": 0.95, "unknown": 0.95}


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def told(result: dict[str, object]) -> str | None:
    command, output, is_error = result["command"], result["output"], result["is_error"]
    assert isinstance(command, str) and isinstance(output, str) and (is_error is None or isinstance(is_error, bool))
    return verify_ok(judge_line(command), is_error, None, output, command)


def share_right(pairs: list[tuple[str | None, object]]) -> float:
    sure = [(found, wanted) for found, wanted in pairs if found in ("pass", "fail")]
    return sum(found == wanted for found, wanted in sure) / len(sure)


def test_there_are_results_of_every_kind_and_each_once() -> None:
    results = read(OWN)
    assert len({(r["command"], r["output"]) for r in results}) == len(results) >= 150
    counts = Counter(r["verify_ok"] for r in results)
    assert set(counts) == {*VERDICTS, None}
    assert min(counts[verdict] for verdict in VERDICTS) >= 20


def test_our_own_labelled_results_are_read_right() -> None:
    pairs = [(told(result), result["verify_ok"]) for result in read(OWN)]
    assert share_right(pairs) >= RIGHT
    for verdict, floor in FOUND.items():
        wanted = [found for found, label in pairs if label == verdict]
        assert wanted.count(verdict) / len(wanted) >= floor, verdict
    assert [found for found, label in pairs if label is None and found is not None] == []


@pytest.mark.skipif(not SHARED.exists(), reason="the labelled lines are not there (../shared/labels)")
def test_results_of_real_lines_are_read_right() -> None:
    pairs = []
    for line in read(SHARED):
        head, tail = line["output_head"], line["output_tail"]
        assert isinstance(head, str) and isinstance(tail, str)
        # A tail of less than 500 characters is the whole output.
        output = tail if len(tail) < 500 else f"{head}\n{tail}"
        if line["verify_ok"] is not None:
            pairs.append((told({**line, "output": output}), line["verify_ok"]))
    assert share_right(pairs) >= RIGHT
    assert sum(found == "unknown" for found, _ in pairs) / len(pairs) <= 0.1
