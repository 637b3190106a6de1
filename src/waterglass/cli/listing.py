"""The table of `waterglass list`: a line a session, and one above the sessions of a chain."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, TextIO

from rich.table import Table
from rich.text import Text

from waterglass.cli.console import TableConsole
from waterglass.cli.terminal import duration, size, visible, wants_colour

_PIPE_WIDTH = 200  # columns where no terminal says how many it has
_WIDE = 120  # columns from which every column has room beside a title


class _Column(NamedTuple):
    name: str
    width: int  # at most; 0 takes what is left
    justify: Literal["left", "right"] = "right"
    wide: bool = False  # only where there is room


_COLUMNS = (
    _Column("id", 12, "left"),
    _Column("project", 28, "left", wide=True),
    _Column("title", 0, "left"),
    _Column("last activity", 21, "left"),
    _Column("duration", 9, wide=True),
    _Column("prompts", 7),
    _Column("calls", 6),
    _Column("errors", 6),
    _Column("agents", 6, wide=True),
    _Column("size", 7),
)
_NO_TITLE = {"empty": "(no conversation)", "orphan": "(main transcript is gone)"}
_SUMS = ("prompts", "toolCalls", "errors")


def print_sessions(
    sessions: Sequence[dict[str, Any]],
    total: int,
    unreadable: Sequence[dict[str, str]],
    stream: TextIO,
    closing: Sequence[str] = (),
) -> None:
    """Print sessions as `list --json` has them, newest first, and lines below; `total` is how many there are."""
    # Some terminals, those within editors for instance, say that they have 0 columns.
    width = (os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0) or _PIPE_WIDTH
    colours: Literal["auto"] | None = "auto" if wants_colour(stream) else None
    console = TableConsole(file=stream, width=width, color_system=colours, highlight=False, emoji=False)
    if sessions:
        console.print(_table(sessions, width))
    count = f"{len(sessions)} of {total} sessions" if len(sessions) < total else f"{total} session{'s' * (total != 1)}"
    for line in (count, *closing):
        console.print(Text(line, style="dim"), soft_wrap=True)
    for file in unreadable:
        console.print(
            Text(visible(f"could not be read: {file['path']} ({file['reason']})"), style="dim"), soft_wrap=True
        )


def _table(sessions: Sequence[dict[str, Any]], width: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    columns = [column for column in _COLUMNS if width >= _WIDE or not column.wide]
    left = width - sum(column.width + 2 for column in columns)
    for column in columns:
        cells = column.width or max(16, left)
        table.add_column(
            column.name,
            no_wrap=True,
            overflow="ellipsis",
            justify=column.justify,
            min_width=min(cells, len(column.name)),
            max_width=cells,
        )
    for chain in _chains(sessions):
        if len(chain) > 1:
            table.add_row(*_cells(_together(chain), columns, f"chain of {len(chain)}"))
        for session in chain:
            table.add_row(*_cells(session, columns, ("└ " if len(chain) > 1 else "") + session["id"][:8]))
    return table


def _chains(sessions: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Put the sessions of a chain together, at the place of the newest."""
    chains: dict[str, list[dict[str, Any]]] = {}
    for session in sessions:
        chains.setdefault(session["group"], []).append(session)
    return list(chains.values())


def _together(chain: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a chain as one session: what a session copied from the one before counts once."""
    whole = {**chain[0], "bytes": sum(session["bytes"] for session in chain)}
    if all(session["counted"] for session in chain):
        for name in _SUMS:
            whole[name] = sum(session[name] - session["inherited"][name] for session in chain)
        whole["agents"] = sum(session["agents"] for session in chain)
        whole["startMs"] = min((s["startMs"] for s in chain if s["startMs"] is not None), default=None)
        whole["endMs"] = max((s["endMs"] for s in chain if s["endMs"] is not None), default=None)
    return whole


def _cells(session: dict[str, Any], columns: Sequence[_Column], name: str) -> list[Text]:
    gone = "(transcript deleted) " if session.get("deleted") else ""
    title = session["title"] or _NO_TITLE.get(session["state"], "(no prompt)")
    start, end, live = session["startMs"], session["endMs"], session["state"] == "live"
    last = datetime.fromtimestamp(session["lastActivityMs"] / 1000).strftime("%Y-%m-%d %H:%M")
    cells = {
        "id": Text(visible(name), style="cyan"),
        "project": Text(visible(_short(session["project"] or "?"))),
        "title": Text(gone, style="dim").append(visible(title), style="default" if session["title"] else "dim"),
        "last activity": Text(f"{last} live" if live else last, style="green" if live else ""),
        "duration": Text(duration(end - start) if start is not None and end is not None else ""),
        "prompts": Text(_number(session["prompts"])),
        "calls": Text(_number(session["toolCalls"])),
        "errors": Text(_number(session["errors"]), style="red" if session["errors"] else ""),
        "agents": Text(_number(session["agents"])),
        "size": Text(size(session["bytes"])),
    }
    return [cells[column.name] for column in columns]


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _short(project: str) -> str:
    """Return the end of a path, which tells projects apart."""
    separator = "\\" if "\\" in project and "/" not in project else "/"
    parts = project.rstrip(separator).split(separator)
    return project if len(parts) <= 3 else "…" + separator + separator.join(parts[-2:])
