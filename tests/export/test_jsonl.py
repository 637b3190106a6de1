"""Events as JSON lines."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from tests.export.exporting import export, lines, property_of, sessions, written
from tests.properties.worlds import worlds
from tests.transcripts import Call, Transcript
from waterglass.bodyreader import BodyReader
from waterglass.payload.events import event_fields
from waterglass.sample import sample_root


def expected(root: Path) -> list[dict[str, object]]:
    """The events of `show --json --events`, session by session."""
    found = []
    for one in sessions(root):
        reader = BodyReader({file.key: file.path for file in one.ref.files})
        found += [{"session": one.id, **event} for event in event_fields(one.events, reader.record)]
    return found


@given(worlds())
@property_of
def test_any_session_gives_the_events_of_the_payload(t: Transcript) -> None:
    with written(t) as root:
        assert lines(export(root, "jsonl", root.parent / "events.jsonl", "off")) == expected(root)


def test_every_event_of_the_sample_is_there_once_with_its_session(tmp_path: Path) -> None:
    found = lines(export(sample_root(), "jsonl", tmp_path / "events.jsonl"))
    assert [(e["session"], e["id"], e["seq"]) for e in found] == [
        (e["session"], e["id"], e["seq"]) for e in expected(sample_root())
    ]


def test_a_long_text_is_whole_and_control_characters_do_not_end_a_line(tmp_path: Path) -> None:
    text = "\x1b[31m\u2028\x00\r\n" + "long " * 300_000
    t = Transcript("5e551044-0000-4000-8000-00000000000a")
    t.prompt("Look")
    t.reply(calls=[Call("Bash", {"command": "cat long"}, "toolu_1")])
    t.result("toolu_1", text)
    t.write(tmp_path / "projects")
    found = lines(export(tmp_path / "projects", "jsonl", tmp_path / "events.jsonl"))
    assert [e["result"]["text"] for e in found if e["type"] == "tool_result"] == [text]


def test_a_value_nested_deeply_comes_out_as_it_went_in(tmp_path: Path) -> None:
    deep: object = "end"
    for _ in range(300):
        deep = [deep]
    t = Transcript("5e551044-0000-4000-8000-00000000000a")
    t.prompt("Look")
    t.reply(calls=[Call("Odd", {"value": deep}, "toolu_1")])
    t.write(tmp_path / "projects")
    found = lines(export(tmp_path / "projects", "jsonl", tmp_path / "events.jsonl"))
    assert [e["tool"]["input"]["value"] for e in found if e["tool"]] == [deep]


def test_no_session_at_all_is_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    assert export(tmp_path / "projects", "jsonl", tmp_path / "events.jsonl").read_bytes() == b""
