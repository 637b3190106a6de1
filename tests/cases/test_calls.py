"""Calls, sub-agents, tokens and thoughts in the odd forms that they have been seen in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases.conftest import LONG_AFTER, ONE, Shown, counted, flat, outcomes, typed
from tests.transcripts import Call, Transcript, used
from waterglass.session import load

READ = {"file_path": "/code/demo/a.py"}


def begun(**fields: Any) -> Transcript:
    t = Transcript(ONE, **fields)
    t.prompt("Go")
    return t


def bash(*ids: str, **given: Any) -> list[Call]:
    return [Call("Bash", {"command": f"echo {id}", **given}, id=id) for id in ids]


def test_a_mark_and_a_typed_text_in_one_record_end_the_call_and_are_a_prompt(root: Path, shown: Shown) -> None:
    t = begun()
    t.at("+1s").reply(None, bash("c1"))
    mark = {"type": "text", "text": "[Request interrupted by user for tool use]"}
    t.at("+5s").prompt([mark, {"type": "text", "text": "Do it otherwise"}])
    t.write(root)
    payload = shown()
    assert (outcomes(payload), typed(payload)) == ({"c1": "interrupted"}, ["Go", "Do it otherwise"])
    assert payload["rows"][0]["duration"] == 5_000


def test_an_interrupted_call_does_not_run_in_a_live_session(root: Path, shown: Shown) -> None:
    t = begun()
    t.at("+1s").reply(None, bash("c1"))
    t.at("+5s").interrupt()
    t.write(root)
    payload = shown(now=t.now + 1_000)
    assert (payload["session"]["state"], outcomes(payload)) == ("live", {"c1": "interrupted"})


def test_a_result_that_names_no_call_belongs_to_none(root: Path, shown: Shown) -> None:
    t = begun()
    t.at("+1s").reply(None, bash("c1"))
    for block in ({}, {"tool_use_id": None}, {"tool_use_id": ""}, {"tool_use_id": "elsewhere"}):
        result = {"type": "tool_result", "content": "lost", "is_error": True, **block}
        t.record("user", message={"role": "user", "content": [result]})
    t.at("+1s").result("c1", "mine")
    t.write(root)
    payload = shown()
    (row,) = flat(payload["rows"])
    assert (row["outcome"], row["output"]) == ("ok", "mine")
    assert counted(payload)["orphanResults"] == 4
    assert typed(payload) == ["Go"]


def test_what_a_record_says_beside_several_results_is_said_of_none_of_them(root: Path, shown: Shown) -> None:
    t = begun()
    t.at("+1s").reply(None, bash("c1", "c2"), step_ms=0)
    blocks: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": "c1", "content": "x"},
        {"type": "tool_result", "tool_use_id": "c2", "content": "y", "is_error": True},
        {"type": "text", "text": "and quickly"},
    ]
    beside = {"isAsync": True, "backgroundTaskId": "b9", "interrupted": True, "stdout": "z"}
    t.at("+1s").record("user", message={"role": "user", "content": blocks}, toolUseResult=beside)
    t.write(root)
    payload = shown()
    assert outcomes(payload) == {"c1": "ok", "c2": "error"}
    assert [(row["background"], row["ackMs"], row["output"]) for row in flat(payload["rows"])] == [
        (False, None, "x"),
        (False, None, "y"),
    ]
    assert typed(payload) == ["Go", "and quickly"]


@pytest.mark.parametrize(
    "name",
    ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "TaskStop", "AgentOutputTool", "mcp__x__Task"],
)
def test_tools_that_only_sound_like_it_start_no_agent(root: Path, shown: Shown, name: str) -> None:
    t = begun()
    given = {"description": "look", "prompt": "Look", "subagent_type": "Explore"}
    t.at("+1s").reply(None, [Call(name, given, id="c1")])
    t.at("+1s").result("c1", "ok")
    t.write(root)
    payload = shown()
    assert (payload["rows"][0]["type"], payload["agents"]) == ("tool", [])


def test_an_agent_within_an_agent_of_the_first_versions_is_found_in_the_main_file(root: Path, shown: Shown) -> None:
    t = begun(version="1.0.20")
    t.at("+1s").reply(None, [Call("Task", {"description": "d", "prompt": "Outer"}, id="k1")])
    outer = t.agent("outer")
    outer.prompt("Outer")
    outer.at("+1s").reply(None, [Call("Task", {"description": "d", "prompt": "Inner"}, id="k2")])
    inner = outer.agent("inner")
    inner._count = 9_000
    inner.prompt("Inner")
    inner.at("+1s").reply(None, [Call("LS", {"path": "/code"}, id="l1")])
    inner.at("+1s").result("l1", "x")
    outer.at(inner).result("k2", "in")
    t.at(outer).result("k1", "out")
    t.write(root)
    payload = shown()
    assert {row["id"]: row["parentAgentId"] for row in flat(payload["rows"])} == {"k1": None, "k2": "k1", "l1": "k2"}
    assert sorted(agent["depth"] for agent in payload["agents"]) == [1, 2]
    assert typed(payload) == ["Go"]


def test_the_name_of_an_agents_file_is_its_id_whatever_its_records_say(root: Path, shown: Shown) -> None:
    t = begun()
    t.at("+1s").reply(None, [Call("Agent", {"description": "d", "prompt": "Look"}, id="s1")])
    agent = t.agent("real1")
    agent.prompt("Look")
    agent.reply(None, bash("x1"))
    for line in agent.lines:
        assert isinstance(line, dict)
        line["agentId"] = "other"
    t.at("+5s").result("s1", "Done.", tool_use_result={"agentId": "real1", "status": "completed"})
    t.write(root)
    payload = shown()
    assert [(found["id"], found["parent"]) for found in payload["agents"]] == [("real1", "s1")]
    assert {row["id"]: row["parentAgentId"] for row in flat(payload["rows"])} == {"s1": None, "x1": "s1"}


@pytest.mark.parametrize("request_id", [None, "req_1"])
def test_replies_with_no_id_that_is_one_are_calls_of_their_own(
    root: Path, shown: Shown, request_id: str | None
) -> None:
    t = begun()
    for id in ({"id": ""}, {"id": None}, {"id": 0}, {}):
        message = {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "x"}], **id}
        t.record("assistant", requestId=request_id, message={**message, "usage": used(1, 3)})
    t.write(root)
    usage = shown()["usage"]
    assert (usage["apiCalls"], usage["input"], usage["output"]) == (4, 4, 12)


@pytest.mark.parametrize(
    ("tokens", "window", "source", "percent"),
    [
        (199_990, 200_000, "assumed", 100.0),
        (200_000, 200_000, "assumed", 100.0),
        (200_001, 1_000_000, "assumed", 20.0),
        (1_000_000, 1_000_000, "assumed", 100.0),
        (1_000_001, None, None, None),
    ],
)
def test_an_assumed_window_is_the_smallest_that_holds_what_was_seen(
    root: Path, shown: Shown, tokens: int, window: int | None, source: str | None, percent: float | None
) -> None:
    t = begun()
    t.reply("x", usage=used(tokens, 1))
    t.write(root)
    context = shown()["context"]
    assert (context["tokens"], context["window"], context["windowSource"]) == (tokens, window, source)
    assert context["fillPercent"] == percent


@pytest.mark.parametrize(
    ("blocks", "thinking"),
    [
        ([{"type": "thinking", "thinking": "", "signature": "s"}], None),
        ([{"type": "thinking", "thinking": None, "signature": "s"}], None),
        ([{"type": "thinking", "signature": "s"}], None),
        ([{"type": "redacted_thinking", "data": "abc"}], None),
        (
            [{"type": "thinking", "thinking": "So.", "signature": "s"}, {"type": "redacted_thinking", "data": "x"}],
            "So.",
        ),
    ],
)
def test_a_thought_that_was_withheld_is_said_to_be_and_is_no_unknown_block(
    root: Path, shown: Shown, blocks: list[dict[str, Any]], thinking: str | None
) -> None:
    t = begun()
    text = {"type": "text", "text": "Done."}
    t.record("assistant", message={"role": "assistant", "id": "m1", "content": [*blocks, text], "usage": used(1, 1)})
    t.write(root)
    payload = shown()
    (reply,) = payload["replies"]
    assert (reply["text"], reply["thinking"], reply["thinkingWithheld"]) == ("Done.", thinking, True)
    assert payload["coverage"]["unknownBlockTypes"] == {}


@pytest.mark.parametrize("split", [{}, None, {"ephemeral_1h_input_tokens": -5}, "odd"])
def test_cache_writes_without_a_split_that_can_be_read_are_not_long_lived(
    root: Path, shown: Shown, split: object
) -> None:
    t = begun()
    t.reply("x", usage={**used(1, 1, created=100), "cache_creation": split})
    t.write(root)
    usage = shown()["usage"]
    assert (usage["cacheCreation"], usage["cacheCreation1h"]) == (100, 0)


def test_a_path_shows_the_same_session_as_its_root(root: Path) -> None:
    t = begun()
    t.at("+1s").reply(
        None, [Call("Agent", {"description": "d", "prompt": "Look"}, id="s1"), Call("Read", READ, id="r1")]
    )
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    agent.reply(None, bash("x1"))
    path = t.write(root)
    by_root = load(ONE, [str(root)], now_ms=LONG_AFTER).payload()
    for name in (path, path.with_suffix("") / "subagents" / "agent-a1.jsonl"):
        assert load(str(name), now_ms=LONG_AFTER).payload() == by_root
