"""A record that was copied counts once: within a file, and over all files of a session."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.core.conftest import Read
from tests.core.told import SESSION, called, codes, started
from tests.transcripts import Transcript, used


def totals(payload: dict[str, Any]) -> dict[str, Any]:
    """All of a payload but what names or counts files, lines and replays."""
    kept = {k: v for k, v in payload.items() if k not in ("coverage", "session")}
    return kept | {name: payload["coverage"][name] for name in ("uniqueRecords", "branches", "chainBreaks")}


def busy() -> Transcript:
    t = started()
    called(t, "c1", usage=used(1, 2, 3, 4))
    t.at("+1s").result("c1", "x")
    t.at("+1s").queue("enqueue", "Later")
    t.at("+1s").reply("Done.", usage=used(5, 6, 7, 8))
    return t


def test_a_record_written_twice_counts_once_and_as_a_replay(read: Read) -> None:
    t = busy()
    before = totals(read(t).payload())
    for line in [line for line in t.lines if "uuid" in line]:  # the queue operation has none
        t.raw(line)
    session = read(t)
    assert totals(session.payload()) == before
    assert session.head()["coverage"]["replayedRecords"] == 4


def test_a_replay_may_differ_in_what_is_not_content(read: Read) -> None:
    t = busy()
    first = dict(t.lines[0])  # type: ignore[arg-type]
    t.raw({**first, "sessionId": "another", "version": "9.9.9", "cwd": "/elsewhere", "gitBranch": "x"})
    session = read(t)
    assert session.head()["coverage"]["replayedRecords"] == 1
    assert len(session.head()["prompts"]) == 2  # the sent one, and the queued one that was never sent


def test_a_uuid_used_again_for_other_content_is_kept_and_a_problem(read: Read) -> None:
    t = busy()
    t.prompt("Another", uuid=t.lines[0]["uuid"])  # type: ignore[index]
    session = read(t)
    assert [p["text"] for p in session.head()["prompts"]] == ["Go", "Later", "Another"]
    assert session.head()["coverage"]["replayedRecords"] == 0
    assert codes(session) == ["uuid_twice"]


def test_a_replay_counts_among_replays_and_in_no_other_figure(read: Read) -> None:
    t = busy()
    odd = {"sessionId": SESSION, "timestamp": "2026-05-04T10:00:09.000Z", "parentUuid": None}
    t.raw({**odd, "type": "hologram", "uuid": "u-invented-type"})
    t.raw({**odd, "type": "user", "uuid": "u-degraded", "message": {"0": "H", "1": "i"}})
    block = {"type": "smell", "text": "of burning"}
    t.raw({**odd, "type": "assistant", "uuid": "u-block", "message": {"role": "assistant", "content": [block]}})
    said = {"role": "user", "content": "a\tb"}
    t.raw(json.dumps({**odd, "type": "user", "uuid": "u-mended", "message": said}).replace(r"\t", "\t").encode())
    t.raw(b"\0\0" + json.dumps({**odd, "type": "mode", "uuid": "u-recovered"}).encode())
    first = read(t).head()["coverage"]
    figures = ("unknownRecordTypes", "unknownBlockTypes", "degradedRecords", "repairedRecords", "recoveredRecords")
    assert [first[name] for name in figures] == [{"hologram": 1}, {"smell": 1}, 1, 1, 1]
    t.lines += t.lines[-5:]
    again = read(t).head()["coverage"]
    assert again["replayedRecords"] == 5
    assert [again[name] for name in figures] == [first[name] for name in figures]


def test_long_texts_that_differ_only_behind_what_is_kept_are_two_contents(read: Read) -> None:
    t = started()
    t.prompt("x" * 3_000)
    uuid = t.lines[-1]["uuid"]  # type: ignore[index]
    t.prompt("x" * 2_999 + "y", uuid=uuid)
    session = read(t)
    assert session.head()["coverage"]["replayedRecords"] == 0
    assert codes(session) == ["uuid_twice"]


def test_the_time_of_a_replay_moves_neither_begin_nor_end(read: Read) -> None:
    t = started()
    t.prompt("Only once")
    t.raw(dict(t.lines[-1]) | {"timestamp": "2026-05-05T00:00:00.000Z"})  # type: ignore[arg-type]
    session = read(t).payload()["session"]
    assert session["endMs"] < 1_775_000_000_000


def test_a_copy_of_the_file_in_another_folder_counts_once(read: Read, root: Path) -> None:
    t = busy()
    before = totals(read(t).payload())
    (folder,) = root.iterdir()
    shutil.copytree(folder, root / "-elsewhere")
    session = read(t)
    assert len(session.ref.files) == 2
    after = totals(session.payload())
    assert after["prompts"] == before["prompts"]
    assert (after["usage"], after["rows"], after["time"]) == (before["usage"], before["rows"], before["time"])


def test_a_reply_that_several_files_hold_counts_for_the_first(read: Read) -> None:
    t = started(version="2.1.20")
    t.at("+1s").reply("Hi", message_id="m1", usage=used(10, 20))
    helper = t.agent("aprompt_suggestion-1")
    helper.prompt("[SUGGESTION MODE: what next?]")
    helper.at("+1s").reply("Hi", message_id="m1", usage=used(10, 25))
    helper.at("+1s").reply("More", message_id="m2", usage=used(1, 2))
    usage = read(t).usage
    assert (usage["main"]["apiCalls"], usage["main"]["output"]) == (1, 25)  # the largest copy says how much
    assert (usage["agents"]["apiCalls"], usage["agents"]["output"]) == (1, 2)
    assert (usage["apiCalls"], usage["output"]) == (2, 27)


def test_a_parent_that_is_in_no_file_breaks_the_chain(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("One", parentUuid="gone")
    t.prompt("Two")
    t.compact_boundary()
    t.system("compact_boundary", parentUuid=None, logicalParentUuid="gone too")
    t.prompt("Three", parentUuid=None)
    assert read(t).head()["coverage"]["chainBreaks"] == 2


def test_a_circle_of_parents_ends(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("One", uuid="u1", parentUuid="u3")
    t.prompt("Two", uuid="u2", parentUuid="u1")
    t.prompt("Three", uuid="u3", parentUuid="u2")
    t.prompt("Self", uuid="u4", parentUuid="u4")
    t.prompt("Twin of one", uuid="u5", parentUuid="u3")
    session = read(t)
    assert len(session.head()["prompts"]) == 5
    assert session.head()["coverage"]["chainBreaks"] == 0
