"""A comparison on a terminal: a table of figures with their differences, then where the steps part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TextIO

from waterglass.cli.terminal import duration, tokens, visible, wants_colour

RUNS = 12  # runs of differing steps that are listed for each session
_GLYPHS = {"better": "▲", "worse": "▼", "same": "=", None: " "}
_STYLES = {"better": "green", "worse": "red"}


def print_comparison(document: dict[str, Any], stream: TextIO) -> None:
    """Print what `compare` made."""
    from rich.table import Table
    from rich.text import Text

    from waterglass.cli.console import TableConsole

    colours: Literal["auto"] | None = "auto" if wants_colour(stream) else None
    console = TableConsole(file=stream, color_system=colours, highlight=False, soft_wrap=False)
    names = [chr(ord("A") + n) if n < 26 else str(n + 1) for n in range(len(document["sessions"]))]
    for name, session in zip(names, document["sessions"], strict=True):
        title = visible(session["title"] or "(no title)")
        console.print(Text(f"{name}  {session['id']}  {title}"), no_wrap=True, overflow="ellipsis")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for name in names:
        table.add_column(name, justify="right")
    for group, figures in (
        ("Metrics", document["metrics"]),
        ("Work", document["work"]),
        ("Usage", document["usage"]),
        ("Time", document["time"]),
        ("Health", document["health"]),
    ):
        table.add_row(Text(group, style="bold"))
        for figure in figures:
            unit = ", %" if figure.get("unit") == "percent" else ""
            table.add_row(f"  {visible(figure['label'])}{unit}", *_cells(figure, group))
    console.print(table)
    for name, steps in zip(names[1:], document["steps"], strict=True):
        console.print(Text(f"\n{names[0]} and {name}: {_steps(steps)}"))


def _cells(figure: dict[str, Any], group: str) -> list[Any]:
    from rich.text import Text

    first, *others = [_value(figure, index, group) for index in range(len(figure["values"]))]
    cells = [Text(first)]
    for text, delta in zip(others, figure["deltas"], strict=True):
        direction = delta["direction"]
        change = "" if not delta["value"] else f" ({_signed(delta['value'], figure['name'])})"
        cells.append(Text(f"{text}{change} {_GLYPHS[direction]}", style=_STYLES.get(direction, "")))
    return cells


def _value(figure: dict[str, Any], index: int, group: str) -> str:
    value = figure["values"][index]
    if value is None:
        return figure["statuses"][index] if group == "Metrics" else "–"
    return _shown(value, figure["name"])


def _shown(value: float, name: str) -> str:
    if name.endswith("Ms"):
        return duration(value)
    return tokens(int(value)) if isinstance(value, int) and abs(value) >= 10_000 else f"{value:g}"


def _signed(value: float, name: str) -> str:
    return ("+" if value > 0 else "−") + _shown(abs(value), name)


def _steps(steps: dict[str, Any]) -> str:
    part = steps["partAt"]
    if part is None:
        return f"all {steps['equal']:,} steps are the same"
    lines = [
        f"{steps['equal']:,} steps in common, {steps['edits']:,} differ; they part at step {part['a']['index'] + 1}"
    ]
    for side in ("a", "b"):
        lines.append(f"  {side.upper()}: {visible(part[side]['label'] or '(nothing)')}")
    differing: Sequence[dict[str, Any]] = [run for run in steps["runs"] if run["op"] != "equal"]
    for run in differing[:RUNS]:
        (a1, a2), (b1, b2) = run["a"], run["b"]
        lines.append(f"  {run['op']}: steps {_range(a1, a2)} of the first, {_range(b1, b2)} of the other")
    if len(differing) > RUNS:
        lines.append(f"  … {len(differing) - RUNS:,} more (--json has all)")
    if any(steps["notAligned"]):
        lines.append(f"  not aligned: {steps['notAligned'][0]:,} and {steps['notAligned'][1]:,} steps at the ends")
    return "\n".join(lines)


def _range(start: int, end: int) -> str:
    return "none" if start == end else f"{start + 1}" if end == start + 1 else f"{start + 1}–{end}"
