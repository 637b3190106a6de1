"""`waterglass stats`: all sessions added up, and by project, tool, model or day; and how the scorecard judges them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from waterglass.cli.options import config_option, given_table, root_option, window_option
from waterglass.cli.scoring import Asked as ScoringAsked
from waterglass.cli.terminal import duration, tokens, visible, visible_json, wants_colour
from waterglass.cli.updating import Bar, bring_up_to_date, found_sessions, keep_texts_as_set, note, span

if TYPE_CHECKING:
    from waterglass.index import Store

_PIPE_WIDTH = 160  # columns where no terminal says how many it has
_SHORTEST = 16  # columns for a name
_HEADS = (
    "", "sessions", "prompts", "calls", "errors", "p50", "p95", "input", "cache read", "output", "cost", "peak",
    "compactions",
)  # fmt: skip
_NO_NAME = {"project": "(no project)", "day": "(no time)"}
_VERDICTS = {"alert": "▲", "warn": "△", "ok": "✓", "unknown": "?", "na": "–", "waiting": "…"}
_WORDS = ("", "alert", "warning", "ok", "cannot tell", "not applicable", "not judged yet", "median")


@click.command()
@root_option
@window_option
@config_option
@click.option("--since", metavar="SPAN", callback=span, help="Only what happened in this span: 30m, 12h, 7d, 2w.")
@click.option("--project", metavar="TEXT", help="Only sessions whose project has this in its path.")
@click.option("--by", type=click.Choice(["project", "tool", "model", "day"]), help="A line for each of these.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    roots: list[str] | None,
    window: int | None,
    config: str | None,
    since: int | None,
    project: str | None,
    by: str | None,
    as_json: bool,
) -> None:
    """Add up all sessions: prompts, calls, errors, durations, tokens, context, the scorecard, and cost where prices are
    installed.

    History that a resumed session copied counts once. Days are those of your time zone.

    \b
    waterglass stats --since 30d --by day
    waterglass stats --by tool --json | jq '.groups[0]'
    """
    from waterglass.index import using
    from waterglass.stats import Asked, Gathered, document, gather

    discovery = found_sessions(roots)
    keep_texts_as_set(discovery)
    settings = ScoringAsked((), None, (), (), given_table()).resolved()

    def work(store: Store) -> Gathered:
        bring_up_to_date(store, discovery, texts=False)
        with Bar("counting") as bar:
            return gather(store, discovery, bar.of, settings=settings)

    gathered = using(work)
    since_ms = time.time_ns() // 1_000_000 - since if since is not None else None
    sought = (project or "").casefold()
    asked = Asked(since_ms, None, by, lambda name: sought in (name or "").casefold())
    told = document(gathered, discovery.roots, asked)
    told["unreadable"] += [{"path": file.path, "reason": file.reason} for file in discovery.unreadable]
    if as_json:
        _print_json(told)
    else:
        _print(told)


def _print_json(told: dict[str, Any]) -> None:
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(visible_json(msgspec.json.encode(told)) + os.linesep.encode())


def _print(told: dict[str, Any]) -> None:
    lines = [_cells(_name(row["key"], told["by"]), row) for row in told["groups"]]
    _print_table(_HEADS, [*lines, _cells("all", told["total"])])
    judged = [row for row in told["groups"] if row["metrics"] is not None]
    click.echo()
    if judged:
        heads, rows = _verdicts_by_group(told, judged)
        _print_table(heads, rows)
        click.echo("  ".join(f"{sign} {word}" for sign, word in zip(_VERDICTS.values(), _WORDS[1:], strict=False)))
    else:
        _print_table(_WORDS, _verdicts(told["total"]), bold_last=False)
    if told["deleted"]["sessions"]:
        note(f"{told['deleted']['sessions']:,} of these sessions are deleted: only their figures are left")
    if told["prices"]["unpriced"] and told["prices"]["asOf"]:
        note(f"without a known price, and in no cost: {', '.join(told['prices']['unpriced'])}")
    for file in told["unreadable"]:
        note(f"not counted: {file['path']} ({file['reason']})")


def _print_table(heads: Sequence[str], lines: Sequence[Sequence[str]], *, bold_last: bool = True) -> None:
    from rich.table import Table
    from rich.text import Text

    from waterglass.cli.console import TableConsole

    width = (os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0) or _PIPE_WIDTH
    colours: Literal["auto"] | None = "auto" if wants_colour(sys.stdout) else None
    console = TableConsole(file=sys.stdout, width=width, color_system=colours, highlight=False, emoji=False)
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    room = max(_SHORTEST, width - sum(widths[1:]) - 2 * len(heads))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for head, cells in zip(heads, widths, strict=True):
        # Numbers are never cut: where there is no room for them, the table is wider than the terminal.
        table.add_column(head, no_wrap=True, justify="right" if head else "left", min_width=min(cells, room))
    for line in lines:
        table.add_row(*(Text(cell) for cell in [_end(line[0], room), *line[1:]]))
    if bold_last:
        table.rows[-1].style = "bold"
    console.print(table)


def _verdicts(line: dict[str, Any]) -> list[list[str]]:
    """Return a row for each metric."""
    from waterglass.metrics import METRICS

    rows = []
    for metric in METRICS:
        counts = line["metrics"][metric.id]
        median = f"{counts['median']:.4g}" if counts["median"] is not None else ""
        rows.append([metric.label, *(_number(counts[name] or None) for name in _VERDICTS), median])
    return rows


def _verdicts_by_group(told: dict[str, Any], rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of a table that has a column for each metric."""
    from waterglass.metrics import METRICS

    def cells(name: str, line: dict[str, Any]) -> list[str]:
        return [name, *(_signs(line["metrics"][metric.id]) for metric in METRICS)]

    lines = [cells(_name(row["key"], told["by"]), row) for row in rows]
    return ["", *(metric.label.lower() for metric in METRICS)], [*lines, cells("all", told["total"])]


def _signs(counts: dict[str, int]) -> str:
    return " ".join(f"{sign}{counts[name]:,}" for name, sign in _VERDICTS.items() if counts[name])


def _name(key: str | None, by: str) -> str:
    return visible(key) if key is not None else _NO_NAME.get(by, "(no name)")


def _end(text: str, room: int) -> str:
    """Return the end of a text that is too long: of a path it tells more than the beginning."""
    return text if len(text) <= room else "…" + text[1 - room :]


def _cells(name: str, row: dict[str, Any]) -> list[str]:
    usage = row["usage"] or {}
    fresh = usage["input"] + usage["cacheCreation"] if usage else None
    bound = "≥ " if usage.get("outputIsLowerBound") else ""
    output = tokens(usage.get("output"))
    return [
        name,
        f"{row['sessions']:,}",
        _number(row["prompts"]),
        _number(row["toolCalls"]),
        _number(row["errors"]),
        duration(row["p50Ms"]),
        duration(row["p95Ms"]),
        tokens(fresh),
        tokens(usage.get("cacheRead")),
        f"{bound}{output}" if output else "",
        f"${row['usd']:,.2f}" if row["usd"] is not None else "",
        tokens(row["peakTokens"]),
        _number(row["compactions"]),
    ]


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"
