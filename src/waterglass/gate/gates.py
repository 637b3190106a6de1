"""What a gate is, and whether a session's metrics keep within it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from waterglass.errors import UsageError, WaterglassError

# The metrics that have a better side, and which. The others (a share of text search) are no gate.
BETTER = {
    "earlyVictory": "lower",
    "verificationDensity": "lower",
    "overreach": "lower",
    "continuity": "higher",
    "loopDetection": "lower",
}
NAMES = ("grepSemantic", *BETTER)
Further = Callable[[], Mapping[str, str | None]]  # the better sides of the metrics of third parties, by name
UNTOLD = ("unknown", "na")


class Limit(Struct, frozen=True):
    """The value that a metric may reach: at most, or at least where higher is better."""

    metric: str
    value: float
    at_least: bool = False

    @property
    def words(self) -> str:
        """As a person reads it."""
        return f"{'at least' if self.at_least else 'at most'} {self.value:g}"


class Broken(Struct, frozen=True):
    """A metric beyond its gate: `limit` is None where the metric's own alert is what breaks it."""

    metric: str
    label: str
    value: float | None
    limit: Limit | None
    display: str
    why: str
    evidence: tuple[Mapping[str, Any], ...]


class Checked(Struct, frozen=True):
    """One session held against the gates."""

    id: str
    title: str | None
    project: str | None
    path: str
    state: str
    metrics: tuple[Mapping[str, Any], ...]
    broken: tuple[Broken, ...]


def parse_limit(text: str, further: Further = dict) -> Limit:
    """Return the gate of `METRIC=VALUE`. Raises UsageError for another form or an unknown metric.

    `further` is asked for metrics of third parties where the name is none of the built-in ones.
    """
    name, separator, value = text.partition("=")
    metric = _named(name, NAMES)
    if metric is None:
        more = tuple(further())
        metric = _named(name, more)
        if metric is None:
            raise UsageError("no such metric", name.strip() or text, "one of " + ", ".join((*NAMES, *more)))
    try:
        number = float(value) if value.isascii() and "_" not in value else math.nan  # `1_0` is Python's alone
    except ValueError:
        number = math.nan
    if not separator or not math.isfinite(number):
        raise UsageError("a gate is METRIC=NUMBER", text, f"--max {metric}=0")
    return Limit(metric, number)


def _named(name: str, known: Iterable[str]) -> str | None:
    return {one.lower(): one for one in known}.get(name.strip().lower())


def baseline_limits(document: object, source: str, further: Further = dict) -> list[Limit]:
    """Return the gates that hold an earlier run's worst values; `document` is what `check --format json` printed.

    Raises WaterglassError where it is something else.
    """
    sessions = document.get("sessions") if isinstance(document, dict) else None
    if not isinstance(sessions, list):
        raise WaterglassError("no baseline", source, "a file written by: waterglass check SESSION --format json")
    better: dict[str, str] = BETTER | {name: side for name, side in further().items() if side is not None}
    values: dict[str, list[float]] = {}
    for session in sessions:
        for metric in session.get("metrics", ()) if isinstance(session, dict) else ():
            name, value = (metric.get("id"), metric.get("value")) if isinstance(metric, dict) else (None, None)
            if name in better and isinstance(value, (int, float)) and not isinstance(value, bool):
                values.setdefault(name, []).append(value)
    return [
        Limit(name, min(found) if better[name] == "higher" else max(found), better[name] == "higher")
        for name, found in values.items()
    ]


def check_session(head: Mapping[str, Any], path: str, limits: Sequence[Limit] | None, strict: bool) -> Checked:
    """Hold a payload's metrics against the gates; without any (`limits` None) what a metric calls an alert breaks it.

    `strict` lets a metric that cannot tell break its gate too.
    """
    session, metrics = head["session"], tuple(head["metrics"] or ())
    broken = tuple(_broken(metrics, limits, strict))
    return Checked(session["id"], session["title"], session["project"], path, session["state"], metrics, broken)


def _broken(metrics: Iterable[Mapping[str, Any]], limits: Sequence[Limit] | None, strict: bool) -> Iterable[Broken]:
    for metric in metrics:
        own = [limit for limit in limits or () if limit.metric == metric["id"]]
        if metric["status"] in UNTOLD:
            if strict and (own or limits is None) and metric["better"] is not None:
                yield _found(
                    metric, own[0] if own else None, f"cannot tell ({metric['status']}), and --strict was given"
                )
            continue
        if limits is None and metric["status"] == "alert":
            yield _found(metric, None, "the metric raises an alert")
        beyond = next((limit for limit in own if _is_beyond(metric["value"], limit)), None)
        if beyond is not None:
            yield _found(metric, beyond, f"{_number(metric['value'])}, and the gate is {beyond.words}")


def _number(value: float | None) -> str:
    return "no value" if value is None else f"{value:g}"


def _is_beyond(value: float | None, limit: Limit) -> bool:
    if value is None:  # an alert without a number, such as no check at all: no limit can hold it
        return not limit.at_least
    return value < limit.value if limit.at_least else value > limit.value


def _found(metric: Mapping[str, Any], limit: Limit | None, why: str) -> Broken:
    return Broken(
        metric["id"], metric["label"], metric["value"], limit, metric["display"], why, tuple(metric["evidence"])
    )
