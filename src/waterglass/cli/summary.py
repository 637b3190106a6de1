"""A session on a terminal: head, where the time went, usage, agents and longest calls as bars, problems. Reads the payload only."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from waterglass.cli.terminal import duration, size, tokens, visible, wants_colour

LONGEST = 12  # calls
AGENTS = 20
PROBLEMS = 8
_PARTS = (("model", "modelMs", "blue"), ("tool", "toolMs", "yellow"), ("user", "userMs", "green"), ("idle", "idleMs", "bright_black"))
_GLYPHS = {"ok": " ", "error": "✕", "rejected": "⊘", "blocked": "⊘", "interrupted": "⏹", "no_result": "?", "running": "▶"}
_COLOURS = {"error": "red", "rejected": "yellow", "blocked": "yellow", "interrupted": "yellow", "running": "cyan"}


def print_summary(payload: dict[str, Any], stream: TextIO) -> None:
    """Print the payload (with `table`) for a person; parts that are null are left out."""
    console = Console(file=stream, no_color=not wants_colour(stream), highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = max(60, min(console.width, 160))
    _head(console, payload)
    _time(console, payload["time"], width)
    _usage(console, payload)
    _waterfall(console, payload, width)
    _problems(console, payload["coverage"])


def _moment(ms: int | None) -> str:
    return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M") if ms is not None else "–"


def _line(console: Console, name: str, text: str) -> None:
    console.print(Text.assemble((f"{name:<9}", "bright_black"), visible(text)))


def _head(console: Console, payload: dict[str, Any]) -> None:
    session = payload["session"]
    console.print(Text(visible(session["title"] or "(no title)"), style="bold"))
    _line(console, "session", f"{session['id']}  {session['state']}")
    _line(console, "project", session["project"] or "–")
    if session["worktree"]:
        _line(console, "worktree", session["worktree"])
    _line(console, "when", f"{_moment(session['startMs'])} – {_moment(session['endMs'])}")
    made = ", ".join(session["models"]) or "–"
    versions = session["versions"]
    shown = versions[0] if len(versions) == 1 else f"{versions[0]} … {versions[-1]}" if versions else "–"
    _line(console, "made by", f"{made}  (Claude Code {shown})")
    if session["continues"]:
        _line(console, "continues", session["continues"])
    outcomes = Counter(_column(payload["table"], "outcome"))
    said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in outcomes.most_common() if name != "ok")
    agents = sum(a["kind"] != "internal" for a in payload["agents"])
    prompts = sum(p["state"] != "unsent" for p in payload["prompts"])
    _line(
        console,
        "holds",
        f"{_many(prompts, 'prompt')}, {_many(payload['table']['count'], 'call')}{f' ({said})' if said else ''}, {_many(agents, 'sub-agent')}",
    )


def _many(count: int, word: str) -> str:
    plural = {"reply": "replies"}.get(word, word + "s")
    return f"{count:,} {word if count == 1 else plural}"


def _column(table: dict[str, Any], name: str) -> list[str]:
    return [table["strings"][n] for n in table["columns"][name]]


def _time(console: Console, time: dict[str, Any], width: int) -> None:
    wall = time["wallMs"]
    if not wall:
        return
    room = width - 9
    bar, legend, used, sofar = Text(f"{'time':<9}", "bright_black"), Text(" " * 9), 0, 0
    for name, field, colour in _PARTS:
        sofar += time[field]
        cells = round(room * sofar / wall) - used  # rounded at the edges, so that the bar is always whole
        bar.append(_SHADES[name] * cells, colour)
        used += cells
        legend.append(_SHADES[name], colour)
        bound = "≤ " if name == "tool" and time["toolBound"] == "at_most" else ""
        legend.append(f" {name} {bound}{duration(time[field])}   ")
    console.print(bar)
    console.print(legend.append(f"of {duration(wall)}"))


_SHADES = {"model": "█", "tool": "▓", "user": "▒", "idle": "░"}


def _usage(console: Console, payload: dict[str, Any]) -> None:
    usage = payload["usage"]
    bound = "≥ " if usage["outputIsLowerBound"] else ""
    _line(
        console,
        "usage",
        f"{_many(usage['apiCalls'], 'API call')}: {tokens(usage['input'])} input, {tokens(usage['cacheCreation'])} cache writes, "
        f"{tokens(usage['cacheRead'])} cache reads, {bound}{tokens(usage['output'])} output",
    )
    if usage["agents"]["apiCalls"]:
        agents = usage["agents"]
        _line(console, "", f"of it sub-agents: {_many(agents['apiCalls'], 'API call')}, {tokens(agents['output'])} output")
    if usage["inherited"]["apiCalls"]:
        _line(console, "", f"inherited from another session, not counted: {_many(usage['inherited']['apiCalls'], 'API call')}")
    context = payload["context"]
    if context["peakTokens"] is not None:
        source = {"assumed": ", assumed", "evidence": ""}.get(context["windowSource"] or "", "")
        window = f" of {tokens(context['window'])}{source}" if context["window"] else ""
        now = tokens(context["tokens"]) if context["tokens"] is not None else "unknown since the compaction"
        filled = f" ({context['fillPercent']} %)" if context["fillPercent"] is not None else ""
        compacted = f", {_many(len(payload['compactions']), 'compaction')}" if payload["compactions"] else ""
        _line(console, "context", f"{now}{filled}{window}, peak {tokens(context['peakTokens'])}{compacted}")


def _waterfall(console: Console, payload: dict[str, Any], width: int) -> None:
    table, session = payload["table"], payload["session"]
    columns = table["columns"]
    if not table["count"]:
        console.print(Text("\nNo tool calls."))
        return
    kinds, labels, outcomes = (_column(table, name) for name in ("type", "label", "outcome"))
    picture = _Picture(console, session["startMs"], session["endMs"], width)
    spawns = [n for n in range(table["count"]) if kinds[n] == "agent"]
    if spawns:
        console.print(Text(f"\nAgents ({len(spawns):,})", style="bold"))
        for n in spawns[:AGENTS]:
            inside = columns["subtreeEnd"][n] - n - 1
            picture.row(labels[n] + (f"  ({inside} calls)" if inside else ""), outcomes[n], columns, n)
        if len(spawns) > AGENTS:
            console.print(Text(f"  … and {len(spawns) - AGENTS:,} more", "bright_black"))
    calls = [n for n in range(table["count"]) if kinds[n] == "tool" and columns["duration"][n] is not None]
    calls = sorted(calls, key=lambda n: -columns["duration"][n])[:LONGEST]
    if calls:
        console.print(Text("\nLongest calls", style="bold"))
        for n in sorted(calls):
            picture.row(labels[n], outcomes[n], columns, n, indent=False)


class _Picture:
    """Draws rows on the time axis of the session."""

    def __init__(self, console: Console, start_ms: int | None, end_ms: int | None, width: int) -> None:
        self.console = console
        self.start_ms = start_ms or 0
        self.span_ms = max(1, (end_ms or 0) - self.start_ms)
        self.names = min(54, width // 2)
        self.bars = width - self.names - 15

    def row(self, label: str, outcome: str, columns: dict[str, Any], n: int, *, indent: bool = True) -> None:
        """Print one row: label, outcome, duration, bar."""
        name = "  " * columns["depth"][n] * indent + visible(label)
        name = name if len(name) <= self.names else name[: self.names - 1] + "…"
        colour = _COLOURS.get(outcome, "")
        text = Text(f"  {name:<{self.names}} ")
        text.append(_GLYPHS.get(outcome, " "), colour)
        text.append(f" {duration(columns['duration'][n]) or '–':>8} ")
        text.append(self.bar(columns["startMs"][n], columns["endMs"][n] or columns["openUntilMs"][n]), colour or "blue")
        self.console.print(text)

    def bar(self, start: int | None, end: int | None) -> str:
        """Return the bar of a span, at least one cell wide."""
        if start is None:
            return ""
        left = int(self.bars * (start - self.start_ms) / self.span_ms)
        right = int(self.bars * ((end or start) - self.start_ms) / self.span_ms)
        left = max(0, min(left, self.bars - 1))
        return " " * left + "▇" * max(1, min(right, self.bars) - left)


def _problems(console: Console, coverage: dict[str, Any]) -> None:
    counts = {
        "skipped lines": coverage["skippedLines"],
        "mended records": coverage["repairedRecords"],
        "recovered records": coverage["recoveredRecords"],
        "records with odd fields": coverage["degradedRecords"],
        "results without a call": coverage["orphanResults"],
        "breaks in the chain": coverage["chainBreaks"],
        "rewinds": coverage["branches"],
        "copied records": coverage["replayedRecords"],
        "unknown record types": sum(coverage["unknownRecordTypes"].values()),
        "unknown block types": sum(coverage["unknownBlockTypes"].values()),
    }
    console.print(Text("\nRead", style="bold"))
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    tail = ", an unfinished last line" if coverage["partialTail"] else ""
    console.print(Text(f"  {_many(coverage['records'], 'record')} in {size(coverage['bytes'])}{': ' + said if said else ', nothing odd'}{tail}"))
    problems = coverage["problems"]
    for problem in problems[:PROBLEMS]:
        where = f"{problem['file']}:{problem['line']}" if problem["line"] else problem["file"]
        console.print(Text(visible(f"  {where}: {problem['message']}"), "yellow"))
    left = len(problems) - PROBLEMS + coverage["problemsLeftOut"]
    if left > 0:
        console.print(Text(f"  … and {left:,} more (--json has {len(problems):,} of them)", "bright_black"))
