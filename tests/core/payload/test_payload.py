"""The one document: nested rows, the table and the written JSON say the same; bodies come by id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import SESSION, called, codes, golden, spawned, started
from tests.transcripts import Call, Transcript, used
from waterglass.payload import rows_from_table
from waterglass.session import Session

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
ROW = (
    "id type toolName label startTime endTime duration status parentAgentId input output inputTokens outputTokens "
    "contextFillPercent tokens children outcome background ackMs agentId depth messageId model category acts targets "
    "usage isReread warnings evidence startsAgentId"
)
PARTS = (
    "payload generator session coverage prompts replies rows marks agents usage cost context compactions time metrics "
    "health"
)


def busy() -> Transcript:
    """A session with nested agents, open calls, errors, replies and marks."""
    t = started(prompt="Mend it")
    t.at("+1s").reply("Looking.", [Call("Read", {"file_path": "/work/demo/a.py"}, "c1")], usage=used(1, 2, 3, 4))
    t.at("+1s").result("c1", "text")
    spawned(t, "s1", "Look", subagent_type="Explore")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    called(agent, "c2", "c3")
    agent.at("+2s").result("c3", "Exit code 1\nno", is_error=True)
    spawned(agent, "s2", "Deeper")
    deeper = agent.agent("a2", sidecar={"toolUseId": "s2"})
    deeper.prompt("Deeper")
    called(deeper, "c4")
    deeper.at("+3s").result("c4", "é€😀")
    agent.at(deeper).result("s2", "Seen.")
    t.at(agent).result("s1", "Done.")
    t.at("+1s").command("context", stdout="Context Usage 1k/200k")
    t.at("+5m").prompt("And now?")
    called(t, "c5")
    t.at("+1s").interrupt()
    called(t, "c6")
    return t


def written(session: Session) -> dict[str, Any]:
    """The payload as it is written, row by row."""
    parts: list[bytes] = []
    session.write_json(parts.append)
    found: dict[str, Any] = json.loads(b"".join(parts))
    return found


def flat(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row
        yield from flat(row["children"])


def bare(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without bodies, nested as they are."""
    return [
        {k: v for k, v in row.items() if k not in ("input", "output")} | {"children": bare(row["children"])}
        for row in rows
    ]


def test_the_written_payload_equals_the_built_one(read: Read) -> None:
    session = read(busy())
    assert written(session) == json.loads(json.dumps(session.payload()))
    assert list(session.payload()["rows"][1]) == list(written(session)["rows"][1])


def test_a_session_without_rows_is_written_too(read: Read) -> None:
    session = read(started())
    assert written(session) == json.loads(json.dumps(session.payload()))
    assert written(session)["rows"] == []


def test_the_table_turned_back_equals_the_nested_rows(read: Read) -> None:
    session = read(busy())
    table = json.loads(json.dumps(session.payload(table=True)["table"]))
    assert rows_from_table(table) == bare(session.payload()["rows"])


def test_the_table_has_columns_of_one_length_and_a_tree_in_pre_order(read: Read) -> None:
    table = read(busy()).payload(table=True)["table"]
    assert {len(column) for column in table["columns"].values()} == {table["count"]}
    parents, ends, depths = (table["columns"][name] for name in ("parent", "subtreeEnd", "depth"))
    for index, parent in enumerate(parents):
        assert parent < index < ends[index] <= table["count"]
        assert depths[index] == (0 if parent < 0 else depths[parent] + 1)
        assert parent < 0 or ends[index] <= ends[parent]
    assert len(set(table["strings"])) == len(table["strings"])
    assert not {"input", "output"} & set(table["columns"])


def test_the_document_has_the_parts_of_the_contract_and_the_rows_their_fields(read: Read) -> None:
    payload = read(busy()).payload()
    assert set(PARTS.split()) <= set(payload)
    assert payload["payload"] == 1
    assert (payload["cost"], payload["metrics"], payload["health"]) == (None, None, None)
    for row in flat(payload["rows"]):
        assert set(ROW.split()) <= set(row)


def test_the_same_events_and_time_give_the_same_document(read: Read) -> None:
    assert written(read(busy())) == written(read(busy()))


def test_only_what_is_live_depends_on_the_time_of_asking(read: Read) -> None:
    t = busy()
    early, late = read(t, now=t.now + 1_000).payload(), read(t, now=t.now + 10**9).payload()
    assert (early["session"]["state"], late["session"]["state"]) == ("live", "idle")
    changed = [
        (a["id"], a["outcome"], b["outcome"])
        for a, b in zip(flat(early["rows"]), flat(late["rows"]), strict=True)
        if a != b
    ]
    assert changed == [("c6", "running", "no_result")]
    early["session"]["state"] = "idle"
    assert {k: v for k, v in early.items() if k != "rows"} == {k: v for k, v in late.items() if k != "rows"}


def test_an_exchange_is_a_prompt_and_all_up_to_the_next(read: Read) -> None:
    session = read(busy())
    head, rows = session.head(), session.rows
    first = head["session"]["startMs"]
    told = ""
    for e in head["exchanges"]:
        start, end = (e["startMs"] - first) / 1000, (e["endMs"] - first) / 1000
        ids = " ".join(row.id for row in rows[e["rowStart"] : e["rowEnd"]])
        text = head["prompts"][e["prompt"]]["text"]
        told += f"{text}  +{start:g}s to +{end:g}s  {e['calls']} calls, {e['errors']} errors: {ids}\n"
    golden("exchanges", told)


def test_the_exchanges_hold_every_row_and_reply_once(read: Read) -> None:
    payload = read(busy()).payload(table=True)
    ranges = [(e["rowStart"], e["rowEnd"]) for e in payload["exchanges"]]
    assert [n for start, end in ranges for n in range(start, end)] == list(range(payload["table"]["count"]))
    assert all(0 <= r["exchange"] < len(ranges) for r in payload["replies"])


def test_what_comes_before_any_prompt_is_an_exchange_without_one(read: Read) -> None:
    t = Transcript(SESSION)
    called(t, "c1")
    t.at("+1s").prompt("Go")
    called(t, "c2")
    assert [(e["prompt"], e["calls"]) for e in read(t).head()["exchanges"]] == [(None, 1), (0, 1)]


def test_replies_name_their_rows_and_rows_their_reply(read: Read) -> None:
    payload = read(busy()).payload()
    rows = {row["id"]: row for row in flat(payload["rows"])}
    named = [id for reply in payload["replies"] for id in reply["rowIds"]]
    assert sorted(named) == sorted(rows)
    for reply in payload["replies"]:
        for id in reply["rowIds"]:
            assert (rows[id]["messageId"], rows[id]["model"]) == (reply["id"], reply["model"])
            assert rows[id]["agentId"] == reply["agentId"]


def test_a_reply_in_several_records_is_one_with_its_texts_joined(read: Read) -> None:
    t = started()
    t.reply("One", [Call("Bash", {"command": "ls"}, "c1")], message_id="m1", thinking="hm")
    t.result("c1", "x")
    t.reply("two", message_id="m1")
    (reply,) = read(t).head()["replies"]
    assert (reply["text"], reply["thinking"], reply["rowIds"]) == ("One\ntwo", "hm", ["c1"])
    assert reply["endMs"] - reply["ms"] == 800
    assert (reply["model"], reply["stopReason"]) == ("claude-opus-5", "end_turn")


def test_the_whole_text_of_a_long_reply_is_there_when_asked_for(read: Read) -> None:
    t = started()
    t.reply("a" * 1_500, message_id="m1", thinking="t" * 3_000)
    t.reply("b" * 1_500, message_id="m1")
    session = read(t)
    (reply,) = session.head()["replies"]
    assert (len(reply["text"]), reply["textChars"], reply["thinkingChars"]) == (2_000, 3_001, 3_000)
    body = session.reply_body("m1")
    assert body == {"id": "m1", "text": "a" * 1_500 + "\n" + "b" * 1_500, "thinking": "t" * 3_000}
    assert session.reply_body("nobody") is None


def test_a_body_comes_by_the_id_of_its_row(read: Read) -> None:
    t = started()
    t.reply(calls=[Call("Read", {"file_path": "/work/demo/a.png"}, "c1")])
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": PNG}}
    t.result("c1", [{"type": "text", "text": "é"}, picture])
    session = read(t)
    body = session.row_body("c1")
    assert body is not None
    assert (body["input"], body["output"], body["outputBytes"]) == ({"file_path": "/work/demo/a.png"}, "é", 2)
    assert body["images"] == [{"mediaType": "image/png", "data": PNG}]  # by what it is, not by what it says
    assert body["raw"]["call"]["message"]["content"][0]["id"] == "c1"
    assert body["raw"]["result"]["type"] == "user"
    assert [b["id"] for b in session.bodies()] == ["c1"]


@pytest.mark.parametrize("id", ["", "c2", "../c1", "c1#2", "main@0.0", "__proto__", "C1"])
def test_an_id_that_is_no_row_has_no_body(read: Read, id: str) -> None:
    t = started()
    called(t, "c1")
    assert read(t).row_body(id) is None


def test_what_is_no_picture_is_not_handed_on_as_one(read: Read) -> None:
    t = started()
    called(t, "c1")
    svg = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "PHN2ZyBvbmxvYWQ9Ii8iLz4="}}
    url = {"type": "image", "source": {"type": "url", "url": "https://evil.example/x.png"}}
    t.result("c1", [svg, url])
    body = read(t).row_body("c1")
    assert body is not None and body["images"] == []


def test_an_open_call_has_an_input_and_no_output(read: Read) -> None:
    t = started()
    called(t, "c1")
    body = read(t).row_body("c1")
    assert body is not None
    assert (body["input"], body["output"], body["outputBytes"]) == ({"command": "echo c1"}, None, None)


def test_a_body_whose_file_is_gone_is_unknown_and_the_row_stays(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", "x")
    session = read(t)
    for file in session.ref.files:
        Path(file.path).unlink()
    body = session.row_body("c1")
    assert body is not None and body["input"] is None
    assert [row["id"] for row in session.payload()["rows"]] == ["c1"]


def test_a_preview_that_the_program_kept_is_marked_as_cut(read: Read) -> None:
    t = started()
    called(t, "c1", "c2")
    t.result("c1", "<persisted-output>\nOutput too large. Full output saved to: x\n</persisted-output>")
    t.result("c2", "whole")
    assert {r["id"]: r["truncated"] for r in read(t).payload()["rows"]} == {"c1": True, "c2": False}


def test_marks_stand_in_time_order_with_what_they_name(read: Read) -> None:
    t = started(prompt="Mend\nit")
    t.at("+1s").reply("Hi", message_id="m1")
    t.at("+1s").prompt("<bash-input>git status</bash-input>")
    t.at("+1s").command("compact", "now")
    t.at("+1s").compact_boundary("manual")
    t.at("+1s").system("microcompact_boundary", microcompactMetadata={"trigger": "auto", "preTokens": 5})
    t.at("+1s").system("api_error", retryAttempt=2)
    t.at("+1s").attachment("hook_success", hookName="PostToolUse:Edit")
    t.at("+1s").interrupt()
    t.at("+1s").notification("b1", "Build ended")
    marks = read(t).head()["marks"]
    first = marks[0]["ms"]
    golden("marks", "".join(f"+{(m['ms'] - first) / 1000:g}s {m['kind']}: {m['label']}\n" for m in marks))
    assert marks[0]["uuid"] == read(t).head()["prompts"][0]["uuid"]
    assert marks[1]["replyId"] == "m1"


def test_a_reread_is_the_same_read_again_with_no_edit_of_its_file_between(read: Read) -> None:
    t = started()

    def call(id: str, name: str = "Read", **given: Any) -> None:
        t.at("+1s").reply(calls=[Call(name, {"file_path": "/work/demo/a.py", **given}, id)])
        t.at("+1s").result(id, "x")

    call("first")
    call("again")
    call("part", limit=5)
    call("edit", "Edit", old_string="a", new_string="b")
    call("after")
    call("again after")
    rows = read(t).payload()["rows"]
    assert [r["id"] for r in rows if r["isReread"]] == ["again", "again after"]


def nested(levels: int) -> Any:
    value: Any = "bottom"
    for _ in range(levels):
        value = [value]
    return value


def test_values_nested_as_deep_as_can_be_kept_come_out(read: Read) -> None:
    # The record, its message, content, block and input are five levels: 512 - 5 = 507 lists are left.
    t = started()
    t.reply(calls=[Call("Odd", {"deep": nested(507)}, "c1")])
    session = read(t)
    assert session.head()["coverage"]["skippedLines"] == 0
    parts: list[bytes] = []
    session.write_json(parts.append, events=True)
    whole = b"".join(parts)
    assert whole.count(b"[" * 507 + b'"bottom"' + b"]" * 507) == 2  # in the row and in the event
    body = session.row_body("c1")
    assert body is not None
    value = body["input"]["deep"]
    for _ in range(507):
        (value,) = value
    assert value == "bottom"


def test_values_nested_deeper_cost_their_line_and_no_more(read: Read) -> None:
    t = started()
    block = b'{"type":"tool_use","id":"c1","name":"Odd","input":' + b"[" * 2_000 + b"]" * 2_000 + b"}"
    t.raw(b'{"type":"assistant","message":{"id":"m","role":"assistant","content":[' + block + b"]}}")
    called(t, "c2")
    session = read(t)
    assert [row.id for row in session.rows] == ["c2"]
    assert codes(session) == ["skipped_line"]


def test_a_payload_is_json_that_a_browser_takes(read: Read) -> None:
    t = started(prompt="x")
    t.raw(b'{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"half \\ud83d a pair"}}')
    t.raw(
        b'{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c\\ud800",'
        b'"name":"N\\ud800","input":{"k\\udfff":[NaN,Infinity,1e999,' + b"9" * 400 + b"]}}]}}"
    )
    session = read(t)
    parts: list[bytes] = []
    session.write_json(parts.append, events=True)
    text = b"".join(parts).decode("utf-8")
    payload = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    (row,) = payload["rows"]
    assert (row["id"], row["toolName"]) == ("c\ufffd", "N\ufffd")
    assert row["input"]["k\ufffd"][:3] == [None, None, None]
    assert session.row_body("c\ufffd") is not None


def test_texts_of_a_transcript_are_no_names_of_the_document(read: Read) -> None:
    names = ["__proto__", "constructor", "toString", "", "id", "</script><script>"]
    t = started()
    for n, name in enumerate(names):
        t.at("+1s").reply(calls=[Call(name, {name: {"polluted": 1}}, f"c{n}")], model=name)
        t.raw({"type": name or "new", name: 1})
    payload = written(read(t))
    assert [row["toolName"] for row in payload["rows"]] == names
    assert set(payload["usage"]["byModel"]) == {name or t.model for name in names}
    assert payload["coverage"]["unknownRecordTypes"]["__proto__"] == 1


def test_ten_thousand_calls_of_one_id_are_told_apart_in_one_pass(read: Read) -> None:
    t = started("2.1.20")
    for n in range(10_000):
        t.lines.append(
            {
                "type": "assistant", "uuid": f"u{n}", "sessionId": SESSION,
                "message": {"role": "assistant", "id": f"m{n}", "content": [
                    {"type": "tool_use", "id": "call_0", "name": "Odd", "input": {"n": n}}]},
            }
        )  # fmt: skip
        answer = {"type": "tool_result", "tool_use_id": "call_0", "content": str(n)}
        t.lines.append(
            {"type": "user", "uuid": f"r{n}", "sessionId": SESSION, "message": {"role": "user", "content": [answer]}}
        )
    session = read(t)
    assert len({row.id for row in session.rows}) == 10_000
    body = session.row_body("call_0#7000")
    assert body is not None
    assert (body["input"], body["output"]) == ({"n": 6_999}, "6999")


def test_very_many_problems_of_the_linking_are_only_counted(read: Read) -> None:
    t = started()
    called(t, "c1")
    for n in range(1_001):
        t.result("c1", f"answer {n}")
    t.agent("a1").prompt("Who sent me?")
    coverage = read(t).head()["coverage"]
    assert (len(coverage["problems"]), coverage["problemsLeftOut"]) == (200, 1_000 + 1 - 200)
    assert coverage["problems"][0]["code"] == "agent_without_parent"


def test_agents_that_nest_very_deep_are_written_without_recursion(read: Read) -> None:
    t = thread = started()
    for n in range(400):
        spawned(thread, f"s{n}", f"Level {n}", delay="+0s")
        below = t.agent(f"a{n}", sidecar={"toolUseId": f"s{n}"})
        below.prompt(f"Level {n}")
        thread = below
    session = read(t)
    assert [row.depth for row in session.rows] == list(range(400))
    parts: list[bytes] = []
    session.write_json(parts.append)
    assert b"".join(parts).endswith(b"]}" * 400 + b"]}\n")
    assert max(agent["depth"] for agent in session.head()["agents"]) == 400
