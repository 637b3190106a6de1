"""Every millisecond of the main thread belongs to one part: model, tool, user or idle. Times below are in seconds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.conftest import Read
from tests.core.told import SESSION, called, spawned, started, view_of
from tests.transcripts import Call, Transcript, dumps
from waterglass.session import Session
from waterglass.timeline import length, united, without

MINUTE = 60


def parts(session: Session) -> dict[str, float]:
    """The parts of time in seconds; those of no time are left out. They add up, or this fails."""
    time = session.head()["time"]
    found = {name: time[f"{name}Ms"] for name in ("model", "tool", "user", "idle")}
    assert sum(found.values()) == time["wallMs"]
    assert time["activeMs"] == time["wallMs"] - time["idleMs"]
    assert time["idleAfterMs"] == 30 * MINUTE * 1000
    return {name: ms / 1000 for name, ms in found.items() if ms}


def test_model_time_is_from_a_prompt_to_the_end_of_the_reply(read: Read) -> None:
    t = started()  # 0
    t.at("+3s").reply("Hi", thinking="hm", step_ms=500)  # thinks at 3, speaks at 3.5
    assert parts(read(t)) == {"model": 3.5}


def test_user_time_is_from_the_last_record_to_the_next_prompt(read: Read) -> None:
    t = started()  # 0
    t.at("+3s").reply("Hi")  # 3
    t.at("+7s").prompt("And?")  # 10
    t.at("+2s").reply("So.")  # 12
    assert parts(read(t)) == {"model": 3 + 2, "user": 7}


def test_tool_time_is_while_a_call_is_open_and_model_time_goes_on_from_its_result(read: Read) -> None:
    t = started()  # 0
    called(t, "c1", delay="+3s")  # 3
    t.at("+5s").result("c1", "x")  # 8
    t.at("+2s").reply("Done.")  # 10
    assert parts(read(t)) == {"model": 3 + 2, "tool": 5}


def test_calls_that_overlap_take_their_time_once(read: Read) -> None:
    t = started()  # 0
    called(t, "c1", "c2", delay="+1s")  # both at 1
    t.at("+4s").result("c1", "x")  # 5
    t.at("+6s").result("c2", "x")  # 11
    assert parts(read(t)) == {"model": 1, "tool": 10}


def test_a_call_that_is_open_while_the_reply_is_still_written_is_tool_time(read: Read) -> None:
    t = started()  # 0
    t.at("+1s").reply(calls=[Call("Bash", {"command": n}, n) for n in ("c1", "c2")], step_ms=2_000)  # 1 and 3
    t.at("+1s").result("c1", "x")  # 4
    t.result("c2", "x")  # 4
    assert parts(read(t)) == {"model": 1, "tool": 3}


def test_a_background_call_is_tool_time_only_to_its_acknowledgement(read: Read) -> None:
    t = started()  # 0
    t.at("+1s").reply(calls=[Call("Bash", {"command": "make", "run_in_background": True}, "c1")])  # 1
    t.at("+2s").result("c1", "Command running in background with ID: b1")  # 3
    t.at("+1s").reply("Meanwhile.")  # 4
    t.at("+20s").notification("b1", "Ended", call_id="c1")  # 24
    t.at("+3s").reply("Built.")  # 27
    # From the reply at 4 to the notification at 24 nobody waits for anything: what is left is idle.
    assert parts(read(t)) == {"model": 1 + 1 + 3, "tool": 2, "idle": 20}


def test_a_stretch_over_thirty_minutes_without_a_record_is_idle_and_thirty_minutes_are_not(read: Read) -> None:
    for wait, part in ((30 * MINUTE, "user"), (30 * MINUTE + 1, "idle")):
        t = started()
        t.at("+3s").reply("Hi")
        t.at(f"+{wait}s").prompt("And?")
        assert parts(read(t)) == {"model": 3, part: wait}


def test_a_stretch_without_a_record_is_idle_inside_a_call_and_inside_a_reply_too(read: Read) -> None:
    t = started()  # 0
    t.at("+40m").reply("Slow.")  # 2400: idle, though a reply was awaited
    called(t, "c1", delay="+10s")  # 2410; the reply before ended at 2400, so these 10 are left: idle
    t.at("+50m").result("c1", "x")  # 5410: idle, though a call was open
    t.at("+1s").reply("Done.")  # 5411
    assert parts(read(t)) == {"model": 1, "idle": 2_400 + 10 + 3_000}


def test_a_record_in_an_agents_file_ends_the_stretch(read: Read) -> None:
    t = started()  # 0
    spawned(t, "s1", "Look")  # 1
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.at("+20m").prompt("Look")  # 1201
    agent.at("+20m").reply("Seen.")  # 2401
    t.at(agent).result("s1", "x")  # 2401
    assert parts(read(t)) == {"model": 1, "tool": 2_400}


def test_calls_of_agents_are_in_the_time_of_the_call_that_started_them(read: Read) -> None:
    t = started()  # 0
    spawned(t, "s1", "Look")  # 1
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    called(agent, "c1")
    agent.at("+4s").result("c1", "x")
    t.at(agent).at("+1s").result("s1", "x")  # 7
    assert parts(read(t)) == {"model": 1, "tool": 6}


def test_what_follows_a_reply_without_a_prompt_is_left_and_so_idle(read: Read) -> None:
    t = started()  # 0
    t.at("+2s").reply("Hi")  # 2
    t.at("+5s").system("turn_duration", durationMs=5)  # 7: nobody waits
    t.at("+3s").prompt("And?")  # 10: the user, from the last record on
    assert parts(read(t)) == {"model": 2, "user": 3, "idle": 5}


def test_after_an_interrupt_the_model_is_not_awaited(read: Read) -> None:
    t = started()  # 0
    t.at("+4s").interrupt()  # 4: no reply came
    t.at("+6s").prompt("Otherwise")  # 10
    t.at("+1s").reply("So.")  # 11
    assert parts(read(t)) == {"idle": 4, "user": 6, "model": 1}


def test_a_call_without_a_result_is_open_to_the_last_record_of_its_agent(read: Read) -> None:
    t = started()  # 0
    called(t, "c1")  # 1
    t.at("+9s").system("informational", content="x")  # 10
    assert parts(read(t)) == {"model": 1, "tool": 9}


def test_a_queued_prompt_that_is_taken_in_awaits_the_model(read: Read) -> None:
    t = started()  # 0
    t.at("+1s").reply("Hi")  # 1
    t.at("+1s").attachment("queued_command", prompt="Also")  # 2: nobody waited since the reply
    t.at("+3s").reply("Yes.")  # 5
    assert parts(read(t)) == {"model": 1 + 3, "idle": 1}


def test_a_clock_that_runs_back_makes_no_negative_part(read: Read) -> None:
    t = started()  # 0
    called(t, "c1", delay="+10s")  # 10
    t.at("-5s").result("c1", "x")  # 5
    t.at("+1s").reply("Done.")  # 6
    t.at("-40m").prompt("Earlier")  # -2394: the first record by its time
    time = read(t).head()["time"]
    assert time["wallMs"] == (2_394 + 10) * 1_000
    assert all(time[f"{part}Ms"] >= 0 for part in ("model", "tool", "user", "idle"))
    parts(read(t))


def test_without_any_time_the_parts_are_unknown(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("Go", timestamp=None)
    time = read(t).head()["time"]
    assert {time[f"{part}Ms"] for part in ("wall", "active", "model", "tool", "user", "idle")} == {None}


def test_one_record_is_a_moment_without_parts(read: Read) -> None:
    assert parts(read(started())) == {}


def test_the_wall_clock_is_from_the_oldest_to_the_newest_record_of_all_files(read: Read) -> None:
    t = started()
    agent = t.agent("a1")
    agent.at("+90s").prompt("Look")
    t.raw({"type": "file-history-snapshot", "messageId": "m", "snapshot": {"timestamp": "2030-01-01T00:00:00.000Z"}})
    t.raw({"type": "summary", "summary": "x", "leafUuid": "y"})
    assert read(t).head()["time"]["wallMs"] == 90_000


@pytest.mark.parametrize(
    ("form", "ms"),
    [
        ("2026-03-02T09:00:00.250Z", 1_772_442_000_250),
        ("2026-03-02T09:00:00Z", 1_772_442_000_000),
        ("2026-03-02T09:00:00", 1_772_442_000_000),
        ("2026-03-02T10:00:00.250+01:00", 1_772_442_000_250),
        (1_772_442_000, 1_772_442_000_000),
        (1_772_442_000_250, 1_772_442_000_250),
        ("yesterday", None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
        (5, None),
        (True, None),
        (-1, None),
    ],
)
@pytest.mark.parametrize("field", ["timestamp", "ts", "created_at"])
def test_times_are_read_in_each_of_their_forms(read: Read, field: str, form: object, ms: int | None) -> None:
    t = Transcript(SESSION)
    t.prompt("Go")
    line = t.lines[0]
    assert isinstance(line, dict)
    del line["timestamp"]
    line[field] = form
    assert read(t).head()["prompts"][0]["ms"] == ms


spans = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


def covered(of: list[tuple[int, int]]) -> set[int]:
    return {ms for start, end in of for ms in range(start, end)}


@given(spans, spans)
def test_spans_are_united_and_taken_away_like_sets_of_milliseconds(
    a: list[tuple[int, int]], b: list[tuple[int, int]]
) -> None:
    for result, want in (
        (united(a), covered(a)),
        (without(united(a), united(b)), covered(a) - covered(b)),
    ):
        assert covered(result) == want
        assert length(result) == len(want)
        assert all(start < end for start, end in result)
        assert all(one[1] <= two[0] for one, two in pairwise(result))


Change = Callable[[Transcript], object]
STEPS: dict[str, Change] = {
    "prompt": lambda t: t.at("+7s").prompt("And?"),
    "reply": lambda t: t.at("+3s").reply("So.", thinking="hm"),
    "call": lambda t: called(t, f"c{len(t.lines)}", delay="+2s"),
    "answer": lambda t: t.at("+5s").result(next(reversed(t._calls), "none"), "x"),
    "interrupt": lambda t: t.at("+1s").interrupt(),
    "pause": lambda t: t.at("+31m"),
    "back": lambda t: t.at("-11s"),
    "notice": lambda t: t.at("+1s").system("informational", content="x"),
    "notification": lambda t: t.at("+9s").notification("b1", "Ended"),
}


@given(st.lists(st.sampled_from(sorted(STEPS)), max_size=14))
def test_the_parts_add_up_to_the_wall_clock_whatever_happened(steps: list[str]) -> None:
    t = started()
    for step in steps:
        STEPS[step](t)
    view, _ = view_of([dumps(line).encode() for line in t.lines])
    time = view.time
    assert time.wall_ms is not None
    numbers = [time.model_ms, time.tool_ms, time.user_ms, time.idle_ms]
    assert all(ms is not None and ms >= 0 for ms in numbers)
    assert sum(ms or 0 for ms in numbers) == time.wall_ms
