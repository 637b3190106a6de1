"""What a user of the library holds: one session, with everything about it on demand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from waterglass.bodyreader import BodyReader
from waterglass.discover import Roots, SessionRef, resolve
from waterglass.load import Transcript, link_transcripts, read_session
from waterglass.model import Coverage, Event, Origin, Problem
from waterglass.payload import (
    listing_fields,
    nested_rows,
    overview_rows,
    payload_head,
    row_fields,
    row_states,
    table_from_rows,
    write_payload,
)
from waterglass.payload.events import event_fields
from waterglass.replies import Reply
from waterglass.rows import Row, keep_facts
from waterglass.schema.layout import project_of, written
from waterglass.view import View, is_live, make_view

QUICK_CALLS = 1_500  # in sessions of more, the scorecard takes longer than reading them

if TYPE_CHECKING:  # the scorecard is imported when it is asked for
    from waterglass.cost import Cost
    from waterglass.metrics import Settings
    from waterglass.otel import Telemetry
    from waterglass.payload import RowState, shapes
    from waterglass.scoring import Scores


class Session:
    """One session as read at one moment. Bodies (inputs, outputs, whole texts) are read from the files when asked
    for."""

    def __init__(
        self,
        ref: SessionRef,
        *,
        window: int | None = None,
        now_ms: int | None = None,
        inherited: frozenset[str] = frozenset(),
        continues: str | None = None,
        indexed_title: str | None = None,
        folder_project: str | None = None,
        settings: Settings | None = None,
        otel: Telemetry | None = None,
        growing: bool = False,
        before: Session | None = None,
    ) -> None:
        self.ref = ref
        self.settings = settings  # of the scorecard; None: the usual ones
        self.window = window
        self.telemetry = otel  # Claude Code's own, of this and other sessions; None where none was given
        self._heard = otel.heard() if otel is not None else None
        self.inherited = inherited
        self.indexed_title = indexed_title
        self.folder_project = folder_project  # for a session whose own records name no directory
        self.transcripts: list[Transcript]
        self.unread: list[Problem]  # files of it that could not be read: what is told of it is told without them
        self._growing = growing or before is not None
        earlier = before.transcripts if before is not None and before._growing else []
        self.transcripts, self.unread = read_session(ref, earlier, growing=self._growing)
        self.started_over = any(t.replaced and all(t is not old for old in earlier) for t in self.transcripts)
        self._rows_before = before._view.rows if before is not None and before._view is not None else []
        self._linked, coverage = link_transcripts(self.transcripts)
        self.coverage: Coverage = coverage
        for problem in self.unread:
            coverage.add_problem(problem)
        self.continues = continues if continues != ref.id else None
        self._bodies = BodyReader({file.key: file.path for file in ref.files})
        self._view: View | None = None
        self._scores: tuple[View, Settings | None, Scores] | None = None  # of the view and settings at hand
        self._cost: tuple[View, Cost | None] | None = None
        self._plugged: tuple[Scores, list[dict[str, Any]]] | None = None  # metrics of third parties, beside them
        self._now_ms = now_ms
        self._by_id: dict[str, Row] | None = None
        self._replies: tuple[View, dict[str, Reply]] | None = None  # by id, of the view at hand

    @property
    def id(self) -> str:
        """The session's id: the name of its main file."""
        return self.ref.id

    def view(self, now_ms: int | None = None) -> View:
        """Return everything derived from the events, for the time `now_ms` (default: when first asked)."""
        wanted = now_ms if now_ms is not None else self._now_ms
        if wanted is None:
            wanted = time.time_ns() // 1_000_000
        if self._view is None or self.is_live(wanted) != self.is_live(self._now_ms or wanted):
            self._view = make_view(
                self._linked, wanted, self.window, self.inherited, self.indexed_title, self.ref.modified_ms,
                self._heard, self.id,
            )  # fmt: skip
            keep_facts(self._view.rows, self._rows_before)
            self._rows_before = self._view.rows if self._growing else []
            self._by_id = None
        self._now_ms = wanted
        return self._view

    def row_states(self, now_ms: int | None = None) -> Iterator[RowState]:
        """Yield what each row's fields are made of, in the order of the table."""
        return row_states(self.view(now_ms))

    def row_fields(self, now_ms: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield each row's fields without bodies, in the order of the table."""
        return row_fields(self.view(now_ms))

    def is_live(self, now_ms: int) -> bool:
        """Return whether it is being written at `now_ms`."""
        return is_live(self._linked, now_ms, self.ref.modified_ms)

    @property
    def events(self) -> list[Event]:
        """All events in arrival order, without copies; `event.raw` reads the record that one was made of."""
        events = self._linked.events
        if events and events[-1].origin is None:
            origin = Origin(self._bodies.record)
            for event in events:
                msgspec.structs.force_setattr(event, "origin", origin)  # they are this session's own
        return events

    @property
    def rows(self) -> list[Row]:
        """All rows in pre-order."""
        return self.view().rows

    @property
    def usage(self) -> dict[str, Any]:
        """The payload's `usage`."""
        return dict(self.head(lists=False)["usage"])

    def __repr__(self) -> str:
        return f"<Session {self.id}, {len(self._linked.calls):,} calls>"

    def _repr_html_(self) -> str:
        """Return a small table for a notebook."""
        from waterglass.notebook import summary_html

        return summary_html(self)

    @property
    def project(self) -> str | None:
        """The folder that it worked in, a worktree counted to its repository; None where no record names one."""
        cwd = self._linked.facts.cwd
        return (project_of(cwd)[0] if cwd else None) or self.folder_project

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """The six metrics, as in the payload, then those of third parties. Reads the outputs of checks and the closing
        texts from the files."""
        return self._metrics(None)

    def _metrics(self, now_ms: int | None) -> list[dict[str, Any]]:
        own = self.scores(now_ms)
        if self._plugged is None or self._plugged[0] is not own:
            from waterglass.plugins import plugin_results

            self._plugged = (own, plugin_results(self, self.settings, now_ms))
        return [*own.metrics, *self._plugged[1]]

    def scores(self, now_ms: int | None = None, *, priced: bool = False) -> Scores:
        """Return the six metrics and the signals of health, worked out when first asked for a view and its settings.
        `priced` says that the cost will be asked for too."""
        view, known = self.view(now_ms), self._scores
        if known is None or known[0] is not view or known[1] is not self.settings:
            from waterglass.judging import judge

            scores, cost = judge(view, self.settings, self, len(self.unread), priced=priced)
            self._scores = known = (view, self.settings, scores)
            self._cost = (view, cost) if priced else None
        return known[2]

    def scorecard(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return `{metrics, health, cost}` as the payload has them."""
        scores = self.scores(now_ms, priced=True)
        return {"metrics": self._metrics(now_ms), "health": scores.health, "cost": self.cost(now_ms)}

    def cost(self, now_ms: int | None = None) -> dict[str, Any] | None:
        """Return what the counted calls cost at API list prices, None where the price data is not installed."""
        from waterglass.cost import cost_of

        view = self.view(now_ms)
        if self._cost is None or self._cost[0] is not view:
            self._cost = (view, cost_of(view.ledger.calls, self._linked.facts.last_ms))
        found = self._cost[1]
        return None if found is None else dict(msgspec.to_builtins(found))

    def output_of(self, row: Row) -> str:
        """Return the whole output of a row, "" without a result or where the file is gone."""
        return self._bodies.output(row) or ""

    def text_of(self, reply_id: str) -> str:
        """Return the whole text of a reply, "" for an id that is not in the session."""
        body = self.reply_body(reply_id)
        return str(body["text"]) if body is not None else ""

    def event_text(self, event: Event) -> str:
        """Return the whole text of an event."""
        return self._bodies.event_text(event)

    @property
    def problems(self) -> list[Problem]:
        """Everything odd that was met."""
        return [*self.coverage.problems, *self._linked.problems]

    def head(self, now_ms: int | None = None, *, lists: bool = True, scores: bool = False) -> dict[str, Any]:
        """Return the payload without rows; without `lists` also without prompts, replies, exchanges and marks, without
        `scores` without metrics and health (null)."""
        view = self.view(now_ms)
        internal = {agent.id for agent in self._linked.agents if agent.kind == "internal"}
        sizes = {t.file.key: t.coverage.bytes + t.tail_coverage.bytes for t in self.transcripts}
        files: list[shapes.File] = [
            {
                "path": written(file.path),
                "kind": "internal" if file.agent_id in internal else file.kind,
                "bytes": sizes.get(file.key, file.size),
            }
            for file in self.ref.files
        ]
        head = payload_head(view, self.id, files, self.coverage, self.continues, lists)
        head["session"]["project"] = head["session"]["project"] or self.folder_project
        if scores:
            head |= self.scorecard(now_ms)
        return head

    def overview(self, now_ms: int | None = None, *, scores: bool = False) -> dict[str, Any]:
        """Return the payload for a terminal: the head without long lists, and `overview`: the rows that a screen has
        room for."""
        return {**self.head(now_ms, lists=False, scores=scores), "overview": overview_rows(self.view(now_ms))}

    def audit(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return which records each counted reply is made of, and every reply record left out with its rule."""
        from waterglass.audit import audit
        from waterglass.payload.audit import audit_fields

        book = self.view(now_ms).ledger
        return audit_fields(audit(self._linked, book), book.total)

    def payload(self, now_ms: int | None = None, *, table: bool = False, scores: bool | None = True) -> dict[str, Any]:
        """Return the whole payload: nested rows with bodies, or a `table` without.

        Metrics, health and cost are null without `scores`; None leaves them out where they take longer than the rest.
        """
        wanted = len(self.view(now_ms).rows) <= QUICK_CALLS if scores is None else scores
        head = self.head(now_ms, scores=wanted)
        view = self.view(now_ms)
        if table:
            parents, ends = [row.parent for row in view.rows], [row.subtree_end for row in view.rows]
            return {**head, "table": table_from_rows(row_fields(view), parents, ends)}
        return {**head, "rows": nested_rows(view, self._bodies.input_and_output)}

    def write_json(self, write: Callable[[bytes], object], *, events: bool = False, now_ms: int | None = None) -> None:
        """Write the payload with nested rows as JSON, row by row; `events` adds the events with their whole texts."""
        head = self.head(now_ms, scores=True)
        if events:
            head["events"] = event_fields(self.events, self._bodies.record)
        write_payload(write, head, self.view(now_ms), self._bodies.input_and_output)

    def listing(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return what a list of sessions shows of this one, counted in full."""
        return listing_fields(self.view(now_ms), self.project, self.continues, self.inherited)

    def row_body(self, row_id: str) -> dict[str, Any] | None:
        """Return one row's input, output, pictures and raw records, None for an id that is not in the session."""
        if self._by_id is None:
            self._by_id = {row.id: row for row in self.view().rows}
        row = self._by_id.get(row_id)
        return self._bodies.body(row) if row is not None else None

    def find_texts(self, texts: Sequence[str], start: str | None = None, seconds: float = 1.0) -> dict[str, Any]:
        """Look for texts in the inputs and outputs of all rows, as `BodyReader.find` does, whatever their case."""
        return self._bodies.find(self.view().rows, [text.lower() for text in texts], start, seconds)

    def bodies(self) -> Iterator[dict[str, Any]]:
        """Yield the body of each row in the order of the table, one by one."""
        for row in self.view().rows:
            yield self._bodies.body(row)

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return the whole text and thinking of a reply, None for an id that is not in the session."""
        view = self.view()
        if self._replies is None or self._replies[0] is not view:
            self._replies = (view, {r.id: r for r in view.replies})
        reply = self._replies[1].get(reply_id)
        return self._bodies.reply(reply) if reply is not None else None

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return the whole text of a prompt, None for an id that is not in the session."""
        prompt = next((p for p in self.view().prompts if p.id == uuid), None)
        return {"uuid": uuid, "text": self._bodies.prompt(prompt, self.events)} if prompt is not None else None


def load(
    target: str | PathLike[str] | SessionRef = "latest",
    roots: Roots | None = None,
    *,
    window: int | None = None,
    now_ms: int | None = None,
    cwd: str | None = None,
    in_sight: Sequence[SessionRef] | None = None,
    settings: Settings | None = None,
    otel: Telemetry | Roots | None = None,
    growing: bool = False,
    before: Session | None = None,
) -> Session:
    """Read a session: a path to a `.jsonl`, an id or a unique beginning of one, "latest", or what `discover` found.

    `roots` is a folder or several. `in_sight` are the sessions that may share its history, where they are known
    already. `window` is the context window in tokens where you know it, `settings` what the scorecard takes for
    granted. `otel` are files in which a collector wrote Claude Code's own telemetry (OTLP/JSON): they tell waits for a
    permission from execution. With `growing` the session can be read on: give it as `before`, and only what its files
    gained is read; it is of no use afterwards. Raises WaterglassError where there is no such session, or a file of
    telemetry cannot be read.
    """
    from waterglass.inherit import history_of

    if isinstance(target, SessionRef):
        ref = target
    else:
        ref, discovery = resolve(target, roots, cwd)
        in_sight = discovery.sessions
    if otel is not None:
        from waterglass.otel import Telemetry

        otel = Telemetry.of(otel)
    history = history_of(ref, in_sight)
    return Session(
        ref,
        window=window,
        now_ms=now_ms,
        inherited=history.inherited,
        continues=history.continues,
        indexed_title=history.indexed_title,
        folder_project=history.folder_project,
        settings=settings,
        otel=otel,
        growing=growing,
        before=before,
    )
