"""`waterglass list`: the sessions, newest activity first."""

from __future__ import annotations

import gc
import os
import re
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from waterglass.cli.options import WholeNumber, config_option, root_option, window_option
from waterglass.cli.terminal import visible, visible_json

if TYPE_CHECKING:
    from waterglass.catalog import Catalog

LIMIT = 20  # sessions in a terminal
_UNITS_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
_BAR_AFTER_S = 1.0
# What the page asks for beyond the contract's list says nothing outside of it.
_PAGE_ONLY = ("revision", "complete", "sample", "lookedIn", "removed")


def since_ms(text: str) -> int:
    """Return the milliseconds of `30m`, `12h`, `7d` or `2w`. Raises click.BadParameter."""
    match = re.fullmatch("([0-9]{1,6})([mhdw])", text.strip())
    if match is None:
        raise click.BadParameter(f"{text!r} is no span of time; write 30m, 12h, 7d or 2w")
    return int(match[1]) * _UNITS_MS[match[2]]


def _span(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    return None if value is None else since_ms(value)


@click.command()
@root_option
@window_option
@config_option
@click.option("--project", metavar="TEXT", help="Only sessions whose project has this in its path.")
@click.option("--since", metavar="SPAN", callback=_span, help="Only sessions active in this span: 30m, 12h, 7d, 2w.")
@click.option("--limit", type=WholeNumber(min=1), metavar="N", help=f"At most N sessions ({LIMIT}; with --json all).")
@click.option("--deleted", is_flag=True, help="What the index knows of sessions whose transcripts are deleted.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    roots: list[str] | None,
    window: int | None,
    config: str | None,
    project: str | None,
    since: int | None,
    limit: int | None,
    deleted: bool,
    as_json: bool,
) -> None:
    """List the sessions, newest activity first.

    \b
    waterglass list --since 7d
    waterglass list --project shop --json | jq '.sessions[].title'
    """
    if deleted:
        _list_deleted(roots, project, since, limit, as_json)
        return
    from waterglass.catalog import Catalog

    gc.disable()  # a walk over the objects of thousands of sessions costs more than they do, and the process ends soon
    catalog = Catalog(roots)
    catalog.start(quiet_s=None)
    try:
        catalog.wait()
        document = catalog.snapshot()
        chosen = _choose(document["sessions"], project, since)
        chosen = chosen[: limit if limit is not None else None if as_json else LIMIT]
        _wait(catalog, [session["id"] for session in chosen], sum(session["bytes"] for session in chosen))
        shown = catalog.snapshot(document["revision"])
    finally:
        catalog.close()
    counted = {session["id"]: session for session in shown["sessions"]}
    gone = set(shown["removed"])
    sessions = [counted.get(one["id"], one) for one in chosen if one["id"] not in gone]
    for text in catalog.memory.notes:
        click.echo(f"waterglass: {visible(text)}", err=True)
    if not document["sessions"]:
        _refuse_nothing(document, roots, as_json)
    _note_missing(document, roots)
    if as_json:
        _print_json({name: shown[name] for name in shown if name not in _PAGE_ONLY} | {"sessions": sessions})
        return
    from waterglass.cli.gone import closing_lines
    from waterglass.cli.listing import print_sessions

    total, closing = len(document["sessions"]), closing_lines(shown)
    print_sessions(sessions, total, shown["unreadable"], sys.stdout, closing)


def _list_deleted(
    roots: list[str] | None, project: str | None, since: int | None, limit: int | None, as_json: bool
) -> None:
    from waterglass.cli.gone import deleted_document
    from waterglass.cli.listing import print_sessions

    document = deleted_document(roots)
    chosen = _choose(document["sessions"], project, since)
    sessions = chosen[: limit if limit is not None else None if as_json else LIMIT]
    if as_json:
        _print_json({**document, "sessions": sessions})
    else:
        print_sessions(sessions, len(document["sessions"]), [], sys.stdout)


def _choose(sessions: Sequence[dict[str, Any]], project: str | None, since: int | None) -> list[dict[str, Any]]:
    oldest = time.time_ns() // 1_000_000 - since if since is not None else None
    wanted = project.casefold() if project else ""
    return [
        session
        for session in sessions
        if wanted in (session["project"] or "").casefold() and (oldest is None or session["lastActivityMs"] >= oldest)
    ]


def _wait(catalog: Catalog, ids: list[str], size: int) -> None:
    """Wait until these are counted; after a second with a bar, where somebody sees it."""
    if catalog.wait(ids, None if not sys.stderr.isatty() else _BAR_AFTER_S):
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=size)
        while not catalog.wait(ids, 0.2):
            bar.update(task, completed=catalog.counted_bytes(ids))


def _refuse_nothing(document: dict[str, Any], roots: list[str] | None, as_json: bool) -> None:
    """Leave with one line where no session is; an empty document is an answer too, but not for a missing folder."""
    from waterglass.discover import Discovery, LookedIn, Unreadable, nothing_found

    places = [LookedIn(place["path"], place["exists"]) for place in document["lookedIn"]]
    if not as_json or (roots and not any(place.exists for place in places)):
        unreadable = [Unreadable(file["path"], file["reason"]) for file in document["unreadable"]]
        raise nothing_found(Discovery([], unreadable, places))


def _note_missing(document: dict[str, Any], roots: list[str] | None) -> None:
    """Say which of several given folders is not there."""
    for place in document["lookedIn"]:
        if roots and not place["exists"]:
            click.echo(f"waterglass: no such folder: {visible(place['path'])}", err=True)


def _print_json(document: dict[str, Any]) -> None:
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(visible_json(msgspec.json.encode(document)) + os.linesep.encode())
