"""How full the context window was: the tokens in view at each reply of a thread."""

from __future__ import annotations

import re

from msgspec import Struct

from waterglass.model import Event
from waterglass.replies import Reply

SMALL, LARGE = 200_000, 1_000_000  # the two windows that models have been sold with


class Context(Struct):
    """The main thread's context; None is unknown, as right after a compaction."""

    tokens: int | None
    window: int | None
    window_source: str | None  # given | evidence | assumed
    fill_percent: float | None
    peak_tokens: int | None
    series: list[tuple[int | None, int | None]]  # time and tokens at each reply; None tokens where a compaction emptied it


def main_context(events: list[Event], replies: list[Reply], given: int | None) -> Context:
    """Return the context of the main thread over time; `given` is the window that the user named."""
    steps: list[tuple[int, int | None, int | None]] = []  # a place to sort by, time, tokens
    for reply in replies:
        if reply.agent_id is None and not reply.synthetic and reply.context_tokens is not None:
            steps.append((reply.ms or 0, reply.ms, reply.context_tokens))
    order = {id(step): n for n, step in enumerate(steps)}
    emptied = [(e.ms or 0, e.ms, None) for e in events if e.agent_id is None and e.kind in ("compaction", "compact_summary")]
    series = [(ms, tokens) for _, ms, tokens in sorted([*steps, *emptied], key=lambda s: (s[0], s[2] is not None, order.get(id(s), 0)))]
    sizes = [tokens for _, tokens in series if tokens is not None]
    peak = max(sizes, default=None)
    window, source = window_of(events, peak, given)
    tokens = series[-1][1] if series else None
    return Context(tokens, window, source, fill(tokens, window), peak, _without_repeats(series))


def window_of(events: list[Event], peak: int | None, given: int | None) -> tuple[int | None, str | None]:
    """Return the window and where it is known from; evidence that the peak contradicts is none."""
    if given is not None:
        return given, "given"
    shown = _evidence(events)
    if shown is not None and (peak is None or peak <= shown):
        return shown, "evidence"
    return assumed(peak)


def assumed(peak: int | None) -> tuple[int | None, str | None]:
    """Return the smallest known window that the peak fits in."""
    if peak is None:
        return None, None
    for window in (SMALL, LARGE):
        if peak <= window:
            return window, "assumed"
    return None, None


def fill(tokens: int | None, window: int | None) -> float | None:
    """Return the share of the window in percent with one decimal; None above 100, which can only be a wrong window."""
    if tokens is None or not window or tokens > window:
        return None
    return round(100 * tokens / window, 1)


_READING = re.compile(r"\b\d+(?:\.\d+)?k?\s*/\s*(\d+(?:\.\d+)?)([km])\b(?: tokens)?", re.I)


def _evidence(events: list[Event]) -> int | None:
    """The program compacts by itself shortly before the window is full; `/context` prints the window."""
    shown: int | None = None
    for event in events:
        if event.agent_id is not None:
            continue
        if event.kind == "compaction" and event.detail_of("trigger") == "auto":
            before = event.detail_of("pre_tokens")
            if before:
                shown = assumed(before)[0] or shown
        elif event.kind == "command_output" and event.text and "Context Usage" in event.text:
            match = _READING.search(event.text)
            if match:
                shown = round(float(match.group(1)) * (1_000 if match.group(2).lower() == "k" else 1_000_000))
    return shown


def _without_repeats(series: list[tuple[int | None, int | None]]) -> list[tuple[int | None, int | None]]:
    return [step for n, step in enumerate(series) if n == 0 or step != series[n - 1]]
