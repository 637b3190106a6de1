"""What statistics need of one session: counts by time, tool and model, tokens by time and model. No text."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from waterglass.cost import cost_of
from waterglass.model import Usage
from waterglass.session import Session
from waterglass.usage import Spent, reply_key, with_bound
from waterglass.view import View

VERSION = 2  # of the facts: a change here has every session counted anew
QUARTER_MS = 15 * 60_000  # no zone's day begins within one
NO_TIME = -1  # the quarter of what has no time
_NAME = 200  # characters of a tool's or model's name
_UNKNOWN = "unknown"  # the model of what names none


class CallCell(Struct, array_like=True):
    """The calls of one tool that replies of one model made in one quarter of an hour. `spans` are the durations of
    those that have both ends, in milliseconds."""

    quarter: int  # since 1970, UTC
    tool: str
    model: str
    calls: int = 0
    errors: int = 0
    spans: list[int] = []


class SpentCell(Struct, array_like=True):
    """The API calls of one model in one quarter of an hour; `usd` is None where no price is known."""

    quarter: int
    model: str
    usage: Usage = Usage()
    usd: float | None = None


class PeakCell(Struct, array_like=True):
    """The fullest context of the main thread at a reply of one model in one quarter of an hour, in tokens."""

    quarter: int
    model: str
    tokens: int


class SessionFacts(Struct, array_like=True):
    """One session without what it has from another. `inherited` are the ids of the replies that another paid for."""

    project: str | None
    last: int = NO_TIME  # quarter of the newest record
    prompts: dict[int, int] = {}  # by quarter
    compactions: dict[int, int] = {}  # by quarter, those of agents too
    calls: list[CallCell] = []
    spent: list[SpentCell] = []
    peaks: list[PeakCell] = []
    prices_as_of: str | None = None
    inherited: list[str] = []


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(SessionFacts).decode


def quarter_of(ms: int | None) -> int:
    """Return the quarter of an hour that a time lies in."""
    return NO_TIME if ms is None else ms // QUARTER_MS


def facts_of(session: Session) -> SessionFacts:
    """Return the facts of a session that was read with the history that it shares."""
    view = session.view()
    facts = SessionFacts(session.project, quarter_of(view.linked.facts.last_ms), inherited=sorted(session.inherited))
    last = max((reply.order for reply in view.replies if reply.id in session.inherited), default=-1)
    for prompt in view.prompts:
        if prompt.state != "unsent" and prompt.order >= last:
            _count(facts.prompts, quarter_of(prompt.ms))
    for order, event in view.linked.index.marks:
        if event.kind == "compaction" and order >= last:
            _count(facts.compactions, quarter_of(event.ms))
    facts.calls = _calls(view, session.inherited)
    facts.spent, facts.prices_as_of = _spent(view.ledger.calls)
    facts.peaks = _peaks(view, session.inherited)
    return facts


def _count(counts: dict[int, int], quarter: int) -> None:
    counts[quarter] = counts.get(quarter, 0) + 1


def _model(name: str | None) -> str:
    return (name or _UNKNOWN)[:_NAME]


def _calls(view: View, inherited: frozenset[str]) -> list[CallCell]:
    models = {call.key: call.model for call in view.ledger.calls}
    cells: dict[tuple[int, str, str], CallCell] = {}
    for row in view.rows:
        if row.call.message_id in inherited:
            continue
        key = quarter_of(row.start_ms), row.tool.name[:_NAME], _model(models.get(reply_key(row.call)))
        cell = cells.get(key)
        if cell is None:
            cell = cells[key] = CallCell(*key)
        cell.calls += 1
        cell.errors += row.outcome == "error"
        if row.duration is not None:
            cell.spans.append(row.duration)
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
            model = call.model or _UNKNOWN
            usage[model] = usage.get(model, Usage()) + with_bound(call.usage, not call.stopped)
        cost = cost_of(own, quarter * QUARTER_MS if quarter != NO_TIME else None)
        prices = cost.by_model if cost is not None else {}
        as_of = cost.prices_as_of if cost is not None else None
        cells += [SpentCell(quarter, model[:_NAME], spent, prices.get(model)) for model, spent in usage.items()]
    return cells, as_of


def _peaks(view: View, inherited: frozenset[str]) -> list[PeakCell]:
    peaks: dict[tuple[int, str], int] = {}
    for reply in view.replies:
        tokens = reply.context_tokens
        if reply.agent_id is None and tokens is not None and not reply.synthetic and reply.id not in inherited:
            key = quarter_of(reply.ms), _model(reply.model)
            peaks[key] = max(peaks.get(key, 0), tokens)
    return [PeakCell(quarter, model, tokens) for (quarter, model), tokens in peaks.items()]
