"""A background call ends at the notification that names it, not at its acknowledgement."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import by_id, spawned, started
from tests.transcripts import Call, Transcript
from waterglass.rows import Row

LAUNCHED = {"isAsync": True, "status": "async_launched", "agentId": "a1b2c3d"}


def shell(t: Transcript, id: str = "c1", task: str = "b1") -> None:
    """A background command that was acknowledged two seconds later."""
    t.at("+1s").reply(calls=[Call("Bash", {"command": "make", "run_in_background": True}, id)])
    mirror = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": task}
    t.at("+2s").result(id, f"Command running in background with ID: {task}", tool_use_result=mirror)


def ends(row: Row) -> tuple[bool, int | None, str, int | None]:
    return row.background, row.ack_ms, row.outcome, row.duration


@pytest.mark.parametrize("via", ["user", "queue", "attachment"])
@pytest.mark.parametrize("named", ["call", "task"])
def test_it_ends_at_its_notification_in_whatever_form_that_came(read: Read, via: str, named: str) -> None:
    t = started()
    shell(t)
    t.at("+60s").notification("b1", "Ended", call_id="c1" if named == "call" else None, via=via)
    row = by_id(read(t))["c1"]
    assert ends(row) == (True, 2_000, "ok", 62_000)
    assert [p.state for p in read(t).view().prompts] == ["sent"]


def test_the_first_notification_counts(read: Read) -> None:
    t = started()
    shell(t)
    t.at("+10s").notification("b1", "Ended", call_id="c1", via="queue")
    t.at("+10s").notification("b1", "Ended", call_id="c1", via="user")
    assert by_id(read(t))["c1"].duration == 12_000


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("completed", "ok"),
        ("failed", "error"),
        ("killed", "interrupted"),
        ("stopped", "interrupted"),
        ("new-word", "ok"),
    ],
)
def test_the_status_of_the_notification_is_the_outcome(read: Read, status: str, outcome: str) -> None:
    t = started()
    shell(t)
    t.at("+1s").notification("b1", "Ended", status=status, call_id="c1")
    assert by_id(read(t))["c1"].outcome == outcome


def test_a_notification_of_another_call_or_task_does_not_end_it(read: Read) -> None:
    t = started()
    shell(t)
    shell(t, "c2", "b2")
    t.at("+1s").notification("b2", "Ended", call_id="c2")
    t.at("+1s").notification("b3", "Ended")
    rows = by_id(read(t))
    assert (rows["c1"].outcome, rows["c2"].outcome) == ("no_result", "ok")


def test_a_notification_quoted_in_a_result_text_names_nothing(read: Read) -> None:
    t = started()
    shell(t)
    shell(t, "c2", "b2")
    quoted = "<task-notification><tool-use-id>c1</tool-use-id></task-notification>"
    t.at("+1s").notification("b2", "Ended", result=quoted)
    rows = by_id(read(t))
    assert (rows["c1"].outcome, rows["c2"].outcome) == ("no_result", "ok")


def test_until_then_it_is_open_and_runs_in_a_live_session_though_its_thread_goes_on(read: Read) -> None:
    t = started()
    shell(t)
    t.at("+1s").reply("Meanwhile.")
    assert ends(by_id(read(t, now="+1m"))["c1"]) == (True, 2_000, "running", None)
    assert ends(by_id(read(t))["c1"]) == (True, 2_000, "no_result", None)


def test_an_agent_in_the_background_ends_at_the_notification_with_its_id(read: Read) -> None:
    t = started("2.1.60")
    spawned(t, "s1", "Look", run_in_background=True)
    t.at("+1s").result("s1", "Async agent launched successfully.\nagentId: a1b2c3d", tool_use_result=LAUNCHED)
    agent = t.agent("a1b2c3d")
    agent.prompt("Look")
    agent.at("+20s").reply("Seen.")
    t.at("+30s").notification("a1b2c3d", "Ended")
    row = by_id(read(t))["s1"]
    assert ends(row) == (True, 1_000, "ok", 31_000)
    assert row.starts_agent_id == "a1b2c3d"


def test_either_of_two_ids_in_one_result_may_be_the_one_that_is_notified(read: Read) -> None:
    for told in ("frominput", "b1"):
        t = started()
        t.at("+1s").reply(calls=[Call("Bash", {"command": "make", "run_in_background": True}, "c1")])
        text = "Command running in background with ID: frominput"
        t.at("+1s").result("c1", text, tool_use_result={"backgroundTaskId": "b1"})
        t.at("+9s").notification(told, "Ended")
        assert by_id(read(t))["c1"].duration == 10_000


@pytest.mark.parametrize("asked", [True, "true"])
def test_the_call_may_ask_for_it_without_a_result_that_says_so(read: Read, asked: Any) -> None:
    t = started()
    t.at("+1s").reply(calls=[Call("Bash", {"command": "make", "run_in_background": asked}, "c1")])
    assert ends(by_id(read(t))["c1"]) == (True, None, "no_result", None)


def test_a_call_that_a_person_sent_to_the_background_is_one_by_its_result(read: Read) -> None:
    t = started()
    t.at("+1s").reply(calls=[Call("Bash", {"command": "make"}, "c1")])
    t.at("+5s").result("c1", "Command was manually backgrounded by user with ID: b1")
    t.at("+5s").notification("b1", "Ended")
    assert ends(by_id(read(t))["c1"]) == (True, 5_000, "ok", 10_000)


def test_a_call_that_asked_for_it_but_failed_at_once_ends_at_its_result(read: Read) -> None:
    t = started()
    t.at("+1s").reply(calls=[Call("Bash", {"command": "make", "run_in_background": True}, "c1")])
    t.at("+1s").result("c1", "Exit code 1", is_error=True)
    row = by_id(read(t))["c1"]
    assert (row.outcome, row.duration) == ("error", 1_000)


def test_a_notification_names_only_fields_that_stand_before_its_result(read: Read) -> None:
    t = started()
    shell(t)
    t.at("+1s").notification("b1", "All <b>done</b>", call_id="c1", result="<status>failed</status>")
    assert by_id(read(t))["c1"].outcome == "ok"
