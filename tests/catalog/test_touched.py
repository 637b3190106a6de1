"""When a listed session is looked at and counted again."""

from __future__ import annotations

import pytest

from waterglass.catalog.touched import LOOKED_AT_S, PACE_S, SCAN_S, Touched


@pytest.fixture
def touched() -> Touched:
    made = Touched()
    made.ask(100.0)
    return made


def test_what_changed_is_taken_once_and_not_more_often_than_the_pace(touched: Touched) -> None:
    touched.add({"a", "b"}, False)
    assert touched.take(100.0) == {"a", "b"}
    touched.add({"a"}, False)
    assert touched.take(100.1) == set()
    assert touched.take(100.0 + PACE_S) == {"a"}


def test_nothing_is_done_while_nobody_looks_at_the_list(touched: Touched) -> None:
    touched.add({"a"}, True)
    late = 100.0 + LOOKED_AT_S
    assert touched.take(late) == set() and not touched.scan_is_due(late, 0.0) and touched.wait(late) is None
    touched.ask(late)
    assert touched.take(late) == {"a"} and touched.scan_is_due(late, 0.0)


def test_the_folders_are_walked_through_for_what_may_be_new_and_not_all_the_time(touched: Touched) -> None:
    touched.add((), True)
    assert not touched.scan_is_due(100.0, 99.0)
    assert touched.scan_is_due(100.0, 100.0 - SCAN_S)
    touched.scanned()
    assert not touched.scan_is_due(200.0, 100.0)


def test_who_asks_for_an_unknown_session_has_the_folders_walked_through() -> None:
    touched = Touched()
    touched.look(50.0)
    assert touched.scan_is_due(50.0, 0.0)


@pytest.mark.parametrize(("size", "seconds"), [(1_000, 2.0), (100_000_000, 50.0)])
def test_a_session_is_counted_again_the_less_often_the_longer_it_is(
    touched: Touched, size: int, seconds: float
) -> None:
    assert touched.count("a", size, 100.0)
    assert not touched.count("a", size, 100.5)
    touched.ask(100.0 + seconds)
    assert touched.late(100.0 + seconds - 0.1) == []
    assert touched.late(100.0 + seconds) == ["a"]
    assert touched.late(200.0) == []


def test_a_session_that_is_gone_is_forgotten(touched: Touched) -> None:
    touched.add({"a"}, False)
    touched.count("a", 1, 100.0)
    touched.count("a", 1, 100.1)
    touched.forget("a")
    assert touched.take(110.0) == set() and touched.late(110.0) == [] and touched.wait(110.0) is None
