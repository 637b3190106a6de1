"""Times that run back: the file's order stands, and it is said once a file."""

from __future__ import annotations

from tests.core.conftest import Read
from tests.core.told import started


def test_records_much_older_than_one_before_are_told_once_with_the_worst_place(read: Read) -> None:
    t = started()
    t.at("+10m").prompt("Later")
    t.at("-2m").prompt("Two minutes before")
    t.at("-3m").prompt("Five minutes before")
    (problem,) = read(t).problems
    assert (problem.code, problem.line) == ("clock_back", 4)
    assert problem.message == "2 records are older than one before, by 300 s at most; the order is the file's"


def test_records_a_few_seconds_late_are_nothing_to_tell(read: Read) -> None:
    t = started()
    t.at("+10m").prompt("Later")
    t.at("-50s").prompt("A little before")
    assert read(t).problems == []
