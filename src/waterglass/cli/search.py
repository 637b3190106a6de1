"""`waterglass search`: passages of all sessions that hold a text, newest session first."""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from waterglass.cli.options import WholeNumber, config_option, root_option, window_option
from waterglass.cli.terminal import visible, visible_json, wants_colour
from waterglass.cli.updating import bring_up_to_date, found_sessions, keep_texts_as_set, span
from waterglass.errors import UsageError

if TYPE_CHECKING:
    from waterglass.discover import Discovery
    from waterglass.index import Found, Hit, Query, Store, Wanted

LIMIT = 20
_PARTS = ("prompt", "reply", "input", "output")


def _parts(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return the parts that `prompt,reply` names. Raises click.BadParameter."""
    if value is None:
        return _PARTS
    named = [part.strip() for part in value.split(",") if part.strip()]
    wrong = [part for part in named if part not in _PARTS]
    if wrong or not named:
        raise click.BadParameter(f"{wrong[0] if wrong else value!r} is none of {', '.join(_PARTS)}")
    return tuple(dict.fromkeys(named))


@click.command()
@click.argument("query", nargs=-1, metavar="QUERY")
@root_option
@window_option
@config_option
@click.option("--project", metavar="TEXT", help="Only sessions whose project has this in its path.")
@click.option("--since", metavar="SPAN", callback=span, help="Only what was written in this span: 30m, 12h, 7d, 2w.")
@click.option("--in", "parts", metavar="PARTS", callback=_parts, help="Only in these: prompt,reply,input,output.")
@click.option("--limit", type=WholeNumber(1, 10_000), default=LIMIT, metavar="N", help=f"At most N results ({LIMIT}).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    query: tuple[str, ...],
    roots: list[str] | None,
    window: int | None,
    config: str | None,
    project: str | None,
    since: int | None,
    parts: tuple[str, ...],
    limit: int,
    as_json: bool,
) -> None:
    """Search prompts, replies, and the inputs and outputs of tools, in all sessions and their sub-agents.

    Every word must be in one text, in any case and in any order; "several words" in double quotes stand together. All
    other characters are searched for as they are.

    \b
    waterglass search 'def parse' --in input
    waterglass search '"connection refused"' --since 7d
    """
    text = " ".join(query)
    if not text.strip():
        raise UsageError("nothing to search for", hint="a word, or several in double quotes")
    from waterglass.index import Wanted, document, parse, using

    discovery = found_sessions(roots)
    keep_texts_as_set(discovery)
    oldest = time.time_ns() // 1_000_000 - since if since is not None else None
    asked, wanted = parse(text, parts), Wanted(parts, project, oldest, limit)
    found, missing = using(lambda store: _search(store, discovery, asked, wanted))
    if as_json:
        _print_json(document(asked, wanted, found, missing))
    else:
        _print(found, missing)


def _search(store: Store, discovery: Discovery, query: Query, wanted: Wanted) -> tuple[Found, list[str]]:
    from waterglass.index import not_searched, search

    updated = bring_up_to_date(store, discovery)
    found = search(store, discovery, query, wanted)
    return found, not_searched(found, updated, discovery, wanted)


def _print_json(told: dict[str, Any]) -> None:
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(visible_json(msgspec.json.encode(told)) + os.linesep.encode())


def _print(found: Found, missing: list[str]) -> None:
    colour = wants_colour(sys.stdout)
    session = None
    for hit in found.hits:
        if hit.session != session:
            session = hit.session
            title = visible(f"{hit.title or '(no title)'}  {hit.project or '?'}")
            click.echo(f"{_styled(visible(session[:8]), colour, fg='cyan')}  {title}", color=colour)
        when = datetime.fromtimestamp(hit.ms / 1000).strftime("%Y-%m-%d %H:%M") if hit.ms is not None else "–"
        place = hit.row_id or hit.reply_id or hit.prompt_id or hit.event_id
        agent = f" agent {hit.agent_id}" if hit.agent_id else ""
        click.echo(f"  {when}  {hit.part:<6} {visible(place + agent)}", color=colour)
        click.echo(f"    {_snippet(hit, colour)}", color=colour)
    if not found.hits:
        click.echo("nothing found")
    click.echo(f"waterglass: not searched: {'; '.join(missing)}", err=True)


def _snippet(hit: Hit, colour: bool) -> str:
    """Return the snippet on one line, its matches marked where colours are."""
    pieces, at = [], 0
    for start, end in hit.matches:
        if start >= at:
            pieces += [_line(hit.snippet[at:start]), _styled(_line(hit.snippet[start:end]), colour, bold=True)]
            at = end
    return "".join([*pieces, _line(hit.snippet[at:])]).strip()


def _line(text: str) -> str:
    return visible("".join(" " if character in "\r\n\t" else character for character in text))


def _styled(text: str, colour: bool, **style: Any) -> str:
    return click.style(text, **style) if colour else text
