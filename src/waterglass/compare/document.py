"""The comparison as one document: the first session is what the others are held against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from waterglass.compare.steps import align, steps_of

VERSION = 1
_USAGE = ("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output")
_TIME = ("wallMs", "activeMs", "modelMs", "toolMs", "userMs", "idleMs")
_SESSION = ("id", "title", "project", "state", "models", "startMs", "endMs")
# What costs: less is better. How long a person or a pause took says nothing of the work.
_LOWER = frozenset((*_USAGE, "modelMs", "toolMs", "calls", "errors"))
_HEALTH_LOWER = frozenset({"reReads", "reReadsAfterCompaction", "errorRateFirstHalf", "errorRateSecondHalf"})
_LABELS = {
    "apiCalls": "API calls",
    "input": "input tokens",
    "cacheCreation": "cache writes",
    "cacheCreation1h": "of it for an hour",
    "cacheRead": "cache reads",
    "output": "output tokens",
    "wallMs": "from first to last",
    "activeMs": "of it active",
    "modelMs": "model",
    "toolMs": "tools, at most",
    "userMs": "waiting for the user",
    "permissionMs": "of tools, permission",
    "toolOnlyMs": "tools without it",
    "idleMs": "idle",
    "contextFill": "context fill",
    "reReads": "reads of the same again",
    "reReadsAfterCompaction": "again after a compaction",
    "errorRateFirstHalf": "errors, first half",
    "errorRateSecondHalf": "errors, second half",
    "userWait": "waiting for the user",
}


def compare(payloads: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return what two or more sessions have in common and where they differ.

    `payloads` are heads with metrics and health, `rows` the fields of each session's rows in the order of the table.
    Of every figure: its `label` in words, `values` in the order of the sessions, `deltas` against the first
    (`{"value", "direction"}`, whose direction is better, worse, same, or null where no side is better or a value is
    missing). `steps` has, for each session but the first, the aligned runs of calls and the first place where they
    part. Where telemetry was given, `time` also has `permissionMs` and `toolOnlyMs`, with their `bounds`.
    """
    first, *others = [steps_of(one) for one in rows]
    return {
        "version": VERSION,
        "sessions": [_session(payload, own) for payload, own in zip(payloads, rows, strict=True)],
        "metrics": _metrics(payloads),
        "usage": [_figure(name, [p["usage"][name] for p in payloads], _better(name)) for name in _USAGE],
        "time": [
            *(_figure(name, [p["time"][name] for p in payloads], _better(name)) for name in _TIME),
            *_permission([p["time"] for p in payloads]),
        ],
        "work": _work(payloads, rows),
        "health": _health(payloads),
        "steps": [align(first, other) for other in others],
    }


def _session(payload: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    session = payload["session"]
    return {**{name: session[name] for name in _SESSION}, "calls": len(rows)}


def _better(name: str) -> str | None:
    return "lower" if name in _LOWER or name in _HEALTH_LOWER else None


def _metrics(payloads: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    by_id = [{metric["id"]: metric for metric in payload["metrics"]} for payload in payloads]
    # A metric of a third party may be switched off in one project and not in another.
    for name in (name for name in by_id[0] if all(name in metrics for metrics in by_id)):
        same = [metrics[name] for metrics in by_id]
        told = [metric["value"] if metric["status"] not in ("unknown", "na") else None for metric in same]
        figure = _figure(same[0]["id"], told, same[0]["better"])
        found.append(
            {
                **figure,
                "label": same[0]["label"],
                "unit": same[0]["unit"],
                "better": same[0]["better"],
                "statuses": [metric["status"] for metric in same],
                "displays": [metric["display"] for metric in same],
            }
        )
    return found


def _health(payloads: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    by_name = [{signal["id"]: signal for signal in payload["health"]["signals"]} for payload in payloads]
    names = dict.fromkeys(name for signals in by_name for name in signals)
    return [
        {
            **_figure(
                name, [signals[name]["value"] if name in signals else None for signals in by_name], _better(name)
            ),
            "unit": next(signals[name]["unit"] for signals in by_name if name in signals),
        }
        for name in names
    ]


def _permission(times: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What telemetry tells of any of the sessions: how long tools waited for a permission, and ran. `bounds` say how
    sure each wait is; where one is not exact, neither side is called better."""
    waits: list[float | None] = [time["permissionMs"] for time in times]
    if all(wait is None for wait in waits):
        return []
    ran = [None if wait is None else time["toolMs"] - wait for wait, time in zip(waits, times, strict=True)]
    bounds = [
        None if wait is None else "exact" if time["toolBound"] == "exact" else time["permissionBound"] or "about"
        for wait, time in zip(waits, times, strict=True)
    ]
    exact = all(bound in (None, "exact") for bound in bounds)
    figures = [_figure("permissionMs", waits, None), _figure("toolOnlyMs", ran, "lower" if exact else None)]
    about = "" if exact else ", about"
    return [figure | {"label": figure["label"] + about, "bounds": bounds} for figure in figures]


def _work(payloads: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    return [
        _figure("prompts", [sum(p["state"] != "unsent" for p in payload["prompts"]) for payload in payloads], None),
        _figure("calls", [len(own) for own in rows], "lower"),
        _figure("errors", [sum(row["outcome"] == "error" for row in own) for own in rows], "lower"),
        _figure("agents", [sum(a["kind"] != "internal" for a in payload["agents"]) for payload in payloads], None),
        _figure("compactions", [len(payload["compactions"]) for payload in payloads], None),
    ]


def _figure(name: str, values: Sequence[float | None], better: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "label": _LABELS.get(name, name),
        "values": list(values),
        "deltas": list(_deltas(values, better)),
    }


def _deltas(values: Sequence[float | None], better: str | None) -> Iterable[dict[str, Any]]:
    first, *others = values
    for value in others:
        if first is None or value is None:
            yield {"value": None, "direction": None}
            continue
        # Shares and rates have a few decimals; what is left of a subtraction in binary is no difference.
        delta = round(value - first, 6)
        direction = None
        if delta == 0:
            delta, direction = 0, "same"
        elif better is not None:
            direction = "better" if (delta < 0) == (better == "lower") else "worse"
        yield {"value": delta, "direction": direction}
