"""Bytes to records: where lines end, what is mended, what is skipped and how each is counted."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from waterglass.errors import WaterglassError
from waterglass.model import Coverage
from waterglass.read import Position, RecordReader, read_bytes
from waterglass.schema import decode

ONE = b'{"type":"user","uuid":"one","sessionId":"s","message":{"role":"user","content":"first"}}'
TWO = b'{"type":"user","uuid":"two","sessionId":"s","message":{"role":"user","content":"second"}}'
SNAPSHOT = b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}'


@dataclass
class Got:
    """What reading gave: texts of messages (or types of records), where they stand, and the counts."""

    said: list[Any]
    places: list[tuple[int, int, int]]
    coverage: Coverage
    tail: Coverage
    position: Position

    @property
    def counts(self) -> dict[str, int | bool]:
        """All counts that are not zero, tail included."""
        total = self.coverage + self.tail
        names = ("blank_lines", "skipped_lines", "recovered_records", "repaired_records", "degraded_records")
        found: dict[str, int | bool] = {"lines": total.physical_lines, "records": total.records}
        found |= {name: count for name in names if (count := getattr(total, name))}
        return found | ({"partial_tail": True} if total.partial_tail else {})

    @property
    def reasons(self) -> list[str]:
        """What the problems say, without the numbers."""
        return [p.message.split(",")[0] for p in self.coverage.problems]


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Return `read(data)`: the records of a file that holds these bytes."""

    def read(data: bytes, start: Position | None = None) -> Got:
        path = tmp_path / "t.jsonl"
        path.write_bytes(data)
        reader = RecordReader(str(path), "main", start)
        found = list(reader)
        said = [r.message.content if r.message is not None else r.type for r, *_ in found]
        places = [(offset, length, line) for _, offset, length, line, _ in found]
        return Got(said, places, reader.coverage, reader.tail, reader.position)

    return read


def test_lines_end_at_the_line_feed_and_a_carriage_return_before_it_is_nothing(read: Any) -> None:
    got = read(ONE + b"\r\n" + TWO + b"\r\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2}
    assert got.places == [(0, len(ONE) + 1, 1), (len(ONE) + 2, len(TWO) + 1, 2)]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_no_other_line_end_of_unicode_ends_a_line(read: Any, mark: str) -> None:
    got = read(ONE.replace(b"first", f"a{mark}b".encode()) + b"\n" + TWO + b"\n")
    assert got.said == [f"a{mark}b", "second"]
    assert got.counts == {"lines": 2, "records": 2}


def test_a_carriage_return_alone_joins_records_to_one_line(read: Any) -> None:
    got = read(ONE + b"\r" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 1, "records": 2, "recovered_records": 1}


def test_a_byte_order_mark_at_the_start_is_dropped_and_is_no_repair(read: Any) -> None:
    got = read(b"\xef\xbb\xbf" + ONE + b"\n" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2}
    assert got.places[0] == (3, len(ONE), 1)


def test_a_byte_order_mark_on_a_later_line_is_mended(read: Any) -> None:
    got = read(ONE + b"\n\xef\xbb\xbf" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2, "repaired_records": 1}


def test_a_hole_of_nul_bytes_before_a_record_is_stepped_over(read: Any) -> None:
    got = read(ONE + b"\n" + bytes(4096) + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2, "recovered_records": 1}


def test_records_on_both_sides_of_a_hole_of_nul_bytes_are_both_recovered(read: Any) -> None:
    got = read(ONE + b"\0\0" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 1, "records": 2, "recovered_records": 2}


def test_a_line_of_nul_bytes_alone_is_skipped(read: Any) -> None:
    got = read(bytes(64) + b"\n" + ONE + b"\n")
    assert got.said == ["first"]
    assert got.counts == {"lines": 2, "records": 1, "skipped_lines": 1}


def test_nul_bytes_at_the_end_are_a_tail_that_is_not_written_yet(read: Any) -> None:
    got = read(ONE + b"\n" + bytes(4096))
    assert got.said == ["first"]
    assert got.counts == {"lines": 2, "records": 1, "partial_tail": True}
    assert got.position == Position(len(ONE) + 1, 1)


def test_blank_lines_are_counted_and_are_no_fault(read: Any) -> None:
    got = read(b"\n \t \n\r\n" + ONE + b"\n\n")
    assert got.counts == {"lines": 5, "records": 1, "blank_lines": 4}
    assert got.coverage.problems == []


def test_an_empty_file_has_no_line(read: Any) -> None:
    assert read(b"").counts == {"lines": 0, "records": 0}


def test_a_whole_last_line_without_its_end_is_a_record_but_is_not_passed(read: Any) -> None:
    got = read(ONE + b"\n" + TWO)
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2}
    assert got.position == Position(len(ONE) + 1, 1)


def test_a_last_line_cut_at_any_byte_is_a_partial_tail_and_no_skipped_line(read: Any) -> None:
    last = TWO.replace(b"second", "zweité €😀".encode())
    for cut in range(1, len(last)):
        got = read(ONE + b"\n" + last[:cut])
        assert got.counts == {"lines": 2, "records": 1, "partial_tail": True}, cut
        assert got.coverage.problems == []


@pytest.mark.parametrize("torn", [TWO[:7], TWO[:60], b"\0\0", b"\0" + TWO[:7]])
def test_a_torn_piece_behind_a_record_of_the_last_line_is_a_partial_tail_and_the_record_counts(
    read: Any, torn: bytes
) -> None:
    got = read(TWO + b"\n" + ONE + torn)
    assert got.said == ["second", "first"]
    assert got.counts == {"lines": 2, "records": 2, "recovered_records": 1, "partial_tail": True}
    assert got.position == Position(len(TWO) + 1, 1)


def test_a_torn_record_before_a_whole_one_at_the_end_leaves_no_partial_tail(read: Any) -> None:
    assert read(TWO[:50] + ONE).counts == {"lines": 1, "records": 1, "recovered_records": 1}


def test_a_torn_record_before_a_whole_one_costs_only_itself(read: Any) -> None:
    got = read(ONE + b"\n" + TWO[:50] + ONE.replace(b"first", b"third") + b"\n" + TWO + b"\n")
    assert got.said == ["first", "third", "second"]
    assert got.counts == {"lines": 3, "records": 3, "recovered_records": 1}
    assert got.places[1][0] == len(ONE) + 1 + 50


def test_a_torn_record_behind_a_whole_one_costs_only_itself(read: Any) -> None:
    got = read(ONE + TWO[:50] + b"\n" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 2, "records": 2, "recovered_records": 1}


def test_a_message_inside_a_torn_record_is_no_record(read: Any) -> None:
    got = read(b'{"type":"user","sessionId":"s","message":{"type":"message","role":"user","content":"x"}\n')
    assert got.said == []
    assert got.counts == {"lines": 1, "records": 0, "skipped_lines": 1}
    assert got.reasons == ["line skipped: bad_json"]


def test_records_glued_together_are_all_read_and_all_but_the_first_are_recovered(read: Any) -> None:
    got = read(ONE + SNAPSHOT + b" " + TWO + b"\n")
    assert got.said == ["first", "file-history-snapshot", "second"]
    assert got.counts == {"lines": 1, "records": 3, "recovered_records": 2}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (b"caf\xe9", "caf�"),
        (b"a\x00b", "a\0b"),
        (b"a\x1b[31mb", "a\x1b[31mb"),
        (b"a\tb", "a\tb"),
        (b"x\\ud83dy", "x�y"),
        (b"x\\ude00\\ud83dy", "x��y"),
    ],
)
def test_a_text_that_no_strict_parser_takes_is_mended(read: Any, wrong: bytes, said: str) -> None:
    got = read(ONE.replace(b"first", wrong) + b"\n")
    assert got.said == [said]
    assert got.counts == {"lines": 1, "records": 1, "repaired_records": 1}
    assert got.reasons == [f"line mended: {got.reasons[0].split(': ')[1]}"]


def test_a_whole_pair_of_surrogate_escapes_is_a_character_and_no_fault(read: Any) -> None:
    got = read(ONE.replace(b"first", b"\\ud83d\\ude00") + b"\n")
    assert got.said == ["😀"]
    assert got.counts == {"lines": 1, "records": 1}


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity"])
def test_a_number_that_json_does_not_have_becomes_unknown(read: Any, word: bytes) -> None:
    got = read(b'{"type":"system","subtype":"api_error","retryAttempt":' + word + b"}\n")
    assert got.said == ["system"]
    assert got.counts == {"lines": 1, "records": 1, "repaired_records": 1, "degraded_records": 1}


@pytest.mark.parametrize("number", [b"9223372036854775808", b"-1", b"1e400", b"9" * 5000, b"1.5", b'"12"'])
def test_a_count_out_of_its_range_is_left_out_and_the_record_kept(read: Any, number: bytes) -> None:
    usage = (
        b'{"type":"assistant","message":{"content":"hi","usage":{"input_tokens":' + number + b',"output_tokens":7}}}\n'
    )
    got = read(usage)
    assert got.said == ["hi"]
    assert got.coverage.records == 1
    assert got.coverage.degraded_records == 1


@pytest.mark.parametrize("number", [b"12.0", b"1.2e1"])
def test_a_whole_number_may_be_written_as_a_fraction(read: Any, number: bytes) -> None:
    got = read(b'{"type":"assistant","message":{"content":"hi","usage":{"input_tokens":' + number + b"}}}\n")
    assert got.counts == {"lines": 1, "records": 1}


def nested(levels: int) -> bytes:
    return b'{"type":"new","x":' + b"[" * levels + b"]" * levels + b"}\n"


def test_nesting_of_five_thousand_levels_is_read_whole_or_skipped_by_name(read: Any) -> None:
    got = read(nested(5_000) + ONE + b"\n")
    skipped = (["first"], {"lines": 2, "records": 1, "skipped_lines": 1}, ["line skipped: too_deep"])
    whole = (["new", "first"], {"lines": 2, "records": 2}, [])
    # From Python 3.12 on a parser goes as deep as its version and its stack have room.
    assert (got.said, got.counts, got.reasons) in ([skipped] if sys.version_info < (3, 12) else [skipped, whole])


def test_nesting_of_five_hundred_levels_is_read_and_of_two_hundred_thousand_is_skipped_by_name(read: Any) -> None:
    got = read(nested(500) + nested(200_000) + b"[" * 100_000 + b"\n" + ONE + b"\n")
    assert got.said == ["new", "first"]
    assert got.counts == {"lines": 4, "records": 2, "skipped_lines": 2}
    assert got.reasons == ["line skipped: too_deep"] * 2


def test_brackets_in_a_text_are_no_depth(read: Any) -> None:
    got = read(ONE.replace(b"first", b"[" * 2_000) + b"\n")
    assert got.counts == {"lines": 1, "records": 1}


@pytest.mark.parametrize("line", [b"[]", b"null", b"123", b'"text"', b"true", b"[{}]"])
def test_json_that_is_no_object_is_skipped(read: Any, line: bytes) -> None:
    got = read(line + b"\n")
    assert got.counts == {"lines": 1, "records": 0, "skipped_lines": 1}
    assert got.reasons == ["line skipped: not_object"]


@pytest.mark.parametrize("line", [b"// note", b"{'a':1}", b'{"a":1,}', b"{a:1}", b"<html>", b"%PDF-1.7"])
def test_what_is_no_json_is_skipped(read: Any, line: bytes) -> None:
    got = read(line + b"\n")
    assert got.counts == {"lines": 1, "records": 0, "skipped_lines": 1}
    assert got.reasons == ["line skipped: bad_json"]


@pytest.mark.parametrize("line", [b"{}", b'{"type":null}', b'{"type":5}'])
def test_a_record_without_a_type_is_kept_and_degraded(read: Any, line: bytes) -> None:
    assert read(line + b"\n").counts == {"lines": 1, "records": 1, "degraded_records": 1}


@pytest.mark.parametrize("id", [b"", b"../../x", b"a\\u0000b", b"a" * 250])
@pytest.mark.parametrize("kind", [b"user", b"system"])
def test_a_record_whose_session_cannot_be_the_name_of_a_file_is_degraded_each_time(
    read: Any, id: bytes, kind: bytes
) -> None:
    odd = b'{"type":"' + kind + b'","sessionId":"' + id + b'"}\n'
    fine = b'{"type":"' + kind + b'","sessionId":"' + b"a" * 249 + b'"}\n'
    got = read(odd + odd + fine + odd + b'{"type":"user","sessionId":null}\n' + odd[:-1])
    assert got.counts == {"lines": 6, "records": 6, "degraded_records": 4}


def test_the_last_of_equal_keys_counts(read: Any) -> None:
    assert read(ONE[:-1] + b',"message":{"content":"later"}}\n').said == ["later"]


def test_escaped_keys_are_keys(read: Any) -> None:
    assert read(b'{"\\u0074ype":"user","message":{"content":"hi"}}\n').said == ["hi"]


def test_a_problem_names_the_place_and_the_size_but_no_content(read: Any) -> None:
    (problem,) = read(ONE + b"\n" + b"secret text\n").coverage.problems
    assert (problem.code, problem.file, problem.line, problem.offset) == ("skipped_line", "main", 2, len(ONE) + 1)
    assert problem.message == "line skipped: bad_json, 11 bytes"


def test_very_many_problems_are_only_counted(read: Any) -> None:
    got = read(b"x\n" * 1_000)
    assert len(got.coverage.problems) == Coverage.MOST_PROBLEMS
    assert got.coverage.problems_left_out == 1_000 - Coverage.MOST_PROBLEMS
    assert got.coverage.skipped_lines == 1_000


def test_a_line_longer_than_the_block_is_read_whole(read: Any) -> None:
    long = ONE.replace(b"first", b"x" * 2_500_000)
    got = read(TWO + b"\n" + long + b"\n" + TWO + b"\n")
    assert [len(text) for text in got.said] == [6, 2_500_000, 6]
    assert got.places[1] == (len(TWO) + 1, len(long), 2)


def test_a_line_above_the_limit_is_dropped_while_it_streams_by(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waterglass.read.MAX_LINE", 1 << 20)
    long = ONE.replace(b"first", b"x" * (5 << 20))
    got = read(ONE + b"\n" + long + b"\n" + TWO + b"\n")
    assert got.said == ["first", "second"]
    assert got.counts == {"lines": 3, "records": 2, "skipped_lines": 1}
    assert got.reasons == ["line skipped: too_large"]
    assert got.coverage.bytes == len(ONE) + len(long) + len(TWO) + 3


def test_bytes_read_and_left_are_the_size_of_the_file(read: Any) -> None:
    data = ONE + b"\n\nbad\n" + TWO + ONE + b"\n" + TWO[:20]
    got = read(data)
    assert got.coverage.bytes + got.tail.bytes == len(data)


@pytest.mark.parametrize(
    "data", [ONE, ONE[:-1], b"\xef\xbb\xbf" + ONE, b"\0\0" + ONE, ONE.replace(b"first", b"\\ud800")]
)
def test_the_quick_way_and_the_slow_way_give_the_same_record(data: bytes) -> None:
    quick, slow = decode.decode_line(data), decode.decode_slowly(data)
    assert [f.record for f in quick.found] == [f.record for f in slow.found]
    assert [(f.degraded, f.recovered, f.repaired) for f in quick.found] == [
        (f.degraded, f.recovered, f.repaired) for f in slow.found
    ]


def test_only_a_regular_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "target.jsonl").write_bytes(ONE)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "target.jsonl")
    for name, what in (("link.jsonl", "cannot read"), ("gone.jsonl", "No such file"), ("", "regular")):
        with pytest.raises(WaterglassError) as error:
            list(RecordReader(str(tmp_path / name), "main"))
        assert what in str(error.value)


def test_bytes_of_a_file_that_has_shrunk_are_fewer(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"0123456789")
    assert read_bytes(str(path), 2, 3) == b"234"
    assert read_bytes(str(path), 8, 100) == b"89"
    assert read_bytes(str(path), 20, 5) == b""


def test_a_record_is_found_again_by_its_place(read: Any, tmp_path: Path) -> None:
    got = read(b"\xef\xbb\xbf" + ONE + b"\n" + b"\0\0" + TWO + SNAPSHOT + b"\n" + ONE[:30] + TWO + b"\n")
    assert got.coverage.records == 4
    for (offset, length, _), said in zip(got.places, got.said, strict=True):
        piece = read_bytes(str(tmp_path / "t.jsonl"), offset, length)
        ((_, again),) = decode.decode_objects(piece)
        assert again.get("message", {}).get("content", again["type"]) == said
        assert json.dumps(again)
