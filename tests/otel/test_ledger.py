"""A wait for a permission is told apart from execution, and how sure that is. Times below are in seconds."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.core.told import called, spawned, started
from tests.library.test_json_schema import PAYLOAD, faults
from tests.otel.conftest import Heard, Recorder
from tests.transcripts import Call, Transcript
from waterglass.cli.summary import print_summary
from waterglass.payload import encode
from waterglass.session import Session, load


def one_call(seconds: int = 60) -> tuple[Transcript, Recorder]:
    """A call from 1 to 1 + `seconds`, and a recorder whose clock starts at 0."""
    t = started()  # 0
    recorder = Recorder(t)
    called(t, "c1")  # 1
    t.at(f"+{seconds}s").result("c1", "x")
    t.at("+2s").reply("Done.")
    return t, recorder


def time_of(session: Session) -> dict[str, Any]:
    """The ledger in seconds; its four parts add up, or this fails."""
    time = session.head()["time"]
    assert time["modelMs"] + time["toolMs"] + time["userMs"] + time["idleMs"] == time["wallMs"]
    waited = time["permissionMs"]
    return {
        "tool": time["toolMs"] / 1000,
        "permission": None if waited is None else waited / 1000,
        "sure": (time["toolBound"], time["permissionBound"]),
    }


def rows_of(session: Session) -> dict[str, tuple[Any, Any, Any]]:
    return {r["id"]: (r["permissionMs"], r["permissionBound"], r["executionMs"]) for r in session.row_fields()}


def counts(session: Session) -> dict[str, Any]:
    """What the payload says of the telemetry, without what is 0."""
    told = session.head()["telemetry"]
    return {name: value for name, value in told.items() if value and name != "files"}


def test_without_telemetry_the_ledger_says_at_most_and_no_row_says_more(hear: Heard, tmp_path: Path) -> None:
    t, _ = one_call()
    t.write(tmp_path / "projects")
    session = load(t.session_id, [str(tmp_path / "projects")])
    assert time_of(session) == {"tool": 60, "permission": None, "sure": ("at_most", None)}
    assert session.head()["telemetry"] is None
    assert all("permissionMs" not in row for row in session.row_fields())
    assert "permissionMs" not in session.payload(table=True)["table"]["columns"]


def test_spans_make_the_ledger_exact(hear: Heard) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.call("c1", 1, 61, wait=(1.5, 41.5), ran=(41.6, 60.9)))
    assert time_of(session) == {"tool": 60, "permission": 40, "sure": ("exact", "exact")}
    assert rows_of(session) == {"c1": (40_000, "exact", 19_300)}
    assert counts(session) == {"calls": 1, "byId": 1, "waits": 1, "waitMs": {"user": 40_000}, "executionMs": 19_300}
    columns = session.payload(table=True)["table"]["columns"]
    assert (columns["permissionMs"], columns["executionMs"]) == ([40_000], [19_300])
    assert columns["permissionStartMs"] == [recorder.start + 1_500]


def test_a_call_that_no_telemetry_tells_of_keeps_tool_time_at_most(hear: Heard) -> None:
    t = started()
    recorder = Recorder(t)
    called(t, "c1", "c2", delay="+1s")  # both at 1
    t.at("+20s").result("c1", "x")  # 21
    t.result("c2", "x")
    called(t, "c3", delay="+1s")  # 22
    t.at("+10s").result("c3", "x")  # 32
    session = hear(t, recorder.call("c3", 22, 32, wait=(22, 28), ran=(28, 32)))
    assert time_of(session) == {"tool": 30, "permission": 6, "sure": ("at_most", "at_least")}
    assert rows_of(session)["c1"] == (None, None, None)
    assert counts(session)["callsWithout"] == 2


def test_waiting_beside_a_call_that_runs_is_tool_time(hear: Heard) -> None:
    t = started()
    recorder = Recorder(t)
    called(t, "c1", "c2", delay="+1s")  # both at 1
    t.at("+10s").result("c1", "x")  # 11
    t.at("+20s").result("c2", "x")  # 31
    recorder.call("c1", 1, 11, wait=(1, 1.01), ran=(1.01, 11), by="config")
    recorder.call("c2", 1, 31, wait=(1, 25), ran=(25, 31))
    # c2 waits from 1 to 25, and until 11 c1 runs.
    assert time_of(hear(t, recorder)) == {"tool": 30, "permission": pytest.approx(14.01), "sure": ("exact", "exact")}


def test_a_sub_agents_wait_counts_where_nothing_else_of_it_is_at_work(hear: Heard) -> None:
    t = started()
    recorder = Recorder(t)
    spawned(t, "s1", "Look", delay="+1s")  # 1
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.at("+1s").prompt("Look")  # 2
    agent.at("+2s").reply(calls=[Call("Bash", {"command": "x"}, "c1")])  # 4
    agent.at("+30s").result("c1", "x")  # 34
    agent.at("+2s").reply("Seen.")  # 36
    t.at(agent).result("s1", "x")  # 36
    recorder.call("s1", 1, 36, wait=(1, 1), ran=(1, 36), tool="Agent", by="config")
    recorder.call("c1", 4, 34, wait=(4, 24), ran=(24, 34))
    assert time_of(hear(t, recorder)) == {"tool": 35, "permission": 20, "sure": ("exact", "exact")}


def test_a_wait_that_nobody_answered_for_half_an_hour_is_idle_as_it_was(hear: Heard) -> None:
    t, recorder = one_call(seconds=7_200)
    session = hear(t, recorder.call("c1", 1, 7_201, wait=(1, 7_100), ran=(7_100, 7_201)))
    assert time_of(session) == {"tool": 0, "permission": 0, "sure": ("exact", "exact")}
    assert rows_of(session)["c1"] == (7_099_000, "exact", 101_000)


def test_events_alone_say_at_most_from_the_call_to_the_decision_of_a_person(hear: Heard) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.decision("c1", 41, "user_permanent").result("c1", 61, 19.5))
    assert time_of(session) == {"tool": 60, "permission": 40, "sure": ("at_most", "at_most")}
    assert rows_of(session) == {"c1": (40_000, "at_most", 19_500)}


@pytest.mark.parametrize("by", ["config", "hook"])
def test_events_of_a_decision_by_a_rule_say_that_nobody_was_waited_for(hear: Heard, by: str) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.decision("c1", 1.2, by).result("c1", 61, 59))
    assert time_of(session) == {"tool": 60, "permission": 0, "sure": ("exact", "exact")}
    assert rows_of(session) == {"c1": (0, "exact", 59_000)}


def test_an_event_that_does_not_say_who_decided_tells_of_execution_alone(hear: Heard) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.result("c1", 61, 20))
    assert time_of(session) == {"tool": 60, "permission": 0, "sure": ("at_most", "at_least")}
    assert rows_of(session) == {"c1": (None, None, 20_000)}


def test_a_span_without_its_wait_leaves_the_wait_unknown(hear: Heard) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.call("c1", 1, 61, ran=(41, 61)))
    assert rows_of(session) == {"c1": (None, None, 20_000)}
    assert time_of(session)["sure"] == ("at_most", "at_least")


def test_a_payload_with_telemetry_keeps_to_the_schema(hear: Heard) -> None:
    t, recorder = one_call()
    session = hear(t, recorder.call("c1", 1, 61, wait=(1.5, 41.5), ran=(41.6, 60.9)))
    for document in (session.payload(), session.payload(table=True)):
        assert faults(PAYLOAD, json.loads(encode(document))) == []


def test_the_terminal_tells_permission_apart_and_how_sure_it_is(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.lines.append("no json")
    exact = recorder.call("c1", 1, 61, wait=(1.5, 41.5), ran=(41.6, 60.9))
    assert "▓ tool 20.0 s   ▚ permission 40.0 s" in shown(hear(t, exact))
    t, recorder = one_call()
    recorder.lines.append("no json\n\n")
    events = recorder.decision("c1", 41, "user_permanent").call("never", 1, 2)
    text = shown(hear(t, events))
    assert "▓ tool ≥ 20.0 s   ▚ permission ≤ 40.0 s" in text
    assert "told of  1 of 1 call by telemetry (1 fit no call)" in text
    assert re.search(r"of 3 lines in \S+telemetry\.jsonl: 1 bad\n", text)


def shown(session: Session) -> str:
    out = io.StringIO()
    print_summary(session.overview(), out)
    return out.getvalue()
