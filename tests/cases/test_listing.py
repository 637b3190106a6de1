"""What is a session, what is none, where it belongs and when it was active."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cases.conftest import FOLDER, LONG_AFTER, ONE, THREE, TWO, Listed, Put, Shown, counted
from tests.transcripts import Call, Transcript, dumps, iso

NINE = 1_772_442_000_000


def talk(session: str = ONE, **fields: object) -> Transcript:
    t = Transcript(session, **fields)  # type: ignore[arg-type]
    t.prompt("Hello")
    t.at("+1m").reply("Yes.", message_id=f"msg_{session[:8]}")
    return t


def test_backups_and_spills_make_no_session_and_no_agent(root: Path, listed: Listed, shown: Shown) -> None:
    t = talk()
    t.agent("a1").prompt("Look")
    main = t.write(root)
    below = main.with_suffix("")
    agent = below / "subagents" / "agent-a1.jsonl"
    for name in ("tool-results/agent-x1.jsonl", "agent-x2.jsonl", "subagents/x3.jsonl", "subagents/Agent-x4.jsonl"):
        (below / name).parent.mkdir(exist_ok=True)
        shutil.copy(agent, below / name)
    for name in ("agent-x5.jsonl.bak", "agent-.jsonl", "agent-x6.json"):
        shutil.copy(agent, below / "subagents" / name)
    for name in (f"{TWO}.jsonl.bak", f"{TWO}.json", f"{TWO}.jsonl~", f"{TWO}.JSONL.gz", f"deeper/{TWO}.jsonl"):
        (main.parent / name).parent.mkdir(exist_ok=True)
        shutil.copy(main, main.parent / name)
    shutil.copy(main, root / f"{THREE}.jsonl")
    assert [session["id"] for session in listed()] == [ONE]
    assert [agent["id"] for agent in shown()["agents"]] == ["a1"]


def test_an_agent_however_deep_below_the_agents_folder_is_read(root: Path, shown: Shown) -> None:
    main = talk().write(root)
    agent = Transcript(ONE, agent_id="deep", is_sidechain=True)
    agent.prompt("Do it")
    agent.reply("Done.")
    place = main.with_suffix("") / "subagents" / "workflows" / "run" / "a" / "b" / "agent-deep.jsonl"
    place.parent.mkdir(parents=True)
    place.write_bytes(agent.content())
    payload = shown()
    assert [agent["id"] for agent in payload["agents"]] == ["deep"]
    assert payload["usage"]["agents"]["output"] == 120


def test_one_agents_file_that_lies_in_two_places_counts_once(root: Path, shown: Shown) -> None:
    t = talk()
    t.agent("a1").reply("Done.")
    main = t.write(root)
    other = main.with_suffix("") / "subagents" / "workflows"
    other.mkdir()
    shutil.copy(main.with_suffix("") / "subagents" / "agent-a1.jsonl", other / "agent-a1.jsonl")
    payload = shown()
    assert [agent["id"] for agent in payload["agents"]] == ["a1"]
    assert payload["usage"]["apiCalls"] == 2
    assert counted(payload)["replayedRecords"] == 1


@pytest.mark.parametrize(
    ("cwd", "project", "worktree"),
    [
        ("/code/ü/資料 (new)", "/code/ü/資料 (new)", None),
        ("/code/app/", "/code/app/", None),
        ("C:\\Data\\App\\", "C:\\Data\\App", None),
        ("c:/Data/App", "C:\\Data\\App", None),
        ("\\\\server\\share\\app", "\\\\server\\share\\app", None),
        ("/code/app/.claude/worktrees/w1/src", "/code/app", "/code/app/.claude/worktrees/w1"),
        ("/code/app/.worktrees/w2", "/code/app", "/code/app/.worktrees/w2"),
        ("/code/app/.claude/worktrees", "/code/app/.claude/worktrees", None),
    ],
)
def test_list_and_session_name_the_same_project_and_it_is_no_folders_name(
    root: Path, listed: Listed, shown: Shown, cwd: str, project: str, worktree: str | None
) -> None:
    talk(cwd=cwd, folder="-some-folder").write(root)
    (entry,) = listed()
    assert (entry["project"], entry["worktree"]) == (project, worktree)
    head = shown()["session"]
    assert (head["project"], head["worktree"]) == (project, worktree)


def test_an_empty_directory_of_a_record_is_none(root: Path, listed: Listed) -> None:
    t = talk(cwd="")
    t.cwd = "/code/later"
    t.prompt("More")
    t.folder = FOLDER
    t.write(root)
    assert listed()[0]["project"] == "/code/later"


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"entries":null}',
        b'{"entries":{"a":1}}',
        dumps(
            {"version": 1, "entries": [5, None, {"sessionId": None}, {"sessionId": TWO, "summary": "Gone"}]}
        ).encode(),
    ],
)
def test_whatever_an_index_holds_the_files_are_the_list(root: Path, listed: Listed, index: bytes) -> None:
    path = talk().write(root)
    (path.parent / "sessions-index.json").write_bytes(index)
    assert [(session["id"], session["title"], session["prompts"]) for session in listed()] == [(ONE, "Hello", 1)]


def test_an_index_counts_no_messages_and_opens_no_path(root: Path, listed: Listed) -> None:
    path = talk().write(root)
    entry = {"sessionId": ONE, "summary": "Named", "messageCount": 99, "fullPath": "/etc/hostname"}
    (path.parent / "sessions-index.json").write_text(dumps({"version": 1, "entries": [entry]}))
    (session,) = listed()
    assert (session["title"], session["prompts"], session["path"]) == ("Named", 1, str(path))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        b"\0" * 100,
        b'{"type":"us',
        b"<html>\n<b>\n",
        bytes(range(256)) * 8,
        b'{"type":"summary","summary":"T","leafUuid":"x"}\n',
        b'{"type":"never","timestamp":"2026-03-02T09:00:00Z"}\n',
        b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n',
    ],
)
def test_a_file_without_conversation_is_listed_as_empty_and_can_be_shown(
    put: Put, root: Path, listed: Listed, shown: Shown, data: bytes
) -> None:
    put(data)
    talk(TWO).write(root)
    assert {session["id"]: session["state"] for session in listed()} == {ONE: "empty", TWO: "idle"}
    payload = shown()
    assert payload["session"]["state"] == "empty"
    assert (payload["rows"], payload["usage"]["apiCalls"], payload["context"]["tokens"]) == ([], 0, None)


@pytest.mark.parametrize("version", ["2.0.60", "2.1.220"])
def test_an_agents_file_alone_is_an_orphan_whose_tokens_count(
    root: Path, listed: Listed, shown: Shown, version: str
) -> None:
    t = talk(version=version)
    agent = t.agent("a0ffee1")
    agent.prompt("Look")
    agent.at("+1s").reply(None, [Call("Bash", {"command": "ls"}, id="c1")])
    agent.at("+1s").result("c1", "x")
    t.write(root).unlink()
    (session,) = listed()
    assert (session["state"], session["agents"], session["toolCalls"]) == ("orphan", 1, 1)
    payload = shown()
    assert (payload["session"]["state"], payload["prompts"]) == ("orphan", [])
    assert payload["usage"]["output"] == 120


def test_the_newest_record_orders_the_list_whatever_a_sync_did_to_the_files(root: Path, listed: Listed) -> None:
    old, new = talk(ONE), talk(TWO)
    new.at("+1d").prompt("Later")
    old_file, new_file = old.write(root), new.write(root)
    with old_file.open("ab") as file:
        file.write(b'{"type":"custom-title","customTitle":"Renamed long after","sessionId":"x"}\n')
        file.write(b'{"type":"mode","timestamp":"yesterday"}\n{"type":"mode","timestamp":0}\n')
    os.utime(old_file, (LONG_AFTER / 1000, LONG_AFTER / 1000))
    os.utime(new_file, (0, 0))
    sessions = listed()
    assert [session["id"] for session in sessions] == [TWO, ONE]
    assert [session["state"] for session in sessions] == ["idle", "idle"]
    assert iso(sessions[1]["lastActivityMs"]) == iso(NINE + 60_000)


def test_a_time_with_an_offset_is_the_moment_it_names(put: Put, listed: Listed) -> None:
    record = {**talk().lines[0], "timestamp": "2026-03-02T01:30:00.5+02:00"}  # type: ignore[dict-item]
    put(dumps(record).encode() + b"\n")
    assert iso(listed()[0]["startMs"]) == "2026-03-01T23:30:00.500Z"


def test_a_session_in_two_folders_is_one_and_a_copy_counts_once(root: Path, listed: Listed) -> None:
    talk().write(root)
    longer = talk(folder="-code-elsewhere")
    longer.prompt("More")
    longer.write(root)
    (session,) = listed()
    assert (session["prompts"], session["usage"]["apiCalls"]) == (2, 1)
