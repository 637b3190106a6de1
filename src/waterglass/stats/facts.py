"""What statistics need of one session: counts by time and tool, tokens by time and model. No text."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from waterglass.cost import cost_of
from waterglass.model import Usage
from waterglass.session import Session
from waterglass.usage import Spent, with_bound
from waterglass.view import View

VERSION = 1  # of the facts: a change here has every session counted anew
QUARTER_MS = 15 * 60_000  # no zone's day begins within one
NO_TIME = -1  # the quarter of what has no time
_NAME = 200  # characters of a tool's or model's name
_FINE = 6  # bits of a duration that are kept: 1.6 % at most are lost


class CallCell(Struct, array_like=True):
    """The calls of one tool that began in one quarter of an hour. `spans` counts durations by their buckets."""

    quarter: int  # since 1970, UTC
    tool: str
    calls: int = 0
    errors: int = 0
    total_ms: int = 0
    spans: dict[int, int] = {}


class SpentCell(Struct, array_like=True):
    """The API calls of one model in one quarter of an hour; `usd` is None where no price is known."""

    quarter: int
    model: str
    usage: Usage = Usage()
    usd: float | None = None


class SessionFacts(Struct, array_like=True):
    """One session without what it has from another. `inherited` are the ids of the replies that another paid for."""

    project: str | None
    prompts: dict[int, int] = {}  # by quarter
    calls: list[CallCell] = []
    spent: list[SpentCell] = []
    prices_as_of: str | None = None
    inherited: list[str] = []


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(SessionFacts).decode


def quarter_of(ms: int | None) -> int:
    """Return the quarter of an hour that a time lies in."""
    return NO_TIME if ms is None else ms // QUARTER_MS


def bucket_of(ms: int) -> int:
    """Return the bucket of a duration: exact below 64 ms, above with its first six bits."""
    shift = max(0, ms.bit_length() - _FINE)
    return shift << _FINE | ms >> shift


def duration_of(bucket: int) -> int:
    """Return the middle of a bucket in milliseconds."""
    shift = bucket >> _FINE
    low = (bucket & (1 << _FINE) - 1) << shift
    return low + (1 << shift >> 1)


def facts_of(session: Session) -> SessionFacts:
    """Return the facts of a session that was read with the history that it shares."""
    view = session.view()
    facts = SessionFacts(session.project, inherited=sorted(session.inherited))
    last = max((reply.order for reply in view.replies if reply.id in session.inherited), default=-1)
    for prompt in view.prompts:
        if prompt.state != "unsent" and prompt.order >= last:
            quarter = quarter_of(prompt.ms)
            facts.prompts[quarter] = facts.prompts.get(quarter, 0) + 1
    facts.calls = _calls(view, session.inherited)
    facts.spent, facts.prices_as_of = _spent(view.ledger.calls)
    return facts


def _calls(view: View, inherited: frozenset[str]) -> list[CallCell]:
    cells: dict[tuple[int, str], CallCell] = {}
    for row in view.rows:
        if row.call.message_id in inherited:
            continue
        quarter, tool = quarter_of(row.start_ms), row.tool.name[:_NAME]
        cell = cells.get((quarter, tool))
        if cell is None:
            cell = cells[quarter, tool] = CallCell(quarter, tool)
        cell.calls += 1
        cell.errors += row.outcome == "error"
        duration = row.duration
        if duration is not None:
            cell.total_ms += duration
            bucket = bucket_of(duration)
            cell.spans[bucket] = cell.spans.get(bucket, 0) + 1
    return list(cells.values())


def _spent(calls: Iterable[Spent]) -> tuple[list[SpentCell], str | None]:
    by_quarter: dict[int, list[Spent]] = {}
    for call in calls:
        if not call.inherited:
            by_quarter.setdefault(quarter_of(call.ms), []).append(call)
    cells: list[SpentCell] = []
    as_of = None
    for quarter, own in by_quarter.items():
        usage: dict[str, Usage] = {}
        for call in own:
            model = call.model or "unknown"
            usage[model] = usage.get(model, Usage()) + with_bound(call.usage, not call.stopped)
        cost = cost_of(own, quarter * QUARTER_MS if quarter != NO_TIME else None)
        prices = cost.by_model if cost is not None else {}
        as_of = cost.prices_as_of if cost is not None else None
        cells += [SpentCell(quarter, model[:_NAME], spent, prices.get(model)) for model, spent in usage.items()]
    return cells, as_of
