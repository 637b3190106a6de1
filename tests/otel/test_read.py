"""Files of telemetry: what is none of it is counted, what is too much is left out, and what came since is read on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.told import started
from tests.export.exporting import export, lines, property_of, sessions, written
from tests.otel.conftest import Heard, Recorder
from tests.otel.test_ledger import one_call, rows_of
from tests.properties.worlds import worlds
from tests.transcripts import Transcript
from waterglass.errors import WaterglassError
from waterglass.export.hiding import Hider
from waterglass.export.spans import session_spans
from waterglass.export.told import tell
from waterglass.otel import Telemetry, read_spans
from waterglass.otel import read as reading
from waterglass.sample import sample_root
from waterglass.schema.telemetry import attributes_of


def recorded() -> Recorder:
    return one_call()[1].call("c1", 1, 61, wait=(1, 41), ran=(41, 61))


def test_lines_that_are_none_and_spans_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    recorder = recorded()
    good = recorder.lines[0]
    odd = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":7,"a":"claude_code.tool"},{"name":"x","spanId":"1"}]}]}]}'
    metrics = '{"resourceMetrics":[{"scopeMetrics":[]}]}'
    recorder.lines = ["{}", "no json", "[1]", "\x00\xff", good, "", odd, metrics, '{"resourceSpans":', "[" * 5_000]
    (count,) = Telemetry([recorder.write(tmp_path / "t.jsonl")]).heard().files
    assert (count.lines, count.bad_lines, count.bad_items) == (9, 6, 1)


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 4_000)
    recorder = recorded()
    recorder.lines.insert(0, json.dumps({"resourceSpans": [], "x": "y" * 20_000}))
    heard = Telemetry([recorder.write(tmp_path / "t.jsonl")]).heard()
    assert (heard.files[0].lines, heard.files[0].long_lines, len(heard.calls)) == (2, 1, 1)


def test_what_is_more_than_memory_should_hold_is_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_PIECES", 4)
    recorder = recorded().call("c2", 1, 2, wait=(1, 1), ran=(1, 2))
    heard = Telemetry([recorder.write(tmp_path / "t.jsonl")]).heard()
    assert heard.files[0].left_out == 2


@pytest.mark.parametrize("text", ["not OTLP\n", '{"type":"user"}\n', "\n\x00\n"])
def test_a_file_that_holds_no_telemetry_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(text)
    with pytest.raises(WaterglassError, match="no OTLP/JSON") as caught:
        Telemetry([str(file)]).heard()
    assert "not OTLP" not in str(caught.value)


@pytest.mark.parametrize("made", ["nothing", "a folder", "a pipe"])
def test_what_is_no_file_is_refused(tmp_path: Path, made: str) -> None:
    place = tmp_path / "t.jsonl"
    if made == "a folder":
        place.mkdir()
    elif made == "a pipe":
        os.mkfifo(place)
    with pytest.raises(WaterglassError, match="cannot read the telemetry"):
        Telemetry([str(place)]).heard()


def test_what_is_written_later_is_read_on_and_a_torn_line_when_it_is_whole(tmp_path: Path) -> None:
    recorder = recorded().call("c2", 1, 2)
    one, two = recorder.lines
    file = tmp_path / "t.jsonl"
    file.write_text(one + "\n" + two[:50])
    telemetry = Telemetry([str(file)])
    heard = telemetry.heard()
    assert (len(heard.calls), heard.files[0].lines, heard.files[0].bad_lines) == (1, 2, 1)
    with file.open("a") as stream:
        stream.write(two[50:] + "\n")
    heard = telemetry.heard()
    assert (len(heard.calls), heard.files[0].lines, heard.files[0].bad_lines) == (2, 2, 0)
    assert telemetry.heard() is heard
    file.write_text(two + "\n")  # another file of that name
    assert [call.call for call in telemetry.heard().calls] == ["c2"]


def test_one_file_given_twice_counts_once(tmp_path: Path) -> None:
    file = recorded().write(tmp_path / "t.jsonl")
    link = tmp_path / "link"
    link.symlink_to(file)
    assert len(Telemetry([file, file, str(link)]).heard().files) == 1


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_no_bytes_raise_anything_but_a_refusal(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]) -> None:
    file = tmp_path_factory.mktemp("bytes") / "t.jsonl"
    good = recorded().lines[0].encode()
    file.write_bytes(b"\n".join([good[:40] + part for part in parts] + parts))
    try:
        heard = Telemetry([str(file)]).heard()
    except WaterglassError:
        return
    assert heard.calls == []


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["tool_use_id", "duration_ms", "session.id", "source", "tool_name"]), values))
def test_attributes_of_any_shape_are_read_or_left_out(
    tmp_path_factory: pytest.TempPathFactory, attributes: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    span = {"name": "claude_code.tool", "startTimeUnixNano": "9" * 30, "endTimeUnixNano": -5, "attributes": pairs}
    t = started()
    (folder / "t.jsonl").write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}) + "\n")
    assert len(Telemetry([str(folder / "t.jsonl")]).heard().calls) == 1
    assert t.lines


def as_read(span: dict[str, object]) -> tuple[object, ...]:
    """A span's fields as they come back, its attributes as a dict."""
    times = (int(str(span["startTimeUnixNano"])), int(str(span["endTimeUnixNano"])))
    of = attributes_of(span["attributes"])  # type: ignore[arg-type]
    return (
        span["traceId"],
        span["spanId"],
        span.get("parentSpanId"),
        span["name"],
        span["kind"],
        times,
        of,
        span["status"],
    )


def test_spans_written_by_the_export_come_back_the_same(tmp_path: Path) -> None:
    _hold_to_the_round_trip(sample_root(), tmp_path)


@property_of
@given(worlds())
def test_spans_of_any_session_come_back_the_same(tmp_path_factory: pytest.TempPathFactory, t: Transcript) -> None:
    with written(t) as root:
        _hold_to_the_round_trip(root, tmp_path_factory.mktemp("round"))


def _hold_to_the_round_trip(root: Path, folder: Path) -> None:
    file = export(root, "otlp", folder / "spans.jsonl", level="off")
    back = [
        (s.traceId, s.spanId, s.parentSpanId, s.name, s.kind, (int(s.startTimeUnixNano), int(s.endTimeUnixNano)),
         attributes_of(s.attributes), s.status)
        for s in read_spans(str(file))
    ]  # fmt: skip
    own = [as_read(span) for session in sessions(root) for span in session_spans(tell(session, Hider("off")))]
    assert len(own) == sum(
        len(scope["spans"]) for line in lines(file) for r in line["resourceSpans"] for scope in r["scopeSpans"]
    )
    assert back == own


def test_waterglasss_own_export_tells_nothing_new(hear: Heard, tmp_path: Path) -> None:
    t, recorder = one_call()
    t.write(tmp_path / "projects")
    file = export(tmp_path / "projects", "otlp", tmp_path / "spans.jsonl")
    recorder.lines = file.read_text(encoding="utf-8").splitlines()
    session = hear(t, recorder)
    assert rows_of(session)["c1"] == (None, None, None)
    assert session.head()["time"]["toolBound"] == "at_most"
