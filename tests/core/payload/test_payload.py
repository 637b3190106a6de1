"""The one document: nested rows, the table and the written JSON say the same; bodies come by id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.core.conftest import Read
from tests.core.told import SESSION, called, golden, spawned, started, written
from tests.transcripts import Call, Transcript, used
from waterglass.payload import rows_from_table

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
    t.at("+1s").reply("Looking.", [Call("Read", {"file_path": "/code/demo/a.py"}, "c1")], usage=used(1, 2, 3, 4))
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
    assert json.loads(written(session)) == json.loads(json.dumps(session.payload()))
    assert list(session.payload()["rows"][1]) == list(json.loads(written(session))["rows"][1])


def test_a_session_without_rows_is_written_too(read: Read) -> None:
    session = read(started())
    assert json.loads(written(session)) == json.loads(json.dumps(session.payload()))
    assert json.loads(written(session))["rows"] == []


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


METRICS = "grepSemantic earlyVictory verificationDensity overreach continuity loopDetection"
COST = {"usd", "unpriced", "byModel", "pricesAsOf"}  # null where the price data is not installed


def test_the_document_has_the_parts_of_the_contract_and_the_rows_their_fields(read: Read) -> None:
    payload = read(busy()).payload()
    assert set(PARTS.split()) <= set(payload)
    assert payload["payload"] == 1
    assert [metric["id"] for metric in payload["metrics"]] == METRICS.split()
    assert payload["health"]["signals"] and {"usd", "unpriced", "byModel", "pricesAsOf"} <= set(payload["cost"] or COST)
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
        t.at("+1s").reply(calls=[Call(name, {"file_path": "/code/demo/a.py", **given}, id)])
        t.at("+1s").result(id, "x")

    call("first")
    call("again")
    call("part", limit=5)
    call("edit", "Edit", old_string="a", new_string="b")
    call("after")
    call("again after")
    rows = read(t).payload()["rows"]
    assert [r["id"] for r in rows if r["isReread"]] == ["again", "again after"]


def test_metrics_health_and_cost_are_null_where_they_are_not_asked_for(read: Read) -> None:
    payload = read(busy()).payload(scores=False)
    assert (payload["cost"], payload["metrics"], payload["health"]) == (None, None, None)
