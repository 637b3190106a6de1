"""`waterglass report`: one session as one HTML file."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from waterglass.cli.browser import open_page
from waterglass.cli.options import config_option, otel_option, root_option, window_option
from waterglass.cli.redaction import own_values, own_values_options
from waterglass.cli.scoring import Asked, scoring_options
from waterglass.cli.sessionname import SessionName
from waterglass.cli.updating import note_unread
from waterglass.private import private_folder

if TYPE_CHECKING:
    from waterglass.redact import Level
    from waterglass.session import Session

_STDOUT = Path("-")


@click.command()
@click.argument("session", default="latest", type=SessionName())
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file to write; `-` is standard output.",
)
@click.option("--open", "opens", is_flag=True, help="Open the report in the browser.")
@click.option(
    "--redact",
    "level",
    type=click.Choice(["secrets", "paths", "structure", "off"]),
    default="secrets",
    show_default=True,
    help="What to take out: secrets; user names and home folders too; all free text; nothing.",
)
@own_values_options
@scoring_options
@otel_option
@root_option
@window_option
@config_option
def command(
    session: str,
    target: Path | None,
    opens: bool,
    level: str,
    values_file: str | None,
    environment: bool,
    asked: Asked,
    otel: list[str] | None,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Write one session as a self-contained HTML file, its secrets taken out.

    SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    The file needs no server and no network, and can be sent to others. Redaction is best effort: look before you send.
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.elapsed import elapsed
    from waterglass.cli.terminal import size, visible
    from waterglass.report import default_name, write_report
    from waterglass.session import load

    if opens and target == _STDOUT:
        raise click.UsageError("--open needs a file, and -o - writes none")
    own = own_values(values_file, environment)
    with elapsed("writing the report"), without_collector():
        one = load(session, roots, window=window, cwd=os.getcwd(), otel=otel)
        one.settings = asked.settings(one.project)
        if session == "latest":
            click.echo(f"latest is {one.id}", err=True)
        path = target or Path(default_name(one.id, one.view().title, cast("Level", level), own))
        write = _print_report if path == _STDOUT else write_report
        written = write(one, path, cast("Level", level), own=own)
    name = "to standard output" if path == _STDOUT else visible(click.format_filename(path))
    click.echo(f"Wrote {name}, {size(written)}", err=True)
    note_unread(one)
    if level == "off":
        click.echo("Nothing was taken out of it (--redact off): it holds what the transcript holds.", err=True)
    if opens:
        open_page(path.absolute().as_uri())


def _print_report(session: Session, _: Path, level: Level, own: Mapping[str, str]) -> int:
    """Write the report to standard output, once it is whole, and return its size in bytes."""
    from waterglass.report import write_report

    with private_folder() as folder:
        file = folder / "report.html"
        size = write_report(session, file, level, own=own)
        with file.open("rb") as report:
            shutil.copyfileobj(report, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return size
