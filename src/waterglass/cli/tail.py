"""`waterglass tail`: the calls of a session as lines, while it is written."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

from waterglass.cli.options import WholeNumber, config_option, root_option, window_option
from waterglass.cli.sessionname import SessionName
from waterglass.cli.terminal import duration, visible, wants_colour
from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    from waterglass.discover import SessionRef
    from waterglass.growth import FileState
    from waterglass.rows import Row
    from waterglass.session import Session

_PACE_S = 0.2  # between two looks at the files: a few system calls
_AGENT = 14  # columns
_NARROWEST = 60
_SIGNS = {"ok": ("✓", "green"), "error": ("✕", "red"), "running": ("▶", "cyan")}
_OTHER = ("–", "yellow")


@click.command()
@click.argument("session", default="latest", type=SessionName())
@root_option
@click.option(
    "-n", "--lines", "last", type=WholeNumber(0, 1_000_000), default=10, show_default=True, metavar="N",
    help="Begin with the last N calls.",
)  # fmt: skip
@window_option
@config_option
def command(session: str, roots: list[str] | None, last: int, window: int | None, config: str | None) -> None:
    """Print the calls of a session as they happen, one line each; a call that takes its time once more when it ends.

    SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    Ends with Ctrl-C, or when the session's files are gone. There is no --otel: a call's line is printed before its
    telemetry is written; `waterglass serve --otel FILE` shows it as it comes.
    """
    from waterglass.discover import again, resolve
    from waterglass.session import load

    ref, _ = resolve(session, roots, os.getcwd())
    here: SessionRef | None = ref
    states = _states(ref)  # before it is read: what comes meanwhile is seen at the next look
    one = load(ref, in_sight=[], window=window, growing=True)
    click.echo(f"Following {visible(one.view().title or ref.id)} ({visible(ref.id)}). Stop with Ctrl-C.", err=True)
    teller = _Teller(one, last)
    while True:
        time.sleep(_PACE_S)
        here = again(ref)
        if here is None:
            raise WaterglassError("the files of the session are gone", visible(ref.path), "`waterglass list`")
        now = _states(here)
        if now != states:
            ref, states = here, now
            one = load(ref, in_sight=[], window=window, growing=True, before=one)
            if one.started_over:
                click.echo("The session's file is another one now: read anew.", err=True)
        teller.tell(one)


def _states(ref: SessionRef) -> list[tuple[str, FileState | None]]:
    from waterglass.growth import state_of

    return [(path, state_of(path)) for file in ref.files for path in (file.path, file.sidecar) if path is not None]


class _Teller:
    """Prints what is new of the calls: that one began and goes on, and how one ended."""

    def __init__(self, session: Session, last: int) -> None:
        self.colour = wants_colour(sys.stdout)
        self.wide = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        rows = session.view(_now_ms()).rows
        shown = {row.id for row in sorted(rows, key=_when)[len(rows) - last :]} if last else set()
        self.view: object = None
        self.known = {row.id: row.outcome for row in rows if row.id not in shown}
        self.tell(session)

    def tell(self, session: Session) -> None:
        """Print the calls that are new or ended otherwise than they stood before."""
        view = session.view(_now_ms())
        if view is self.view:
            return
        self.view = view
        fresh = [row for row in view.rows if self.known.get(row.id) != row.outcome]
        if not fresh:
            return
        names = {agent["id"]: agent["name"] or agent["type"] for agent in session.head(lists=False)["agents"]}
        for row in sorted(fresh, key=_when):
            self.known[row.id] = row.outcome
            name = "main" if row.agent_id is None else names.get(row.agent_id) or row.agent_id
            click.echo(self._line(row, name), color=self.colour)
        sys.stdout.flush()

    def _line(self, row: Row, agent: str) -> str:
        ms = _when(row)
        clock = time.strftime("%H:%M:%S", time.localtime(ms / 1000)) if ms else " " * 8
        sign, shade = _SIGNS.get(row.outcome, _OTHER)
        state = f"{sign} {row.outcome:<11}"
        before = f"{clock}  {_cut(visible(agent), _AGENT):<{_AGENT}}  "
        after = f" {duration(row.duration):>8}  "
        label = visible(row.facts.label)
        if self.wide is not None:
            label = _cut(label, max(self.wide, _NARROWEST) - len(before) - len(state) - len(after) - 1)
        return before + (click.style(state, fg=shade) if self.colour else state) + after + label


def _when(row: Row) -> int:
    """Return when the last that is known of a call happened, in Unix milliseconds; 0 without a time."""
    return (row.end_ms if row.end_ms is not None else row.start_ms) or 0


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
