"""The scorecard of one session: reads the bodies that the metrics ask for, judges them, and lets the metrics count.

Which bodies are read is decided by `metrics.needs`; how they are got is the caller's matter, so this stays pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from waterglass.claims import claims
from waterglass.metrics import (
    Judged,
    Needs,
    Settings,
    Trace,
    compaction_losses,
    health,
    loss_needs,
    needs,
    read_trace,
    scorecard,
)
from waterglass.model import Event
from waterglass.rows import Row
from waterglass.verdict import verify_ok
from waterglass.view import View


class Texts(Protocol):
    """Whole texts of a session, "" where one is gone."""

    def output_of(self, row: Row) -> str:
        """Return a row's output."""

    def text_of(self, reply_id: str) -> str:
        """Return a reply's text."""

    def event_text(self, event: Event) -> str:
        """Return the text of an event."""


class Scores(msgspec.Struct, frozen=True):
    """What the payload says of a session's work: `metrics` in the contract's order, `health` beside them."""

    metrics: list[dict[str, Any]]
    health: dict[str, Any]


Claims = dict[str, tuple[str, str | None]]
"""By reply id: what its text claims, and the sentence that says so."""


def score(
    view: View,
    settings: Settings,
    texts: Texts,
    unread: int = 0,
    start: Callable[[Callable[[], Claims]], Callable[[], Claims]] = lambda work: work,
) -> Scores:
    """Return the scorecard of a view; `texts` reads what it asks for, `unread` files of the session could not be read.

    `start` begins a work whose value is asked for later. What stands in unread files may be the check that seems to be
    left out, or the edit that nothing checked: then no metric can tell, whatever the rest says.
    """
    trace = read_trace(view, settings)
    wanted = needs(trace)
    claims = start(lambda: _claims(wanted.texts, texts))
    checks, listings = _outputs(trace, wanted, texts)
    told = {
        "signals": [msgspec.to_builtins(signal) for signal in health(trace)],
        "fillPercent": view.context.fill_percent,
        "compactionLosses": [msgspec.to_builtins(loss) for loss in compaction_losses(view, _losses(view, texts))],
    }
    metrics = [msgspec.to_builtins(result) for result in scorecard(trace, Judged(checks, claims(), listings))]
    return Scores([_of_a_part(metric, unread) for metric in metrics] if unread else metrics, told)


def _of_a_part(metric: dict[str, Any], unread: int) -> dict[str, Any]:
    """Return a verdict over what could be read as one that cannot tell of the whole."""
    what = "a file" if unread == 1 else f"{unread:,} files"
    note = f"{what} of the session could not be read; of the rest: {metric['status']}, {metric['display']}"
    changed = {"status": "unknown", "value": None, "display": f"cannot be told: {what} could not be read"}
    return {**metric, **changed, "notes": [note, *metric["notes"]]}


def _losses(view: View, texts: Texts) -> dict[str, str]:
    wanted = loss_needs(view)
    whole = {event.id: texts.event_text(event) for event in wanted.summaries}
    return whole | {reply_id: texts.text_of(reply_id) for reply_id in wanted.replies}


def _claims(reply_ids: Sequence[str], texts: Texts) -> Claims:
    said = claims([texts.text_of(reply_id) for reply_id in reply_ids])
    return {reply_id: (one.kind, one.said) for reply_id, one in zip(reply_ids, said, strict=True)}


def _outputs(trace: Trace, wanted: Needs, texts: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """Return what came of the checks, and the listings of files."""
    outputs, listed = set(wanted.outputs), set(wanted.listings)
    checks: dict[str, str] = {}
    listings: dict[str, str] = {}
    for action in trace.actions:
        row = action.row
        if row.id in listed:
            listings[row.id] = texts.output_of(row)
        if row.id not in outputs or action.line is None or row.result is None or row.result.result is None:
            continue
        facts = row.result.result
        command = action.facts.command or ""
        verdict = verify_ok(action.line, facts.is_error, facts.exit_code, texts.output_of(row), command)
        if verdict is not None:
            checks[row.id] = verdict
    return checks, listings
