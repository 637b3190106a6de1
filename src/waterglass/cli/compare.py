"""`waterglass compare`: sessions side by side."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.scoring import Asked, scoring_options

if TYPE_CHECKING:
    from waterglass.session import Session


@click.command()
@click.argument("sessions", metavar="A B [C...]", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@scoring_options
@root_option
@window_option
@config_option
def command(
    sessions: tuple[str, ...],
    as_json: bool,
    asked: Asked,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Compare sessions with the first of them: metrics, usage, time, health, and where their steps part.

    Each is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.terminal import visible_json
    from waterglass.compare import compare
    from waterglass.payload import encode

    if len(sessions) < 2:
        raise click.UsageError("compare takes two sessions or more")
    with without_collector():
        loaded = [_load(name, asked, roots, window) for name in sessions]
        document = compare([one.head(scores=True) for one in loaded], [list(one.row_fields()) for one in loaded])
        if as_json:
            sys.stdout.buffer.write(visible_json(encode(document)) + b"\n")
            return
        from waterglass.cli.sidebyside import print_comparison

        print_comparison(document, sys.stdout)


def _load(name: str, asked: Asked, roots: list[str] | None, window: int | None) -> Session:
    from waterglass.session import load

    one = load(name, roots, window=window, cwd=os.getcwd())
    one.settings = asked.settings(one.project)
    return one
