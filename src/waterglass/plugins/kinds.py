"""What an entry point names: a metric or an exporter of a third party."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from waterglass.metrics import Finding
    from waterglass.plugins.measured import Measured


class MetricPlugin(Struct, frozen=True, kw_only=True):
    """A metric: what an entry point of the group `waterglass.metrics` names. Its id is the entry point's name."""

    label: str
    """A few words: the head of its tile."""
    explanation: str
    """What it measures and how it decides, in one or two sentences."""
    measure: Callable[[Measured], Finding]
    """Is given the session and says what it found. What it raises makes the metric "unknown"."""
    unit: str = ""
    """Of its value, such as `edits`; `share` for a part of 1, `ms` for milliseconds."""
    better: str | None = None
    """`lower` or `higher`, None where neither is."""


class Exported(Struct, frozen=True):
    """One session as an exporter gets it, redacted at the level that was asked for."""

    id: str
    """The session's id."""
    payload: dict[str, Any]
    """The payload without rows, with metrics and cost."""
    rows: list[dict[str, Any]]
    """The rows in pre-order, without inputs and outputs."""
    events: Callable[[], Iterator[dict[str, Any]]]
    """Gives the events one by one with whole texts, as `show --json --events` has them."""


class Exporter(Struct, frozen=True, kw_only=True):
    """An exporter: what an entry point of the group `waterglass.exporters` names. `export --to NAME` writes by it."""

    description: str
    """What it writes, in a few words."""
    lines: Callable[[Iterator[Exported]], Iterable[str]]
    """Is given the sessions one by one and yields the file's lines, each without its end."""
