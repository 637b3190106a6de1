"""Precision and recall on the labelled shell lines, where they lie beside the checkout."""

import json
from collections import Counter
from pathlib import Path

import pytest

from waterglass.shell import judge_line

LINES = Path(__file__).parents[3] / "shared" / "labels" / "commands.jsonl"
GOALS = {"verify": (0.95, 0.9), "search": (0.9, 0.9), "read": (0.9, 0.9), "edit": (0.9, 0.9)}


@pytest.mark.skipif(not LINES.exists(), reason="the labelled lines are not there (../shared/labels)")
def test_labelled_lines_are_judged_as_their_readers_judged_them() -> None:
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for line in LINES.read_text(encoding="utf-8").splitlines():
        labelled = json.loads(line)
        acts = set(judge_line(labelled["command"]).acts)
        right.update(acts & set(labelled["acts"]))
        found.update(acts)
        wanted.update(labelled["acts"])
    for act, (precision, recall) in GOALS.items():
        assert right[act] / found[act] >= precision, act
        assert right[act] / wanted[act] >= recall, act
