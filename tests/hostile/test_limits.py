"""How deep, how many and how long: limits that are the same for every caller, and work that grows with the line."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from waterglass.schema import decode
from waterglass.schema.bodies import record_object
from waterglass.schema.json import encode
from waterglass.schema.sidecars import read_sidecar

LIMIT = sys.getrecursionlimit()
LEFT = 120  # frames that stay free below a deep caller: enough to read a line
HANGS = 60  # seconds; what is linear takes a small part of one, what is not takes minutes


def from_deep_down(work: Callable[[], Any]) -> Any:
    """Call `work` from a stack that has room for few frames more."""
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]

    def down(levels: int) -> Any:
        return work() if levels == 0 else down(levels - 1)

    return down(LIMIT - depth - LEFT)


def lists(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def objects(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def spaced(levels: int) -> bytes:
    """Lists in lists with so much between them that no short run of brackets shows the depth."""
    return b'["some words of text", ' * levels + b"0" + b" ]" * levels


def in_an_unread_field(value: bytes) -> bytes:
    return b'{"type":"new","sessionId":"s","x":' + value + b"}"


def in_a_read_field(value: bytes) -> bytes:
    block = b'{"type":"tool_use","id":"c","name":"Odd","input":' + value + b"}"
    return b'{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[' + block + b"]}}"


PLACES = {in_an_unread_field: 1, in_a_read_field: 4}  # brackets around the value


def reasons(line: bytes) -> tuple[str | None, str | None]:
    """Why a line was skipped: from here, and from far down a stack."""
    return decode.decode_line(line).reason, from_deep_down(lambda: decode.decode_line(line).reason)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("nest", [lists, objects, spaced])
def test_512_levels_are_kept_wherever_the_caller_stands_and_many_more_are_too_deep(
    place: Callable[[bytes], bytes], nest: Callable[[int], bytes]
) -> None:
    most = decode.MAX_DEPTH - PLACES[place]
    assert reasons(place(nest(most))) == (None, None)
    for levels in (200_000, 400_000):  # more than any parser takes
        assert reasons(place(nest(levels))) == ("too_deep", "too_deep")


def test_a_little_more_than_512_levels_is_refused_or_kept_whole_as_the_interpreter_has_room() -> None:
    line = in_a_read_field(lists(600))
    # Up to 3.11 levels of a parser and frames of Python share one limit; from 3.12 on parsers have one of their own.
    refused = "too_deep" if sys.version_info < (3, 12) else None
    found = from_deep_down(lambda: decode.decode_line(line))
    assert found.reason == refused
    assert found == (decode.decode_line(line) if refused is None else decode.Decoded(reason="too_deep"))


def test_a_deep_value_is_the_same_record_for_every_caller() -> None:
    line = in_a_read_field(lists(508))
    here = decode.decode_line(line)
    assert from_deep_down(lambda: decode.decode_line(line)) == here
    assert (here.found[0].repaired, here.found[0].recovered, here.found[0].degraded) == (False, False, False)


@pytest.mark.parametrize("damage", [b"\\ud83d", b"caf\xe9", b"a\x01b"])
def test_a_deep_value_on_a_line_to_mend_is_kept_too(damage: bytes) -> None:
    line = in_an_unread_field(lists(509) + b',"text":"' + damage + b'"')
    assert reasons(line) == (None, None)
    assert decode.decode_line(line).found[0].repaired
    assert reasons(in_an_unread_field(lists(512) + b',"text":"' + damage + b'"')) == ("too_deep", "too_deep")


def test_brackets_in_texts_and_brackets_side_by_side_are_no_depth() -> None:
    text = b'"' + b'[{\\"' * 5_000 + b'"'
    assert reasons(in_an_unread_field(text)) == (None, None)
    assert reasons(in_an_unread_field(b"[" + b"[],{}," * 5_000 + b"0]")) == (None, None)


def test_the_body_of_a_deep_record_is_read_and_written_by_every_caller() -> None:
    line = in_a_read_field(lists(508))
    record = record_object(line)
    assert record is not None
    assert from_deep_down(lambda: record_object(line)) == record
    assert from_deep_down(lambda: encode(record)) == encode(record) == line
    assert record_object(in_a_read_field(lists(509))) is None


def test_lone_surrogates_deep_down_are_written_as_the_replacement() -> None:
    value: Any = "\ud83d"
    for _ in range(508):
        value = [value]
    assert from_deep_down(lambda: encode(value)) == b"[" * 508 + '"\ufffd"'.encode() + b"]" * 508


def test_reading_deep_lines_in_many_threads_leaves_the_limit_as_it_was() -> None:
    found: list[str | None] = []
    line = in_a_read_field(lists(508) + b',"text":"\\ud83d"')

    def work() -> None:
        for _ in range(40):
            found.append(from_deep_down(lambda: decode.decode_line(line).reason))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [None] * 160
    assert sys.getrecursionlimit() == LIMIT


def test_a_line_of_very_many_values_is_refused_before_it_takes_memory() -> None:
    many = b"[" + b"{}," * (decode.MAX_VALUES // 2 + 10) + b"0]"
    assert decode.decode_line(in_an_unread_field(many)).reason == "too_large"
    assert decode.decode_line(in_an_unread_field(b'"' + b"{}," * decode.MAX_VALUES + b'"')).reason is None


def test_a_line_of_very_many_objects_is_refused() -> None:
    few = decode.decode_line(b"{}" * 1_000)
    assert (few.reason, len(few.found)) == (None, 1_000)
    assert decode.decode_line(b"{}" * 100_001).reason == "too_large"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("escaped quotes of a text without its end", b"[" * 600 + b"]" * 600 + b'"' + b'\\"' * 400_000),
        ("unclosed records", b'{"type":"user","x":[' * 250 + b"0," * 200_000),
        ("unclosed records that each hold much", (b'{"type":"user","x":["' + b"t" * 4_000 + b'",') * 250),
        ("records glued together", b'{"type":"user","sessionId":"s"}' * 20_000),
        ("NUL bytes", bytes(60_000_000)),
        ("a text and NUL bytes", b'{"x":"' + bytes(8_000_000)),
        ("spaces between two objects", b"{}" + b" " * 8_000_000 + b"{}"),
        ("braces and spaces", b"{" + b"{ " * 500 + b" " * 4_000_000 + b'"'),
        ("small values", b'{"a":[' + b"{}," * 10_000_000 + b"0]}"),
        ("lists side by side", b'{"a":[' + b"[]," * 150_000 + b"0]}"),
        ("commas", b"{" + b"," * 4_000_000),
        ("half surrogates", b'{"a":["' + b"\\ud83d" * 300_000 + b'"]}'),
        ("bad bytes", b'{"a":"' + b"\xff" * 4_000_000 + b'"}'),
        ("digits", b'{"a":' + b"9" * 4_000_000 + b"}"),
        ("backslashes", b'{"a":"' + b"\\" * 4_000_001),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_long_damaged_line_does_not_hang(name: str, line: bytes) -> None:
    decoded = decode.decode_line(line)
    assert decoded.found or decoded.reason, name


@pytest.mark.parametrize(
    "before", [b"\xef\xbb\xbf", b"\0\0", b'{"type":"user","uuid":"\xff\xfe\xe2\x82","sessionId":"s"}', b'{"type":"t{']
)
def test_records_on_a_damaged_line_stand_where_their_bytes_stand(before: bytes) -> None:
    record = b'{"type":"user","uuid":"u","sessionId":"s","x":{"y":"\xe9{{"}}'
    line = before + record + b" " + record
    starts = [found.start for found in decode.decode_line(line).found]
    assert starts[-1] == line.rindex(b'{"type"')
    if before.startswith(b'{"type":"user"'):
        assert starts == [0, len(before), len(before) + len(record) + 1]


def test_a_sidecar_with_half_an_emoji_still_names_its_call() -> None:
    found = read_sidecar(b'{"agentType":"Explore","description":"cut \\ud83d","toolUseId":"c1"}')
    assert found is not None
    assert (found.tool_use_id, found.description) == ("c1", "cut \ufffd")
