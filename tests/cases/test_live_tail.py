"""A tree that is written while it is looked at: what the server answers equals a cold read, at every step."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cases.conftest import ONE, TWO, asking, outcomes
from tests.transcripts import Call, Transcript
from waterglass.session import load

Step = Callable[[], dict[str, Any]]
AT_MOST_S = 20.0


def told() -> Transcript:
    t = Transcript(ONE)
    t.prompt("Watch this")
    t.at("+1s").reply(None, [Call("Bash", {"command": "ls"}, id="c1")])
    t.at("+2s").result("c1", "naïve 終わり 😀")
    t.at("+1s").reply("Read.")
    return t


def cold(root: Path, session: str = ONE) -> dict[str, Any]:
    """The payload of a session that nobody has read before, as the server writes it."""
    read: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(load(session, [str(root)]).payload(table=True), enc_hook=str)
    )
    return read


@pytest.fixture
def ask(serve: Callable[[], str], root: Path) -> Callable[[str], Any]:
    """Ask the running program; the session has its first two records."""
    t = told()
    path = t.write(root)
    path.write_bytes(b"".join(t.content().splitlines(keepends=True)[:2]))
    return asking(serve())


def equal_when_asked(ask: Callable[[str], Any], root: Path, session: str = ONE) -> dict[str, Any]:
    """Ask until the answer equals a cold read of what is there; long before the limit it does, or never."""
    wanted = cold(root, session)
    end = time.monotonic() + AT_MOST_S
    while True:
        answer: dict[str, Any] = ask(f"/api/sessions/{session}")
        answer.pop("event", None)  # where in the stream of changes this answer stands
        if answer == wanted:
            return answer
        if time.monotonic() > end:
            assert answer == wanted
        time.sleep(0.1)


def outcomes_in(payload: dict[str, Any]) -> list[str]:
    """The outcomes of the rows of a table."""
    table = payload["table"]
    column = table["columns"]["outcome"]
    return [table["strings"][n] if isinstance(n, int) else n for n in column]


def pieces() -> Iterator[tuple[bytes, int]]:
    """What is appended, and how many records there are then: cut inside a character, nothing, to the end of a record
    without its newline, the newline with a whole record."""
    lines = told().content().splitlines(keepends=True)
    cut = lines[2].index("わ".encode()) + 1
    yield lines[2][:cut], 2
    yield b"", 2
    yield lines[2][cut:-1], 3
    yield b"\n" + lines[3], 4


def test_a_record_that_comes_in_pieces_is_read_once_it_is_whole(ask: Callable[[str], Any], root: Path) -> None:
    path = next(root.rglob(f"{ONE}.jsonl"))
    assert outcomes_in(equal_when_asked(ask, root)) == ["no_result"]
    for data, records in pieces():
        with path.open("ab") as file:
            file.write(data)
        payload = equal_when_asked(ask, root)
        assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (records, 0)
    assert outcomes_in(payload) == ["ok"]
    assert ask(f"/api/sessions/{ONE}/rows/c1")["output"] == "naïve 終わり 😀"


def test_a_file_that_is_cut_or_replaced_is_read_again_from_its_start(ask: Callable[[str], Any], root: Path) -> None:
    path = next(root.rglob(f"{ONE}.jsonl"))
    path.write_bytes(told().content())
    assert equal_when_asked(ask, root)["coverage"]["records"] == 4
    os.truncate(path, len(told().content().splitlines(keepends=True)[0]))
    assert equal_when_asked(ask, root)["coverage"]["records"] == 1
    other = told()
    other.prompt("And another")
    fresh = path.with_suffix(".new")
    fresh.write_bytes(other.content())
    os.replace(fresh, path)
    assert [prompt["text"] for prompt in equal_when_asked(ask, root)["prompts"]] == ["Watch this", "And another"]
    same_size = told().content().replace(b"Watch this", b"Watch that")
    path.write_bytes(same_size)
    assert [prompt["text"] for prompt in equal_when_asked(ask, root)["prompts"]] == ["Watch that"]


def test_agents_that_come_later_are_seen_at_any_depth(ask: Callable[[str], Any], root: Path) -> None:
    equal_when_asked(ask, root)
    below = next(root.rglob(f"{ONE}.jsonl")).with_suffix("") / "subagents"
    for name, place in (("late", below), ("deep", below / "workflows" / "run")):
        agent = Transcript(ONE, agent_id=name, is_sidechain=True)
        agent.prompt("Do it")
        place.mkdir(parents=True)
        (place / f"agent-{name}.jsonl").write_bytes(agent.content())
        assert name in {found["id"] for found in equal_when_asked(ask, root)["agents"]}


def test_a_session_in_a_folder_that_comes_later_is_listed_and_one_that_goes_is_not(
    ask: Callable[[str], Any], root: Path
) -> None:
    def listed_within(wanted: set[str]) -> None:
        end = time.monotonic() + AT_MOST_S
        while (ids := {session["id"] for session in ask("/api/sessions")["sessions"]}) != wanted:
            assert time.monotonic() < end, ids
            time.sleep(0.1)

    listed_within({ONE})
    t = Transcript(TWO, cwd="/code/brand/new")
    t.prompt("First here")
    path = t.write(root)
    listed_within({ONE, TWO})
    assert equal_when_asked(ask, root, TWO)["session"]["project"] == "/code/brand/new"
    path.unlink()
    listed_within({ONE})


def test_who_asks_only_what_is_new_is_told_of_a_new_folder_too(ask: Callable[[str], Any], root: Path) -> None:
    answer = ask("/api/sessions")
    while not answer["complete"]:
        answer = ask(f"/api/sessions?after={answer['revision']}")
    t = Transcript(TWO, cwd="/code/brand/new")
    t.prompt("First here")
    t.write(root)
    end = time.monotonic() + AT_MOST_S
    while TWO not in {session["id"] for session in answer["sessions"]}:
        assert time.monotonic() < end
        time.sleep(0.2)
        answer = ask(f"/api/sessions?after={answer['revision']}")


def test_an_open_call_runs_while_the_session_is_young_and_never_to_today(root: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Run")
    t.at("+1s").reply(None, [Call("Bash", {"command": "make"}, id="c1")])
    path = t.write(root)
    os.utime(path, (0, 0))
    for age, state, outcome in ((0, "live", "running"), (599_999, "live", "running"), (600_000, "idle", "no_result")):
        payload = load(ONE, [str(root)], now_ms=t.now + age).payload()
        assert (payload["session"]["state"], outcomes(payload)) == (state, {"c1": outcome})
        assert payload["rows"][0]["endTime"] is None
        assert payload["session"]["endMs"] == t.now


def test_a_word_from_an_agent_keeps_the_call_above_it_running(root: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Run")
    t.at("+1s").reply(None, [Call("Agent", {"description": "look", "prompt": "Look"}, id="s1")])
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    agent.at("+30m").reply("Still looking.")
    t.write(root)
    payload = load(ONE, [str(root)], now_ms=agent.now + 1_000).payload()
    assert (payload["session"]["state"], outcomes(payload)) == ("live", {"s1": "running"})
