"""Tables of one session as Parquet files, looked through once more when all its secrets are known."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from waterglass.errors import WaterglassError
from waterglass.export.arrow import arrow, schema_of, session_tables
from waterglass.export.hiding import OUR_WORDS, Hider, Part, SecondLook
from waterglass.export.tables import COLUMNS
from waterglass.payload import encode
from waterglass.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

_AS = "input"  # the name under which redaction takes all names of fields for the transcript's own
_MOST_BYTES = 8 << 20  # of events that wait to be written


def write_tables(folder: Path, session: Session, hider: Hider, progress: Part = lambda part: None) -> dict[str, Path]:
    """Write each table of a session to a file in `folder`, redacted; return the files by table.

    A secret that was only known after its first place was written is replaced there afterwards. Memory does not grow
    with the length of texts. Raises WaterglassError where a secret is still found or pyarrow is not installed, OSError.
    """
    paths = {name: folder / f"{name}.parquet" for name in COLUMNS}
    with ExitStack() as stack:
        writers = {name: stack.enter_context(_writer(name, path)) for name, path in paths.items()}
        waiting: list[pa.Table] = []
        for name, table in session_tables(session, hider, progress):
            if name != "events":
                writers[name].write_table(table)
                continue
            waiting.append(table)
            if sum(one.nbytes for one in waiting) > _MOST_BYTES:
                writers[name].write_table(arrow().concat_tables(waiting))
                waiting.clear()
        if waiting:
            writers["events"].write_table(arrow().concat_tables(waiting))
    if hider.level != "off":
        look = SecondLook(hider)
        for name, path in paths.items():
            _look_again(name, path, look, hider)
    return paths


def day_of(session: Session) -> str:
    """Return the day, in UTC, of a session's first record: `2026-03-02`, or `unknown`."""
    ms = session.head(lists=False)["session"]["startMs"]
    try:
        return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return "unknown"


def _writer(name: str, path: Path) -> Any:
    from pyarrow import parquet

    return parquet.ParquetWriter(path, schema_of(name), compression="zstd", use_dictionary=True)


def _look_again(name: str, path: Path, look: SecondLook, hider: Hider) -> None:
    """Read a file back, part by part; where it holds a secret, write it again without."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        parts = range(file.num_row_groups)
        if not any(_kinds(name, file.read_row_group(part), look) for part in parts):
            return
        other = path.with_suffix(".again")
        with _writer(name, other) as writer:
            for part in parts:
                table = _mended(name, file.read_row_group(part), hider)
                kinds = _kinds(name, table, SecondLook(hider))
                if kinds:
                    raise WaterglassError(
                        f"a secret was still found in the export, so it was removed (kind: {', '.join(kinds)})",
                        name,
                        "--redact structure, and report the kind as a fault",
                    )
                writer.write_table(table)
    os.replace(other, path)


def _mended(name: str, table: pa.Table, hider: Hider) -> pa.Table:
    for column, kind in _free_columns(name):
        if kind in ("text", "texts", "json"):
            values = [_again(value, kind, hider) for value in table.column(column).to_pylist()]
            field = table.schema.field(column)
            table = table.set_column(table.schema.get_field_index(column), field, arrow().array(values, field.type))
    return table


def _kinds(name: str, table: pa.Table, look: SecondLook) -> tuple[str, ...]:
    for column, kind in _free_columns(name):
        if kind in ("text", "texts"):
            found = look.kinds(table.column(column).to_pylist())
        elif kind == "json":
            found = look.first({_AS: _decoded(value)} for value in table.column(column).to_pylist())
        else:
            continue
        if found:
            return found
    return ()


def _free_columns(name: str) -> Iterable[tuple[str, str]]:
    return [(column, kind) for column, kind in COLUMNS[name].items() if column not in OUR_WORDS]


def _again(value: Any, kind: str, hider: Hider) -> Any:
    if kind == "json" and value is not None:
        return encode(hider.again({_AS: _decoded(value)})[_AS]).decode("utf-8")
    return hider.again(value)


def _decoded(value: str | None) -> Any:
    return None if value is None else msgspec.json.decode(value)
