"""Everything that is derived from the events of one session: computed afresh from them, so that live equals cold."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.context import Context, thread_contexts
from waterglass.link import Linked
from waterglass.model import is_young
from waterglass.prompts import Prompt, collect_prompts, title_of
from waterglass.replies import Reply, collect_replies
from waterglass.rows import Row, make_rows
from waterglass.timeline import TimeLedger, time_ledger
from waterglass.usage import Ledger, ledger, reply_key

if TYPE_CHECKING:  # imported where telemetry is given
    from waterglass.otel import Heard, Told


class Exchange(Struct):
    """A prompt and all up to the next; rows are a range of the table."""

    prompt: int | None  # index into the prompts, None for what came before any
    start_ms: int | None = None
    end_ms: int | None = None
    calls: int = 0
    errors: int = 0
    row_start: int = 0
    row_end: int = 0


class View(Struct, dict=True):
    """The numbers and lists that the payload, the terminal and the library show.

    Replies and exchanges are put together when they are first asked for: a terminal shows neither.
    """

    linked: Linked
    state: str  # live | idle | empty | orphan
    rows: list[Row]
    prompts: list[Prompt]
    branches: int
    title: str | None
    title_source: str | None
    ledger: Ledger
    time: TimeLedger
    contexts: dict[str | None, Context]  # by agent id; None is the main thread
    told: Told | None = None  # by Claude Code's own telemetry, where it was given

    @property
    def context(self) -> Context:
        """The main thread's context."""
        return self.contexts[None]

    @cached_property
    def replies(self) -> list[Reply]:
        """The replies of all threads that are shown."""
        internal = {agent.id for agent in self.linked.agents if agent.kind == "internal"}
        return collect_replies(self.linked.events, self.ledger.calls, internal)

    @cached_property
    def _cut(self) -> tuple[list[Exchange], list[int]]:
        return _exchanges(self.prompts, self.rows, self.replies)

    @property
    def exchanges(self) -> list[Exchange]:
        """The session, cut at its prompts."""
        return self._cut[0]

    @property
    def reply_exchange(self) -> list[int]:
        """Index of the exchange of each reply."""
        return self._cut[1]

    @cached_property
    def reply_rows(self) -> dict[str, list[int]]:
        """Indexes of the rows of each reply, by its id."""
        found: dict[str, list[int]] = {}
        for index, row in enumerate(self.rows):
            found.setdefault(reply_key(row.call), []).append(index)
        return found


def is_live(linked: Linked, now_ms: int, modified_ms: int | None = None) -> bool:
    """Return whether the session's newest record (without any time: its newest file) is young at `now_ms`."""
    last_ms = linked.facts.last_ms
    newest = last_ms if last_ms is not None else modified_ms
    return newest is not None and is_young(newest, now_ms)


def make_view(
    linked: Linked,
    now_ms: int,
    window: int | None = None,
    inherited: frozenset[str] = frozenset(),
    indexed_title: str | None = None,
    modified_ms: int | None = None,
    heard: Heard | None = None,
    session_id: str = "",
) -> View:
    """Derive everything from the linked events; `now_ms` decides only what is live.

    `modified_ms` is the newest time of a file, which serves where no record has a time. `heard` is what Claude Code's
    own telemetry tells, of which what fits the session `session_id` is taken.
    """
    facts = linked.facts
    live = is_live(linked, now_ms, modified_ms)
    rows = make_rows(linked, live)
    book = ledger(linked.replies_by_source, inherited)
    prompts, branches = collect_prompts(linked)
    title, source = title_of(linked, prompts, indexed_title)
    told = _told(rows, heard, {session_id, *facts.session_ids}) if heard is not None else None
    time = time_ledger(linked.events, rows, prompts, facts.first_ms, facts.last_ms, told)
    contexts = thread_contexts(linked.index, window)
    return View(linked, _state(linked, live), rows, prompts, branches, title, source, book, time, contexts, told)


def _told(rows: list[Row], heard: Heard, sessions: set[str]) -> Told:
    from waterglass.otel import match

    return match(rows, heard, sessions)


def _state(linked: Linked, live: bool) -> str:
    if not any(s.kind == "main" for s in linked.sources):
        return "orphan"
    if not any(s.facts.conversation for s in linked.sources if s.kind == "main"):
        return "empty"
    return "live" if live else "idle"


def _exchanges(prompts: list[Prompt], rows: list[Row], replies: list[Reply]) -> tuple[list[Exchange], list[int]]:
    """Cut the session at its prompts, by the place in the merged order; returns the exchanges and that of each
    reply."""
    starts = [(p.order, n) for n, p in enumerate(prompts) if p.state != "unsent"]
    orders = [order for order, _ in starts]
    tops = [n for n, row in enumerate(rows) if row.parent < 0]
    first = min([*(rows[n].order for n in tops), *(r.order for r in replies)], default=None)
    early = first is not None and (not orders or first < orders[0])
    exchanges = [Exchange(None)] if early else []
    exchanges += [Exchange(n, prompts[n].ms, prompts[n].ms) for _, n in starts]
    shift = 1 if early else 0

    def of(order: int) -> int:
        return max(0, bisect_right(orders, order) - 1 + shift)

    members: list[list[int]] = [[] for _ in exchanges]
    for n in tops:
        members[of(rows[n].order)].append(n)
    at = 0
    for exchange, own in zip(exchanges, members, strict=True):
        exchange.row_start = at
        at = rows[own[-1]].subtree_end if own else at
        exchange.row_end = at
        for row in rows[exchange.row_start : exchange.row_end]:
            exchange.calls += 1
            exchange.errors += row.outcome == "error"
            _stretch(exchange, row.start_ms, row.end_ms if row.end_ms is not None else row.open_until_ms)
    placed = [of(reply.order) for reply in replies]
    for reply, index in zip(replies, placed, strict=True):
        _stretch(exchanges[index], reply.ms, reply.end_ms)
    return exchanges, placed


def _stretch(exchange: Exchange, start: int | None, end: int | None) -> None:
    if start is not None and (exchange.start_ms is None or start < exchange.start_ms):
        exchange.start_ms = start
    if end is not None and (exchange.end_ms is None or end > exchange.end_ms):
        exchange.end_ms = end
