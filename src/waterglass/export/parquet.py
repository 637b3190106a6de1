"""Tables as a folder of Parquet files, partitioned by the day on which a session began."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from waterglass.errors import WaterglassError
from waterglass.export.arrow import arrow, session_tables
from waterglass.export.hiding import OUR_WORDS, Hider, Part, SecondLook
from waterglass.export.place import place_folder, refused, scratch_folder
from waterglass.export.tables import COLUMNS
from waterglass.payload import encode
from waterglass.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

_AS = "input"  # the name under which redaction takes all names of fields for the transcript's own
_MOST_BYTES = 32 << 20  # of tables that wait to be written


def write_parquet(target: Path, sessions: Iterable[tuple[Session, Part]], hider: Hider) -> int:
    """Write `TABLE/day=YYYY-MM-DD/part-N.parquet` below `target` and return the bytes of all files.

    Memory does not grow with the number of sessions. A secret that was only known after its first place was written is
    replaced there afterwards. Raises WaterglassError where one is still found, pyarrow is not installed, or the folder
    cannot be written; then nothing is there.
    """
    arrow()
    try:
        with scratch_folder(target) as folder:
            parts = _Parts(folder)
            for session, part in sessions:
                day = day_of(session)
                for name, table in session_tables(session, hider, part):
                    parts.add(name, day, table)
            parts.write()
            for path in parts.paths:
                _look_again(path, hider, target)
            return place_folder(folder, target)
    except OSError as error:
        raise refused(target, error) from error


def day_of(session: Session) -> str:
    """Return the day, in UTC, of a session's first record: `2026-03-02`, or `unknown`."""
    ms = session.head(lists=False)["session"]["startMs"]
    try:
        return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return "unknown"


class _Parts:
    """Tables that wait until they are worth a file. No name of a file comes from a transcript."""

    def __init__(self, folder: Path) -> None:
        self.paths: list[tuple[str, Path]] = []
        self._folder = folder
        self._waiting: dict[tuple[str, str], list[pa.Table]] = {}
        self._bytes = 0

    def add(self, name: str, day: str, table: pa.Table) -> None:
        self._waiting.setdefault((name, day), []).append(table)
        self._bytes += table.nbytes
        if self._bytes > _MOST_BYTES:
            self.write()

    def write(self) -> None:
        for (name, day), tables in self._waiting.items():
            place = self._folder / name / f"day={day}"
            place.mkdir(parents=True, exist_ok=True)
            path = place / f"part-{len(self.paths):05d}.parquet"
            _write(arrow().concat_tables(tables), path)
            self.paths.append((name, path))
        self._waiting.clear()
        self._bytes = 0


def _write(table: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd", use_dictionary=True)


def _look_again(file: tuple[str, Path], hider: Hider, target: Path) -> None:
    """Read a file back; where it holds a secret, write it again without."""
    from pyarrow import parquet

    name, path = file
    if hider.level == "off":
        return
    table = parquet.ParquetFile(path).read()
    if not _kinds(name, table, hider):
        return
    for column, kind in _free_columns(name):
        if kind in ("text", "texts", "json"):
            values = [_again(value, kind, hider) for value in table.column(column).to_pylist()]
            field = table.schema.field(column)
            table = table.set_column(table.schema.get_field_index(column), field, arrow().array(values, field.type))
    kinds = _kinds(name, table, hider)
    if kinds:
        raise WaterglassError(
            f"a secret was still found in the export, so it was removed (kind: {', '.join(kinds)})",
            str(target),
            "--redact structure, and report the kind as a fault",
        )
    _write(table, path)


def _kinds(name: str, table: pa.Table, hider: Hider) -> tuple[str, ...]:
    look = SecondLook(hider)
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
