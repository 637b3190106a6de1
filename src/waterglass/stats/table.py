"""Facts of many sessions added up: a line for all, and one for each project, tool, model or day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from math import ceil
from typing import Any

from msgspec import Struct

from waterglass.model import Usage
from waterglass.payload.usage import usage_fields
from waterglass.stats.facts import NO_TIME, QUARTER_MS, CallCell, SessionFacts, SpentCell, duration_of
from waterglass.stats.gather import Gathered

GROUPS = ("project", "tool", "model", "day")


class Sums(Struct):
    """One line. What a group cannot tell stays None: a tool has no tokens, a model no calls of tools."""

    sessions: int = 0
    prompts: int | None = None
    calls: int | None = None
    errors: int | None = None
    total_ms: int = 0
    spans: dict[int, int] = {}
    usage: Usage | None = None
    usd: float | None = None

    def add_prompts(self, count: int) -> None:
        """Add prompts."""
        self.prompts = (self.prompts or 0) + count

    def add_calls(self, cell: CallCell) -> None:
        """Add calls of a tool."""
        self.calls = (self.calls or 0) + cell.calls
        self.errors = (self.errors or 0) + cell.errors
        self.total_ms += cell.total_ms
        for bucket, count in cell.spans.items():
            self.spans[bucket] = self.spans.get(bucket, 0) + count

    def add_spent(self, cell: SpentCell) -> None:
        """Add API calls of a model."""
        self.usage = (self.usage or Usage()) + cell.usage
        if cell.usd is not None:
            self.usd = (self.usd or 0.0) + cell.usd

    def fields(self) -> dict[str, Any]:
        """Return the line as JSON has it; `p50Ms` and `p95Ms` are right to 1.6 %."""
        timed = sum(self.spans.values())
        return {
            "sessions": self.sessions,
            "prompts": self.prompts,
            "toolCalls": self.calls,
            "errors": self.errors,
            "timedCalls": timed,
            "toolMs": self.total_ms if timed else None,
            "p50Ms": _at(self.spans, timed, 0.50),
            "p95Ms": _at(self.spans, timed, 0.95),
            "usage": usage_fields(self.usage) if self.usage is not None else None,
            "usd": round(self.usd, 6) if self.usd is not None else None,
        }


def _at(spans: dict[int, int], timed: int, share: float) -> int | None:
    """Return the duration that so large a share of the calls does not exceed, None without any."""
    left = ceil(timed * share)
    for bucket in sorted(spans):
        left -= spans[bucket]
        if left <= 0:
            return duration_of(bucket)
    return None


def day_of(quarter: int) -> str | None:
    """Return the local day that a quarter of an hour lies in, None for what has no time."""
    if quarter == NO_TIME:
        return None
    return datetime.fromtimestamp(quarter * QUARTER_MS / 1000).strftime("%Y-%m-%d")


def document(gathered: Gathered, roots: Sequence[str], since_ms: int | None, by: str | None) -> dict[str, Any]:
    """Return the document of `stats --json`. `since_ms` is Unix milliseconds; the quarter of an hour that it lies in
    counts."""
    first = NO_TIME if since_ms is None else since_ms // QUARTER_MS
    everything = gathered.sessions + gathered.deleted
    unpriced = {cell.model for one in everything for cell in one.spent if cell.usd is None and cell.quarter >= first}
    as_of = max((one.prices_as_of for one in everything if one.prices_as_of is not None), default=None)
    return {
        "roots": list(roots),
        "sinceMs": since_ms,
        "by": by,
        "total": _sum(everything, first).fields(),
        "deleted": _sum(gathered.deleted, first).fields(),
        "groups": [] if by is None else _groups(everything, first, by),
        "prices": {"asOf": as_of, "basis": "API list prices", "unpriced": sorted(unpriced)},
        "unreadable": [{"path": file.path, "reason": file.reason} for file in gathered.unread],
    }


def _sum(sessions: Iterable[SessionFacts], first: int) -> Sums:
    total = Sums(0, 0, 0, 0, usage=Usage())
    for one in sessions:
        total.sessions += _add(one, first, lambda *_: total)
    return total


Group = Callable[[int, str | None, str | None], Sums | None]  # by quarter, tool and model; None where it has none


def _add(one: SessionFacts, first: int, group: Group) -> bool:
    """Add a session to the lines that `group` tells; return whether any of it lies in the time."""
    some = first == NO_TIME
    for quarter, count in one.prompts.items():
        if quarter >= first:
            some = True
            if (line := group(quarter, None, None)) is not None:
                line.add_prompts(count)
    for call in one.calls:
        if call.quarter >= first:
            some = True
            if (line := group(call.quarter, call.tool, None)) is not None:
                line.add_calls(call)
    for spent in one.spent:
        if spent.quarter >= first:
            some = True
            if (line := group(spent.quarter, None, spent.model)) is not None:
                line.add_spent(spent)
    return some


class _Lines:
    """The lines of one grouping."""

    def __init__(self, by: str) -> None:
        self._by = by
        self._lines: dict[str | None, Sums] = {}
        self._met: set[str | None] = set()  # by the session at hand
        self._days: dict[int, str | None] = {}

    def add(self, one: SessionFacts, first: int) -> None:
        """Add a session."""
        self._met = set()

        def group(quarter: int, tool: str | None, model: str | None) -> Sums | None:
            if self._by == "project":
                return self._line(one.project)
            if self._by == "day":
                return self._line(self._day(quarter))
            name = tool if self._by == "tool" else model
            return self._line(name) if name is not None else None

        if _add(one, first, group) and self._by == "project":
            self._line(one.project)  # also of a session in which nothing happened
        for key in self._met:
            self._lines[key].sessions += 1

    def _line(self, key: str | None) -> Sums:
        self._met.add(key)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = Sums()
        return line

    def _day(self, quarter: int) -> str | None:
        if quarter not in self._days:
            self._days[quarter] = day_of(quarter)
        return self._days[quarter]

    def rows(self) -> list[dict[str, Any]]:
        """Return the lines: days in their order, others by their calls, then their tokens."""
        rows = [{"key": key, **line.fields()} for key, line in self._lines.items()]
        if self._by == "day":
            return sorted(rows, key=lambda row: row["key"] or "")
        return sorted(rows, key=lambda row: (-(row["toolCalls"] or 0), -_output(row), row["key"] or ""))


def _groups(sessions: Iterable[SessionFacts], first: int, by: str) -> list[dict[str, Any]]:
    lines = _Lines(by)
    for one in sessions:
        lines.add(one, first)
    return lines.rows()


def _output(row: dict[str, Any]) -> int:
    return int(row["usage"]["output"]) if row["usage"] is not None else 0
