"""Rows as Arrow tables, with types that stay the same whatever a session holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from waterglass.errors import WaterglassError
from waterglass.export.hiding import Hider, Part
from waterglass.export.jsonl import events_of
from waterglass.export.tables import (
    COLUMNS,
    VERSION,
    Row,
    activity_rows,
    call_rows,
    event_row,
    metric_rows,
    reply_rows,
    session_row,
)
from waterglass.export.told import tell
from waterglass.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

_EVENTS = 512  # events whose texts are in memory at once
_LARGEST = 2**63 - 1


def to_arrow(session: Session) -> dict[str, pa.Table]:
    """Return a session as Arrow tables: `sessions`, `events`, `calls`, `replies`, `metrics`,
    `activity`.

    Times are Unix milliseconds, durations milliseconds; what is not known is null. Nothing is redacted. Raises
    WaterglassError where pyarrow is not installed.
    """
    parts: dict[str, list[pa.Table]] = {name: [] for name in COLUMNS}
    for name, table in session_tables(session, Hider("off"), lambda part: None):
        parts[name].append(table)
    return {name: arrow().concat_tables(tables) for name, tables in parts.items()}


def session_tables(session: Session, hider: Hider, progress: Part) -> Iterator[tuple[str, pa.Table]]:
    """Yield the tables of a session, redacted, that of the events in pieces."""
    hider.learn(session, lambda part: progress(part / 2))
    told = tell(session, hider, scores=True)
    yield "sessions", table_of("sessions", [session_row(told)])
    yield "calls", table_of("calls", call_rows(told))
    yield "replies", table_of("replies", reply_rows(told))
    yield "metrics", table_of("metrics", metric_rows(told))
    own = hider.id(session.id)
    activity = hider.value(activity_rows(session))
    yield "activity", table_of("activity", ({"session": own, **row} for row in activity))
    rows = (event_row(hider.event(event), own) for event in events_of(session))
    yield "events", table_of("events", islice(rows, _EVENTS))
    done = _EVENTS
    while block := list(islice(rows, _EVENTS)):
        progress(0.5 + done / len(session.events) / 2)
        done += len(block)
        yield "events", table_of("events", block)


def arrow() -> Any:
    """Return the module pyarrow. Raises WaterglassError where it is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise WaterglassError(
            "tables need pyarrow, which is not installed", "", "pip install 'waterglass[parquet]'"
        ) from error
    return pyarrow


def schema_of(name: str) -> pa.Schema:
    """Return the schema of a table: its columns with their types, and the version of both."""
    made = arrow()
    texts = made.list_(made.field("element", made.string()))  # so Parquet files call it: read back, it is the same
    types = {
        "text": made.string(), "json": made.string(), "texts": texts, "int": made.int64(),
        "ints": made.list_(made.field("element", made.int64())),
        "float": made.float64(), "bool": made.bool_(),
    }  # fmt: skip
    fields = [made.field(column, types[kind]) for column, kind in COLUMNS[name].items()]
    return made.schema(fields, metadata={"waterglass.tables": str(VERSION)})


def table_of(name: str, rows: Iterable[Row]) -> pa.Table:
    """Return rows as a table. A value that its column cannot hold is null."""
    columns: dict[str, list[Any]] = {column: [] for column in COLUMNS[name]}
    for row in rows:
        for column, kind in COLUMNS[name].items():
            columns[column].append(_FIT[kind](row.get(column)))
    return arrow().table(columns, schema=schema_of(name))


def _text(value: Any) -> str | None:
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else None


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST else None


_FIT: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "json": _text,
    "texts": lambda value: [text for text in map(_text, value or ()) if text is not None],
    "int": _int,
    "ints": lambda value: [number for number in map(_int, value or ()) if number is not None],
    "float": lambda value: float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None,
    "bool": lambda value: value if isinstance(value, bool) else None,
}
