"""What leads from any state of a payload to the present one."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.live.stories import Mirror
from waterglass.payload import changes
from waterglass.payload.changes import LISTS, ChangeLog

LETTERS = "abcdefgh"


class Row(NamedTuple):
    """A row that is made of two values."""

    id: str
    n: int = 0


Rows = list[Row]


def log_of(event: int, made: Rows, top: dict[str, Any]) -> ChangeLog:
    return ChangeLog(event, made, top, Row._asdict)


def head(replies: list[str]) -> dict[str, Any]:
    series = [[n, len(reply)] for n, reply in enumerate(replies)]
    return {
        "session": {"n": len(replies)},
        "context": {"series": series},
        **{name: [] for name in LISTS},
        "replies": [{"text": r} for r in replies],
    }


def rows(*ids: str) -> Rows:
    return [Row(id_) for id_ in ids]


def since(log: ChangeLog, event: int, **how: bool) -> dict[str, Any]:
    return dict(json.loads(log.since(event, **how)))


states = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(LETTERS), st.integers(0, 2)), unique_by=lambda row: row[0]),
        st.lists(st.sampled_from("xyz"), max_size=4),
    ),
    min_size=2,
    max_size=7,
)


@given(states, st.integers(0, 6))
def test_a_client_at_any_state_gets_to_the_present_one_or_is_told_to_fetch(
    given_: list[tuple[list[tuple[str, int]], list[str]]], at: int
) -> None:
    made = [([Row(id_, n) for id_, n in ids], head(replies)) for ids, replies in given_]
    log = log_of(0, *made[0])
    for event, (state, top) in enumerate(made[1:], 1):
        log.take(event, state, top)
    at = min(at, len(made) - 1)
    message, tails = since(log, at), since(log, at, tails=True)
    assert message["event"] == tails["event"] == len(made) - 1
    assert message["head"] == made[-1][1]
    if message["reset"]:
        kept = [[row.id for row in state] for state, _ in made[at:]]
        assert any([i for i in a if i in b] != [i for i in b if i in a] for a in kept for b in kept), (
            "only an order lost"
        )
        return
    client = Mirror({}, [row._asdict() for row in made[at][0]])
    client.take(message)
    assert client.rows == [row._asdict() for row in made[-1][0]]
    assert tails["head"]["context"]["series"] is None
    for name in LISTS:
        part = tails["lists"][name]
        assert made[at][1][name][: part["from"]] + part["items"] == made[-1][1][name]
        assert tails["head"][name] is None


def test_only_what_changed_is_sent() -> None:
    log = log_of(0, rows("a", "b", "c"), head(["x"]))
    log.take(1, [*rows("a"), Row("c", 1), *rows("d")], head(["x", "y"]))
    message = since(log, 0, tails=True)
    assert [(row["id"], row["index"]) for row in message["rows"]] == [("c", 1), ("d", 2)]
    assert message["removed"] == ["b"]
    assert message["lists"]["replies"] == {"from": 1, "items": [{"text": "y"}]}


def test_the_steps_of_the_context_are_sent_from_where_they_differ() -> None:
    log = log_of(0, [], head(["x", "y"]))
    log.take(1, [], head(["x", "y", "z"]))
    assert since(log, 0, tails=True)["lists"]["series"] == {"from": 2, "items": [[2, 1]]}
    assert since(log, 0)["head"]["context"]["series"] == [[0, 1], [1, 1], [2, 1]]


def test_a_client_that_is_up_to_date_gets_nothing_new() -> None:
    log = log_of(4, rows("a"), head([]))
    message = since(log, 4)
    assert (message["event"], message["reset"], message["rows"], message["removed"]) == (4, False, [], [])


@pytest.mark.parametrize("event", [-1, 2, 99])
def test_a_state_that_is_not_known_is_a_reset(event: int) -> None:
    log = log_of(3, rows("a"), head([]))
    log.take(4, rows("a", "b"), head([]))
    message = since(log, event)
    assert (message["reset"], message["rows"]) == (True, [])


def test_what_does_not_follow_is_a_reset_for_everyone_before() -> None:
    log = log_of(0, rows("a"), head([]))
    log.take(1, rows("a"), head([]), over=True)
    log.take(2, rows("a", "b"), head([]))
    assert since(log, 0)["reset"]
    assert [row["id"] for row in since(log, 1)["rows"]] == ["b"]


def test_rows_that_trade_places_are_a_reset() -> None:
    log = log_of(0, rows("a", "b"), head([]))
    log.take(1, rows("b", "a"), head([]))
    assert since(log, 0)["reset"]


@pytest.mark.parametrize("limit", ["MOST_ROWS", "MOST_BYTES"])
def test_what_is_remembered_has_a_limit(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, limit, {"MOST_ROWS": 10, "MOST_BYTES": 400}[limit])
    log = log_of(0, [], head([]))
    for event in range(1, 40):
        log.take(event, rows(*(f"row-{n:02}" for n in range(event))), head([]))
    assert since(log, 0)["reset"]
    assert [row["id"] for row in since(log, 36)["rows"]] == ["row-36", "row-37", "row-38"]
    log.take(40, rows(*(f"row-{n:02}" for n in range(300))), head([]))
    assert since(log, 39)["reset"]


def test_files_that_are_gone_are_told_and_leave_the_rest_as_it_is() -> None:
    log = log_of(0, rows("a"), head(["x"]))
    log.lose(1)
    message = since(log, 0)
    assert message["gone"] and message["rows"] == message["removed"] == []
    log.take(2, rows("a"), head(["x"]), over=True)
    assert "gone" not in since(log, 1) and since(log, 1)["reset"]
