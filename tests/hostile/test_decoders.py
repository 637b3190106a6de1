"""The quick decode and the slow one give the same record, whatever stands in a field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.schema.test_any_value import NAMES, RECORDS, VALUES, json_values, places, with_value
from tests.hostile.damage import is_json_object
from tests.transcripts import dumps
from waterglass.schema.decode import REFUSED, decode_line, decode_slowly, decode_typed
from waterglass.schema.loose import record_from

TIMES = (
    "2026-03-02T09:00:00Z",
    "2026-03-02 09:00:00",
    "2026-03-02T09:00:00.123456789+14:00",
    "1970-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999-14:00",
    "2026-13-45T99:99:99Z",
    "yesterday",
    1_772_442_000,
    1_772_442_000_000.5,
    -1,
    1e300,
)


def faults_of(record: Any) -> list[str]:
    """How the decoders differ on one record, which Python's own parser reads too if it is strict JSON."""
    line = dumps(record).encode()
    (found,) = decode_line(line).found
    (slow,) = decode_slowly(line).found
    faults = [] if repr(found) == repr(slow) else [f"{found} by the slow way {slow}"]
    if is_json_object(line):
        plain, lost = record_from(json.loads(line))
        if repr(plain) != repr(slow.record) or lost != slow.degraded:
            faults.append(f"{slow} by Python {plain} {lost}")
    return faults


@pytest.mark.parametrize("number", range(len(RECORDS)), ids=NAMES)
def test_any_value_in_any_field_is_decoded_alike(number: int) -> None:
    for path in places(RECORDS[number]):
        for value in VALUES:
            assert faults_of(with_value(RECORDS[number], path, value)) == [], (path, value)


@pytest.mark.parametrize("time", TIMES)
def test_a_time_in_any_form_is_decoded_alike(time: Any) -> None:
    assert faults_of(with_value(RECORDS[0], ("timestamp",), time)) == []


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_json_in_any_field_is_decoded_alike(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(RECORDS))
    path = data.draw(st.sampled_from(list(places(record))))
    assert faults_of(with_value(record, path, data.draw(json_values))) == []


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_the_quick_decode_takes_is_json_and_nothing_is_mended_unsaid(data: st.DataObject) -> None:
    line = bytearray(dumps(data.draw(st.sampled_from(RECORDS))).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line) - 1))
        line[at : at + data.draw(st.integers(0, 1))] = data.draw(st.binary(max_size=2) | st.sampled_from([b"\\ud83d"]))
    try:
        decode_typed(bytes(line))
    except REFUSED:
        return
    assert is_json_object(bytes(line))
