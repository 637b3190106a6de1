"""Every line of the corpus gives the same record by the quick decode, by the slow one and by Python's own parser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from waterglass.schema.decode import REFUSED, decode_slowly, decode_typed
from waterglass.schema.loose import record_from

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("corpus")]

LINES = 46_000  # there are 46,204


def test_three_decoders_agree_on_every_field_that_is_read(shared: Path) -> None:
    compared, faults = 0, []
    for path in sorted(shared.glob("corpus/**/*.jsonl")):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            try:
                quick = decode_typed(line)
            except REFUSED:
                continue  # what is damaged has no quick record
            (slow,) = decode_slowly(line).found
            plain, lost = record_from(json.loads(line))
            compared += 1
            if not quick == slow.record == plain or slow.degraded != lost:
                faults.append(f"{path.name}:{number}")
    assert faults == []
    assert compared >= LINES
