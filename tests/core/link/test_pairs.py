"""Results and calls are paired by id and nothing else."""

from __future__ import annotations

from tests.core.conftest import Read
from tests.core.told import by_id, called, codes, outcomes, started
from tests.transcripts import Call


def test_a_result_answers_the_call_with_its_id_in_whatever_order(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", "c3")
    for name in ("c3", "c1", "c2"):
        t.at("+1s").result(name, name)
    rows = by_id(read(t))
    assert {id: row.duration for id, row in rows.items()} == {"c3": 1_000, "c1": 2_000, "c2": 3_000}
    assert [row["output"] for row in read(t).payload()["rows"]] == ["c1", "c2", "c3"]


def test_a_result_may_stand_before_its_call(read: Read) -> None:
    t = started()
    t.result("c1", "early")
    called(t, "c1")
    session = read(t)
    assert outcomes(session) == {"c1": "ok"}
    assert session.head()["coverage"]["orphanResults"] == 0


def test_a_result_that_is_older_than_its_call_lasts_no_time_and_says_so(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("-5s").result("c1", "x")
    row = by_id(read(t))["c1"]
    assert row.duration == 0
    assert row.warnings == ("the result is older than the call",)


def test_of_two_results_the_first_counts_and_the_second_is_a_problem(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+1s").result("c1", "one")
    t.at("+1s").result("c1", "two", is_error=True)
    session = read(t)
    (row,) = session.payload()["rows"]
    assert (row["output"], row["outcome"], row["duration"]) == ("one", "ok", 1_000)
    assert codes(session) == ["second_result"]


def test_a_result_whose_call_is_nowhere_is_an_orphan_and_makes_no_row(read: Read) -> None:
    t = started()
    t.result("never", "out")
    session = read(t)
    assert session.rows == []
    assert session.head()["coverage"]["orphanResults"] == 1


def test_an_id_used_again_for_another_call_gets_a_number(read: Read) -> None:
    t = started()
    for command in ("one", "two", "three"):
        t.at("+1s").reply(calls=[Call("Bash", {"command": command}, "c")])
        t.at("+1s").result("c", command)
    rows = read(t).payload()["rows"]
    assert [(r["id"], r["input"]["command"], r["output"]) for r in rows] == [
        ("c", "one", "one"),
        ("c#2", "two", "two"),
        ("c#3", "three", "three"),
    ]


def test_a_number_that_an_id_already_has_is_not_given_again(read: Read) -> None:
    t = started()
    for id in ("c#2", "c", "c"):
        t.at("+1s").reply(calls=[Call("Bash", {"command": f"for {id} at {t.now}"}, id)])
    assert set(by_id(read(t))) == {"c#2", "c", "c#3"}


def test_an_id_that_looks_numbered_and_comes_later_is_told_apart(read: Read) -> None:
    t = started()
    for id in ("c", "c", "c#2"):
        t.at("+1s").reply(calls=[Call("Bash", {"command": f"for {id} at {t.now}"}, id)])
    assert len(by_id(read(t))) == 3


def test_the_same_call_written_twice_is_one_row(read: Read) -> None:
    t = started()
    for _ in range(2):
        called(t, "c1")
    t.at("+1s").result("c1", "x")
    assert outcomes(read(t)) == {"c1": "ok"}


def test_ids_of_any_form_pair(read: Read) -> None:
    ids = [
        "call_0_a",
        "toolu_vrtx_1",
        "__proto__",
        "constructor",
        "x" * 5_000,
        "../../etc/passwd",
        "a b\n\x1b[31m",
        "0",
    ]
    t = started()
    called(t, *ids)
    for id in ids:
        t.at("+1s").result(id, "x")
    assert outcomes(read(t)) == dict.fromkeys(ids, "ok")


def test_calls_without_an_id_are_rows_of_their_own(read: Read) -> None:
    t = started()
    called(t, "", "")
    t.result("", "whose?")
    session = read(t)
    assert [row.outcome for row in session.rows] == ["no_result", "no_result"]
    assert len(by_id(session)) == 2
    assert session.head()["coverage"]["orphanResults"] == 1


def test_a_result_of_another_file_answers_where_its_own_has_none(read: Read) -> None:
    t = started(version="2.1.20")
    t.at("+1s").reply(calls=[Call("Task", {"description": "d", "prompt": "Look"}, "c1")])
    agent = t.agent("a1")
    agent.prompt("Look")
    called(agent, "c2")
    t.at("+9s").result("c2", "strayed")
    t.at("+1s").result("c1", "done", tool_use_result={"status": "completed", "agentId": "a1"})
    assert outcomes(read(t)) == {"c1": "ok", "c2": "ok"}


def test_several_results_in_one_record_each_answer_their_call_with_their_own_text_and_error(read: Read) -> None:
    t = started()
    called(t, "c1", "c2")
    blocks = [
        {"type": "tool_result", "tool_use_id": "c1", "content": "fine"},
        {"type": "tool_result", "tool_use_id": "c2", "content": "bad", "is_error": True},
    ]
    t.record("user", message={"role": "user", "content": blocks}, toolUseResult="Error: User rejected tool use")
    rows = read(t).payload()["rows"]
    assert [(r["id"], r["outcome"], r["output"]) for r in rows] == [("c1", "ok", "fine"), ("c2", "error", "bad")]


def test_inputs_that_only_look_equal_are_different_calls(read: Read) -> None:
    t = started()
    for given in ({"n": 1}, {"n": True}, {"n": "1"}, {"n": [1]}, {"n": None}, {}):
        t.at("+1s").reply(calls=[Call("Odd", given, "c")])
    assert list(by_id(read(t))) == ["c", "c#2", "c#3", "c#4", "c#5", "c#6"]
