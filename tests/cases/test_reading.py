"""Damaged and odd lines of the kinds that people lost records to."""

from __future__ import annotations

import pytest

from tests.cases.conftest import ONE, Put, Shown, counted, flat, outcomes, typed
from tests.transcripts import Call, Transcript, dumps


def told(prompt: str = "One") -> Transcript:
    """Five records: a prompt, a reply of two records with a call, its result, a reply."""
    t = Transcript(ONE)
    t.prompt(prompt)
    t.at("+1s").reply("Looking.", [Call("Bash", {"command": "ls"}, id="c1")])
    t.at("+1s").result("c1", "out")
    t.at("+1s").reply("Done.")
    return t


def lines_of(t: Transcript) -> list[bytes]:
    return t.content().splitlines()


def test_a_hole_before_what_was_written_after_a_crash_costs_nothing(put: Put, shown: Shown) -> None:
    a, b, *rest = lines_of(told())
    put(b"\n".join([a, b, b"\0" * 5_000 + rest[0], *rest[1:]]) + b"\n")
    assert counted(shown()) == {"physicalLines": 5, "records": 5, "uniqueRecords": 5, "recoveredRecords": 1}


def test_lines_of_nothing_but_zeros_are_skipped_and_at_the_end_they_are_a_tail(put: Put, shown: Shown) -> None:
    whole = told().content()
    put(whole + b"\0" * 4_096 + b"\n" + b"\0" * 70_000)
    assert counted(shown()) == {
        "physicalLines": 7,
        "records": 5,
        "uniqueRecords": 5,
        "skippedLines": 1,
        "partialTail": True,
    }


def test_a_whole_record_behind_one_that_was_torn_anywhere_is_read(put: Put, shown: Shown) -> None:
    first, *rest = lines_of(told('He said: "see {\\"type\\": 1}" and left \\'))
    for at in range(1, len(first), 5):
        put(b"\n".join([first[:at] + rest[0], *rest[1:]]) + b"\n")
        payload = shown()
        assert (payload["coverage"]["records"], payload["coverage"]["recoveredRecords"]) == (4, 1), first[:at]
        assert outcomes(payload) == {"c1": "ok"}


def test_a_whole_record_behind_two_torn_ones_is_read(put: Put, shown: Shown) -> None:
    first, second, *rest = lines_of(told())
    put(b"\n".join([first, second[:40] + second[:70] + second, *rest]) + b"\n")
    assert counted(shown()) == {"physicalLines": 5, "records": 5, "uniqueRecords": 5, "recoveredRecords": 1}


@pytest.mark.parametrize("between", [b"", b"  ", b"\t"])
def test_records_that_lost_the_newline_between_them_are_all_read(put: Put, shown: Shown, between: bytes) -> None:
    lines = lines_of(told())
    put(between.join(lines[:3]) + b"\n" + b"\n".join(lines[3:]) + b"\n")
    payload = shown()
    assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (5, 0)
    assert outcomes(payload) == {"c1": "ok"}


def test_a_log_that_a_cut_record_quotes_gives_no_record_wherever_the_cut_is(put: Put, shown: Shown) -> None:
    t = told()
    quoted = dumps({"type": "user", "sessionId": ONE, "uuid": "q", "message": {"role": "user", "content": "a log"}})
    t.prompt(f"See {quoted} there")
    *whole, last = lines_of(t)
    for at in range(last.index(b"a log"), len(last), 3):
        put(b"\n".join([*whole, last[:at]]) + b"\n")
        payload = shown()
        assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (5, 1), last[:at]
        assert typed(payload) == ["One"]


def test_a_record_within_a_record_that_was_cut_behind_it_is_none(put: Put, shown: Shown) -> None:
    inner = {"type": "user", "sessionId": ONE, "uuid": "q", "message": {"role": "user", "content": "inner"}}
    outer = {**told().lines[0], "uuid": "o", "toolUseResult": inner, "after": "something"}  # type: ignore[dict-item]
    put(told().content() + dumps(outer).encode()[:-6] + b"\n")
    payload = shown()
    assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (5, 1)
    assert typed(payload) == ["One"]


@pytest.mark.parametrize("tail", [b"123", b"[", b'"text"', b'{"type":"custom-title","customTitle":"T\xc3'])
def test_a_last_line_that_is_no_whole_record_is_a_tail(put: Put, shown: Shown, tail: bytes) -> None:
    put(told().content() + tail)
    payload = shown()
    assert payload["coverage"]["partialTail"] is True
    assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (5, 0)
    assert payload["session"]["title"] == "One"


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e", "\r"])
def test_a_character_that_ends_lines_elsewhere_stays_in_its_text(put: Put, shown: Shown, character: str) -> None:
    put(told().content().replace(b'"One"', f'"One{character}two"'.encode(), 1))
    payload = shown()
    assert (payload["coverage"]["records"], payload["coverage"]["physicalLines"]) == (5, 5)
    assert typed(payload) == [f"One{character}two"]


@pytest.mark.parametrize("shift", range(4))
def test_no_character_breaks_at_the_border_of_a_block(put: Put, shown: Shown, shift: int) -> None:
    text = "x" * shift + "😀終é" * 40_000
    t = told()
    t.lines.clear()
    t.prompt("One")
    t.reply(None, [Call("Bash", {"command": "ls"}, id="c9")])
    t.result("c9", text, tool_use_result=None)
    put(t.content())
    assert flat(shown()["rows"])[0]["output"] == text


def test_a_file_in_another_encoding_is_skipped_line_by_line_and_opens(put: Put, shown: Shown) -> None:
    put(told().content().decode().encode("utf-16"))
    payload = shown()
    assert payload["coverage"]["records"] == 0
    assert payload["session"]["state"] == "empty"


def test_an_export_as_an_array_is_no_transcript_but_its_lines_are_read(put: Put, shown: Shown) -> None:
    put(b"[\n" + b",\n".join(lines_of(told())) + b"\n]\n")
    payload = shown()
    assert (payload["coverage"]["records"], payload["coverage"]["skippedLines"]) == (5, 2)


@pytest.mark.parametrize("message", [[], "text", 7, {str(n): c for n, c in enumerate('{"role"')}])
def test_a_message_that_is_none_is_no_reply_that_cost_anything(put: Put, shown: Shown, message: object) -> None:
    t = told()
    before = len(t.lines)
    t.record("assistant", message=message)
    put(t.content())
    payload = shown()
    assert payload["coverage"]["records"] == before + 1
    assert payload["coverage"]["degradedRecords"] == 1
    assert payload["usage"]["apiCalls"] == 2
    assert payload["context"]["tokens"] == 4


@pytest.mark.parametrize(
    "content",
    [None, [], "", [None], [5], [["a"]], {"type": "text", "text": "b"}, [{"type": "text", "text": None}], 7, True],
)
def test_a_result_of_any_form_answers_its_call(put: Put, shown: Shown, content: object) -> None:
    t = Transcript(ONE)
    t.prompt("One")
    t.at("+1s").reply(None, [Call("Bash", {"command": "ls"}, id="c1")])
    t.at("+1s").result("c1", content, tool_use_result=None)  # type: ignore[arg-type]
    put(t.content())
    (row,) = flat(shown()["rows"])
    assert (row["outcome"], row["duration"], row["output"]) == ("ok", 1_000, "")
