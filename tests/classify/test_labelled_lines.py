"""Precision and recall on the project's own labelled lines, and on others where they lie beside the checkout."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import waterglass.shell
from waterglass.shell import judge_line

OWN = Path(waterglass.shell.__file__).parents[1] / "tables" / "labelled_commands.jsonl"
OTHERS = Path(__file__).parents[3] / "shared" / "labels" / "commands.jsonl"
# Precision and recall.
GOALS = {"verify": (0.98, 0.97), "search": (0.95, 0.95), "read": (0.95, 0.95), "edit": (0.95, 0.95)}


def labelled(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def own(key: str, label: str) -> list[str]:
    return [str(line["command"]) for line in labelled(OWN) if label in str(line[key])]


def figures(path: Path) -> dict[str, tuple[float, float]]:
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for line in labelled(path):
        acts, label = set(judge_line(str(line["command"])).acts), set(line["acts"])
        right.update(acts & label)
        found.update(acts)
        wanted.update(label)
    return {act: (right[act] / found[act], right[act] / wanted[act]) for act in GOALS}


@pytest.mark.parametrize("act", GOALS)
def test_the_projects_own_lines_are_judged_as_they_are_labelled(act: str) -> None:
    precision, recall = figures(OWN)[act]
    assert (precision >= GOALS[act][0], recall >= GOALS[act][1]) == (True, True), (precision, recall)


@pytest.mark.skipif(not OTHERS.exists(), reason="the labelled lines are not there (../shared/labels)")
@pytest.mark.parametrize("act", GOALS)
def test_lines_of_real_sessions_are_judged_as_their_readers_judged_them(act: str) -> None:
    precision, recall = figures(OTHERS)[act]
    assert (precision >= GOALS[act][0], recall >= GOALS[act][1]) == (True, True), (precision, recall)


def test_nearly_every_check_is_of_the_kind_that_its_label_says() -> None:
    checks = [line for line in labelled(OWN) if line["verify_kinds"]]
    right = [line for line in checks if list(judge_line(str(line["command"])).verify_kinds) == line["verify_kinds"]]
    assert len(right) / len(checks) >= 0.97


def test_the_labelled_lines_are_many_of_every_kind_and_each_stands_once() -> None:
    commands = [line["command"] for line in labelled(OWN)]
    assert len(commands) == len(set(map(str, commands))) >= 300
    counts = {kind: len(own("verify_kinds", kind)) for kind in ("test", "lint", "typecheck", "build", "syntax")}
    assert [kind for kind, count in counts.items() if count < 15] == []
    assert len(own("acts", "other")) >= 100


def test_labels_are_sorted_and_say_verify_where_they_name_a_kind() -> None:
    for line in labelled(OWN):
        acts, kinds = line["acts"], line["verify_kinds"]
        assert list(line) == ["command", "acts", "verify_kinds"]
        assert isinstance(acts, list)
        assert isinstance(kinds, list)
        assert (acts, kinds) == (sorted(acts), sorted(kinds)), line
        assert ("verify" in acts) == bool(kinds), line
        assert acts == ["other"] or "other" not in acts, line
