"""Chrome trace events, held against the rules of their format."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.export.exporting import export, property_of, sessions, written
from tests.properties.worlds import worlds
from tests.transcripts import Call, Transcript
from waterglass.sample import sample_root

Event = dict[str, Any]
NEEDED = {
    "X": {"name", "cat", "pid", "tid", "ts", "dur", "args"},
    "i": {"name", "pid", "tid", "ts", "s"},
    "C": {"name", "pid", "ts", "args"},
    "M": {"name", "pid", "args"},
}


def traced(root: Path, folder: Path) -> list[Event]:
    document = json.loads(export(root, "perfetto", folder / "trace.json").read_bytes())
    assert document["displayTimeUnit"] == "ms"
    events: list[Event] = document["traceEvents"]
    return events


def hold_to_the_format(events: list[Event]) -> None:
    for event in events:
        assert NEEDED[event["ph"]] <= event.keys()
        assert isinstance(event["pid"], int) and isinstance(event["name"], str)
        if event["ph"] != "M":
            assert isinstance(event["ts"], int) and 0 <= event["ts"] < 2**63 // 1000
        if event["ph"] == "X":
            assert isinstance(event["dur"], int) and event["dur"] >= 0
        if event["ph"] == "C":
            assert all(isinstance(value, int) for value in event["args"].values())
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    assert {(e["pid"], e["tid"]) for e in events if e["ph"] in "Xi"} <= named


def hold_to_nesting(events: list[Event]) -> None:
    """Within a thread each slice lies inside the one around it, as a stack of open slices has it; calls hold none."""
    threads: dict[tuple[int, int], list[Event]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            threads[event["pid"], event["tid"]].append(event)
    for slices in threads.values():
        assert [s["ts"] for s in slices] == sorted(s["ts"] for s in slices)
        stack: list[Event] = []
        for event in slices:
            while stack and stack[-1]["ts"] + stack[-1]["dur"] <= event["ts"]:
                stack.pop()
            if stack:
                assert event["ts"] + event["dur"] <= stack[-1]["ts"] + stack[-1]["dur"]
                assert stack[-1]["cat"] == "frame" and event["cat"] != "frame"
            stack.append(event)


@given(worlds())
@property_of
def test_any_session_keeps_to_the_format_and_each_row_is_one_slice(t: Transcript) -> None:
    with written(t) as root:
        events = traced(root, root.parent)
        hold_to_the_format(events)
        hold_to_nesting(events)
        rows = Counter(row["id"] for one in sessions(root) for row in one.row_fields())
        assert Counter(e["args"]["rowId"] for e in events if e["ph"] == "X" and e["cat"] != "frame") == rows


def test_the_sample_has_a_process_a_session_the_main_thread_first_and_its_agents(tmp_path: Path) -> None:
    events = traced(sample_root(), tmp_path)
    hold_to_the_format(events)
    hold_to_nesting(events)
    found = sessions(sample_root())
    processes = [e for e in events if e["name"] == "process_name"]
    assert [e["pid"] for e in processes] == list(range(1, 1 + len(found)))
    for pid, session in enumerate(found, 1):
        threads = [e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == pid]
        assert threads[0] == "main"
        assert all(any(agent["id"] in name for name in threads) for agent in session.head()["agents"])
        counted = [[e["ts"] // 1000, e["args"]["tokens"]] for e in events if e["ph"] == "C" and e["pid"] == pid]
        assert counted == [step for step in session.head()["context"]["series"] if step[1] is not None]


def test_parallel_calls_stand_in_lanes_and_keep_their_lengths(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a").at("2026-03-02T09:00:00Z")
    t.prompt("Look at both")
    t.at("+1s").reply(
        calls=[Call("Read", {"file_path": "/code/a"}, "toolu_1"), Call("Read", {"file_path": "/b"}, "toolu_2")]
    )
    t.at("+5s").result("toolu_2", "b")
    t.at("+5s").result("toolu_1", "a")
    t.write(tmp_path / "projects")
    slices = {
        e["args"]["rowId"]: e for e in traced(tmp_path / "projects", tmp_path) if e["ph"] == "X" and e["cat"] != "frame"
    }
    assert slices["toolu_1"]["tid"] != slices["toolu_2"]["tid"]
    assert slices["toolu_1"]["dur"] > slices["toolu_2"]["dur"] > 0


def test_prompts_and_compactions_are_instants(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a").at("2026-03-02T09:00:00Z")
    t.prompt("Begin here")
    t.at("+1s").reply("Done.")
    t.at("+1s").compact_boundary()
    t.write(tmp_path / "projects")
    instants = [(e["cat"], e["name"]) for e in traced(tmp_path / "projects", tmp_path) if e["ph"] == "i"]
    assert instants == [("prompt", "prompt: Begin here"), ("compaction", "compaction: auto")]


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "yesterday", None, 17])
def test_a_time_that_no_trace_can_hold_costs_no_slice(when: Any, tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a").at("2026-03-02T09:00:00Z")
    t.prompt("Look")
    t.reply(calls=[Call("Read", {"file_path": "/code/a"}, "toolu_1")], timestamp=when)
    t.result("toolu_1", "a")
    t.write(tmp_path / "projects")
    events = traced(tmp_path / "projects", tmp_path)
    hold_to_the_format(events)
    hold_to_nesting(events)
    (call,) = [e for e in events if e["ph"] == "X" and e["cat"] != "frame"]
    assert call["args"]["timeKnown"] is False
