"""`waterglass export`: sessions as files that other programs open."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.redaction import own_values, own_values_options
from waterglass.cli.scoring import no_plugins_option
from waterglass.errors import UsageError, WaterglassError

if TYPE_CHECKING:
    from waterglass.export import Done, Reading, Source
    from waterglass.redact import Level

_FORMS = ("jsonl", "parquet", "perfetto", "otlp")
_STDOUT = Path("-")
_MOST_SAID = 5  # sessions that were left out are named one by one up to here
_BAR_AFTER_S = 1.0


@click.command()
@click.argument("sessions", nargs=-1, metavar="SESSION...")
@click.option("--all", "everything", is_flag=True, help="All sessions that are found.")
@click.option(
    "--to",
    "form",
    metavar="|".join((*_FORMS, "NAME")),
    required=True,
    help="Events; tables (needs the extra `parquet`); Chrome trace events; OpenTelemetry spans; or what another "
    "package adds (waterglass plugins).",
)
@click.option(
    "-o",
    "--output",
    "target",
    metavar="PATH",
    required=True,
    type=click.Path(path_type=Path),
    help="The file to write, for parquet a new folder; `-` is standard output.",
)
@click.option(
    "--redact",
    "level",
    type=click.Choice(["secrets", "paths", "structure", "off"]),
    default="secrets",
    show_default=True,
    help="What to take out: secrets; user names and home folders too; all free text; nothing.",
)
@own_values_options
@no_plugins_option
@root_option
@window_option
@config_option
def command(
    sessions: tuple[str, ...],
    everything: bool,
    form: str,
    target: Path,
    level: str,
    values_file: str | None,
    environment: bool,
    no_plugins: bool,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Write sessions for other programs, their secrets taken out.

    Each SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    Nothing is sent anywhere. Redaction is best effort: look before you send.

    \b
    waterglass export latest --to perfetto -o trace.json     # open it in ui.perfetto.dev
    waterglass export --all --to parquet -o sessions
    """
    from waterglass.cli.collector import without_collector
    from waterglass.export import Reading

    if everything == bool(sessions):
        raise UsageError("give either SESSION... or --all", hint="waterglass export --help")
    _check_form(form, no_plugins)
    if form == "parquet" and target == _STDOUT:
        raise UsageError("parquet is a folder of files, which does not go to standard output", hint="-o DIR")
    own = own_values(values_file, environment)
    sources = _sources(sessions, roots)
    # One session's objects live until the end; those of many must go when they are done with.
    with without_collector() if len(sources) == 1 else nullcontext():
        done = _export(sources, form, target, level, own, Reading(window=window, strict=not everything))
    _tell(done, target, level)


def _check_form(form: str, no_plugins: bool) -> None:
    """Raise for a form that is neither built in nor added by another package."""
    if form in _FORMS:
        return
    from waterglass.plugins import exporters, wanted

    found = exporters() if wanted() and not no_plugins else ()
    one = next((one for one in found if one.name == form), None)
    if one is not None and one.plugin is not None:
        return
    if one is not None:
        raise WaterglassError(f"the exporter cannot be used: {one.reason}", form, "waterglass plugins")
    names = (*_FORMS, *(other.name for other in found if other.plugin is not None))
    raise UsageError("no such form of export", form, "one of " + ", ".join(names))


def _sources(names: Sequence[str], roots: list[str] | None) -> list[Source]:
    from waterglass.cli.updating import found_sessions
    from waterglass.discover import resolve
    from waterglass.export import Source, all_sources

    if not names:
        return all_sources(found_sessions(roots))
    found = []
    for name in names:
        ref, discovery = resolve(name, roots, os.getcwd())
        if name == "latest":
            click.echo(f"latest is {ref.id}", err=True)
        found.append(Source(ref, discovery.sessions))
    return found


def _export(sources: list[Source], form: str, target: Path, level: str, own: dict[str, str], reading: Reading) -> Done:
    from waterglass.export import export_sessions

    how = cast("Level", level)
    with _Bar() as bar:
        if target != _STDOUT:
            return export_sessions(sources, form, target, how, own, reading, bar.show)
        with tempfile.TemporaryDirectory(prefix="waterglass-") as folder:
            file = Path(folder, "export")
            done = export_sessions(sources, form, file, how, own, reading, bar.show)
            with file.open("rb") as whole:
                shutil.copyfileobj(whole, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return done


class _Bar:
    """A progress bar on stderr for work that takes over a second, where somebody sees it."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = ""

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)

    def show(self, done: int, total: int) -> None:
        """Show that `done` of `total` bytes of transcripts are done."""
        text = f"exporting {done * 100 // total} %" if total else ""
        if text != self._shown and sys.stderr.isatty() and time.monotonic() - self._begun > _BAR_AFTER_S:
            self._shown = text
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)


def _tell(done: Done, target: Path, level: str) -> None:
    from waterglass.cli.terminal import size, visible

    name = "to standard output" if target == _STDOUT else visible(click.format_filename(target))
    many = "1 session" if done.sessions == 1 else f"{done.sessions:,} sessions"
    click.echo(f"Wrote {name}, {many}, {size(done.bytes)}", err=True)
    if done.counts:
        hidden = ", ".join(f"{count:,} {kind}" for kind, count in done.counts.items())
        click.echo(f"Replaced: {hidden}", err=True)
    for session, reason in done.left_out[:_MOST_SAID]:
        click.echo(f"waterglass: left out {visible(session)}: {visible(reason)}", err=True)
    if len(done.left_out) > _MOST_SAID:
        click.echo(f"waterglass: left out {len(done.left_out) - _MOST_SAID:,} more", err=True)
    if level == "off":
        click.echo("Nothing was taken out of it (--redact off): it holds what the transcripts hold.", err=True)
