"""`waterglass show`: one session in the terminal, or as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from waterglass.cli.options import config_option, otel_option, root_option, window_option
from waterglass.cli.scoring import Asked, scoring_options
from waterglass.cli.sessionname import SessionName

MANY = 5_000  # calls; beyond, the scorecard takes half a second and more


@click.command()
@click.argument("session", default="latest", type=SessionName())
@scoring_options
@otel_option
@root_option
@window_option
@config_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole payload as one JSON document.")
@click.option("--events", is_flag=True, help="With --json: add every event with its whole text.")
@click.option("--audit", is_flag=True, help="List every counted reply with its records, and every record left out.")
@click.option(
    "--scorecard/--no-scorecard",
    default=None,
    help=f"Judge the session too; left out by itself above {MANY:,} calls.",
)
def command(
    session: str,
    otel: list[str] | None,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
    as_json: bool,
    events: bool,
    audit: bool,
    scorecard: bool | None,
    asked: Asked,
) -> None:
    """Show one session: where its time went, its agents, its longest calls, what was odd.

    SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.

    \b
    waterglass show latest
    waterglass show 3f2a --json | jq .usage
    """
    from waterglass.cli.collector import keep_to_the_end, without_collector
    from waterglass.cli.elapsed import elapsed

    if events and (audit or not as_json):
        raise click.UsageError("--events goes with --json, and not with --audit")
    with without_collector():
        from waterglass.cli.terminal import visible_json
        from waterglass.session import load

        with elapsed("reading"):
            one = keep_to_the_end(load(session, roots, window=window, cwd=os.getcwd(), otel=otel))
        if session == "latest":
            click.echo(f"latest is {one.id}", err=True)
        if audit:
            _show_audit(one.audit(), as_json)
            return
        wanted = as_json or (len(one.rows) <= MANY if scorecard is None else scorecard)
        if wanted:  # the settings bring in all that judges; a summary without it does without
            one.settings = asked.settings(one.project)
            with elapsed("judging"):
                one.scorecard()
        if as_json:
            write = sys.stdout.buffer.write
            one.write_json(lambda part: write(visible_json(part)), events=events)
            return
        from waterglass.cli.summary import print_summary

        print_summary(one.overview(scores=wanted), sys.stdout)
        if scorecard is None and not wanted:
            click.echo(f"The scorecard of {len(one.rows):,} calls takes a moment: add --scorecard", err=True)


def _show_audit(document: dict[str, Any], as_json: bool) -> None:
    if as_json:
        from waterglass.cli.terminal import visible_json
        from waterglass.payload import encode

        sys.stdout.buffer.write(visible_json(encode(document)) + b"\n")
        return
    from waterglass.cli.audit import print_audit

    print_audit(document, sys.stdout)
