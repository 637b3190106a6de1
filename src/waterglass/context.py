"""How full the context window was: the tokens in view at each reply of a thread."""

from __future__ import annotations

import re

from msgspec import Struct

from waterglass.link import EventIndex
from waterglass.usage import reply_key

SMALL, LARGE = 200_000, 1_000_000  # the two windows that models have been sold with


class Context(Struct):
    """The context of one thread; None is unknown, as right after a compaction."""

    tokens: int | None = None
    window: int | None = None
    window_source: str | None = None  # given | evidence | assumed
    fill_percent: float | None = None
    peak_tokens: int | None = None
    series: list[
        tuple[int | None, int | None]
    ] = []  # time and tokens at each reply; None tokens where a compaction emptied it


def thread_contexts(index: EventIndex, given: int | None) -> dict[str | None, Context]:
    """Return the context of each thread by agent id (None is the main thread), over time; `given` is the window that
    the user named.

    Events are taken in their order, not by their times: what a compaction emptied stays unknown until the next reply
    of the thread.
    """
    found: dict[str | None, Context] = {None: Context()}
    writing: dict[str | None, str] = {}  # the reply at hand: its parts come one by one, the last is right
    for event in index.replies:
        agent, part = event.agent_id, event.reply
        context = found.get(agent)
        if context is None:
            context = found[agent] = Context()
        series = context.series
        if part is None:  # a compaction, or its summary
            if not series or series[-1][1] is not None:
                series.append((event.ms, None))
            writing.pop(agent, None)
            continue
        tokens = part.context_tokens
        if part.synthetic or tokens is None:
            continue
        key = event.message_id or reply_key(event)
        if writing.get(agent) != key:
            series.append((event.ms, tokens))
            writing[agent] = key
        elif series[-1][1] != tokens:
            series[-1] = (series[-1][0], tokens)
    for agent, context in found.items():
        _complete(context, _evidence(index) if agent is None else None, given)
    return found


def _complete(context: Context, shown: int | None, given: int | None) -> None:
    if context.series:
        context.tokens = context.series[-1][1]
    context.peak_tokens = max((tokens for _, tokens in context.series if tokens is not None), default=None)
    context.window, context.window_source = window_of(shown, context.peak_tokens, given)
    context.fill_percent = fill(context.tokens, context.window)


def window_of(shown: int | None, peak: int | None, given: int | None) -> tuple[int | None, str | None]:
    """Return the window and where it is known from; evidence (`shown`) that the peak contradicts is none."""
    if given is not None:
        return given, "given"
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


def _evidence(index: EventIndex) -> int | None:
    """The program compacts by itself shortly before the window is full; `/context` prints the window."""
    shown: int | None = None
    for _, event in index.marks:
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
