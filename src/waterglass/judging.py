"""The scorecard of one session and what it cost, in two processes where that pays.

The other process works out what a part of the calls do, reads the closing texts, and asks the price data, whose import
alone takes longer than all the rest of a short session. The result is the same as in one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from waterglass.classify import CallFacts, KnownCall
from waterglass.cost import Cost, cost_of
from waterglass.metrics import Settings, closing_texts
from waterglass.otherprocess import Beside, Job, may_fork
from waterglass.rows import Row
from waterglass.scoring import Claims, Scores, Texts, claims_of, score
from waterglass.view import View

MANY = 1_000  # calls; of fewer, handing over takes as long as working it out
_OWN_SHARE = 0.6  # of the calls; the other process has the texts and the prices besides
_asked_for_prices = False


def judge(
    view: View, settings: Settings | None, texts: Texts, unread: int = 0, *, priced: bool = False
) -> tuple[Scores, Cost | None]:
    """Return the scorecard of a view as `score` does, and, where it is to be `priced`, what its calls cost."""

    def price() -> Cost | None:
        return cost_of(view.ledger.calls, view.linked.facts.last_ms)

    def said(reply_ids: Sequence[str]) -> Claims:
        return dict(beside.value("claims", lambda: claims_of(reply_ids, texts)))

    rows = view.rows
    jobs: list[Job] = []
    cut = len(rows)
    if may_fork():
        if len(rows) >= MANY and not rows[-1].is_known:
            cut = int(len(rows) * _OWN_SHARE)
            jobs += _jobs(view, texts, cut)
        if priced and _asks_for_prices():
            jobs.append(Job("cost", price, Cost | None))
    with Beside(jobs) as beside:
        for row in rows[:cut]:
            row.know()
        for row, known in zip(rows[cut:], beside.value("rows", list), strict=False):  # empty where it failed
            row.know(KnownCall(*known))
        scores = score(view, settings or Settings(), texts, unread, said)
        return scores, beside.value("cost", price) if priced else None


def _jobs(view: View, texts: Texts, cut: int) -> list[Job]:
    from waterglass.shell import LineFacts  # late: it brings in the reading of shell lines

    def known() -> list[tuple[CallFacts, LineFacts | None]]:
        return [(one.facts, one.line) for one in map(Row.know, view.rows[cut:])]

    return [
        Job("rows", known, list[tuple[CallFacts, LineFacts | None]]),
        Job("claims", lambda: claims_of(closing_texts(view), texts), Claims),
    ]


def _asks_for_prices() -> bool:
    """Whether to let the other process import the price data: once, since for many sessions it is better kept."""
    global _asked_for_prices
    first, _asked_for_prices = not _asked_for_prices, True
    return first and "genai_prices" not in sys.modules
