"""Laws between two readings: of a part and the whole, in other pieces, in another order; and sums inside one."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus.shapes import flat
from tests.properties.test_sessions import derive, property_of, read, resumed, written
from tests.properties.worlds import DAMAGED, SESSION, texts, worlds
from tests.transcripts import Call, Transcript, dumps
from waterglass.load import open_transcript, read_on
from waterglass.read import RecordReader

SUMMED = ("apiCalls", "input", "output", "cacheRead", "cacheCreation", "cacheCreation1h")
GROWING = ("records", "physicalLines", "blankLines", "skippedLines", "recoveredRecords", "repairedRecords", "bytes")

lines_of_a_file = st.lists(
    st.sampled_from([dumps({"type": "user", "sessionId": "s", "n": n}).encode() for n in range(3)])
    | st.sampled_from(DAMAGED)
    | st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")),
    max_size=12,
)


def records(path: Path) -> tuple[list[Any], RecordReader]:
    reader = RecordReader(str(path), "main")
    return list(reader), reader


@given(worlds(), st.lists(st.floats(0, 1), min_size=2, max_size=6))
@property_of
def test_reading_in_many_parts_equals_reading_whole(t: Transcript, places: list[float]) -> None:
    with written(t) as root:
        ref = read(root).ref
        whole = derive([resumed(file, []) for file in ref.files])
        cuts = {file.key: sorted(round(place * file.size) for place in places) for file in ref.files}
        assert derive([resumed(file, cuts[file.key]) for file in ref.files]) == whole


@given(lines_of_a_file, st.integers(1, 70), st.booleans())
@property_of
def test_the_size_of_the_buffer_does_not_matter(lines: list[bytes], block: int, ended: bool) -> None:
    with written() as root, pytest.MonkeyPatch.context() as patch:
        root.mkdir()
        path = root / "t.jsonl"
        path.write_bytes(b"\n".join(lines) + b"\n" * ended)
        whole, one = records(path)
        patch.setattr("waterglass.read.BLOCK", block)
        again, other = records(path)
        assert again == whole
        assert (other.coverage, other.tail, other.position) == (one.coverage, one.tail, one.position)


@given(lines_of_a_file, st.booleans())
@property_of
def test_each_line_is_blank_or_skipped_or_gave_a_record(lines: list[bytes], ended: bool) -> None:
    with written() as root:
        root.mkdir()
        path = root / "t.jsonl"
        path.write_bytes(b"\n".join(lines) + b"\n" * ended)
        found, reader = records(path)
        total = reader.coverage + reader.tail
        gave = len({line for _, _, _, line, _ in found})
        assert total.physical_lines == total.blank_lines + total.skipped_lines + total.partial_tail + gave
        assert total.records == len(found) >= gave
        assert total.bytes == path.stat().st_size
        for (_, offset, length, _, _), (_, after, _, _, _) in pairwise(found):
            assert offset + length <= after


@given(worlds(), st.data())
@property_of
def test_what_was_read_of_a_beginning_stays_when_more_is_written(t: Transcript, data: st.DataObject) -> None:
    with written(t) as root:
        whole = read(root)
        file = next(file for file in whole.ref.files if file.kind == "main")
        path, rows = Path(file.path), {row.id for row in whole.rows}
        content = path.read_bytes()
        last = open_transcript(file)
        read_on(last)
        after = whole.head()["coverage"]
        ends = [n + 1 for n, byte in enumerate(content) if byte == 10]
        for end in sorted(data.draw(st.sets(st.sampled_from(ends), max_size=3))):
            path.write_bytes(content[:end])
            first = open_transcript(file)
            read_on(first)
            assert last.events[: len(first.events)] == first.events
            part = read(root)
            assert {row.id for row in part.rows} <= rows
            before = part.head()["coverage"]
            assert all(before[name] <= after[name] for name in GROWING)


@given(worlds())
@property_of
def test_the_sums_of_the_usage_agree(t: Transcript) -> None:
    with written(t) as root:
        usage = read(root).usage
        for name in SUMMED:
            assert usage[name] == usage["main"][name] + usage["agents"][name], name
            assert usage[name] == sum(spent[name] for spent in usage["byModel"].values()), name


@given(worlds())
@property_of
def test_children_lie_inside_their_parents(t: Transcript) -> None:
    with written(t) as root:
        for row in flat(read(root).payload()["rows"]):
            for child in row["children"]:
                if None not in (row["startTime"], child["startTime"]):
                    assert child["startTime"] >= row["startTime"]
                if None not in (row["endTime"], child["endTime"]):
                    assert child["endTime"] <= row["endTime"]


@given(st.data(), st.lists(st.tuples(texts, st.sampled_from([None, False, True])), min_size=2, max_size=6))
@property_of
def test_the_order_of_results_does_not_matter_not_even_before_their_call(
    data: st.DataObject, answers: list[tuple[str, bool | None]]
) -> None:
    t = Transcript(SESSION)
    t.prompt("Go")
    calls = [Call("Read", {"file_path": f"/code/demo/{n}"}, f"toolu_{n:02d}") for n in range(len(answers))]
    t.reply(calls=calls, one_record_per_block=False)
    for call, (text, is_error) in zip(calls, answers, strict=True):
        t.result(str(call.id), text, is_error=is_error)
    t.at("+1s").reply("Done.")
    first, *middle, last = t.lines
    with written(t) as root:
        told = json.dumps(shown(root))
        t.lines = [first, *data.draw(st.permutations(middle)), last]
        t.write(root)
        assert json.dumps(shown(root)) == told


def shown(root: Path) -> Any:
    """The rows, but for the places in the file that bear them out, and the usage."""
    payload = read(root).payload()
    return [{k: v for k, v in row.items() if k != "evidence"} for row in payload["rows"]], payload["usage"]
