"""Hostile transcripts cost no export, and no file of another format is broken by them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export.exporting import export, lines, needs_tables, property_of, sessions, written
from tests.export.test_otlp import hold_to_the_format as hold_spans
from tests.export.test_otlp import hold_to_the_payloads, spans
from tests.export.test_perfetto import hold_to_nesting, traced
from tests.export.test_perfetto import hold_to_the_format as hold_trace
from tests.transcripts import Call, Transcript, used

# What a transcript may hold as a name, an id, a model, a title or a path.
AWKWARD = (
    "",
    " ",
    "\x00",
    "\x1b[2J",
    "\u2028",
    "\ud800",
    "../../x",
    "a" * 3_000,
    "NaN",
    '"}],"x":[{',
    "]}\n{",
    "🤷",
    "#",
)
words = st.one_of(st.sampled_from(AWKWARD), st.text(max_size=8))
numbers = st.one_of(st.sampled_from((-1, 0, 2**31, 2**53 + 1, 2**63, 10**30, True, None, "7", 1.5)), st.integers())


@st.composite
def odd_sessions(draw: st.DrawFn) -> Transcript:
    """A session whose ids, names, models, counts and titles are whatever comes."""
    t = Transcript("5e551044-0000-4000-8000-00000000000a", cwd="/code/" + draw(words), folder="-code").at(
        "2026-03-02T09:00:00Z"
    )
    t.title(draw(words), "custom")
    t.prompt(draw(words))
    for _ in range(draw(st.integers(1, 3))):
        call = Call(draw(words), {draw(words): draw(numbers)}, draw(words))
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
        usage = used() | {name: draw(numbers) for name in names}
        given = {"usage": usage, "model": draw(words), "message_id": draw(words), "one_record_per_block": False}
        t.at("+1s").reply(draw(words), [call], **given)
        t.at("+1s").result(str(call.id), draw(words))
    return t


def as_written(t: Transcript) -> Transcript:
    """The transcript with lone surrogates as the escapes that a JSON writer makes of them."""
    t.lines = [json.dumps(line).encode() if isinstance(line, dict) else line for line in t.lines]
    return t


@given(odd_sessions())
@property_of
def test_any_name_id_and_number_leaves_each_format_whole(t: Transcript) -> None:
    with written(as_written(t)) as root:
        (session,) = sessions(root)
        found = spans(root, root.parent)
        hold_spans(found)
        hold_to_the_payloads(spans(root, root.parent, level="off"), root)
        events = traced(root, root.parent)
        hold_trace(events)
        hold_to_nesting(events)
        assert len(lines(export(root, "jsonl", root.parent / "events.jsonl"))) == len(session.events)


@given(odd_sessions())
@property_of
def test_any_name_id_and_number_fits_the_tables(t: Transcript) -> None:
    needs_tables()
    from waterglass.export.arrow import to_arrow

    with written(as_written(t)) as root:
        (session,) = sessions(root)
        found = to_arrow(session)
        assert found["events"].num_rows == len(session.events)
        assert found["calls"].num_rows == len(session.rows)


@pytest.fixture(scope="module")
def hostile_set(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A projects folder with the shared hostile set as one project."""
    root = tmp_path_factory.mktemp("hostile") / "projects"
    maker = shared / "hostile" / "make_hostile.py"
    subprocess.run([sys.executable, str(maker), str(root / "-set")], check=True, capture_output=True)
    return root


def test_the_hostile_set_comes_out_in_every_form(hostile_set: Path, tmp_path: Path) -> None:
    told = sessions(hostile_set)
    assert len(told) > 50
    found: list[Any] = lines(export(hostile_set, "jsonl", tmp_path / "events.jsonl"))
    assert len(found) == sum(len(one.events) for one in told)
    hold_spans(spans(hostile_set, tmp_path))
    events = traced(hostile_set, tmp_path)
    hold_trace(events)
    hold_to_nesting(events)


def test_the_hostile_set_fits_the_tables(hostile_set: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install waterglass[parquet]")
    folder = export(hostile_set, "parquet", tmp_path / "data")
    rows = sum(parquet.ParquetFile(path).metadata.num_rows for path in folder.glob("calls/*/*.parquet"))
    assert rows == sum(len(one.rows) for one in sessions(hostile_set))
