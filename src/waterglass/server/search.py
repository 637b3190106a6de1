"""`/api/search`: passages of all sessions that hold a text, as far as the index has got."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from waterglass.errors import UsageError
from waterglass.index import PARTS, Wanted, document, not_searched, parse, search
from waterglass.payload import encode
from waterglass.server.answers import Few
from waterglass.server.upkeep import TEXTS, Upkeep

TIME_S = 2.0
_LIMIT, _MOST = 40, 500  # results
_DAY_MS = 86_400_000


class Searches:
    """Answers searches, a few at a time; whoever leaves before the answer stops his own."""

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep
        self._few = Few()

    async def answer(self, request: Request) -> Response:
        """Return the document of `search --json`, with `index` beside it. Raises UsageError, WaterglassError, Busy."""
        text, wanted = _asked(request)
        return await self._few.answer(request, lambda stop: self._search(text, wanted, stop))

    def _search(self, text: str, wanted: Wanted, stop: Callable[[], bool]) -> bytes:
        self._upkeep.want(TEXTS)
        discovery, query = self._upkeep.discovery(), parse(text, wanted.parts)
        found = self._upkeep.read(lambda store: search(store, discovery, query, wanted, stop))
        missing = not_searched(found, self._upkeep.updated(), discovery, wanted)
        state = self._upkeep.state(TEXTS)
        if not (state["complete"] or state["checking"]):
            missing.insert(0, "what the index does not hold yet: it is still being brought up to date")
        return encode({**document(query, wanted, found, missing), "index": state})


def _asked(request: Request) -> tuple[str, Wanted]:
    """Return the query and what is wanted of it. Raises UsageError."""
    given = request.query_params
    parts = tuple(dict.fromkeys(part for part in given.get("in", "").split(",") if part)) or PARTS
    if wrong := [part for part in parts if part not in PARTS]:
        raise UsageError(f"no part is named {wrong[0][:40]!r}", "in", f"one or more of {','.join(PARTS)}")
    limit = number_of(given.get("limit"), "limit", _MOST)
    days = number_of(given.get("days"), "days", 100_000)
    since_ms = time.time_ns() // 1_000_000 - days * _DAY_MS if days is not None else None
    return given.get("q", ""), Wanted(parts, given.get("project"), since_ms, limit or _LIMIT, TIME_S)


def number_of(text: str | None, name: str, most: int) -> int | None:
    """Return a whole number from 1 to `most`, None where none is given. Raises UsageError."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= most):
        raise UsageError(f"{name} must be a whole number from 1 to {most}", name)
    return int(text)
