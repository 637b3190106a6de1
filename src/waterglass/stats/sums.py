"""One line of statistics: what the facts and scores of some sessions add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct

from waterglass.model import Usage
from waterglass.payload.usage import usage_fields
from waterglass.stats.facts import CallCell, PeakCell, SpentCell
from waterglass.stats.scores import METRICS, SessionScores

Number = TypeVar("Number", int, float)


class Verdicts(Struct):
    """How many sessions a metric judged how; `waiting` are not judged yet. `values` of those that have one."""

    ok: int = 0
    warn: int = 0
    alert: int = 0
    unknown: int = 0
    na: int = 0
    waiting: int = 0
    values: list[float] = []

    def add(self, scores: SessionScores | None, number: int) -> None:
        """Add what a session's scores say of the metric with this number."""
        if scores is None:
            self.waiting += 1
        elif not scores.results:
            self.unknown += 1
        else:
            status, value = scores.results[number]
            setattr(self, status, getattr(self, status) + 1)
            if value is not None:
                self.values.append(value)

    def fields(self) -> dict[str, Any]:
        """Return the counts, how many sessions have a value, and the median of those values."""
        told = {name: getattr(self, name) for name in ("ok", "warn", "alert", "unknown", "na", "waiting")}
        return {**told, "valued": len(self.values), "median": share_of(sorted(self.values), 50)}


class Sums(Struct):
    """One line. What a group cannot tell stays None: a tool has no tokens, a model no prompts."""

    sessions: int = 0
    prompts: int | None = None
    calls: int | None = None
    errors: int | None = None
    spans: list[int] = []  # durations of calls in milliseconds
    usage: Usage | None = None
    usd: float | None = None
    compactions: int | None = None
    peaks: dict[int, int] | None = None  # the fullest context of each session, by a number for it
    verdicts: list[Verdicts] | None = None  # in the order of METRICS

    @classmethod
    def for_all(cls) -> Sums:
        """Return a line that counts everything from 0."""
        return cls(0, 0, 0, 0, usage=Usage(), compactions=0, peaks={}, verdicts=[Verdicts() for _ in METRICS])

    def add_prompts(self, count: int) -> None:
        """Add prompts."""
        self.prompts = (self.prompts or 0) + count

    def add_compactions(self, count: int) -> None:
        """Add compactions."""
        self.compactions = (self.compactions or 0) + count

    def add_calls(self, cell: CallCell) -> None:
        """Add calls of a tool."""
        self.calls = (self.calls or 0) + cell.calls
        self.errors = (self.errors or 0) + cell.errors
        self.spans += cell.spans

    def add_spent(self, cell: SpentCell) -> None:
        """Add API calls of a model."""
        self.usage = (self.usage or Usage()) + cell.usage
        if cell.usd is not None:
            self.usd = (self.usd or 0.0) + cell.usd

    def add_peak(self, session: int, cell: PeakCell) -> None:
        """Add how full the context of a session was."""
        if self.peaks is None:
            self.peaks = {}
        self.peaks[session] = max(self.peaks.get(session, 0), cell.tokens)

    def add_scores(self, scores: SessionScores | None) -> None:
        """Add a session's scores."""
        if self.verdicts is None:
            self.verdicts = [Verdicts() for _ in METRICS]
        for number, verdicts in enumerate(self.verdicts):
            verdicts.add(scores, number)

    def fields(self) -> dict[str, Any]:
        """Return the line as JSON has it. `p50Ms` and `p95Ms` are durations of calls, not between two of them."""
        spans = sorted(self.spans)
        peaks = sorted(self.peaks.values()) if self.peaks is not None else []
        counts = None
        if self.verdicts is not None:
            counts = {metric: one.fields() for metric, one in zip(METRICS, self.verdicts, strict=True)}
        return {
            "sessions": self.sessions,
            "prompts": self.prompts,
            "toolCalls": self.calls,
            "errors": self.errors,
            "timedCalls": len(spans),
            "toolMs": sum(spans) if spans else None,
            "p50Ms": share_of(spans, 50),
            "p95Ms": share_of(spans, 95),
            "usage": usage_fields(self.usage) if self.usage is not None else None,
            "usd": round(self.usd, 6) if self.usd is not None else None,
            "compactions": self.compactions,
            "peakTokens": peaks[-1] if peaks else None,
            "medianPeakTokens": share_of(peaks, 50),
            "metrics": counts,
        }


def share_of(ordered: Sequence[Number], percent: int) -> Number | None:
    """Return the smallest of some values that so many percent of them do not exceed, None without any."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None
