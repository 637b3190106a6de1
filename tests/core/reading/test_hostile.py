"""The hostile transcripts of the shared material: each count as expected, and everything still comes out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from waterglass.session import load

MENDED = ("utf8", "surrogate", "control", "nan")  # what `repairedRecords` counts; the rest is `recoveredRecords`
DEEP_BUT_READABLE = ("b02_deep_5000.jsonl",)  # some parsers from Python 3.12 on take so many levels


def faults_of(path: Path, want: dict[str, Any]) -> list[str]:
    """What differs from the expectation for one file."""
    session = load(str(path), now_ms=1_900_000_000_000)
    parts: list[bytes] = []
    session.write_json(parts.append, events=True)
    got = json.loads(b"".join(parts), parse_constant=lambda name: pytest.fail(f"{path.name}: {name}"))["coverage"]
    if path.name in DEEP_BUT_READABLE and sys.version_info >= (3, 12) and not got["skippedLines"]:
        want = {**want, "kept": want["kept"] + want["skipped"], "skipped": 0}  # a parser with room keeps it whole
    kept = got["records"] in [want["kept"], *want.get("kept_allowed", [])]
    faults = [] if kept else [f"{got['records']} records"]
    if want["skipped"] is not None and not want.get("kept_allowed") and got["skippedLines"] != want["skipped"]:
        faults.append(f"{got['skippedLines']} skipped")
    if want["partial_tail"] is not None and got["partialTail"] != bool(want["partial_tail"]):
        faults.append(f"partial tail {got['partialTail']}")
    if got["degradedRecords"] < want["degraded_min"]:
        faults.append(f"{got['degradedRecords']} degraded")
    if got["repairedRecords"] != sum(want["repaired"].get(kind, 0) for kind in MENDED):
        faults.append(f"{got['repairedRecords']} repaired")
    if "unique_events" in want and got["uniqueRecords"] != want["unique_events"]:
        faults.append(f"{got['uniqueRecords']} unique")
    return [f"{path.name}: {fault}, expected {want}" for fault in faults]


def test_every_hostile_transcript_is_read_as_expected(shared: Path, tmp_path: Path) -> None:
    maker = shared / "hostile" / "make_hostile.py"
    if not maker.exists():
        pytest.skip("no ../shared/hostile beside the checkout")
    subprocess.run([sys.executable, str(maker), str(tmp_path)], check=True, capture_output=True)
    expected = json.loads((tmp_path / "expected.json").read_text("utf-8"))
    expected = expected.get("files", expected)
    paths = sorted(tmp_path.glob("*.jsonl"))
    assert len(paths) > 50
    assert [fault for path in paths for fault in faults_of(path, expected[path.name])] == []
