"""`waterglass report`: one session as one HTML file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import click

from waterglass.cli.options import config_option, root_option, window_option


@click.command()
@click.argument("session", default="latest")
@click.option("-o", "--output", "target", metavar="FILE", type=click.Path(path_type=Path), help="The file to write.")
@click.option("--open", "opens", is_flag=True, help="Open the report in the browser.")
@click.option(
    "--redact",
    "level",
    type=click.Choice(["secrets", "paths", "structure", "off"]),
    default="secrets",
    show_default=True,
    help="What to take out: secrets; user names and home folders too; all free text; nothing.",
)
@root_option
@window_option
@config_option
def command(
    session: str,
    target: Path | None,
    opens: bool,
    level: str,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Write one session as a self-contained HTML file, its secrets taken out.

    SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    The file needs no server and no network, and can be sent to others. Redaction is best effort: look before you send.
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.terminal import size, visible
    from waterglass.redact import Level
    from waterglass.report import default_name, write_report
    from waterglass.session import load

    with without_collector():
        one = load(session, roots, window=window, cwd=os.getcwd())
        if session == "latest":
            click.echo(f"latest is {one.id}", err=True)
        path = target or Path(default_name(one.id, one.view().title))
        written = write_report(one, path, cast(Level, level))
    click.echo(f"Wrote {visible(click.format_filename(path))}, {size(written)}", err=True)
    if level == "off":
        click.echo("Nothing was taken out of it (--redact off): it holds what the transcript holds.", err=True)
    if opens:
        click.launch(path.absolute().as_uri())
