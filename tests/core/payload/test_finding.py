"""Texts are found in the inputs and outputs of calls, however they are written in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.conftest import Read
from tests.core.told import called, started
from tests.transcripts import Call, Transcript
from waterglass.session import Session

DEEP = {"a": [{"b": {"note": "the Weir at noon"}}], "n": 7}


def three(read: Read) -> Session:
    """A session of three calls: an output, an input, neither."""
    t = started()
    called(t, "c1", "c2", "c3")
    t.result("c1", "opened the WEIR\nat dawn")
    t.reply(calls=[Call("mcp__db__query", DEEP, "c4")])
    t.result("c4", "nothing")
    return read(t)


def found(session: Session, *texts: str) -> list[list[str]]:
    """The rows that hold each text, when there is time for all."""
    told = session.find_texts(texts, None, 60)
    assert told["next"] is None and told["searched"] == len(session.rows) and told["unread"] == 0
    rows: list[list[str]] = told["found"]
    return rows


def test_inputs_and_outputs_are_looked_through_from_the_end_whatever_the_case(read: Read) -> None:
    assert found(three(read), "weir", "At Noon", "absent") == [["c4", "c1"], ["c4"], []]


def test_names_of_arguments_and_other_fields_of_a_record_are_no_contents(read: Read) -> None:
    assert found(three(read), "note", "tool_use_id", "assistant", "claude") == [[], [], [], []]


def written_as(read: Read, tmp_path: Path, output: bytes) -> Session:
    """A session whose one output is written with these bytes."""
    t = started()
    called(t, "c1")
    t.result("c1", "PLACE")
    session = read(t)
    path = Path(session.ref.path)
    path.write_bytes(path.read_bytes().replace(b'"content":"PLACE"', b'"content":"' + output + b'"'))
    return Session(session.ref)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"\\u0057eir", "weir"),
        (b"src\\/weir", "src/weir"),
        ("\u212ael\u212a".encode(), "kelk"),
        ("Über".encode(), "über"),
        (b"\\u00dcber", "über"),
        (b'say \\"weir\\"', 'say "weir"'),
        (b"C:\\\\weir", "c:\\weir"),
        (b"a\\tb", "a\tb"),
    ],
)
def test_a_text_is_found_however_json_writes_it(read: Read, tmp_path: Path, output: bytes, text: str) -> None:
    assert found(written_as(read, tmp_path, output), text) == [["c1"]]


def test_without_time_one_row_is_looked_into_and_the_rest_can_be_asked_for(read: Read) -> None:
    session = three(read)
    start, rows, looks = None, [], 0
    while looks < 10:
        told = session.find_texts(["weir"], start, 0)
        rows += told["found"][0]
        looks += told["searched"]
        start = told["next"]
        if start is None:
            break
    assert (rows, looks) == (["c4", "c1"], 4)


def test_what_is_gone_is_counted_and_is_no_match(read: Read) -> None:
    session = three(read)
    Path(session.ref.path).unlink()
    told = session.find_texts(["weir"], None, 60)
    assert (told["found"], told["searched"], told["unread"]) == ([[]], 4, 4)


def test_a_row_to_go_on_from_that_is_not_there_begins_at_the_end(read: Read) -> None:
    told = three(read).find_texts(["weir"], "nobody", 60)
    assert (told["found"], told["searched"]) == ([["c4", "c1"]], 4)


def test_an_empty_session_has_nothing_to_look_through(read: Read) -> None:
    told = read(Transcript("5e550001-0000-4000-8000-000000000001")).find_texts(["x"], None, 60)
    assert told == {"found": [[]], "searched": 0, "unread": 0, "next": None}
