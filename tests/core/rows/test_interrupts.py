"""An interrupt mark ends each open call of its thread, and those of agents under a call that it ended."""

from __future__ import annotations

import pytest

from tests.core.conftest import Read
from tests.core.told import by_id, called, golden, outcomes, outline, spawned, started


@pytest.mark.parametrize("for_tool_use", [True, False])
def test_both_forms_of_the_mark_end_the_open_calls_at_their_time(read: Read, for_tool_use: bool) -> None:
    t = started()
    called(t, "c1", "c2")
    t.at("+1s").result("c1", "x")
    t.at("+4s").interrupt(for_tool_use)
    t.at("+1m").prompt("Go on")
    rows = by_id(read(t))
    assert (rows["c1"].outcome, rows["c1"].duration) == ("ok", 1_000)
    assert (rows["c2"].outcome, rows["c2"].duration) == ("interrupted", 5_000)
    assert [p.text for p in read(t).view().prompts] == ["Go", "Go on"]


def test_the_mark_proves_the_outcome(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+1s").interrupt()
    session = read(t)
    mark = next(event for event in session.events if event.kind == "interrupt")
    assert by_id(session)["c1"].evidence[-1] == mark.id


def test_a_call_after_the_mark_is_not_ended_by_it(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+1s").interrupt()
    called(t, "c2", delay="+1m")
    assert outcomes(read(t)) == {"c1": "interrupted", "c2": "no_result"}


def test_a_result_after_the_mark_still_answers_its_call(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+1s").interrupt()
    t.at("+1s").result("c1", "x")
    assert outcomes(read(t)) == {"c1": "ok"}


def test_a_background_call_that_was_acknowledged_goes_on_behind_the_mark(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look", run_in_background=True)
    t.result("s1", "Async agent launched", tool_use_result={"isAsync": True, "agentId": "a1"})
    t.at("+1s").interrupt()
    t.at("+9s").notification("a1", "Ended")
    assert outcomes(read(t)) == {"s1": "ok"}


def test_calls_of_agents_at_any_depth_under_an_interrupted_call_end_with_it(read: Read) -> None:
    t = started()
    spawned(t, "s1", "One")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("One")
    called(agent, "c0")
    agent.result("c0", "x")
    called(agent, "c1")
    spawned(agent, "s2", "Two")
    inner = agent.agent("a2", sidecar={"toolUseId": "s2"})
    inner.prompt("Two")
    called(inner, "c2")
    t.at(inner).at("+3s").interrupt()
    golden("interrupted", outline(read(t)))


def test_calls_of_an_agent_whose_call_a_person_rejected_end_with_it(read: Read) -> None:
    t = started()
    spawned(t, "s1", "One")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("One")
    called(agent, "c1")
    t.at(agent).at("+2s").result("s1", "The user doesn't want to proceed with this tool use.", is_error=True)
    rows = by_id(read(t))
    assert (rows["s1"].outcome, rows["c1"].outcome, rows["c1"].duration) == ("rejected", "interrupted", 2_000)


def test_a_mark_in_an_agent_ends_only_that_agents_calls(read: Read) -> None:
    t = started()
    spawned(t, "s1", "One")
    called(t, "m1")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("One")
    called(agent, "c1")
    agent.at("+1s").interrupt()
    assert outcomes(read(t)) == {"s1": "no_result", "m1": "no_result", "c1": "interrupted"}


def test_a_mark_in_the_main_thread_leaves_other_agents_alone(read: Read) -> None:
    t = started()
    agent = t.agent("a1")
    agent.prompt("Nobody started me")
    called(agent, "c1")
    called(t, "m1")
    t.at(agent).at("+1s").interrupt()
    assert outcomes(read(t)) == {"m1": "interrupted", "c1": "no_result"}


def test_a_mark_quoted_in_a_text_is_no_mark(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.at("+1s").prompt('It said "[Request interrupted by user]"')
    assert outcomes(read(t)) == {"c1": "no_result"}
