"""What became of a call: from the evidence that each era left."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import by_id, called, outcomes, spawned, started
from tests.transcripts import Call
from waterglass.session import load

NO = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."


def outcome(read: Read, text: str, version: str = "2.1.220", **fields: Any) -> str:
    """The outcome of one call whose result is this text."""
    t = started(version)
    called(t, "c1")
    t.at("+1s").result("c1", text, **fields)
    (row,) = read(t).rows
    return row.outcome


@pytest.mark.parametrize(
    ("text", "mirror"),
    [
        (NO, "Error: " + NO),
        ("The user doesn't want to take this action right now. STOP what you are doing.", None),
        ("<tool_use_error>User rejected tool use</tool_use_error>", "Error: User rejected tool use"),
        ("x", "User rejected tool use"),
    ],
)
def test_a_person_who_said_no_rejected_the_call(read: Read, text: str, mirror: Any) -> None:
    assert outcome(read, text, is_error=True, tool_use_result=mirror) == "rejected"


def test_a_command_that_was_killed_names_its_exit_code_first(read: Read) -> None:
    text = "Exit code 137\n[Request interrupted by user for tool use]"
    assert outcome(read, text, is_error=True) == "interrupted"


@pytest.mark.parametrize(
    "said", ["Permission to use X has been denied", "pre-commit hook error", NO, "Blocked by hook"]
)
def test_a_command_that_ran_was_refused_by_nobody_whatever_it_printed(read: Read, said: str) -> None:
    assert outcome(read, f"Exit code 1\n{said}", is_error=True) == "error"


def test_a_denial_by_kind_tells_who_said_no(read: Read) -> None:
    for kind, said in (
        ("user-rejected", "rejected"),
        ("automode-blocked", "blocked"),
        ("automode-unavailable", "blocked"),
    ):
        assert outcome(read, "No.", is_error=True, toolDenialKind=kind) == said


@pytest.mark.parametrize(
    "text",
    [
        "Permission to use Bash with command rm has been denied.",
        "Error: Permission to use Read has been denied because it is in a denied folder.",
        "Claude requested permissions to write to /x, but you haven't granted it yet.",
        "PreToolUse:Bash hook error: no such thing here",
        "Blocked by hook",
    ],
)
def test_a_hook_or_a_rule_that_refused_blocked_the_call(read: Read, text: str) -> None:
    assert outcome(read, text, is_error=True) == "blocked"


@pytest.mark.parametrize(
    ("text", "mirror"),
    [
        ("[Request interrupted by user for tool use]", None),
        ("Interrupted by user", "Error: Interrupted by user"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "Sibling tool call errored"),
        ("<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>", None),
    ],
)
def test_a_call_that_something_else_ended_was_interrupted(read: Read, text: str, mirror: Any) -> None:
    assert outcome(read, text, is_error=True, tool_use_result=mirror) == "interrupted"


def test_an_interrupt_in_the_text_counts_unless_the_record_says_that_the_call_succeeded(read: Read) -> None:
    said = "[Request interrupted by user for tool use]"
    t = started()
    t.at("+1s").reply(
        calls=[Call("Edit", {"file_path": "/code/demo/a"}, "c1"), Call("Bash", {"command": "cat log"}, "c2")]
    )
    t.result("c1", said)
    t.result("c2", said + " at 12:00", is_error=False, tool_use_result=said)
    assert outcomes(read(t)) == {"c1": "interrupted", "c2": "ok"}


def test_words_in_an_output_are_no_refusal(read: Read) -> None:
    for text in (NO, "Permission to use Bash has been denied.", "Blocked by hook", "Error: all wrong", "Exit code 1"):
        assert outcome(read, text, is_error=False) == "ok"


def test_a_failed_command_whose_output_tells_of_a_refusal_is_an_error(read: Read) -> None:
    for text in (f"Exit code 1\ngrep found: {NO}", "Exit code 2\n[Request interrupted by user]"):
        assert outcome(read, text, is_error=True) == "error"


def test_an_error_is_what_the_record_says(read: Read) -> None:
    assert outcome(read, "Exit code 1\nboom", is_error=True) == "error"
    assert outcome(read, "", is_error=True) == "error"
    assert outcome(read, "fine") == "ok"


def test_a_result_that_says_that_it_did_not_succeed_is_an_error(read: Read) -> None:
    assert outcome(read, "no such peer", tool_use_result={"success": False}) == "error"


def test_only_error_counts_as_a_tool_error(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", "c3")
    t.result("c1", "Exit code 1", is_error=True)
    t.result("c2", NO, is_error=True)
    t.result("c3", "fine")
    session = read(t)
    assert session.listing()["errors"] == 1
    assert [row["status"] for row in session.payload()["rows"]] == ["error", "error", "success"]


def test_the_exit_code_is_read_from_a_failed_result_alone(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", "c3")
    t.result("c1", "Exit code 137\nkilled", is_error=True)
    t.result("c2", "Exit code 3 is what I print")
    t.result("c3", "Exit code many", is_error=True)
    codes = {row.id: row.result.result.exit_code for row in read(t).rows if row.result and row.result.result}
    assert codes == {"c1": 137, "c2": None, "c3": None}


def test_an_open_call_of_a_live_session_is_running(read: Read) -> None:
    t = started()
    called(t, "c1")
    (row,) = read(t, now="+9m").payload()["rows"]
    assert (row["outcome"], row["status"], row["endTime"], row["duration"]) == ("running", "running", None, None)


def test_an_open_call_of_an_old_session_has_no_result_and_is_drawn_to_the_last_record_of_its_agent(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+30s").system("informational", content="x")
    (row,) = read(t, now="+10m").payload()["rows"]
    assert (row["outcome"], row["status"], row["endTime"]) == ("no_result", "running", None)
    assert row["openUntilMs"] == row["startTime"] + 30_000


@pytest.mark.parametrize("later", ["prompt", "reply"])
def test_an_open_call_is_not_running_if_its_thread_has_gone_on(read: Read, later: str) -> None:
    t = started()
    called(t, "c1")
    getattr(t.at("+1s"), later)("And now?")
    assert outcomes(read(t, now="+1m")) == {"c1": "no_result"}


def test_a_later_reply_of_calls_alone_is_a_later_reply(read: Read) -> None:
    t = started()
    called(t, "c1")
    called(t, "c2", delay="+5s")
    assert outcomes(read(t, now="+1m")) == {"c1": "no_result", "c2": "running"}


def test_calls_of_one_reply_all_run(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", "c3")
    t.at("+1s").result("c2", "x")
    assert outcomes(read(t, now="+1m")) == {"c1": "running", "c2": "ok", "c3": "running"}


def test_what_goes_on_in_another_thread_leaves_a_call_running(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    agent.at("+1s").reply("Hm.")
    called(agent, "c1")
    assert outcomes(read(t, now=agent.now + 60_000)) == {"s1": "running", "c1": "running"}


def test_only_the_time_of_asking_and_the_newest_record_decide_what_is_live(read: Read) -> None:
    t = started()
    called(t, "c1")
    last = t.now
    for age, state in ((-1, "live"), (0, "live"), (599_999, "live"), (600_000, "idle")):
        assert read(t, now=last + age).view().state == state
    t.raw({"type": "file-history-snapshot", "messageId": "m", "snapshot": {"timestamp": "2027-01-01T00:00:00.000Z"}})
    assert read(t, now=last + 600_000).view().state == "idle"


def test_a_newest_record_far_in_the_future_keeps_no_session_live(read: Read) -> None:
    t = started()
    called(t, "c1")
    for ahead, state in ((600_000, "live"), (600_001, "idle"), (70 * 365 * 86_400_000, "idle")):
        session = read(t, now=t.now - ahead)
        assert (session.view().state, session.is_live(t.now - ahead)) == (state, state == "live")


def test_a_duration_is_from_the_record_of_the_call_to_the_record_of_its_result(read: Read) -> None:
    t = started()
    calls = [Call("Read", {"file_path": f"/code/demo/{n}"}, f"c{n}") for n in range(2)]
    t.reply("Both.", calls, step_ms=400)  # text at 0, c0 at 400, c1 at 800
    t.at("+200ms").result("c1", "x")
    t.at("+1s").result("c0", "x")
    rows = by_id(read(t))
    assert rows["c1"].start_ms is not None and rows["c0"].start_ms is not None
    assert rows["c1"].start_ms - rows["c0"].start_ms == 400
    assert (rows["c0"].duration, rows["c1"].duration) == (1_600, 200)


def test_rows_without_times_have_no_duration(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", "x")
    for line in t.lines:
        assert isinstance(line, dict)
        del line["timestamp"]
    (row,) = read(t).payload()["rows"]
    assert (row["startTime"], row["endTime"], row["duration"], row["outcome"]) == (None, None, None, "ok")


def test_a_child_lies_inside_its_parent_even_if_its_clock_ran_back(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.at("-1m").prompt("Look")
    called(agent, "c1")
    agent.at("+5m").result("c1", "x")
    t.at("+1s").result("s1", "done")
    rows = by_id(read(t))
    assert rows["c1"].start_ms == rows["s1"].start_ms
    assert rows["c1"].end_ms == rows["s1"].end_ms == agent.now
    assert rows["c1"].warnings == ("starts before its parent by its own clock",)


def test_the_time_of_the_file_decides_what_is_live_only_where_no_record_has_a_time(read: Read, root: Path) -> None:
    for timed, state in ((True, "idle"), (False, "live")):
        t = started()
        called(t, "c1")
        for line in t.lines:
            assert isinstance(line, dict)
            line["timestamp"] = line["timestamp"] if timed else None
        read(t)
        (path,) = root.rglob("*.jsonl")
        os.utime(path, (1_780_000_000, 1_780_000_000))
        session = load(t.session_id, roots=[str(root)], now_ms=1_780_000_001_000)
        assert session.view().state == state
        assert outcomes(session) == {"c1": "running" if state == "live" else "no_result"}
