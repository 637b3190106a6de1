"""The scorecard: six metrics over one session, signals of its health, and what a compaction lost. Pure.

trace = read_trace(view, settings)
wanted = needs(trace)                 # the caller reads these bodies and judges them
scorecard(trace, Judged(checks, claims)); health(trace); compaction_losses(view, texts)
"""

from __future__ import annotations

import msgspec

from waterglass.metrics import (
    continuity,
    early_victory,
    grep_semantic,
    loop_detection,
    overreach,
    verification_density,
)
from waterglass.metrics.health import Signal, health
from waterglass.metrics.losses import Loss, LossNeeds, LostItem, compaction_losses, loss_needs
from waterglass.metrics.result import Evidence, Finding, Metric, MetricResult
from waterglass.metrics.settings import Settings, settings_of
from waterglass.metrics.trace import Judged, Needs, Trace, needs, read_trace

__all__ = [
    "METRICS", "Evidence", "Finding", "Judged", "Loss", "LossNeeds", "LostItem", "Metric", "MetricResult", "Needs",
    "Settings", "Signal", "Trace", "compaction_losses", "health", "loss_needs", "needs", "read_trace",
    "scorecard", "settings_of",
]  # fmt: skip

METRICS: tuple[Metric, ...] = (
    grep_semantic.METRIC,
    early_victory.METRIC,
    verification_density.METRIC,
    overreach.METRIC,
    continuity.METRIC,
    loop_detection.METRIC,
)


def scorecard(
    trace: Trace, judged: Judged | None = None, *, metrics: tuple[Metric, ...] = METRICS, strict: bool = False
) -> list[MetricResult]:
    """Return the results of `metrics` in their order. `judged` is what was read of the bodies that `needs` names.

    A metric that raises becomes `unknown` with the reason in its notes; `strict` lets the exception through.
    """
    trace = msgspec.structs.replace(trace, judged=judged or trace.judged)
    results = []
    for metric in metrics:
        try:
            finding = metric.measure(trace)
        except Exception as error:
            if strict:
                raise
            finding = Finding("unknown", None, "cannot be told", notes=[f"the metric failed: {error!r:.300}"])
        results.append(metric.result(finding))
    return results
