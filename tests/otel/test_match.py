"""Telemetry is matched by the call's id, else by tool, time and duration, and where several fit, not at all."""

from __future__ import annotations

from tests.core.told import called, started
from tests.otel.conftest import Heard, Recorder
from tests.otel.test_ledger import counts, one_call, rows_of
from tests.transcripts import Call

OTHER = "0a0a0a0a-0000-4000-8000-00000000000f"


def test_the_id_of_the_call_is_enough_whatever_session_is_named(hear: Heard) -> None:
    for session in (None, OTHER):
        t, recorder = one_call()
        recorder.session = session
        told = hear(t, recorder.call("c1", 1, 61, wait=(1, 41), ran=(41, 61)))
        assert rows_of(told)["c1"] == (40_000, "exact", 20_000)


def test_a_call_without_an_id_is_matched_where_one_call_of_the_tool_ended_then(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.ids = False
    told = hear(t, recorder.call("c1", 1.2, 60.5, wait=(1.2, 41), ran=(41, 60.5)))
    assert rows_of(told)["c1"] == (39_800, "exact", 19_500)
    assert counts(told)["byTime"] == 1 and "byId" not in counts(told)


def test_an_event_without_an_id_is_matched_by_its_end(hear: Heard) -> None:
    t, recorder = one_call()
    told = hear(t, recorder.result(None, 61, 20, source="user_temporary"))
    assert rows_of(told)["c1"] == (40_000, "at_most", 20_000)


def test_two_calls_that_fit_are_ambiguous_and_neither_is_taken(hear: Heard) -> None:
    t = started()
    recorder = Recorder(t, ids=False)
    called(t, "c1", "c2", delay="+1s")
    t.at("+20s").result("c1", "x")
    t.at("+1s").result("c2", "x")
    told = hear(t, recorder.call("?", 1, 21, wait=(1, 11), ran=(11, 21)))
    assert counts(told) == {"callsWithout": 2, "ambiguous": 1}
    assert rows_of(told) == {"c1": (None, None, None), "c2": (None, None, None)}


def test_two_told_calls_that_fit_one_call_are_ambiguous(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.ids = False
    recorder.call("?", 1, 61, ran=(41, 61)).call("?", 1, 60.8, ran=(2, 60.8))
    assert counts(hear(t, recorder)) == {"callsWithout": 1, "ambiguous": 2}


def test_another_tool_another_time_and_another_session_do_not_fit(hear: Heard) -> None:
    for change, name in (("tool", "unmatched"), ("time", "unmatched"), ("session", "otherSessions")):
        t, recorder = one_call()
        recorder.ids = False
        recorder.session = OTHER if change == "session" else recorder.session
        end = 64 if change == "time" else 61
        recorder.call("?", 1, end, wait=(1, 41), ran=(41, end), tool="Read" if change == "tool" else "Bash")
        assert counts(hear(t, recorder)) == {"callsWithout": 1, name: 1}


def test_an_id_that_fits_at_a_time_that_does_not_is_not_taken(hear: Heard) -> None:
    t, recorder = one_call()
    told = hear(t, recorder.call("c1", 500, 560, wait=(500, 530), ran=(530, 560)))
    assert counts(told) == {"callsWithout": 1, "disagreeing": 1}


def test_an_id_that_two_calls_share_is_ambiguous(hear: Heard) -> None:
    t = started()
    recorder = Recorder(t)
    for command in ("make", "make test"):
        t.at("+1s").reply(calls=[Call("Bash", {"command": command}, "c1")])
        t.at("+5s").result("c1", command)
    told = hear(t, recorder.call("c1", 1, 6, wait=(1, 3), ran=(3, 6)))
    assert len(told.rows) == 2
    assert counts(told) == {"callsWithout": 2, "ambiguous": 1}


def test_a_call_of_no_row_is_unmatched(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.call("c1", 1, 61, wait=(1, 41), ran=(41, 61)).call("never", 2, 3)
    assert counts(hear(t, recorder))["unmatched"] == 1


def test_a_span_below_one_that_was_lost_is_no_call(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.call("c1", 1, 61, wait=(1, 41), ran=(41, 61))
    whole = recorder.lines.pop().replace('"name": "claude_code.tool"', '"name": "claude_code.lost"')
    recorder.lines.append(whole)
    assert counts(hear(t, recorder)) == {"callsWithout": 1, "unmatched": 2}


def test_spans_and_events_of_one_call_are_one_call(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.decision("c1", 41, "user_temporary").result("c1", 61, 20).call("c1", 1, 61, wait=(1.5, 41), ran=(41, 61))
    told = hear(t, recorder)
    assert counts(told)["byId"] == 1
    assert rows_of(told)["c1"] == (39_500, "exact", 20_000)


def test_a_wait_below_an_id_that_two_calls_share_is_nobodys(hear: Heard) -> None:
    t, recorder = one_call()
    recorder.call("c1", 1, 61, wait=(1, 41), ran=(41, 61))
    recorder.lines.append(recorder.lines[0].replace('"c1"', '"other"'))
    told = hear(t, recorder)
    assert rows_of(told)["c1"] == (None, None, None)
    assert counts(told) == {"calls": 1, "byId": 1, "unmatched": 5}


def test_telemetry_that_is_given_twice_counts_once(hear: Heard) -> None:
    for ids in (True, False):
        t, recorder = one_call()
        recorder.ids = ids
        recorder.call("c1", 1, 61, wait=(1.5, 41.5), ran=(41.6, 60.9))
        recorder.lines *= 2
        assert rows_of(hear(t, recorder))["c1"] == (40_000, "exact", 19_300)
