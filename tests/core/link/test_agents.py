"""Sub-agents stand under the call that started them, by the sign that each era left."""

from __future__ import annotations

from pathlib import Path

from tests.core.conftest import Read
from tests.core.told import SESSION, agents, called, codes, golden, outline, parents, spawned, started
from tests.transcripts import Call, Transcript
from waterglass.session import load


def one_agent(version: str, sign: str, tool: str = "Task") -> Transcript:
    """A main thread that starts one sub-agent of two calls; `sign` is all that links them."""
    t = started(version)
    spawned(t, "spawn", "Look around" if sign == "prompt" else "Asked otherwise", tool)
    agent = t.agent("a1b2c3d", sidecar={"agentType": "Explore", "toolUseId": "spawn"} if sign == "sidecar" else None)
    agent.prompt("Look around")
    called(agent, "c1", "c2")
    agent.at("+2s").result("c2", "two")
    agent.at("+1s").result("c1", "one")
    if sign == "progress":
        t.agent_progress("spawn", agent)
    agent.at("+1s").reply("Seen.")
    mirror = {"status": "completed", "agentId": "a1b2c3d"} if sign == "result" else None
    text = [{"type": "text", "text": "Seen.\nagentId: a1b2c3d"}] if sign == "text" else "Seen."
    t.at(agent).result("spawn", text, tool_use_result=mirror)
    called(t, "c3")
    t.at("+1s").result("c3", "three")
    return t


ERAS = [
    ("1.0.60", "prompt", "Task"),
    ("2.0.30", "result", "Task"),
    ("2.0.30", "text", "Task"),
    ("2.1.20", "result", "Task"),
    ("2.1.20", "progress", "Task"),
    ("2.1.20", "prompt", "Task"),
    ("2.1.90", "result", "Agent"),
    ("2.1.220", "sidecar", "Agent"),
]


def test_an_agent_is_found_by_the_sign_of_every_era(read: Read, root: Path) -> None:
    told = ""
    for number, (version, sign, tool) in enumerate(ERAS):
        t = one_agent(version, sign, tool)
        t.folder = f"era{number}"
        t.write(root / str(number))
        session = load(SESSION, roots=[str(root / str(number))], now_ms=1_780_000_000_000)
        assert codes(session) == []
        (agent,) = session.head()["agents"]
        told += f"{version}, by {sign}:\n{outline(session).replace(agent['id'], 'the agent')}"
    golden("eras", told)


def test_agents_nest_to_any_depth(read: Read) -> None:
    t = started()
    thread = t
    for depth in range(3):
        spawned(thread, f"spawn{depth}", f"Level {depth}", "Agent")
        below = thread.agent(f"a{depth}", sidecar={"toolUseId": f"spawn{depth}", "agentType": f"type{depth}"})
        below.prompt(f"Level {depth}")
        called(below, f"c{depth}")
        below.at("+1s").result(f"c{depth}", "x")
        thread = below
    for thread in (t.agents[0].agents[0], t.agents[0], t):
        call = {id(t): "spawn0", id(t.agents[0]): "spawn1"}.get(id(thread), "spawn2")
        thread.at(t.agents[0].agents[0].agents[0]).at("+1s").result(call, "done")
    session = read(t)
    golden("nested", outline(session))
    assert {a["id"]: a["depth"] for a in session.head()["agents"]} == {"a0": 1, "a1": 2, "a2": 3}
    assert parents(session) == {
        "spawn0": None, "c0": "spawn0", "spawn1": "spawn0", "c1": "spawn1", "spawn2": "spawn1", "c2": "spawn2",
    }  # fmt: skip


def test_an_agent_in_a_workflow_folder_is_found(read: Read, root: Path) -> None:
    t = one_agent("2.1.220", "sidecar", "Agent")
    t.write(root)
    (file,) = root.rglob("agent-a1b2c3d.jsonl")
    deep = file.parent / "workflows" / "wf_1"
    deep.mkdir(parents=True)
    for path in (file, file.with_name("agent-a1b2c3d.meta.json")):
        path.rename(deep / path.name)
    session = load(SESSION, roots=[str(root)])
    assert parents(session) == {"spawn": None, "c1": "spawn", "c2": "spawn", "c3": None}


def test_the_sidecar_comes_before_the_result_the_result_before_progress_and_progress_before_the_prompt(
    read: Read,
) -> None:
    t = started("2.1.60")
    for name in ("by_prompt", "by_progress", "by_result", "by_sidecar"):
        spawned(t, name, "Look" if name == "by_prompt" else name, "Agent")
    agent = t.agent("a1", sidecar={"toolUseId": "by_sidecar"})
    agent.prompt("Look")
    called(agent, "c1")
    t.agent_progress("by_progress", agent)
    t.result("by_result", "x", tool_use_result={"status": "completed", "agentId": "a1"})
    found = []
    for sign in ("by_sidecar", "by_result", "by_progress", "by_prompt"):
        found.append(parents(read(t))["c1"])
        agent.sidecar = None
        if sign != "by_sidecar":
            t.lines.pop()
        for path in Path(read(t).ref.root).rglob("*.meta.json"):
            path.unlink()
    assert found == ["by_sidecar", "by_result", "by_progress", "by_prompt"]


def test_agents_with_equal_prompts_go_to_their_calls_in_order(read: Read) -> None:
    t = started("1.0.60")
    t.at("+1s").reply(calls=[Call("Task", {"description": "d", "prompt": "Same"}, f"s{n}") for n in range(2)])
    for n in range(2):
        agent = t.agent()
        agent.prompt("Same")
        called(agent, f"c{n}")
        agent.result(f"c{n}", "x")
    t.at("+9s").result("s1", "x")
    t.result("s0", "x")
    assert parents(read(t)) == {"s0": None, "s1": None, "c0": "s0", "c1": "s1"}


def test_an_agent_without_a_sign_is_shown_at_the_top_and_is_a_problem_by_name(read: Read) -> None:
    t = started()
    called(t, "c0")
    agent = t.agent("a9")
    agent.prompt("Who sent me?")
    called(agent, "c1")
    session = read(t)
    (problem,) = session.problems
    assert (problem.code, problem.file) == ("agent_without_parent", "a9")
    assert [(row.id, row.depth) for row in session.rows] == [("c0", 0), ("c1", 0)]
    assert (agents(session)["a9"]["parent"], agents(session)["a9"]["depth"]) == (None, 1)


def test_agents_whose_main_transcript_is_gone_make_an_orphan_session(read: Read, root: Path) -> None:
    t = one_agent("2.1.220", "sidecar", "Agent")
    t.write(root).unlink()
    session = load(SESSION, roots=[str(root)])
    assert session.view().state == "orphan"
    assert [row.id for row in session.rows] == ["c1", "c2"]
    assert codes(session) == ["agent_without_parent"]


def test_an_agent_that_a_result_names_but_whose_file_is_gone_is_missing(read: Read, root: Path) -> None:
    t = one_agent("2.1.20", "result")
    t.write(root)
    for path in root.rglob("agent-*"):
        path.unlink()
    session = load(SESSION, roots=[str(root)])
    agent = agents(session)["a1b2c3d"]
    assert (agent["missing"], agent["parent"], agent["startMs"], agent["usage"]["apiCalls"]) == (True, "spawn", None, 0)
    assert codes(session) == ["agent_file_missing"]
    assert session.rows[0].starts_agent_id == "a1b2c3d"


def test_agents_that_start_each_other_in_a_circle_are_cut_and_all_rows_are_there(read: Read) -> None:
    t = started()
    for name, other in (("a1", "a2"), ("a2", "a1")):
        agent = t.agent(name, sidecar={"toolUseId": f"by_{other}"})
        agent.prompt(f"I am {name}")
        spawned(agent, f"by_{name}", f"You are {other}")
        called(agent, f"of_{name}")
    session = read(t)
    assert sorted(row.id for row in session.rows) == ["by_a1", "by_a2", "of_a1", "of_a2"]
    assert codes(session) == ["agent_circle", "agent_without_parent"]
    assert sorted(a["depth"] for a in agents(session).values()) == [1, 2]


def test_no_agent_starts_itself(read: Read) -> None:
    t = started()
    agent = t.agent("a1", sidecar={"toolUseId": "own"})
    agent.prompt("I am I")
    spawned(agent, "own", "You are I")
    session = read(t)
    assert parents(session) == {"own": None}
    assert codes(session) == ["agent_without_parent"]


def test_calls_of_the_main_thread_beside_a_background_agent_are_not_its_children(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look", run_in_background=True)
    t.result(
        "s1", "Async agent launched", tool_use_result={"isAsync": True, "status": "async_launched", "agentId": "a1"}
    )
    agent = t.agent("a1")
    agent.prompt("Look")
    called(agent, "c1")
    called(t, "m1")
    t.at("+1s").result("m1", "x")
    agent.at("+5s").result("c1", "x")
    t.at(agent).notification("a1", "Ended", call_id="s1")
    session = read(t)
    golden("beside_a_background_agent", outline(session))


def test_several_chains_in_one_main_file_are_told_apart_though_they_interleave(read: Read) -> None:
    t = started("1.0.60")
    t.at("+1s").reply(calls=[Call("Task", {"description": "d", "prompt": f"P{n}"}, f"s{n}") for n in range(2)])
    pair = [t.agent(), t.agent()]
    for n, agent in enumerate(pair):
        agent.prompt(f"P{n}")
    for n, agent in enumerate(pair):
        called(agent, f"c{n}")
    for n, agent in reversed(list(enumerate(pair))):
        agent.result(f"c{n}", "x")
    for n, agent in enumerate(pair):
        called(agent, f"d{n}")
    t.at("+9s")
    assert parents(read(t)) == {"s0": None, "c0": "s0", "d0": "s0", "s1": None, "c1": "s1", "d1": "s1"}


def test_a_long_inline_chain_and_one_written_backwards_are_one_agent(read: Read) -> None:
    for backwards in (False, True):
        t = started("1.0.60")
        agent = t.agent()
        for n in range(2_400):
            agent.prompt(f"step {n}")
        if backwards:
            t.lines[1:] = reversed(t.lines[1:])
        assert len(read(t).head()["agents"]) == 1


def test_two_sidechain_records_that_are_each_others_parents_are_one_agent(read: Read) -> None:
    t = started("1.0.60")
    agent = t.agent()
    agent.prompt("One", uuid="u1", parentUuid="u2")
    agent.prompt("Two", uuid="u2", parentUuid="u1")
    called(agent, "c1")
    session = read(t)
    assert len(session.head()["agents"]) == 1
    assert codes(session) == ["agent_without_parent"]
