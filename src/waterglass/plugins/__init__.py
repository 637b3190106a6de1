"""Metrics and exporters of third parties, found by their entry points and loaded when they are first needed.

`waterglass.metrics` and `waterglass.exporters` are the groups; docs/plugins.md says how to write one. What a plugin
does wrong is said in its place and breaks nothing else.
"""

from __future__ import annotations

from waterglass.plugins.found import Found, exporter_named, exporters, metrics, wanted
from waterglass.plugins.kinds import Exported, Exporter, MetricPlugin
from waterglass.plugins.measured import Measured
from waterglass.plugins.results import plugin_results

__all__ = [
    "Exported", "Exporter", "Found", "Measured", "MetricPlugin", "exporter_named", "exporters", "metrics",
    "plugin_results", "wanted",
]  # fmt: skip
