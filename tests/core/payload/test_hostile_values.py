"""Deep values, odd names and very many of one thing come out whole, in bounded time and without recursion."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import SESSION, called, codes, spawned, started, written
from tests.transcripts import Call


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
    whole = written(session, events=True)
    assert whole.count(b"[" * 507 + b'"bottom"' + b"]" * 507) == 2  # in the row and in the event
    body = session.row_body("c1")
    assert body is not None
    value = body["input"]["deep"]
    for _ in range(507):
        (value,) = value
    assert value == "bottom"


def test_values_nested_deeper_cost_their_line_and_no_more(read: Read) -> None:
    t = started()
    block = b'{"type":"tool_use","id":"c1","name":"Odd","input":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
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
    whole = written(session, events=True)
    text = whole.decode("utf-8")
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
    payload = json.loads(written(read(t)))
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
    whole = written(session)
    assert whole.endswith(b"]}" * 400 + b"]}\n")
    assert max(agent["depth"] for agent in session.head()["agents"]) == 400
