"""Figures of many sessions added up: a line for all, and one for each project, tool, model or day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from waterglass.stats.facts import NO_TIME, QUARTER_MS
from waterglass.stats.known import Figures, Gathered
from waterglass.stats.sums import Sums

GROUPS = ("project", "tool", "model", "day")
_EVER = 1 << 62


class Asked(Struct, frozen=True):
    """Which figures are asked for: a half-open range in Unix milliseconds, of which the quarters of an hour that its
    ends lie in count whole; what a session's project must be; and by what they are grouped."""

    since_ms: int | None = None
    until_ms: int | None = None
    by: str | None = None
    project: Callable[[str | None], bool] = lambda project: True

    @property
    def first(self) -> int:
        """The first quarter of an hour."""
        return NO_TIME if self.since_ms is None else self.since_ms // QUARTER_MS

    @property
    def end(self) -> int:
        """The quarter of an hour after the last."""
        return _EVER if self.until_ms is None else -(-self.until_ms // QUARTER_MS)


def day_of(quarter: int) -> str | None:
    """Return the local day that a quarter of an hour lies in, None for what has no time or none that a clock shows."""
    try:
        return None if quarter == NO_TIME else datetime.fromtimestamp(quarter * QUARTER_MS / 1000).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return None


def document(gathered: Gathered, roots: Sequence[str], asked: Asked) -> dict[str, Any]:
    """Return the document of `stats --json`."""
    everything = gathered.sessions + gathered.deleted
    wanted = [one for one in everything if asked.project(one.facts.project)]
    gone = [one for one in gathered.deleted if asked.project(one.facts.project)]
    spent = [cell for one in wanted for cell in one.facts.spent if asked.first <= cell.quarter < asked.end]
    as_of = max((one.facts.prices_as_of for one in wanted if one.facts.prices_as_of is not None), default=None)
    return {
        "roots": list(roots),
        "sinceMs": asked.since_ms,
        "untilMs": asked.until_ms,
        "by": asked.by,
        "total": _sum(wanted, asked).fields(),
        "deleted": _sum(gone, asked).fields(),
        "groups": [] if asked.by is None else _groups(wanted, asked, asked.by),
        "prices": {
            "asOf": as_of,
            "basis": "API list prices",
            "unpriced": sorted({cell.model for cell in spent if cell.usd is None}),
        },
        "uncounted": gathered.uncounted,
        "unreadable": [{"path": file.path, "reason": file.reason} for file in gathered.unread],
    }


def _sum(sessions: Iterable[Figures], asked: Asked) -> Sums:
    total = Sums.for_all()
    for number, one in enumerate(sessions):
        total.sessions += _add(number, one, asked, lambda *_: total)
    return total


Group = Callable[[int, str | None, str | None], Sums | None]  # by quarter, tool and model; None where it has none


def _add(number: int, one: Figures, asked: Asked, group: Group) -> bool:
    """Add a session to the lines that `group` tells; return whether any of it lies in the time."""
    facts, first, end = one.facts, asked.first, asked.end
    some = first == NO_TIME and end == _EVER
    for counts, add in ((facts.prompts, Sums.add_prompts), (facts.compactions, Sums.add_compactions)):
        for quarter, count in counts.items():
            if first <= quarter < end:
                some = True
                if (line := group(quarter, None, None)) is not None:
                    add(line, count)
    for call in facts.calls:
        if first <= call.quarter < end:
            some = True
            if (line := group(call.quarter, call.tool, call.model)) is not None:
                line.add_calls(call)
    for spent in facts.spent:
        if first <= spent.quarter < end:
            some = True
            if (line := group(spent.quarter, None, spent.model)) is not None:
                line.add_spent(spent)
    for peak in facts.peaks:
        if first <= peak.quarter < end and (line := group(peak.quarter, None, peak.model)) is not None:
            line.add_peak(number, peak)
    # A session is judged as a whole, and counts where it ended.
    if some and first <= facts.last < end and (line := group(facts.last, None, None)) is not None:
        line.add_scores(one.scores)
    return some


class _Lines:
    """The lines of one grouping."""

    def __init__(self, asked: Asked, by: str) -> None:
        self._asked = asked
        self._by = by
        self._lines: dict[str | None, Sums] = {}
        self._met: set[str | None] = set()  # by the session at hand
        self._days: dict[int, str | None] = {}

    def add(self, number: int, one: Figures) -> None:
        """Add a session; its number is another for each."""
        self._met = set()

        def group(quarter: int, tool: str | None, model: str | None) -> Sums | None:
            if self._by == "project":
                return self._line(one.facts.project)
            if self._by == "day":
                return self._line(self._day(quarter))
            name = tool if self._by == "tool" else model
            return self._line(name) if name is not None else None

        if _add(number, one, self._asked, group) and self._by == "project":
            self._line(one.facts.project)  # also of a session in which nothing happened
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


def _groups(sessions: Iterable[Figures], asked: Asked, by: str) -> list[dict[str, Any]]:
    lines = _Lines(asked, by)
    for number, one in enumerate(sessions):
        lines.add(number, one)
    return lines.rows()


def _output(row: dict[str, Any]) -> int:
    return int(row["usage"]["output"]) if row["usage"] is not None else 0


def projects_of(gathered: Gathered) -> list[str | None]:
    """Return the projects that have figures, in their order."""
    found = {one.facts.project for one in gathered.sessions + gathered.deleted}
    return sorted(found, key=lambda project: project or "")
