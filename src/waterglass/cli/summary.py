"""A session on a terminal: head, where the time went, usage, agents and longest calls as bars, problems.

Reads the payload only.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, TextIO

import click

from waterglass.cli.scorecard import write_scorecard
from waterglass.cli.terminal import columns, duration, size, tokens, visible, wants_colour

PROBLEMS = 8
_PARTS = (
    ("model", "modelMs", "█", "blue"),
    ("tool", "toolMs", "▓", "yellow"),
    ("permission", "permissionMs", "▚", "magenta"),
    ("user", "userMs", "▒", "green"),
    ("idle", "idleMs", "░", "bright_black"),
)
_GLYPHS = {
    "ok": " ",
    "error": "✕",
    "rejected": "⊘",
    "blocked": "⊘",
    "interrupted": "⏹",
    "no_result": "?",
    "running": "▶",
}
_COLOURS = {"error": "red", "rejected": "yellow", "blocked": "yellow", "interrupted": "yellow", "running": "cyan"}
_NAME = 9  # columns of the names at the left

Write = Callable[[str], object]


def print_summary(payload: dict[str, Any], stream: TextIO) -> None:
    """Print an overview for a person; parts that are null are left out."""
    width = max(60, min(columns(100), 160))
    colour = wants_colour(stream)
    lines: list[str] = []
    _head(lines.append, payload)
    _time(lines.append, payload["time"], width)
    _told(lines.append, payload["telemetry"])
    _usage(lines.append, payload)
    _waterfall(lines.append, payload, width)
    write_scorecard(lines.append, payload, width)
    _read(lines.append, payload["coverage"])
    text = "\n".join(lines) + "\n"
    stream.write(text if colour else click.unstyle(text))


def _moment(ms: int | None) -> str:
    return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M") if ms is not None else "–"


def _named(name: str, text: str) -> str:
    return click.style(f"{name:<{_NAME}}", fg="bright_black") + visible(text)


def _many(count: int, word: str) -> str:
    return f"{count:,} {word if count == 1 else word + 's'}"


def _head(write: Write, payload: dict[str, Any]) -> None:
    session, overview = payload["session"], payload["overview"]
    write(click.style(visible(session["title"] or "(no title)"), bold=True))
    write(_named("session", f"{session['id']}  {session['state']}"))
    write(_named("project", session["project"] or "–"))
    if session["worktree"]:
        write(_named("worktree", session["worktree"]))
    write(_named("when", f"{_moment(session['startMs'])} – {_moment(session['endMs'])}"))
    versions = session["versions"]
    shown = versions[0] if len(versions) == 1 else f"{versions[0]} … {versions[-1]}" if versions else "–"
    write(_named("made by", f"{', '.join(session['models']) or '–'}  (Claude Code {shown})"))
    if session["continues"]:
        write(_named("continues ", session["continues"]))
    said = ", ".join(
        f"{overview['outcomes'][name]:,} {name.replace('_', ' ')}"
        for name in _GLYPHS
        if name != "ok" and name in overview["outcomes"]
    )
    calls = _many(overview["count"], "call") + (f" ({said})" if said else "")
    agents = sum(agent["kind"] != "internal" for agent in payload["agents"])
    write(_named("holds", f"{_many(overview['prompts'], 'prompt')}, {calls}, {_many(agents, 'sub-agent')}"))


def _time(write: Write, time: dict[str, Any], width: int) -> None:
    wall = time["wallMs"]
    if not wall:
        return
    room = width - _NAME
    bar, legend, used, sofar = _named("time", ""), " " * _NAME, 0, 0
    shown = {**time, "toolMs": time["toolMs"] - (time["permissionMs"] or 0)}
    for name, field, shade, colour in _PARTS:
        if shown[field] is None:
            continue
        sofar += shown[field]
        cells = round(room * sofar / wall) - used  # rounded at the edges, so that the bar is always whole
        bar += click.style(shade * cells, fg=colour)
        used += cells
        legend += f"{click.style(shade, fg=colour)} {name} {_bound(time, name)}{duration(shown[field])}   "
    write(bar)
    write(f"{legend}of {duration(wall)}")


def _bound(time: dict[str, Any], name: str) -> str:
    """How sure a part is: the less waiting is known, the more tool time is at most."""
    if name not in ("tool", "permission") or time["toolBound"] == "exact":
        return ""
    if time["permissionMs"] is None:
        return "≤ "
    signs = {"at_least": ("≤ ", "≥ "), "at_most": ("≥ ", "≤ ")}.get(time["permissionBound"], ("~ ", "~ "))
    return signs[name == "permission"]


def _told(write: Write, told: dict[str, Any] | None) -> None:
    """How much of the telemetry that was given fits the calls, and what of it could not be used."""
    if told is None:
        return
    whole = told["calls"] + told["callsWithout"]
    write(_named("told of", f"{told['calls']:,} of {_many(whole, 'call')} by telemetry{_left(told)}"))
    for file in told["files"]:
        lost = {
            "bad": file["badLines"],
            "too long": file["longLines"],
            "spans or events that cannot be read": file["badItems"],
            "spans or events more than are kept": file["leftOut"],
        }
        said = ", ".join(f"{count:,} {what}" for what, count in lost.items() if count)
        if said:
            write(_named("", f"of {_many(file['lines'], 'line')} in {file['path']}: {said}"))


def _left(told: dict[str, Any]) -> str:
    found = {
        "by time alone": told["byTime"],
        "fit no call": told["unmatched"],
        "ambiguous": told["ambiguous"],
        "at another time": told["disagreeing"],
    }
    said = ", ".join(f"{count:,} {words}" for words, count in found.items() if count)
    return f" ({said})" if said else ""


def _usage(write: Write, payload: dict[str, Any]) -> None:
    usage = payload["usage"]
    bound = "≥ " if usage["outputIsLowerBound"] else ""
    parts = [
        f"{tokens(usage['input'])} input",
        f"{tokens(usage['cacheCreation'])} cache writes",
        f"{tokens(usage['cacheRead'])} cache reads",
        f"{bound}{tokens(usage['output'])} output",
    ]
    write(_named("usage", f"{_many(usage['apiCalls'], 'API call')}: {', '.join(parts)}"))
    agents = usage["agents"]
    if agents["apiCalls"]:
        write(
            _named("", f"of it sub-agents: {_many(agents['apiCalls'], 'API call')}, {tokens(agents['output'])} output")
        )
    if usage["inherited"]["apiCalls"]:
        inherited = _many(usage["inherited"]["apiCalls"], "API call")
        write(_named("", f"inherited from another session, not counted: {inherited}"))
    cost = payload["cost"]
    if cost:
        without = f", without {', '.join(cost['unpriced'])}" if cost["unpriced"] else ""
        write(_named("cost", f"{bound}${cost['usd']:,.2f} at API list prices{without}"))
    context = payload["context"]
    if context["peakTokens"] is None:
        return
    assumed = ", assumed" if context["windowSource"] == "assumed" else ""
    window = f" of {tokens(context['window'])}{assumed}" if context["window"] else ""
    now = tokens(context["tokens"]) if context["tokens"] is not None else "unknown since the compaction"
    filled = f" ({context['fillPercent']} %)" if context["fillPercent"] is not None else ""
    compacted = f", {_many(len(payload['compactions']), 'compaction')}" if payload["compactions"] else ""
    write(_named("context", f"{now}{filled}{window}, peak {tokens(context['peakTokens'])}{compacted}"))


def _waterfall(write: Write, payload: dict[str, Any], width: int) -> None:
    overview = payload["overview"]
    if not overview["count"]:
        write("\nNo tool calls.")
        return
    axis = _Axis(overview["busy"], width)
    if overview["agents"]:
        write(click.style(f"\nAgents ({overview['spawning']:,})", bold=True))
        for row in overview["agents"]:
            inside = f"  ({_many(row['inside'], 'call')})" if row["inside"] else ""
            write(axis.row("  " * row["depth"] + row["label"], inside, row))
        left = overview["spawning"] - len(overview["agents"])
        if left:
            write(click.style(f"  … and {left:,} more", fg="bright_black"))
    if overview["longest"]:
        write(click.style("\nLongest calls", bold=True))
        for row in overview["longest"]:
            write(axis.row(row["label"], "", row))
    if len(overview["busy"]) > 1:
        write(click.style("  ¦ marks more than 5 minutes without anything", fg="bright_black"))


class _Axis:
    """The session's time from left to right; a stretch of more than five minutes without anything is one column."""

    def __init__(self, busy: list[list[int]], width: int) -> None:
        self.names = min(54, width // 2)
        self.columns = max(10, width - self.names - 15)
        gaps = len(busy) - 1
        self.marked = 0 <= gaps <= self.columns // 3  # more breaks than that would leave no room for the time itself
        self.busy = busy if self.marked or not busy else [[busy[0][0], busy[-1][1]]]  # none where no record has a time
        total = sum(end - start for start, end in self.busy)
        self.per_ms = (self.columns - (gaps if self.marked else 0)) / max(1, total)
        self.breaks = {int(self.at(end)) for _, end in self.busy[:-1]}

    def at(self, ms: int) -> float:
        """Return the column of a time."""
        column = 0.0
        for start, end in self.busy:
            if ms <= end:
                return column + max(0, ms - start) * self.per_ms
            column += (end - start) * self.per_ms + 1
        return self.columns

    def row(self, label: str, after: str, row: dict[str, Any]) -> str:
        """Return one line: label, outcome, duration, bar."""
        room = self.names - len(after)
        name = visible(label)
        name = (name if len(name) <= room else name[: room - 1] + "…") + after
        colour = _COLOURS.get(row["outcome"])
        glyph = click.style(_GLYPHS.get(row["outcome"], " "), fg=colour)
        return f"  {name:<{self.names}} {glyph} {duration(row['duration']) or '–':>8} {self.bar(row, colour)}"

    def bar(self, row: dict[str, Any], colour: str | None) -> str:
        """Return the bar of a span, at least one column wide."""
        if row["startMs"] is None:
            return ""
        left = min(int(self.at(row["startMs"])), self.columns - 1)
        right = max(
            left + 1, min(int(self.at(row["endMs"] if row["endMs"] is not None else row["startMs"])), self.columns)
        )
        before = "".join("¦" if column in self.breaks else " " for column in range(left))
        after = "".join("¦" if column in self.breaks else " " for column in range(right, self.columns))
        line = click.style(before, fg="bright_black") + click.style("▇" * (right - left), fg=colour or "blue")
        return line + click.style(after.rstrip(), fg="bright_black")


def _read(write: Write, coverage: dict[str, Any]) -> None:
    counts = {
        "unreadable files": sum(problem["code"] == "unreadable_file" for problem in coverage["problems"]),
        "skipped lines": coverage["skippedLines"],
        "mended records": coverage["repairedRecords"],
        "recovered records": coverage["recoveredRecords"],
        "records with odd fields": coverage["degradedRecords"],
        "results without a call": coverage["orphanResults"],
        "breaks in the chain": coverage["chainBreaks"],
        "rewinds": coverage["branches"],
        "copied records": coverage["replayedRecords"],
        "records of unknown types": sum(coverage["unknownRecordTypes"].values()),
        "blocks of unknown types": sum(coverage["unknownBlockTypes"].values()),
    }
    calm = "all read" if coverage["problems"] else "nothing odd"
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or calm
    tail = ", an unfinished last line" if coverage["partialTail"] else ""
    write(click.style("\nRead", bold=True))
    write(f"  {_many(coverage['records'], 'record')} in {size(coverage['bytes'])}: {said}{tail}")
    unknown = coverage["unknownRecordTypes"] | coverage["unknownBlockTypes"]
    if unknown:
        names = ", ".join(f"{visible(name[:40])} {count:,}" for name, count in list(unknown.items())[:PROBLEMS])
        write(f"  unknown types: {names}{' …' if len(unknown) > PROBLEMS else ''}")
    problems = coverage["problems"]
    for problem in problems[:PROBLEMS]:
        where = f"{problem['file']}:{problem['line']}" if problem["line"] else problem["file"]
        write(click.style(visible(f"  {where}: {problem['message']}"), fg="yellow"))
    left = len(problems) - PROBLEMS + coverage["problemsLeftOut"]
    if left > 0:
        write(click.style(f"  … and {left:,} more (--json has {len(problems):,} of them)", fg="bright_black"))
