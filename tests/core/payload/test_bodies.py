"""Bodies come by id: inputs, outputs, pictures, whole texts; what is not in the session has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.conftest import Read
from tests.core.told import called, started
from tests.transcripts import Call

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def test_each_event_leads_to_the_record_that_it_was_made_of(read: Read) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", "fine")
    session = read(t)
    assert [event.raw for event in session.events] == t.lines
    Path(session.ref.path).unlink()
    assert session.events[0].raw is None


def test_a_long_text_that_was_queued_beside_a_picture_is_whole(read: Read) -> None:
    text, more = "x" * 2_500, "more"
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    t = started()
    t.attachment("queued_command", prompt=[picture, {"type": "text", "text": text}, {"type": "text", "text": more}])
    session = read(t)
    queued = session.view().prompts[-1]
    body = session.prompt_body(queued.id)
    assert body is not None and (queued.state, body["text"]) == ("queued", f"{text}\n{more}")


def test_the_event_of_a_long_title_has_all_of_it(read: Read) -> None:
    t = started()
    t.title("x" * 2_500, "custom")
    parts: list[bytes] = []
    read(t).write_json(parts.append, events=True)
    assert json.loads(b"".join(parts))["events"][-1]["text"] == "x" * 2_500


def test_each_of_two_long_thoughts_of_one_record_is_an_event_with_its_own_text(read: Read) -> None:
    t = started(version="1.0.3")
    thoughts = [letter * 2_500 for letter in "ab"]
    t.reply(thinking=thoughts[0], text="Hm.", one_record_per_block=False)
    record = t.lines[-1]
    assert isinstance(record, dict)
    record["message"]["content"].append({"type": "thinking", "thinking": thoughts[1]})
    parts: list[bytes] = []
    read(t).write_json(parts.append, events=True)
    events = json.loads(b"".join(parts))["events"]
    assert [event["thinking"] for event in events if event["thinking"] is not None] == thoughts


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
    t.reply(calls=[Call("Read", {"file_path": "/code/demo/a.png"}, "c1")])
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": PNG}}
    t.result("c1", [{"type": "text", "text": "é"}, picture])
    session = read(t)
    body = session.row_body("c1")
    assert body is not None
    assert (body["input"], body["output"], body["outputBytes"]) == ({"file_path": "/code/demo/a.png"}, "é", 2)
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


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("line\n" * 6_000 + "\n\n... [812 lines truncated] ...", True),
        ("é" * 5_000 + "\n\n... [12 characters truncated] ...\n\n" + "x" * 5_000, True),
        ("one\n\n\n... [812 lines truncated] ...", False),
        ("line\n" * 6_000 + "\n\n... [812 lines truncated] ...\nand this was in a log", False),
        ("x" * 400 + "\n\n... [12 characters truncated] ...\n\n" + "x" * 12_000, False),
    ],
    ids=["lines at the end", "characters in the middle", "short", "a mark before the end", "a mark near the start"],
)
def test_an_output_that_the_program_shortened_is_marked_as_cut_and_one_that_quotes_such_a_mark_is_not(
    read: Read, text: str, cut: bool
) -> None:
    t = started()
    called(t, "c1")
    t.result("c1", text)
    assert [row["truncated"] for row in read(t).payload()["rows"]] == [cut]
