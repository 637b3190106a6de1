"""`/api/stats`: all sessions added up, as far as they are counted and judged."""

from __future__ import annotations

import os
import re
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from waterglass.errors import UsageError
from waterglass.metrics import METRICS
from waterglass.payload import encode
from waterglass.server.answers import Few
from waterglass.server.upkeep import FIGURES, Upkeep
from waterglass.stats import GROUPS, Asked, document, projects_of

_RANGE = re.compile(r"(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})")
_MOST_DAYS = 100_000


class Statistics:
    """Answers with what is known at the moment, and has the rest counted."""

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep
        self._few = Few()

    async def answer(self, request: Request) -> Response:
        """Return the document of `stats --json`, with `days` (its lines by day), `scorecard` (the metrics' names),
        `projects`, `today`, `zone`, `range` and `index` beside it. Raises UsageError, WaterglassError, Busy."""
        given = request.query_params
        by = given.get("by") or "day"
        if by not in GROUPS:
            raise UsageError(f"nothing is grouped by {by[:40]!r}", "by", f"one of {', '.join(GROUPS)}")
        today = datetime.now().astimezone()
        days = range_of(given.get("days"), today.date())
        asked = _asked(days, by, given.get("project"))
        beside = {
            "today": today.strftime("%Y-%m-%d"),
            "zone": today.tzname(),
            "range": [day.isoformat() if day is not None else None for day in days],
        }
        return await self._few.answer(request, lambda stop: encode({**self._told(asked), **beside}))

    def _told(self, asked: Asked) -> dict[str, Any]:
        self._upkeep.want(FIGURES)
        gathered = self._upkeep.figures()
        roots = [os.fsencode(root).decode("utf-8", "replace") for root in self._upkeep.discovery().roots]
        told = document(gathered, roots, asked)
        by_day = told if asked.by == "day" else document(gathered, roots, replace(asked, by="day"))
        state = self._upkeep.state(FIGURES)
        card = [{"id": one.id, "label": one.label, "unit": one.unit} for one in METRICS]
        projects = projects_of(gathered)
        return {**told, "days": by_day["groups"], "scorecard": card, "projects": projects, "index": state}


def _asked(days: tuple[date | None, date | None], by: str, project: str | None) -> Asked:
    """Return what is asked for; an empty `project` are the sessions without one."""
    first, last = days
    until_ms = _begin_ms(last, after=True)
    return Asked(_begin_ms(first), until_ms, by, lambda name: project is None or (name or "") == project)


def range_of(text: str | None, today: date) -> tuple[date | None, date | None]:
    """Return the first and last day that `30` (days up to today) or `2026-03-01..2026-03-09` names, both None without a
    text. Raises UsageError."""
    if not text:
        return None, None
    try:
        if match := _RANGE.fullmatch(text):
            first, last = date.fromisoformat(match[1]), date.fromisoformat(match[2])
            if first <= last:
                return first, last
        elif text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST_DAYS:
            return today - timedelta(days=int(text[:9]) - 1), today
    except (ValueError, OverflowError):
        pass
    raise UsageError(
        "days must be a number of days, or the first and the last", "days", "30, or 2026-03-01..2026-03-09"
    )


def _begin_ms(day: date | None, *, after: bool = False) -> int | None:
    """Return when a day, or the one after it, begins in the local time zone, in Unix milliseconds. Raises UsageError
    for one that no clock shows."""
    if day is None:
        return None
    try:
        return int(datetime.combine(day + timedelta(days=after), clock()).timestamp() * 1000)
    except (OverflowError, OSError, ValueError) as error:
        raise UsageError("no such day", day.isoformat()) from error
