"""`waterglass export`: sessions as files that other programs open."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, cast

import click

from waterglass.cli.options import WholeNumber, config_option, root_option, window_option
from waterglass.cli.progress import Line
from waterglass.cli.redaction import own_values, own_values_options
from waterglass.cli.scoring import no_plugins_option
from waterglass.cli.sessionname import SessionName
from waterglass.cli.updating import STOPPED
from waterglass.errors import UsageError, WaterglassError
from waterglass.private import private_folder

if TYPE_CHECKING:
    from pathlib import Path

    from waterglass.crew import Crew
    from waterglass.export import Done, Reading, Source
    from waterglass.redact import Level

_FORMS = ("jsonl", "parquet", "perfetto", "otlp")
_STDOUT = "-"
_MOST_SAID = 5  # sessions that were left out are named one by one up to here


@click.command()
@click.argument("sessions", nargs=-1, metavar="SESSION...", type=SessionName())
@click.option("--all", "everything", is_flag=True, help="All sessions that are found.")
@click.option(
    "--to",
    "form",
    metavar="|".join((*_FORMS, "NAME")),
    required=True,
    shell_complete=lambda ctx, parameter, typed: [form for form in _FORMS if form.startswith(typed)],
    help="Events; tables (needs the extra `parquet`); Chrome trace events; OpenTelemetry spans; or what another "
    "package adds (waterglass plugins).",
)
@click.option(
    "-o",
    "--output",
    "target",
    metavar="PATH",
    required=True,
    help="The file to write, for parquet a folder, which may hold what an earlier export wrote; an address such as "
    "s3://… in their place (needs the extra `remote`); `-` is standard output.",
)
@click.option(
    "--redact",
    "level",
    type=click.Choice(["secrets", "paths", "structure", "off"]),
    default="secrets",
    show_default=True,
    help="What to take out: secrets; user names and home folders too; all free text; nothing.",
)
@click.option(
    "--workers",
    type=WholeNumber(1, 256),
    metavar="N",
    help="For parquet: so many processes; without it, as many as there are processors.",
)
@click.option(
    "--dask", metavar="ADDRESS", help="For parquet: the workers of this Dask cluster (needs the extra `dask`)."
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
    target: str,
    level: str,
    workers: int | None,
    dask: str | None,
    values_file: str | None,
    environment: bool,
    no_plugins: bool,
    roots: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Write sessions for other programs, their secrets taken out.

    Each SESSION is a path to a .jsonl, a session id or a unique beginning of one (4 characters or more), or `latest`.
    Paths, folders and PATH may be addresses: s3://, gs://, az://, ssh://. Nothing is sent but there, and to the workers
    of a Dask cluster that you name. Redaction is best effort: look before you send.

    \b
    waterglass export latest --to perfetto -o trace.json     # open it in ui.perfetto.dev
    waterglass export --all --to parquet -o sessions
    waterglass export --all --root s3://logs/projects --to parquet -o s3://logs/tables --dask tcp://scheduler:8786
    """
    from waterglass.cli.collector import without_collector
    from waterglass.cli.exporting import Asked, crew_for, sources_of
    from waterglass.export import Reading
    from waterglass.remote import local_path

    if everything == bool(sessions):
        raise UsageError("give either SESSION... or --all", hint="waterglass export --help")
    _check_form(form, no_plugins)
    if form == "parquet" and target == _STDOUT:
        raise UsageError("parquet is a folder of files, which does not go to standard output", hint="-o DIR")
    if form != "parquet" and (workers is not None or dask is not None):
        raise UsageError("only tables are made by several processes", hint="--to parquet")
    if workers is not None and dask is not None:
        raise UsageError("give either --workers or --dask", hint="waterglass export --help")
    own = own_values(values_file, environment)
    target = local_path(target) or target
    with sources_of(sessions, roots) as found, crew_for(Asked(form, target, workers, dask), found) as crew:
        reading = Reading(window=window, strict=not everything)
        # One session's objects live until the end; those of many must go when they are done with.
        with without_collector() if len(found.sources) == 1 else nullcontext():
            done = _export(found.sources, form, target, level, own, reading, crew)
    unread = [*found.unread, *done.unread]
    _tell(done, unread, target, level)
    if done.left_out or unread:
        click.get_current_context().exit(WaterglassError.exit_code)


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


def _export(
    sources: list[Source],
    form: str,
    target: str,
    level: str,
    own: dict[str, str],
    reading: Reading,
    crew: Crew | None,
) -> Done:
    from waterglass.export import export_sessions

    def written_to(place: str | Path, hands: Crew | None = None) -> Done:
        with Line() as progress:

            def show(done: int, total: int) -> None:
                if total:
                    progress.show(f"exporting {done * 100 // total} %")

            return export_sessions(sources, form, place, cast("Level", level), own, reading, show, hands)

    if target != _STDOUT:
        try:
            return written_to(target, crew)
        except KeyboardInterrupt as stopped:
            if form == "parquet":
                stopped.add_note(STOPPED)
            raise
    with private_folder() as folder:
        done = written_to(folder / "export")
        with open(folder / "export", "rb") as whole:
            if sys.stdout.isatty():
                sys.stdout.buffer.writelines(_for_terminal(line, form) for line in whole)
            else:
                shutil.copyfileobj(whole, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return done


def _for_terminal(line: bytes, form: str) -> bytes:
    """Return a line of an export without control characters; of JSON (all of our own forms) with its value."""
    from waterglass.cli.terminal import visible, visible_json

    if form in _FORMS:
        return visible_json(line)
    return visible(line.decode("utf-8", "replace"), lines=True).encode()


def _tell(done: Done, unread: Sequence[tuple[str, str]], target: str, level: str) -> None:
    from waterglass.cli.terminal import size, visible
    from waterglass.remote import is_url, shown

    name = "to standard output" if target == _STDOUT else visible(shown(target) if is_url(target) else target)
    many = "1 session" if done.sessions == 1 else f"{done.sessions:,} sessions"
    kept = f" ({done.kept:,} unchanged)" if done.kept else ""
    click.echo(f"Wrote {name}, {many}{kept}, {size(done.bytes)}", err=True)
    if done.counts:
        hidden = ", ".join(f"{count:,} {kind}" for kind, count in done.counts.items())
        click.echo(f"Replaced: {hidden}", err=True)
    for what, of in (("left out", done.left_out), ("could not be read:", unread)):
        for one, reason in of[:_MOST_SAID]:
            click.echo(f"waterglass: {what} {visible(one)}: {visible(reason)}", err=True)
        if len(of) > _MOST_SAID:
            click.echo(f"waterglass: {what} {len(of) - _MOST_SAID:,} more", err=True)
    if level == "off":
        click.echo("Nothing was taken out of it (--redact off): it holds what the transcripts hold.", err=True)
