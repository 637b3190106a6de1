"""OTLP spans: ids that stay, parents that are there, sums that agree."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.export.exporting import export, lines, property_of, sessions, written
from tests.properties.worlds import continued, worlds
from tests.transcripts import Call, Transcript, used
from waterglass.export.otlp import span_id, trace_id
from waterglass.sample import sample_root

Span = dict[str, Any]
INPUT, OUTPUT = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
READ, CREATED = "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_creation.input_tokens"


def value_of(value: dict[str, Any]) -> Any:
    ((kind, held),) = value.items()
    if kind == "arrayValue":
        return [value_of(one) for one in held["values"]]
    return int(held) if kind == "intValue" else held


def attributes(span: Span) -> dict[str, Any]:
    found = {pair["key"]: value_of(pair["value"]) for pair in span["attributes"]}
    assert len(found) == len(span["attributes"])
    return found


def spans(root: Path, folder: Path, **own: Any) -> list[Span]:
    """All spans of an export, each with its attributes as a dict under `of`."""
    found = []
    for line in lines(export(root, "otlp", folder / "spans.jsonl", **own)):
        (resource,) = line["resourceSpans"]
        (scoped,) = resource["scopeSpans"]
        assert resource["schemaUrl"] == scoped["schemaUrl"] == "https://opentelemetry.io/schemas/1.41.0"
        assert 0 < len(scoped["spans"]) <= 256
        found += [{**span, "of": attributes(span)} for span in scoped["spans"]]
    return found


def hold_to_the_format(found: list[Span]) -> None:
    for span in found:
        assert re.fullmatch(r"[0-9a-f]{32}", span["traceId"]) and re.fullmatch(r"[0-9a-f]{16}", span["spanId"])
        start, end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        assert 0 <= start <= end < 2**63
        assert span["kind"] in (1, 3) and span["name"]
        assert span["status"].get("code", 0) in (0, 1, 2)
    of_trace = Counter((span["traceId"], span["spanId"]) for span in found)
    assert set(of_trace.values()) <= {1}
    assert all((s["traceId"], s["parentSpanId"]) in of_trace for s in found if "parentSpanId" in s)


def of_kind(found: list[Span], operation: str) -> list[Span]:
    return [span for span in found if span["of"].get("gen_ai.operation.name") == operation]


def hold_to_the_payloads(found: list[Span], root: Path) -> None:
    told = sessions(root)
    roots = [span for span in found if "parentSpanId" not in span]
    assert [span["of"]["gen_ai.conversation.id"] for span in roots] == [one.id for one in told]
    for session in told:
        own = [span for span in found if span["traceId"] == trace_id(session.id)]
        rows = list(session.row_fields())
        assert Counter(s["of"]["gen_ai.tool.call.id"] for s in of_kind(own, "execute_tool")) == Counter(
            row["id"] for row in rows
        )
        assert len(of_kind(own, "invoke_agent")) == len(session.head()["agents"])
        chats, usage = of_kind(own, "chat"), session.usage
        assert sum(s["of"]["waterglass.usage.api_calls"] for s in chats) == usage["apiCalls"]
        assert sum(s["of"][OUTPUT] for s in chats) == usage["output"]
        assert sum(s["of"][READ] for s in chats) == usage["cacheRead"]
        assert sum(s["of"][CREATED] for s in chats) == usage["cacheCreation"]
        assert sum(s["of"][INPUT] - s["of"][READ] - s["of"][CREATED] for s in chats) == usage["input"]


@given(worlds())
@property_of
def test_any_session_has_whole_parents_each_row_once_and_the_payloads_sums(t: Transcript) -> None:
    with written(t) as root:
        found = spans(root, root.parent)
        hold_to_the_format(found)
        hold_to_the_payloads(found, root)


@given(continued())
@property_of
def test_inherited_history_is_in_the_spans_of_its_owner_alone(pair: tuple[Transcript, Transcript]) -> None:
    with written(*pair) as root:
        found = spans(root, root.parent)
        hold_to_the_format(found)
        hold_to_the_payloads(found, root)


def test_two_exports_of_the_sample_are_the_same_bytes(tmp_path: Path) -> None:
    one = export(sample_root(), "otlp", tmp_path / "one.jsonl").read_bytes()
    assert one == export(sample_root(), "otlp", tmp_path / "two.jsonl").read_bytes()


def test_the_ids_do_not_depend_on_redaction(tmp_path: Path) -> None:
    ids = [
        [(s["traceId"], s["spanId"], s.get("parentSpanId")) for s in spans(sample_root(), tmp_path, level=level)]
        for level in ("off", "secrets", "paths", "structure")
    ]
    assert ids[0] == ids[1] == ids[2] == ids[3]


def test_the_parts_of_an_id_do_not_run_together() -> None:
    assert span_id("a", "tool", "b") != span_id("at", "ool", "b") != span_id("a", "toolb", "")


def test_a_sub_agent_hangs_under_the_tool_call_that_started_it_and_its_work_under_it(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a").at("2026-03-02T09:00:00Z")
    t.prompt("Look")
    t.at("+1s").reply(calls=[Call("Task", {"description": "Look", "prompt": "Look well"}, "toolu_1")])
    agent = t.agent("a0a0a0a0a0a0a0a0a", sidecar={"agentType": "Explore", "toolUseId": "toolu_1"})
    agent.prompt("Look well")
    agent.at("+1s").reply(calls=[Call("Read", {"file_path": "/code/a"}, "toolu_2")], usage=used(output=7))
    agent.at("+1s").result("toolu_2", "no such file", is_error=True)
    t.at("+9s").result("toolu_1", "Done.")
    t.write(tmp_path / "projects")
    found = spans(tmp_path / "projects", tmp_path)
    by_id = {span["spanId"]: span for span in found}
    tools = {span["of"]["gen_ai.tool.call.id"]: span for span in of_kind(found, "execute_tool")}
    run = by_id[tools["toolu_2"]["parentSpanId"]]
    assert run["of"]["gen_ai.operation.name"] == "invoke_agent" and run["of"]["gen_ai.agent.id"] == "a0a0a0a0a0a0a0a0a"
    assert by_id[run["parentSpanId"]] is tools["toolu_1"]
    exchange = by_id[tools["toolu_1"]["parentSpanId"]]
    assert exchange["name"] == "exchange" and by_id[exchange["parentSpanId"]]["name"] == "session"
    (chat,) = [span for span in of_kind(found, "chat") if span["of"][OUTPUT] == 7]
    assert chat["parentSpanId"] == run["spanId"] and chat["kind"] == 3 and chat["name"] == "chat claude-opus-5"
    assert chat["of"]["gen_ai.provider.name"] == "anthropic"
    assert tools["toolu_2"]["status"] == {"code": 2} and tools["toolu_2"]["of"]["error.type"] == "error"
    assert tools["toolu_1"]["status"] == {"code": 1} and "error.type" not in tools["toolu_1"]["of"]


def test_a_call_without_an_end_has_no_status_and_a_model_of_others_no_known_provider(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a", model="glm-4.7").at("2026-03-02T09:00:00Z")
    t.prompt("Look")
    t.reply(calls=[Call("Read", {"file_path": "/code/a"}, "toolu_1")])
    t.write(tmp_path / "projects")
    found = spans(tmp_path / "projects", tmp_path)
    assert [span["status"] for span in of_kind(found, "execute_tool")] == [{}]
    assert [span["of"]["gen_ai.provider.name"] for span in of_kind(found, "chat")] == ["_OTHER"]


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", None])
def test_times_that_64_bits_do_not_hold_are_said_to_be_unknown(when: Any, tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a").at("2026-03-02T09:00:00Z")
    t.prompt("Look", timestamp=when)
    t.reply(calls=[Call("Read", {"file_path": "/code/a"}, "toolu_1")], timestamp=when)
    t.write(tmp_path / "projects")
    found = spans(tmp_path / "projects", tmp_path)
    hold_to_the_format(found)
    assert [span["of"]["waterglass.time_known"] for span in of_kind(found, "execute_tool")] == [False]
