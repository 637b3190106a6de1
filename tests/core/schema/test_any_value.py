"""Transcripts are hostile input: any value in any field of any record is read, and everything is still derived."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.told import started, view_of
from tests.transcripts import Call, Transcript, dumps, used
from waterglass.model import Coverage
from waterglass.payload import payload_head, row_fields, rows_from_table, table_from_rows
from waterglass.payload.events import event_fields
from waterglass.schema import bodies
from waterglass.schema.json import encode
from waterglass.schema.sidecars import read_sidecar

MISSING = object()
VALUES: tuple[Any, ...] = (MISSING, None, True, 0, -1, 1.5, "str", [], {}, [1], {"a": 1})


def every_kind() -> Transcript:
    """A session in which each kind of record stands that is read for more than its type."""
    t = started()
    iterations = [
        {"type": "message", **used(1, 2, 3, 4)},
        {"type": "advisor_message", "model": "m", **used(1, 2, 3, 4)},
    ]
    calls = [
        Call("Bash", {"command": "ls", "run_in_background": True}, "c1"),
        Call("Agent", {"description": "d", "prompt": "p", "subagent_type": "Explore", "resume": "a1"}, "c2"),
        Call("Edit", {"file_path": "/code/demo/a", "old_string": "a", "new_string": "b"}, "c3"),
    ]
    t.reply("Text", calls, thinking="hm", usage=used(1, 2, 3, 4, 2, iterations=iterations), one_record_per_block=False)
    mirror = {"agentId": "a1", "isAsync": True, "status": "async_launched", "backgroundTaskId": "b1", "success": True}
    t.result("c1", [{"type": "text", "text": "out"}], tool_use_result={**mirror, "task": {"task_id": "b1"}})
    t.result("c2", "The user doesn't want to proceed", is_error=True, toolDenialKind="user-rejected")
    t.prompt([{"type": "text", "text": "And"}, {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo="}}])
    t.notification("b1", "Ended", call_id="c1")
    t.notification("b1", "Ended", via="queue")
    t.attachment("queued_command", prompt="Later")
    t.attachment("hook_success", hookName="PostToolUse", hookEvent="e", toolUseID="c3", exitCode=0, durationMs=5)
    t.record("progress", data={"type": "agent_progress", "agentId": "a1"}, parentToolUseID="c2", toolUseID="x")
    t.compact_boundary(postTokens=5, durationMs=3)
    t.compact_summary("So far")
    t.system("microcompact_boundary", microcompactMetadata={"trigger": "auto", "preTokens": 5, "tokensSaved": 2})
    t.system("api_error", retryAttempt=1, error={"status": 529}, retryInMs=500.5)
    t.system("local_command", content="<command-name>/context</command-name>")
    t.command("context", "", "Context Usage 10k/200k tokens")
    t.record(
        "assistant", message={"role": "assistant", "content": "bare"}, forkedFrom={"sessionId": "s", "messageUuid": "u"}
    )
    t.summary("Old title")
    t.title("A", "ai")
    t.title("B", "custom")
    t.title("C", "agent")
    t.raw(
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"timestamp": "x"}, "isSnapshotUpdate": False}
    )
    return t


RECORDS = [r for r in every_kind().lines if isinstance(r, dict)]
NAMES = [f"{n:02d} {r['type']} {r.get('subtype', '')}".strip() for n, r in enumerate(RECORDS)]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field and every item of a record, at any depth."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


def with_value(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy of the record with another value at one place."""
    changed = copy.deepcopy(record)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    if value is MISSING:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


def out_of(lines: list[bytes]) -> Coverage:
    """Derive and write everything; what cannot be done raises. Returns what was covered."""
    view, coverage = view_of(lines)
    events = view.linked.events
    head = payload_head(view, "s", [], coverage, None)
    parents, ends = [r.parent for r in view.rows], [r.subtree_end for r in view.rows]
    table = table_from_rows(row_fields(view), parents, ends)
    rows_from_table(table)
    records = [bodies.record_object(line) for line in lines]
    assert json.loads(encode(event_fields(events, lambda file, offset, length: records[offset])))
    assert json.loads(encode([head, table]))
    return coverage


@pytest.mark.parametrize("number", range(len(RECORDS)), ids=NAMES)
def test_any_value_in_any_field_of_a_record_is_read(number: int) -> None:
    around = [dumps(r).encode() for n, r in enumerate(RECORDS[:6]) if n != number]
    for path in places(RECORDS[number]):
        for value in VALUES:
            lines = list(around)
            lines.insert(number, dumps(with_value(RECORDS[number], path, value)).encode())
            assert out_of(lines).records == len(lines), (path, value)


def test_a_record_as_it_should_be_is_not_degraded() -> None:
    assert out_of([dumps(r).encode() for r in RECORDS]).degraded_records == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("type",), 5),
        (("uuid",), 7),
        (("message",), {"0": "e", "1": "v"}),
        (("message",), "text"),
        (("message", "content"), 5),
        (("message", "content"), {"a": 1}),
        (("message", "usage", "output_tokens"), -1),
        (("message", "usage", "output_tokens"), 2**60),
        (("message", "usage", "iterations"), {"a": 1}),
        (("timestamp",), "yesterday"),
        (("isSidechain",), "no"),
    ],
)
def test_a_field_with_what_it_cannot_hold_degrades_its_record(path: tuple[Any, ...], value: Any) -> None:
    lines = [dumps(r).encode() for r in (RECORDS[0], with_value(RECORDS[1], path, value))]
    assert out_of(lines).degraded_records == 1


@pytest.mark.parametrize("path", [("uuid",), ("cwd",), ("version",), ("message", "usage"), ("message", "stop_reason")])
def test_an_absent_field_degrades_nothing(path: tuple[Any, ...]) -> None:
    for value in (MISSING, None):
        assert out_of([dumps(with_value(RECORDS[1], path, value)).encode()]).degraded_records == 0


def test_what_still_fits_of_a_wrong_record_is_kept() -> None:
    lines = [
        dumps(r).encode() for r in (RECORDS[0], with_value(RECORDS[1], ("message", "usage", "input_tokens"), "many"))
    ]
    view, _ = view_of(lines)
    (reply,) = view.replies
    assert (reply.text, reply.usage.input, reply.usage.output, reply.usage.cache_read) == ("Text", 0, 2, 3)
    assert [row.id for row in view.rows] == ["c1", "c2", "c3"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_json_in_any_field_of_any_record_is_read(data: st.DataObject) -> None:
    lines = [dumps(r).encode() for r in RECORDS]
    number = data.draw(st.integers(0, len(RECORDS) - 1))
    path = data.draw(st.sampled_from(list(places(RECORDS[number]))))
    changed = json.dumps(with_value(RECORDS[number], path, data.draw(json_values))).encode()
    assert out_of([*lines[:number], changed, *lines[number + 1 :]]).records == len(lines)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"{", b"[" * 9_000, b'"text"', b"null"])
def test_a_sidecar_that_is_no_object_says_nothing(data: bytes) -> None:
    assert read_sidecar(data) is None


def test_any_value_in_any_field_of_a_sidecar_is_read() -> None:
    whole = {
        "agentType": "Explore",
        "description": "d",
        "toolUseId": "c1",
        "name": "n",
        "isFork": True,
        "teamName": "t",
    }
    for name in whole:
        for value in VALUES:
            read = read_sidecar(json.dumps(with_value(whole, (name,), value)).encode())
            assert read is not None
            assert (read.tool_use_id is None) == (name == "toolUseId" and value != "str")
