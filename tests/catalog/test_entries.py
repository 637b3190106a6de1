"""A line of the list: its state, its project, its place in a chain."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waterglass.catalog.entries import Entry, aged, place
from waterglass.catalog.kin import Kin
from waterglass.discover import Head, SessionRef, TranscriptFile
from waterglass.model import LIVE_MS

NOW = 1_772_442_000_000


def entry(id_: str, folder: str = "/r/-a", kind: str = "main", **head: Any) -> Entry:
    file = TranscriptFile(f"{folder}/{id_}.jsonl", "main", kind, 10, None, None, NOW - 1)
    ref = SessionRef(id_, "/r", (folder,), (file,), 10, NOW - 1)
    return Entry(ref, Head(**{"talk": True, "last_ms": NOW} | head), 1)


def placed(*entries: Entry) -> dict[str, Entry]:
    found = {e.ref.id: e for e in entries}
    place(found)
    return found


@pytest.mark.parametrize(
    ("made", "state"),
    [
        (entry("a", last_ms=NOW - LIVE_MS + 1), "live"),
        (entry("a", last_ms=NOW - LIVE_MS), "idle"),
        (entry("a", last_ms=NOW + LIVE_MS), "live"),
        (entry("a", last_ms=NOW + LIVE_MS + 1), "idle"),
        (entry("a", talk=False), "empty"),
        (entry("a", talk=False, whole=False), "live"),
        (entry("a", kind="agent"), "orphan"),
    ],
)
def test_the_state_is_told_by_the_newest_record_and_by_what_the_files_hold(made: Entry, state: str) -> None:
    assert made.state_at(NOW) == state


@given(st.integers(-3 * LIVE_MS, 3 * LIVE_MS), st.lists(st.integers(0, LIVE_MS), max_size=8))
def test_a_state_that_time_has_changed_is_told_once_whenever_it_is_asked_for(newest: int, pauses: list[int]) -> None:
    made, now = entry("a", last_ms=NOW + newest), NOW
    assert aged([made], now) == [] and made.state == made.state_at(now)
    for pause in pauses:
        before, now = made.state, now + pause
        assert aged([made], now) == ([made] if made.state_at(now) != before else [])
        assert made.state == made.state_at(now)


def test_what_is_not_counted_is_null() -> None:
    fields = entry("a").fields(NOW, False)
    assert fields["counted"] is False
    unknown = ("prompts", "toolCalls", "errors", "agents", "models", "usage", "startMs", "endMs")
    assert {fields[name] for name in unknown} == {None}


def test_a_session_that_names_no_directory_has_the_project_of_most_in_its_folder() -> None:
    found = placed(entry("a", project="/x"), entry("b", project="/y"), entry("c", project="/y"), entry("d"))
    assert found["d"].project == "/y"
    assert placed(entry("a"))["a"].project is None


def test_a_chain_has_the_id_of_its_first_session() -> None:
    found = placed(entry("a"), entry("b", continues="a"), entry("c", continues="b"), entry("d", continues="gone"))
    assert {id_: e.group for id_, e in found.items()} == {"a": "a", "b": "a", "c": "a", "d": "d"}
    assert {id_: e.continued_by for id_, e in found.items()} == {"a": "b", "b": "c", "c": None, "d": None}


def test_of_two_that_continue_one_the_newest_is_named() -> None:
    found = placed(entry("a"), entry("b", continues="a", last_ms=NOW - 5), entry("c", continues="a", last_ms=NOW - 1))
    assert found["a"].continued_by == "c"


def test_sessions_that_name_each_other_in_a_circle_are_one_chain() -> None:
    found = placed(entry("c", continues="b"), entry("b", continues="a"), entry("a", continues="c"))
    assert {e.group for e in found.values()} == {"a"}


def test_a_slug_continues_the_latest_of_the_project_that_had_ended() -> None:
    def slugged(id_: str, start: int, last: int, project: str = "/x") -> Entry:
        return entry(id_, slugs={"calm-pond": None}, project=project, start_ms=start, last_ms=last)

    found = placed(slugged("a", 1, 5), slugged("b", 6, 9), slugged("c", 8, 20), slugged("d", 30, 40, "/y"))
    assert {id_: e.continues for id_, e in found.items()} == {"a": None, "b": "a", "c": "a", "d": None}


def test_placing_again_changes_nothing() -> None:
    found = placed(entry("a"), entry("b", continues="a"))
    assert place(found) == []


@given(st.dictionaries(st.sampled_from("abcdef"), st.none() | st.sampled_from("abcdefg"), min_size=1))
def test_every_session_is_in_one_chain_whatever_the_records_name(continues: dict[str, str | None]) -> None:
    found = placed(*(entry(id_, continues=before) for id_, before in continues.items()))
    for e in found.values():
        assert e.group in found
        assert found[e.group].group == e.group


def test_kin_are_sessions_with_records_in_common_or_that_name_one_another() -> None:
    entries = {
        e.ref.id: e
        for e in (
            entry("a", marks=("u1", "u2")),
            entry("b", marks=("u0", "u1")),
            entry("c", marks=("u9",), continues="a"),
            entry("d", marks=("u8",)),
        )
    }
    kin = Kin(entries.values())
    refs = {id_: e.ref for id_, e in entries.items()}
    found = {id_: sorted(ref.id for ref in kin.of(e, refs)) for id_, e in entries.items()}
    assert found == {"a": ["b", "c"], "b": ["a"], "c": ["a"], "d": []}
