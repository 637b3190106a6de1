"""The scorecard of one session: reads the bodies that the metrics ask for, judges them, and lets the metrics count.

Which bodies are read is decided by `metrics.needs`; how they are got is the caller's matter, so this stays pure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from waterglass.claims import claim
from waterglass.metrics import Judged, Settings, Trace, health, needs, read_trace, scorecard
from waterglass.rows import Row
from waterglass.verdict import verify_ok
from waterglass.view import View

OutputOf = Callable[[Row], str]
TextOf = Callable[[str], str]


class Scores(msgspec.Struct, frozen=True):
    """What the payload says of a session's work: `metrics` in the contract's order, `health` beside them."""

    metrics: list[dict[str, Any]]
    health: dict[str, Any]


def score(view: View, settings: Settings, output_of: OutputOf, text_of: TextOf) -> Scores:
    """Return the scorecard of a view. `output_of` gives the whole output of a row that has a result, `text_of` the
    whole text of a reply by its id."""
    trace = read_trace(view, settings)
    results = scorecard(trace, _judged(trace, output_of, text_of))
    signals = [msgspec.to_builtins(signal) for signal in health(trace)]
    return Scores([msgspec.to_builtins(result) for result in results], {"signals": signals})


def _judged(trace: Trace, output_of: OutputOf, text_of: TextOf) -> Judged:
    wanted = needs(trace)
    outputs = set(wanted.outputs)
    checks: dict[str, str] = {}
    for action in trace.actions:
        row = action.row
        if row.id not in outputs or action.line is None or row.result is None or row.result.result is None:
            continue
        facts = row.result.result
        command = action.facts.command or ""
        verdict = verify_ok(action.line, facts.is_error, facts.exit_code, output_of(row), command)
        if verdict is not None:
            checks[row.id] = verdict
    claims: dict[str, tuple[str, str | None]] = {}
    for reply_id in wanted.texts:
        found = claim(text_of(reply_id))
        claims[reply_id] = (found.kind, found.said)
    return Judged(checks, claims)
