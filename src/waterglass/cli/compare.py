"""`waterglass compare`: sessions side by side."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from waterglass.cli.browser import open_page
from waterglass.cli.options import config_option, otel_option, root_option, window_option
from waterglass.cli.redaction import own_values, own_values_options
from waterglass.cli.scoring import Asked, scoring_options
from waterglass.cli.sessionname import SessionName
from waterglass.cli.updating import note_unread

if TYPE_CHECKING:
    from waterglass.otel import Telemetry
    from waterglass.redact import Level
    from waterglass.session import Session

_STDOUT = Path("-")


@click.command()
@click.argument("sessions", metavar="A B [C...]", nargs=-1, required=True, type=SessionName())
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the comparison as one HTML file; `-` is standard output.",
)
@click.option("--open", "opens", is_flag=True, help="Open the file in the browser; without -o a temporary one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--redact",
    "level",
    type=click.Choice(["secrets", "paths", "structure", "off"]),
    help="What to take out: secrets (always out of a file); user names and home folders too; all free text; nothing.",
)
@own_values_options
@scoring_options
@otel_option
@root_option
@window_option
@config_option
def command(
    sessions: tuple[str, ...],
    target: Path | None,
    opens: bool,
    as_json: bool,
    level: Level | None,
    values_file: str | None,
    environment: bool,
    asked: Asked,
    otel: list[str] | None,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Compare sessions with the first of them: metrics, usage, time, health, and where their steps part.

    Each is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.elapsed import elapsed

    if len(sessions) < 2:
        raise click.UsageError("compare takes two sessions or more")
    if target == _STDOUT and (opens or as_json):
        raise click.UsageError(f"{'--open' if opens else '--json'} does not go with -o -, which writes no file")
    own = own_values(values_file, environment)
    with without_collector():
        told = _telemetry(otel)
        with elapsed("reading"):
            known = {name: _load(name, asked, roots, window, told) for name in dict.fromkeys(sessions)}
        loaded = [known[name] for name in sessions]
        file = _write(loaded, target, level or "secrets", own) if target or opens else None
        if as_json or (file is None and target != _STDOUT):
            _print(loaded, as_json, level or ("secrets" if own else "off"), own)
    if opens and file is not None:
        open_page(file.absolute().as_uri())


def _telemetry(otel: list[str] | None) -> Telemetry | None:
    """Return what these files tell, read once for all sessions."""
    if otel is None:
        return None
    from waterglass.otel import Telemetry

    return Telemetry(otel)


def _load(name: str, asked: Asked, roots: list[str] | None, window: int | None, otel: Telemetry | None) -> Session:
    from waterglass.session import load

    one = load(name, roots, window=window, cwd=os.getcwd(), otel=otel)
    if name == "latest":
        click.echo(f"latest is {one.id}", err=True)
    note_unread(one)
    one.settings = asked.settings(one.project)
    return one


def _print(loaded: list[Session], as_json: bool, level: Level, own: Mapping[str, str]) -> None:
    from waterglass.cli.sidebyside import print_comparison
    from waterglass.cli.terminal import visible_json
    from waterglass.compare import compare, redacted
    from waterglass.payload import encode
    from waterglass.redact import Redactor

    document = compare([one.head(scores=True) for one in loaded], [list(one.row_fields()) for one in loaded])
    document = redacted(document, Redactor(level, own))
    if as_json:
        sys.stdout.buffer.write(visible_json(encode(document)) + b"\n")
    else:
        print_comparison(document, sys.stdout)


def _write(loaded: list[Session], target: Path | None, level: Level, own: Mapping[str, str]) -> Path | None:
    """Write the file and return its path, None where it went to standard output."""
    from waterglass.cli.terminal import size, visible
    from waterglass.compare import comparison_parts
    from waterglass.page import write_whole
    from waterglass.redact import Redactor
    from waterglass.report.cuts import Beginnings

    parts = comparison_parts(loaded, Redactor(level, own), Beginnings, time.time_ns() // 1_000_000)
    if target == _STDOUT:
        file, written = None, _stream(parts)
        name = "to standard output"
    else:
        file = target or Path(tempfile.mkdtemp(prefix="waterglass-"), "comparison.html")
        written = write_whole(file, parts, "comparison")
        name = visible(click.format_filename(file))
    click.echo(f"Wrote {name}, {size(written)}", err=True)
    if level == "off":
        click.echo("Nothing was taken out of it (--redact off): it holds what the transcripts hold.", err=True)
    return file


def _stream(parts: Iterator[str]) -> int:
    written = 0
    for part in parts:
        written += sys.stdout.buffer.write(part.encode("utf-8"))
    sys.stdout.buffer.flush()
    return written
