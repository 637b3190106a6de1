"""Lanes: bars that overlap are put on tracks of their own, so that no bar is drawn as the child of one that only ran
longer."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappush, heapreplace
from typing import NamedTuple


class Bar(NamedTuple):
    """A stretch of time with `start <= end`."""

    start: int
    end: int


def lanes(frames: Sequence[Bar], bars: Sequence[Bar]) -> list[int]:
    """Return the lane of each bar, from 0 on. No two bars of one lane overlap; they may touch.

    `frames`, of which no two overlap, are drawn in lane 0 around its bars: a bar comes there only if it lies inside one
    of them or outside all. One that crosses the border of a frame would not nest.
    """
    borders, at = sorted(frames), 0
    placed = [0] * len(bars)
    first_ends = -1
    others: list[tuple[int, int]] = []  # (end of its last bar, lane), the one that is free the longest first
    for n in sorted(range(len(bars)), key=lambda n: (bars[n].start, -bars[n].end, n)):
        bar = bars[n]
        while at < len(borders) and borders[at].end <= bar.start and borders[at].end < bar.end:
            at += 1
        if first_ends <= bar.start and (at == len(borders) or _nests(bar, borders[at])):
            first_ends = bar.end
        elif others and others[0][0] <= bar.start:
            placed[n] = others[0][1]
            heapreplace(others, (bar.end, placed[n]))
        else:
            placed[n] = len(others) + 1
            heappush(others, (bar.end, placed[n]))
    return placed


def _nests(bar: Bar, frame: Bar) -> bool:
    """Does a bar lie inside a frame, or end before it begins? The frames before it are over."""
    return bar.end <= frame.start or (frame.start <= bar.start and bar.end <= frame.end)
