"""What a metric says: its verdict with the calls and texts that prove it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:  # only a name: a trace is made of what stands here too
    from waterglass.metrics.trace import Trace

STATUSES = ("ok", "warn", "alert", "unknown", "na")
MOST_EVIDENCE = 40  # a reader follows a few; what is left out is counted in the notes


class Evidence(Struct, frozen=True, rename="camel"):
    """One call or text that a verdict rests on: at least one id, as in the payload, and why it is named."""

    event_id: str | None = None
    row_id: str | None = None
    reply_id: str | None = None
    why: str = ""


class Finding(Struct):
    """What a metric found in one session."""

    status: str
    """ok, warn, alert, unknown (it cannot be told) or na (it does not apply)."""
    value: float | None
    """What a gate is held against, in the metric's unit; None where it is not known."""
    display: str
    """The finding in a few words."""
    detail: dict[str, Any] = {}
    """Further figures, as JSON has them."""
    notes: list[str] = []
    """Sentences that say what the verdict leaves open."""
    evidence: list[Evidence] = []
    """The calls and texts that prove it, the strongest first."""


class MetricResult(Struct, rename="camel"):
    """One metric of the scorecard; `value` is null where it is not known."""

    id: str
    label: str
    explanation: str
    status: str
    value: float | None
    unit: str
    better: str | None
    display: str
    detail: dict[str, Any]
    notes: list[str]
    evidence: list[Evidence]


class Metric(Struct, frozen=True):
    """One metric: its fixed words, and the function that measures it."""

    id: str
    label: str
    explanation: str
    unit: str
    better: str | None
    measure: Callable[[Trace], Finding]

    def result(self, finding: Finding) -> MetricResult:
        """Return the result for one session; evidence beyond `MOST_EVIDENCE` is left out and counted."""
        notes = list(finding.notes)
        left_out = len(finding.evidence) - MOST_EVIDENCE
        if left_out > 0:
            notes.append(f"{left_out} more pieces of evidence are left out")
        return MetricResult(
            self.id, self.label, self.explanation, finding.status, finding.value, self.unit, self.better,
            finding.display, finding.detail, notes, finding.evidence[:MOST_EVIDENCE],
        )  # fmt: skip


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 edit` or `3 edits`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
