"""Tables: stable types, the payload's rows, the payload's sums."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.export.exporting import NOW_MS, export, property_of, sessions, written
from tests.properties.worlds import worlds
from tests.transcripts import Call, Transcript
from waterglass.export.arrow import schema_of, table_of, to_arrow
from waterglass.export.tables import COLUMNS
from waterglass.sample import sample_root

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install waterglass[parquet]")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install waterglass[parquet]")

USAGE = ("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output")


def tables(folder: Path) -> dict[str, Any]:
    """The tables of an export, each as one, its partitions' types checked."""
    found = {}
    for name in COLUMNS:
        parts = [parquet.ParquetFile(path).read() for path in sorted(folder.glob(f"{name}/*/*.parquet"))]
        assert all(part.schema.equals(schema_of(name), check_metadata=True) for part in parts)
        found[name] = pa.concat_tables(parts)
    return found


def only(table: Any, session: str) -> list[dict[str, Any]]:
    return [row for row in table.to_pylist() if row["session"] == session]


@given(worlds())
@property_of
def test_any_session_has_each_event_and_call_once_and_the_payloads_usage(t: Transcript) -> None:
    with written(t) as root:
        (session,) = sessions(root)
        found = to_arrow(session)
        assert [row["id"] for row in found["events"].to_pylist()] == [event.id for event in session.events]
        rows = list(session.row_fields(NOW_MS))
        own = ("id", "startTime", "endTime", "duration", "outcome", "toolName", "parentAgentId", "acts", "inputTokens")
        assert [{name: row[name] for name in own} for row in found["calls"].to_pylist()] == [
            {name: row[name] for name in own} for row in rows
        ]
        replies, usage = found["replies"].to_pylist(), session.usage
        assert len({reply["id"] for reply in replies}) == len(replies)
        assert {reply["id"] for reply in session.head()["replies"]} <= {reply["id"] for reply in replies}
        (row,) = found["sessions"].to_pylist()
        for name in USAGE:
            assert sum(reply[name] for reply in replies) == row[name] == usage[name]
        assert all(table.schema.equals(schema_of(name)) for name, table in found.items())


def test_the_sample_as_files_equals_its_payloads(tmp_path: Path) -> None:
    found = tables(export(sample_root(), "parquet", tmp_path / "data", "off"))
    for session in sessions(sample_root()):
        for name, table in to_arrow(session).items():
            assert only(found[name], session.id) == table.to_pylist()
        metrics = [(m["id"], m["status"], m["value"]) for m in session.metrics]
        assert [(m["id"], m["status"], m["value"]) for m in only(found["metrics"], session.id)] == metrics
    assert found["sessions"].num_rows == len(sessions(sample_root()))


def test_files_lie_by_the_day_of_their_session_and_no_name_comes_from_one(tmp_path: Path) -> None:
    t = Transcript("..%2f..%2fetc", folder="-code").at("2026-03-02T23:59:59Z")
    t.prompt("../../up")
    t.reply(calls=[Call("../../Tool", {}, "toolu_1")])
    t.write(tmp_path / "projects")
    Transcript("no-time", folder="-code").raw({"type": "user", "message": {"role": "user", "content": "x"}}).write(
        tmp_path / "projects"
    )
    folder = export(tmp_path / "projects", "parquet", tmp_path / "data")
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    tables = {name for name in names if not name.startswith("_")}
    assert all(re.fullmatch(r"[a-z]+/day=(2026-03-02|unknown)/[0-9a-f]{24}\.parquet", name) for name in tables)
    assert {name.partition("/")[0] for name in tables} == set(COLUMNS)
    done = r"_done/[0-9a-f]{24}\.[0-9a-f]{32}\.(2026-03-02|unknown)|_waterglass\.(json|lock)"
    assert all(re.fullmatch(done, name) for name in names - tables)
    assert {"day=2026-03-02", "day=unknown"} == {path.name for path in (folder / "sessions").iterdir()}


def test_an_engine_sees_the_partitions_as_a_column(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset", reason="this pyarrow has no data sets")
    folder = export(sample_root(), "parquet", tmp_path / "data")
    read = dataset.dataset(folder / "calls", partitioning="hive").to_table()
    assert {str(day) for day in read.column("day").to_pylist()} >= {"2026-03-10"}


def test_a_value_that_a_column_cannot_hold_is_null() -> None:
    odd = {"session": 5, "id": "\ud800", "seq": 2**70, "ms": True, "warnings": [None, "a"], "ok": "yes"}
    (row,) = table_of("events", [odd]).to_pylist()
    assert (row["session"], row["id"], row["seq"], row["ms"]) == (None, "?", None, None)
    assert (row["warnings"], row["ok"]) == (["a"], None)
