"""The entry points that are installed: what they name, or why it cannot be used."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from msgspec import Struct

from waterglass.metrics import METRICS
from waterglass.plugins.kinds import Exporter, MetricPlugin

METRIC_GROUP, EXPORTER_GROUP = "waterglass.metrics", "waterglass.exporters"
OFF = "WATERGLASS_NO_PLUGINS"  # an environment variable; any value but 0 switches plugins off
OWN_FORMS = ("jsonl", "parquet", "perfetto", "otlp")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")  # it is typed on the command line: METRIC=VALUE, --to NAME
_LABEL, _TEXT = 60, 400  # characters at most


class Found(Struct, frozen=True):
    """One entry point. `plugin` is None where it cannot be used, and `reason` says why."""

    kind: str  # metric | exporter
    name: str
    package: str  # that it comes from, "" where that is not told
    version: str
    state: str  # loaded | failed | refused
    plugin: MetricPlugin | Exporter | None = None
    reason: str = ""


def wanted() -> bool:
    """Return whether the environment leaves plugins switched on."""
    return os.environ.get(OFF, "") in ("", "0")


@cache
def metrics() -> tuple[Found, ...]:
    """Return the metrics of third parties by name; loaded once in a process."""
    return _all("metric", METRIC_GROUP, [metric.id for metric in METRICS])


@cache
def exporters() -> tuple[Found, ...]:
    """Return the exporters of third parties by name; loaded once in a process."""
    return _all("exporter", EXPORTER_GROUP, OWN_FORMS)


def exporter_named(name: str) -> Exporter | None:
    """Return the exporter of that name, None where there is none that can be used."""
    found = next((one for one in exporters() if one.name == name), None)
    return found.plugin if found is not None and isinstance(found.plugin, Exporter) else None


def _all(kind: str, group: str, own: tuple[str, ...] | list[str]) -> tuple[Found, ...]:
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    taken = {name.lower() for name in own}
    names = Counter(point.name.lower() for point in points)
    return tuple(_found(kind, point, taken, names) for point in points)


def _found(kind: str, point: EntryPoint, taken: set[str], names: Counter[str]) -> Found:
    package, version = (point.dist.name, point.dist.version) if point.dist is not None else ("", "")
    name = point.name.lower()

    def found(state: str, reason: str = "", plugin: Any = None) -> Found:
        return Found(kind, point.name, package, version, state, plugin, reason)

    if not _NAME.fullmatch(point.name):
        return found("refused", "a name is letters, digits, - and _, at most 40")
    if name in taken:
        return found("refused", f"the name is that of a built-in {kind}")
    if names[name] > 1:
        return found("refused", "several packages have a plugin of this name")
    try:
        with redirect_stdout(sys.stderr):  # what it prints must not stand in a document
            plugin = point.load()
    except (Exception, SystemExit) as error:
        return found("failed", f"it cannot be loaded ({type(error).__name__})")
    fault = _fault(kind, plugin)
    return found("failed", fault) if fault else found("loaded", plugin=plugin)


def _fault(kind: str, plugin: Any) -> str:
    """What is wrong with the object that an entry point names, "" where nothing is."""
    if kind == "exporter":
        if not isinstance(plugin, Exporter):
            return "it is no waterglass.Exporter"
        fits = isinstance(plugin.description, str) and callable(plugin.lines)
        return "" if fits else "its fields are not of the documented types"
    if not isinstance(plugin, MetricPlugin):
        return "it is no waterglass.MetricPlugin"
    texts = (plugin.label, plugin.explanation, plugin.unit)
    if not all(isinstance(text, str) for text in texts) or not callable(plugin.measure):
        return "its fields are not of the documented types"
    if not 0 < len(plugin.label) <= _LABEL or len(plugin.explanation) > _TEXT or len(plugin.unit) > _LABEL:
        return f"label and unit have {_LABEL} characters at most, the explanation {_TEXT}, and the label is not empty"
    return "" if plugin.better in (None, "lower", "higher") else "better is lower, higher or None"
