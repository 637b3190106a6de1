"""Metrics of third parties, measured: what they say is held to the form of a result before anybody sees it."""

from __future__ import annotations

import math
import sys
from contextlib import redirect_stdout
from typing import Any

import msgspec

from waterglass.metrics import Evidence, Finding, Metric, Settings
from waterglass.metrics.result import STATUSES
from waterglass.plugins.found import Found, metrics, wanted
from waterglass.plugins.kinds import MetricPlugin
from waterglass.plugins.measured import Measured, Source

MOST_DETAIL = 64 << 10  # bytes of `detail` as JSON
MOST_NOTES = 20
_LONGEST = 400  # characters of a sentence


def plugin_results(source: Source, settings: Settings | None, now_ms: int | None = None) -> list[dict[str, Any]]:
    """Return the results of all metrics of third parties, in the order of their names, as the payload has them; none
    where the settings or the environment switch plugins off.

    One that raises, cannot be loaded or returns something else is "unknown" with the reason in its notes: the name of
    the exception and nothing that it holds, since that may be a transcript's.
    """
    settings = settings or Settings()
    if not settings.plugins or not wanted():
        return []
    found = [one for one in metrics() if one.state != "refused"]
    return [msgspec.to_builtins(_result(one, Measured(source, settings, now_ms))) for one in found]


def _result(found: Found, measured: Measured) -> Any:
    plugin = found.plugin
    if not isinstance(plugin, MetricPlugin):
        words = f"A metric of the package {found.package}, which cannot be used."
        metric = Metric(found.name, found.name, words, "", None, lambda trace: _cannot(found.reason))
        return metric.result(_cannot(found.reason))
    metric = Metric(found.name, plugin.label, plugin.explanation, plugin.unit, plugin.better, lambda trace: _cannot(""))
    return metric.result(_finding(plugin, measured))


def _cannot(reason: str) -> Finding:
    return Finding("unknown", None, "cannot be told", notes=[reason])


def _finding(plugin: MetricPlugin, measured: Measured) -> Finding:
    try:
        with redirect_stdout(sys.stderr):  # what it prints must not stand in a document
            told = plugin.measure(measured)
    except (Exception, SystemExit) as error:
        return _cannot(f"the metric raised {type(error).__name__}")
    try:
        return _checked(told, measured)
    except (TypeError, ValueError, RecursionError, AttributeError, msgspec.MsgspecError):
        return _cannot("what the metric returned is no waterglass.Finding of the documented form")


def _checked(told: Any, measured: Measured) -> Finding:
    """Return a copy of what a metric said, with nothing in it that is not of its form. Raises ValueError and others."""
    if not isinstance(told, Finding):
        raise TypeError
    finding = msgspec.convert(msgspec.to_builtins(told), Finding)
    if finding.status not in STATUSES or (finding.value is not None and not math.isfinite(finding.value)):
        raise ValueError
    if len(msgspec.json.encode(finding.detail)) > MOST_DETAIL:
        finding.detail = {}
        finding.notes.append("its figures are left out: they are too many")
    finding.display = finding.display[:_LONGEST]
    finding.notes = [note[:_LONGEST] for note in finding.notes[:MOST_NOTES]]
    known = _known(finding.evidence, measured)
    if len(known) < len(finding.evidence):
        finding.notes.append(f"{len(finding.evidence) - len(known)} pieces of evidence name nothing in this session")
    finding.evidence = [msgspec.structs.replace(place, why=place.why[:_LONGEST]) for place in known]
    return finding


def _known(evidence: list[Evidence], measured: Measured) -> list[Evidence]:
    """Return the evidence that names something, and nothing that is not in the session."""
    if not evidence:
        return []
    rows = {None, *(row["id"] for row in measured.rows)}
    replies = {None, *(reply["id"] for reply in measured.payload["replies"] or ())}
    events = {None, *(event.id for event in measured.events)}
    return [
        place
        for place in evidence
        if (place.row_id or place.reply_id or place.event_id)
        and place.row_id in rows
        and place.reply_id in replies
        and place.event_id in events
    ]
