"""The scorecard of one session and what it cost, in two processes where that pays.

Another process works out what a part of the calls do, and asks the price data, whose import alone takes longer than all
the rest of a short session; one more reads the closing texts of a long one. The result is the same as in one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack

from waterglass.classify import CallFacts, KnownCall
from waterglass.cost import Cost, cost_of
from waterglass.metrics import Settings
from waterglass.otherprocess import Beside, Job, may_fork
from waterglass.rows import Row
from waterglass.scoring import Claims, Scores, Texts, score
from waterglass.view import View

MANY = 1_000  # calls; of fewer, handing over takes as long as working it out
_OWN_SHARE = 0.55  # of the calls; the other process has the prices besides
_asked_for_prices = False


def judge(
    view: View, settings: Settings | None, texts: Texts, unread: int = 0, *, priced: bool = False
) -> tuple[Scores, Cost | None]:
    """Return the scorecard of a view as `score` does, and, where it is to be `priced`, what its calls cost."""

    def price() -> Cost | None:
        return cost_of(view.ledger.calls, view.linked.facts.last_ms)

    rows, cut = view.rows, len(view.rows)
    jobs: list[Job] = []
    forks = may_fork()
    shared = forks and len(rows) >= MANY and not rows[-1].is_known
    if shared:
        cut = int(len(rows) * _OWN_SHARE)
        jobs.append(_known_job(rows[cut:]))
    if forks and priced and _asks_for_prices():
        jobs.append(Job("cost", price, Cost | None))
    with ExitStack() as others:
        beside = others.enter_context(Beside(jobs))

        def start(work: Callable[[], Claims]) -> Callable[[], Claims]:
            if not shared:
                return work
            reader = others.enter_context(Beside([Job("claims", work, Claims)]))
            return lambda: dict(reader.value("claims", work))

        for row in rows[:cut]:
            row.know()
        for row, known in zip(rows[cut:], beside.value("rows", list), strict=False):  # empty where it failed
            row.know(KnownCall(*known))
        scores = score(view, settings or Settings(), texts, unread, start)
        return scores, beside.value("cost", price) if priced else None


def _known_job(rows: list[Row]) -> Job:
    from waterglass.shell import LineFacts  # late: it brings in the reading of shell lines

    def known() -> list[tuple[CallFacts, LineFacts | None]]:
        return [(one.facts, one.line) for one in map(Row.know, rows)]

    return Job("rows", known, list[tuple[CallFacts, LineFacts | None]])


def _asks_for_prices() -> bool:
    """Whether to let the other process import the price data: once, since for many sessions it is better kept."""
    global _asked_for_prices
    first, _asked_for_prices = not _asked_for_prices, True
    return first and "genai_prices" not in sys.modules
