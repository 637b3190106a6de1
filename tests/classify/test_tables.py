"""The data files say what the code expects of them."""

import tomllib
from collections import Counter
from pathlib import Path

import waterglass.shell
from waterglass.classify import CATEGORIES
from waterglass.classify.known import TOOLS
from waterglass.shell.verdict import CHECKS

TABLES = Path(waterglass.shell.__file__).parents[1] / "tables"
PROGRAMS = tomllib.loads((TABLES / "programs.toml").read_text(encoding="utf-8"))
ACTS = CHECKS | {"edit", "read", "search"}


def repeated(lists: list[str]) -> list[str]:
    return [word for word, count in Counter(" ".join(lists).split()).items() if count > 1]


def test_a_program_stands_in_one_list_only() -> None:
    assert repeated([words for act, words in PROGRAMS["alone"].items() if act != "filter"]) == []


def test_a_word_in_the_name_of_a_task_means_one_thing() -> None:
    assert repeated([words for act, words in PROGRAMS["names"].items() if act != "looks"]) == []


def test_every_act_of_a_program_is_known() -> None:
    assert set(PROGRAMS["alone"]) == ACTS | {"filter"}
    for section in ("words", "switches"):
        for program, acts in PROGRAMS[section].items():
            assert set(acts) <= ACTS, program
            assert repeated(list(acts.values())) == [], program


def test_programs_stand_in_lower_case_as_they_are_looked_up() -> None:
    names = [*PROGRAMS["words"], *PROGRAMS["switches"], *PROGRAMS["tasks"], *PROGRAMS["interpreters"]]
    assert [name for name in names if name.split()[0] != name.split()[0].lower()] == []


def test_every_tool_has_a_category_of_the_contract() -> None:
    known = {*CATEGORIES, "shell", "batch"} - {"unknown"}
    assert {value.split()[0] for value in TOOLS.values()} <= known
    assert [name for name in TOOLS if name != name.lower()] == []
