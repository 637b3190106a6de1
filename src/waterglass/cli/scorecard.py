"""The scorecard on a terminal: six lines, and the signals of health below them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click

from waterglass.cli.terminal import visible

_MARKS = {
    "ok": ("✓", "green"),
    "warn": ("!", "yellow"),
    "alert": ("✕", "red"),
    "unknown": ("?", "bright_black"),
    "na": ("–", "bright_black"),
}
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # errorRateFirstHalf: error Rate First Half
MOST_LOSSES = 5  # compactions that get a line
_LABEL = 30  # columns


def write_scorecard(write: Callable[[str], object], payload: dict[str, Any], width: int) -> None:
    """Write metrics and health; nothing where the payload has none."""
    if payload["metrics"] is None:
        return
    write("")
    write(click.style("Scorecard", bold=True))
    for metric in payload["metrics"]:
        mark, colour = _MARKS.get(metric["status"], ("?", "bright_black"))
        label = visible(metric["label"])
        text = visible(metric["display"])
        untold = "" if metric["status"] not in ("unknown", "na") else f"{metric['status']}: "
        line = f"{label:<{_LABEL}} {untold}{text}"
        room = width - 4
        write(f"  {click.style(mark, fg=colour)} {line if len(line) <= room else line[: room - 1] + '…'}")
    told = [_signal(signal) for signal in payload["health"]["signals"] if signal["value"]]
    if told:
        write("")
        write(click.style("Health", bold=True))
        for line in told:
            room = width - 2
            write(f"  {line if len(line) <= room else line[: room - 1] + '…'}")
    _losses(write, payload["health"].get("compactionLosses", []))


def _losses(write: Callable[[str], object], losses: list[dict[str, Any]]) -> None:
    """One line a compaction: how much of what was in view its summary names, and what was read or run again."""
    for number, loss in enumerate(losses[:MOST_LOSSES], 1):
        counts = loss["counts"].values()
        seen, named, again = (sum(count[name] for count in counts) for name in ("seen", "named", "unnamedAgain"))
        where = "" if loss["agentId"] is None else f" of {loss['agentId']}"
        text = f"of {seen:,} paths, commands, numbers and names in view, the summary names {named:,}"
        others = f"{again:,} {'other' if again == 1 else 'others'} came up again"
        write(visible(f"  {f'compaction {number}{where}':<{_LABEL}}   {text}; {others}"))
    if len(losses) > MOST_LOSSES:
        write(f"  … {len(losses) - MOST_LOSSES:,} compactions more (--json has all)")


def _signal(signal: dict[str, Any]) -> str:
    name = _WORDS.sub(" ", signal["id"]).lower()
    value = f"{signal['value']:,}"
    value += (
        " %" if signal["unit"] == "percent" else f" {signal['unit']}" if not name.startswith(signal["unit"]) else ""
    )
    return visible(f"{name:<{_LABEL}}   {value}  ({signal['basis']})")
