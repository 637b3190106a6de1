"""What the tests of exports share: sessions written to a folder of their own, and exports read back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.transcripts import Transcript
from waterglass.discover import discover
from waterglass.export import Form, Reading, all_sources, export_sessions
from waterglass.redact import Level
from waterglass.session import Session, load

NOW_MS = 1_800_000_000_000
property_of = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@contextmanager
def written(*transcripts: Transcript) -> Iterator[Path]:
    """A projects folder of its own with the sessions in it; Hypothesis runs many examples in one test."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "projects"
        for t in transcripts:
            t.write(root)
        yield root


def export(root: Path | list[str], form: Form, target: Path, level: Level = "secrets", **own: Any) -> Path:
    """Export all sessions of a root, or several, without waiting for the disk: hundreds of them would wait minutes."""
    if form == "parquet":
        needs_tables()
    sources = all_sources(discover(root if isinstance(root, list) else [str(root)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda handle: None)
        export_sessions(sources, form, target, level, reading=Reading(now_ms=NOW_MS), **own)
    return target


def needs_tables() -> None:
    """Skip the test where there is no pyarrow."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install waterglass[parquet]")


def lines(path: Path) -> list[dict[str, Any]]:
    """The values of a file of JSON lines."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def sessions(root: Path) -> list[Session]:
    """The sessions of a root in the order of an export."""
    found = [source.ref for source in all_sources(discover([str(root)]))]
    return [load(ref, in_sight=found, now_ms=NOW_MS) for ref in found]
