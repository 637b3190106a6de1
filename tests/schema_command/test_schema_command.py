"""`waterglass schema`: what it reads, what it prints."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.transcripts import Call, Transcript
from waterglass.cli.main import cli
from waterglass.cli.schema import survey
from waterglass.errors import WaterglassError
from waterglass.sample import write_sample


def invoke(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["schema", *map(str, args)])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two sessions of two eras: one with a sub-agent and a mended, a skipped and an unfinished line."""
    old = Transcript("0ld00000-0000-4000-8000-000000000001", version="1.0.3", model="claude-opus-4-20250514")
    old.at("2026-01-02T09:00:00Z").prompt("Old")
    old.reply(calls=[Call("LS", {"path": "."}, "toolu_0")])
    old.write(tmp_path)
    new = Transcript("5e55bbbb-0000-4000-8000-000000000001")
    new.at("2026-03-02T09:00:00Z").prompt("New")
    new.reply(calls=[Call("mcp__serena__find_symbol", {}, "toolu_1"), Call("Agent", {"prompt": "Look"}, "toolu_2")])
    helper = new.agent(sidecar={"toolUseId": "toolu_2"})
    helper.prompt("Look")
    helper.reply(text="Seen.")
    new.result("toolu_1", "found")
    new.result("toolu_2", "Seen.")
    new.raw(b'{"type":"mode","mode":"a\x01b","sessionId":"5e55bbbb-0000-4000-8000-000000000001"}')
    new.raw(b"not json")
    new.raw({"type": "brand-new\x1b[31m", "odd\x07key": 1, "sessionId": new.session_id})
    path = new.write(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"type":"us')
    return tmp_path


def test_the_document_counts_files_lines_and_records_of_all_sessions(root: Path) -> None:
    document = json.loads(invoke("--json", "--root", root).stdout_bytes)
    assert (document["sessions"], document["files"]) == (2, {"main": 2, "agent": 1})
    assert document["bytes"] == sum(path.stat().st_size for path in root.rglob("*.jsonl"))
    assert (document["skippedLines"], document["repairedRecords"], document["partialTails"]) == (1, 1, 1)
    assert document["physicalLines"] == document["records"] + 2
    assert sum(row["count"] for row in document["recordTypes"]) == document["records"]
    assert document["versions"] == {"first": "1.0.3", "last": "2.1.220"}
    assert document["unknownRecordTypes"] == {"brand-new\x1b[31m": 1}
    assert document["unreadable"] == []


def test_tools_stand_with_their_calls_and_versions(root: Path) -> None:
    tools = {row["name"]: row for row in survey([str(root)])["tools"]}
    assert {name: row["count"] for name, row in tools.items()} == {"LS": 1, "Agent": 1, "mcp__serena__find_symbol": 1}
    assert tools["LS"]["versions"] == {"first": "1.0.3", "last": "1.0.3"}


def test_tools_that_search_by_meaning_are_known_by_the_table_of_tools(root: Path) -> None:
    rows = {row["wanted"]: row for row in survey([str(root)])["confirmed"]}
    assert rows["semantic tool names"]["confirmed"] == "yes"
    assert rows["semantic tool names"]["counts"] == {"mcp__serena__find_symbol": 1, "of all calls": 3}


def test_the_tables_show_each_part_and_no_control_character(root: Path) -> None:
    done = invoke("--root", root)
    assert (done.exit_code, done.stderr) == (0, "")
    text = done.stdout
    for title in ("What a reader relies on", "Record types", "Blocks", "Contents of tool results", "Tools (3)"):
        assert f"\n{title}" in text
    assert "Unknown record types: brand-new␛[31m 1" in text
    assert "odd^Gkey" in text
    assert "is_error: 0 true, 0 false, 2 absent, 0 other" in text
    assert [c for c in text if c < " " and c != "\n"] == []


def test_keys_stand_with_their_share_unless_nearly_all_records_have_them(root: Path) -> None:
    line = next(x for x in invoke("--root", root).stdout.split("\n") if x.startswith("assistant  "))
    assert "parentUuid, isSidechain, " in line
    document = survey([str(root)])
    row = next(row for row in document["recordTypes"] if row["type"] == "assistant")
    shares = {key["name"]: key["share"] for key in row["keys"]}
    assert shares["message"] == 1
    assert shares["requestId"] == 0.75  # the old session's one reply has none


def test_a_folder_without_sessions_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = invoke("--root", tmp_path)
    assert isinstance(done.exception, WaterglassError)
    assert str(done.exception).startswith(f"no session found: {tmp_path}. Try: ")


def test_a_file_that_vanishes_is_told_and_the_others_are_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    discover = importlib.import_module("waterglass.discover")  # the package's attribute of that name is a function
    found = discover.discover([str(root)])
    gone = found.sessions[0].files[0]
    Path(gone.path).unlink()
    monkeypatch.setattr(discover, "discover", lambda roots: found)
    document = survey([str(root)])
    assert [place["path"] for place in document["unreadable"]] == [gone.path]
    assert document["records"] > 0
    assert "Could not be read (1)" in invoke("--root", root).stdout


def test_the_sample_holds_no_type_that_we_do_not_know(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample")
    document = survey([str(tmp_path / "sample")])
    assert (document["unknownRecordTypes"], document["unknownBlockTypes"]) == ({}, {})
    assert [row["wanted"] for row in document["confirmed"] if row["confirmed"] == "not seen here"] in (
        [],
        ["semantic tool names"],
    )


def test_the_counts_of_real_sessions_equal_a_plain_count_with_another_parser(shared: Path) -> None:
    tree = min((shared / "corpus").iterdir(), key=lambda folder: folder.name) / "projects"
    types: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    signs: Counter[str] = Counter()
    for path in tree.rglob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            if line.strip():
                record: dict[str, Any] = json.loads(line)
                types[record["type"]] += 1
                content = record["message"]["content"] if "message" in record else ""
                for block in content if isinstance(content, list) else ():
                    if block["type"] == "tool_use":
                        tools[block["name"]] += 1
                    elif block["type"] == "tool_result":
                        signs[str(block.get("is_error", "absent")).lower()] += 1
    document = survey([str(tree)])
    seen: Counter[str] = Counter()
    for row in document["recordTypes"]:
        seen[row["type"]] += row["count"]
    assert seen == types
    assert {row["name"]: row["count"] for row in document["tools"]} == tools
    assert {name: count for name, count in document["isError"].items() if count} == signs
