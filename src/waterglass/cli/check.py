"""`waterglass check`: gates over finished sessions, for a terminal or a build server."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.scoring import Asked, scoring_options
from waterglass.cli.sessionname import SessionName
from waterglass.cli.updating import note_unread
from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    from waterglass.gate import Checked, Further, Limit

BROKEN = 3
MAX_BASELINE = 64 << 20  # bytes


@click.command()
@click.argument("sessions", metavar="SESSION...", nargs=-1, required=True, type=SessionName())
@click.option(
    "--max",
    "limits",
    multiple=True,
    metavar="METRIC=VALUE",
    help="Break where the metric's value is higher, such as earlyVictory=0; may be given again.",
)
@click.option(
    "--baseline", metavar="FILE", help="Break where a value is worse than the worst in this earlier --format json."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How to print the result.",
)
@click.option("--strict", is_flag=True, help="A metric that cannot tell breaks its gate too.")
@scoring_options
@root_option
@window_option
@config_option
def command(
    sessions: tuple[str, ...],
    limits: tuple[str, ...],
    baseline: str | None,
    form: str,
    strict: bool,
    asked: Asked,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Hold sessions against gates, and leave with 3 where one is broken.

    Each SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    Without --max and --baseline a gate is broken where a metric raises an alert. There is no --otel: telemetry tells
    times, and no metric is one.

    \b
    waterglass check latest
    waterglass check run.jsonl --max earlyVictory=0 --format junit > gates.xml
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.elapsed import elapsed
    from waterglass.gate import render

    gates = _gates(limits, baseline, asked.further)
    with without_collector(), elapsed("checking"):
        checked = [_checked(name, gates, strict, asked, roots, window) for name in dict.fromkeys(sessions)]
    _print(render(checked, form), form)
    if any(one.broken for one in checked):
        click.get_current_context().exit(BROKEN)


def _gates(limits: tuple[str, ...], baseline: str | None, further: Further) -> list[Limit] | None:
    from waterglass.gate import baseline_limits, parse_limit

    if not limits and baseline is None:
        return None
    gates = [parse_limit(text, further) for text in limits]
    if baseline is not None:
        gates += baseline_limits(_document(baseline), baseline, further)
    return gates


def _document(path: str) -> object:
    import json

    hint = "a file written by check --format json"
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BASELINE + 1)
        if len(data) > MAX_BASELINE:
            raise WaterglassError("the baseline is too large", path, hint)
        return json.loads(data)
    except OSError as error:
        raise WaterglassError(f"cannot read the baseline ({error.strerror or error})", path, hint) from error
    except (ValueError, RecursionError) as error:
        raise WaterglassError("the baseline is no JSON", path, hint) from error


def _checked(
    name: str, gates: list[Limit] | None, strict: bool, asked: Asked, roots: list[str] | None, window: int | None
) -> Checked:
    from waterglass.gate import check_session
    from waterglass.redact import Redactor
    from waterglass.session import load

    one = load(name, roots, window=window, cwd=os.getcwd())
    one.settings = asked.settings(one.project)
    if name == "latest":
        click.echo(f"latest is {one.id}", err=True)
    note_unread(one)
    head: dict[str, Any] = one.head(lists=False, scores=True)
    if head["session"]["state"] == "live":
        click.echo(f"{one.id} is still being written; it is judged as it stands", err=True)
    lines = {event.id: event.line for event in one.events}
    for metric in head["metrics"]:
        for place in metric["evidence"]:
            place["line"] = lines.get(place["eventId"])
    # What a build server prints is read by others: titles and commands pass the rules that reports pass.
    head = Redactor("secrets").value({"session": head["session"], "metrics": head["metrics"]})
    return check_session(head, one.ref.path, gates, strict)


def _print(text: str, form: str) -> None:
    from waterglass.cli.terminal import visible, visible_json

    if form in ("json", "sarif"):
        sys.stdout.buffer.write(visible_json(text.encode("utf-8")))
    else:
        click.echo(visible(text, lines=True), nl=False)
