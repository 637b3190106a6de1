"""`waterglass sample`: write the invented sessions to a folder."""

from __future__ import annotations

import shlex
from pathlib import Path

import click


@click.command()
@click.option(
    "-o",
    "--output",
    "target",
    default="waterglass-sample",
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder to write; it must be new or empty.",
)
def command(target: Path) -> None:
    """Write a small invented projects tree, to try everything without sessions of your own."""
    from waterglass.sample import write_sample

    paths = write_sample(target)
    size = sum(path.stat().st_size for path in paths)
    click.echo(f"Wrote {len(paths)} files, {size / 1000:.0f} kB, to {click.format_filename(target)}")
    click.echo(f"Look at it: waterglass serve --root {shlex.quote(click.format_filename(target))}")
