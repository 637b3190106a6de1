"""Records to events: one record becomes as many events as it has blocks, in their order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import SESSION, called, golden, spawned, started, written
from tests.transcripts import Call, Transcript
from waterglass.session import Session

FIELDS = {
    "id", "seq", "ts", "type", "text", "tool", "result", "toolUseId", "warnings",
    "uuid", "parentUuid", "agentId", "messageId", "thinking", "ms",
}  # fmt: skip


def events(session: Session) -> list[dict[str, Any]]:
    """The events as `show --json --events` writes them."""
    whole = written(session, events=True)
    found: list[dict[str, Any]] = json.loads(whole)["events"]
    return found


def kinds(read: Read, *lines: dict[str, Any]) -> list[str]:
    """The types of the events of some records."""
    t = Transcript(SESSION)
    for line in lines:
        t.raw(line)
    return [event.type for event in read(t).events]


def test_blocks_become_events_in_their_order(read: Read) -> None:
    t = started()
    calls = [Call("Read", {"file_path": "/code/demo/a.py"}, "c1"), Call("Bash", {"command": "pytest -q"}, "c2")]
    t.at("+1s").reply("Looking.", calls, thinking="hm", one_record_per_block=False, message_id="m1")
    t.at("+1s").result("c2", "Exit code 1\n1 failed", is_error=True)
    t.result("c1", [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}])
    lines = []
    for e in events(read(t)):
        what = e["text"] or e["thinking"] or ""
        if e["tool"]:
            what = (
                f"{e['tool']['name']} {e['tool']['category']} {json.dumps(e['tool']['input'])} {e['tool']['targets']}"
            )
        if e["result"]:
            what = json.dumps(e["result"])
        lines.append(f"{e['seq']} {e['ts'][11:]} {e['type']} {e['toolUseId'] or ''} {e['messageId'] or ''} {what}\n")
    golden("events", "".join(lines))


def test_an_event_has_the_fields_of_the_contract_and_no_others(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", "x")
    for event in events(read(t)):
        assert set(event) == FIELDS
        assert event["tool"] is None or set(event["tool"]) == {
            "name",
            "category",
            "acts",
            "input",
            "targets",
            "command",
        }
        assert event["result"] is None or set(event["result"]) == {"ok", "exitCode", "text", "isError"}


def test_an_id_is_file_offset_and_block_and_stays_while_the_file_grows(read: Read, root: Path) -> None:
    t = started()
    t.reply("Hi", [Call("Bash", {"command": "ls"}, "c1")], one_record_per_block=False)
    agent = t.agent("a1")
    agent.prompt("Look")
    before = [e.id for e in read(t).events]
    first = len(t.content().split(b"\n")[0]) + 1
    assert before == ["main@0.0", f"main@{first}.0", f"main@{first}.1", "a1@0.0"]
    t.result("c1", "x")
    assert set(before) < {e.id for e in read(t).events}


def test_files_are_merged_by_time_and_each_keeps_its_own_order(read: Read) -> None:
    t = started(prompt="0")  # 0
    t.at("+10s").prompt("10")
    t.at("-8s").prompt("2 but after 10")
    t.at("+18s").prompt("20")
    agent = t.agent("a1")
    agent.at(t.now - 15_000).prompt("agent 5")
    agent.at("+10s").prompt("agent 15")
    said = [e.text for e in read(t).events]
    assert said == ["0", "agent 5", "10", "2 but after 10", "agent 15", "20"]


def test_thinking_of_which_only_a_signature_was_kept_is_an_empty_thought(read: Read) -> None:
    t = started()
    t.reply("Hi", thinking="")
    _, thought, said = events(read(t))
    assert (thought["type"], thought["text"], thought["thinking"]) == ("assistant", None, "")
    assert (said["text"], said["thinking"]) == ("Hi", None)
    (reply,) = read(t).head()["replies"]
    assert (reply["thinking"], reply["thinkingWithheld"]) == (None, True)


def test_a_long_text_is_cut_in_memory_and_whole_in_the_events(read: Read) -> None:
    t = started(prompt="é" * 5_000)
    t.reply("ß" * 6_000, thinking="ç" * 7_000)
    session = read(t)
    assert all(len(e.text or e.thinking or "") <= 2_000 for e in session.events)
    assert [len(e["text"] or e["thinking"]) for e in events(session)] == [5_000, 7_000, 6_000]


def test_a_record_without_a_type_is_what_its_role_or_its_blocks_say(read: Read) -> None:
    use = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "c1", "content": "x"}
    assert kinds(read, {"role": "user", "message": {"content": "Hi"}}) == ["user"]
    assert kinds(read, {"message": {"role": "assistant", "content": "Hi"}}) == ["assistant"]
    assert kinds(read, {"message": {"content": [use]}}) == ["tool_call"]
    assert kinds(read, {"message": {"content": [answer]}}) == ["tool_result"]
    assert kinds(read, {"message": {"content": [{"type": "text", "text": "x"}]}}) == ["unknown"]
    assert kinds(read, {"x": 1}) == ["unknown"]


def test_the_type_that_is_written_comes_before_the_role(read: Read) -> None:
    assert kinds(read, {"type": "user", "message": {"role": "assistant", "content": "Hi"}}) == ["user"]


def test_an_unknown_type_of_record_or_block_is_kept_and_counted(read: Read) -> None:
    t = started()
    t.raw({"type": "brand-new", "uuid": "u", "sessionId": "s", "x": [1]})
    t.raw({"type": "brand-new"})
    t.record("assistant", message={"role": "assistant", "id": "m", "content": [{"type": "hologram"}, {"type": "text"}]})
    session = read(t)
    coverage = session.head()["coverage"]
    assert coverage["unknownRecordTypes"] == {"brand-new": 2}
    assert coverage["unknownBlockTypes"] == {"hologram": 1}
    assert coverage["degradedRecords"] == 0
    found = [(e["type"], e["warnings"]) for e in events(session)]
    assert found[1:3] == [("unknown", ["unknown record type"])] * 2


@pytest.mark.parametrize("block", ["redacted_thinking", "image", "document", "tool_reference", "server_tool_use"])
def test_a_known_block_is_not_counted_as_unknown(read: Read, block: str) -> None:
    t = started()
    t.record("assistant", message={"role": "assistant", "id": "m", "content": [{"type": block}]})
    assert read(t).head()["coverage"]["unknownBlockTypes"] == {}


def test_every_record_type_of_the_format_is_known(read: Read) -> None:
    types = (
        "user assistant progress file-history-snapshot queue-operation system summary attachment last-prompt "
        "permission-mode ai-title mode bridge-session agent-name custom-title file-history-delta pr-link frame-link "
        "fork-context-ref teleported-from"
    )
    t = Transcript(SESSION)
    for kind in types.split():
        t.raw({"type": kind, "sessionId": SESSION})
    assert read(t).head()["coverage"]["unknownRecordTypes"] == {}


def test_a_call_of_a_third_party_with_a_string_as_input_is_kept(read: Read) -> None:
    t = started()
    block = {"type": "server_tool_use", "id": "c1", "name": "webReader", "input": '{"url": "x"}'}
    t.record("assistant", message={"role": "assistant", "id": "m", "content": [block]})
    (row,) = read(t).payload()["rows"]
    assert (row["toolName"], row["input"]) == ("webReader", '{"url": "x"}')


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        (None, ""),
        ([], ""),
        (
            [{"type": "text", "text": "a"}, "bare", {"type": "image", "source": {}}, {"type": "text", "text": "b"}],
            "a\nbare\nb",
        ),
        ([{"type": "tool_reference", "tool_name": "x"}], ""),
        ({"odd": 1}, ""),
    ],
)
def test_the_output_is_the_text_of_the_result_and_empty_where_it_has_none(read: Read, content: Any, text: str) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", content)
    session = read(t)
    (row,) = session.payload()["rows"]
    assert (row["output"], row["outputChars"]) == (text, len(text))
    assert [e["result"]["text"] for e in events(session) if e["result"]] == [text]


def test_a_result_in_the_background_has_no_verdict(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look")
    t.result("s1", "Async agent launched", tool_use_result={"isAsync": True, "agentId": "a1"})
    assert [e["result"]["ok"] for e in events(read(t)) if e["result"]] == [None]


def test_facts_of_the_session_are_gathered_over_records_and_files(read: Read) -> None:
    t = started(cwd="/code/demo", slug="brave-otter", version="2.1.20")
    t.cwd, t.version, t.branch = "/code/other", "2.1.30", "fix"
    t.at("+5s").reply("Hi", model="m1")
    agent = t.agent("a1")
    agent.at("-9s").prompt("Look")
    agent.reply("Seen", model="m2")
    head = read(t).head()["session"]
    assert (head["project"], head["slug"]) == ("/code/demo", "brave-otter")
    assert (head["versions"], head["gitBranches"]) == (["2.1.20", "2.1.30"], ["main", "fix"])
    assert head["models"] == ["m1", "m2"]
    assert (head["startMs"], head["endMs"]) == (agent.now, t.now)


@pytest.mark.parametrize(
    ("cwd", "project", "worktree"),
    [
        ("/code/demo/.claude/worktrees/fix/src", "/code/demo", "/code/demo/.claude/worktrees/fix"),
        ("/code/demo/.worktrees/fix", "/code/demo", "/code/demo/.worktrees/fix"),
        ("c:/data/app/", "C:\\data\\app", None),
        ("C:\\data\\app\\.worktrees\\x\\y", "C:\\data\\app", "C:\\data\\app\\.worktrees\\x"),
        ("/code/demo/", "/code/demo/", None),
    ],
)
def test_the_project_is_the_first_directory_and_a_worktree_counts_to_its_repository(
    read: Read, cwd: str, project: str, worktree: str | None
) -> None:
    head = read(started(cwd=cwd, folder="-x")).head()["session"]
    assert (head["project"], head["worktree"]) == (project, worktree)
