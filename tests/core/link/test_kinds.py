"""What an agent is: spawned, internal, a fork or a teammate; its type, name, runs, begin and usage."""

from __future__ import annotations

import pytest

from tests.core.conftest import Read
from tests.core.told import SESSION, agents, called, codes, golden, outline, parents, spawned, started
from tests.transcripts import Call, used


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("a1", "Warmup"),
        ("acompact-1f", "Summarize"),
        ("aprompt_suggestion-1f", "What next?"),
        ("aside_question-1f", "By the way"),
        ("a2", "[SUGGESTION MODE: Suggest what the user might type"),
    ],
)
def test_what_the_program_wrote_for_itself_is_internal_counts_tokens_and_makes_no_rows(
    read: Read, name: str, opening: str
) -> None:
    t = started("2.1.20")
    t.reply("Hi", usage=used(1, 2))
    helper = t.agent(name)
    helper.prompt(opening)
    called(helper, "c1", usage=used(10, 20, 30))
    helper.result("c1", "x")
    session = read(t)
    assert session.rows == []
    agent = agents(session)[name]
    assert (agent["kind"], agent["usage"]["output"], agent["contextTokens"]) == ("internal", 20, 40)
    assert session.usage["output"] == 22
    assert session.listing()["agents"] == 0
    assert codes(session) == []
    assert session.head()["coverage"]["orphanResults"] == 0
    assert {f["kind"] for f in session.head()["session"]["files"]} == {"main", "internal"}


def test_a_helper_by_its_first_text_that_a_call_started_is_an_agent(read: Read) -> None:
    t = started()
    spawned(t, "spawn", "Warmup")
    agent = t.agent("a1", sidecar={"toolUseId": "spawn"})
    agent.prompt("Warmup")
    called(agent, "c1")
    session = read(t)
    assert agents(session)["a1"]["kind"] == "spawned"
    assert parents(session) == {"spawn": None, "c1": "spawn"}


def test_a_fork_has_no_call_and_is_no_problem(read: Read) -> None:
    t = started()
    fork = t.agent("afork-of-1f", sidecar={"agentType": "fork", "isFork": True})
    fork.raw({"type": "fork-context-ref", "agentId": "afork-of-1f", "parentSessionId": SESSION, "contextLength": 5})
    fork.prompt("Try this")
    called(fork, "c1")
    session = read(t)
    assert agents(session)["afork-of-1f"]["kind"] == "fork"
    assert codes(session) == []
    assert [row.agent_id for row in session.rows] == ["afork-of-1f"]


def test_a_teammate_has_no_call_and_is_no_problem(read: Read) -> None:
    t = started()
    mate = t.agent("amate", sidecar={"agentType": "writer", "name": "Wren", "teamName": "birds"})
    mate.prompt("Write")
    session = read(t)
    assert (agents(session)["amate"]["kind"], agents(session)["amate"]["name"]) == ("teammate", "Wren")
    assert codes(session) == []


def test_type_and_name_come_from_the_sidecar_and_else_from_the_call(read: Read) -> None:
    t = started()
    spawned(t, "s1", "One", subagent_type="Explore")
    spawned(t, "s2", "Two", subagent_type="Plan")
    t.agent("a1", sidecar={"toolUseId": "s1"}).prompt("One")
    t.agent("a2", sidecar={"toolUseId": "s2", "agentType": "Own", "name": "Ann"}).prompt("Two")
    found = {id: (a["type"], a["name"]) for id, a in agents(read(t)).items()}
    assert found == {"a1": ("Explore", "Look"), "a2": ("Own", "Ann")}


def test_a_spawn_that_resumes_and_a_message_that_wakes_are_further_runs(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look")
    agent = t.agent("a1", sidecar={"toolUseId": "s1", "name": "Ann"})
    agent.prompt("Look")
    called(agent, "c1")
    agent.at("+1s").result("c1", "x")
    t.at(agent).result("s1", "done", tool_use_result={"status": "completed", "agentId": "a1"})
    spawned(t, "s2", "Go on", resume="a1", delay="+1m")
    agent.at(t)
    called(agent, "c2")
    agent.at("+1s").result("c2", "x")
    t.at(agent).result("s2", "done", tool_use_result={"status": "completed", "agentId": "a1"})
    t.at("+1m").reply(calls=[Call("SendMessage", {"to": "Ann", "message": "And?"}, "m1")])
    t.at("+1s").result("m1", "sent", tool_use_result={"success": True})
    t.at("+1m").reply(calls=[Call("SendMessage", {"to": "Ann", "message": "And?"}, "m2")])
    t.at("+1s").result("m2", "gone", tool_use_result={"success": False})
    agent.at(t)
    called(agent, "c3")
    agent.at("+5s").result("c3", "x")
    session = read(t)
    assert agents(session)["a1"]["runs"] == 3
    golden("resumed", outline(session))


def test_an_agent_begins_and_spends_from_the_first_record_that_no_file_before_it_holds(read: Read) -> None:
    t = started()
    t.at("+1s").reply("Hi", usage=used(1, 2))
    shared = list(t.lines)
    spawned(t, "s1", "Look")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.lines.extend(shared)
    agent.at("+1s").prompt("Look")
    agent.at("+1s").reply("Seen", usage=used(3, 4))
    found = agents(read(t))["a1"]
    assert found["startMs"] == t.now + 1_000
    assert (found["usage"]["apiCalls"], found["usage"]["output"]) == (1, 4)
