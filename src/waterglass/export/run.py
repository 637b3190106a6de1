"""From sessions to one export: which form, where to, how much is done, what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct

from waterglass.errors import WaterglassError
from waterglass.export.hiding import Hider, Part
from waterglass.export.lines import JSON_LINES, Framing, write_lines
from waterglass.export.place import check_file, check_folder
from waterglass.export.sources import Source, distinct
from waterglass.redact import Level
from waterglass.session import Session, load

Form = Literal["jsonl", "perfetto", "otlp", "parquet"]
FORMS: tuple[str, ...] = get_args(Form)
Progress = Callable[[int, int], object]


class Done(Struct):
    """What an export came to."""

    sessions: int
    bytes: int
    counts: dict[str, int]
    """How many secrets were replaced, per kind."""
    left_out: list[tuple[str, str]]
    """Sessions that could not be read, with the reasons."""


class Reading(Struct, frozen=True):
    """How sessions are read."""

    window: int | None = None
    """The context window in tokens, where it is known."""
    now_ms: int | None = None
    """The time of asking, in Unix milliseconds; None: now."""
    strict: bool = True
    """Raise for a session that cannot be read, instead of leaving it out."""


def export_sessions(
    sources: Sequence[Source],
    form: str,
    target: Path,
    level: Level = "secrets",
    own: Mapping[str, str] | None = None,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    progress: Progress = lambda done, total: None,
) -> Done:
    """Write sessions to `target`: one file, for "parquet" a folder. Raises WaterglassError where that cannot be done.

    `form` is one of `FORMS`, or the name of an exporter that another package adds. No more than one session is in
    memory. `own` are exact values to hide with their kinds; `progress` is told the bytes of transcripts that are done,
    and all of them. Nothing stands at `target` before the export is whole.
    """
    if form == "parquet":
        check_folder(target)
    else:
        check_file(target, {source.ref.root for source in sources})
    hider = Hider(level, own)
    done = Done(0, 0, {}, [])
    sessions = _loaded(distinct(sources), reading, done, progress)
    if form == "parquet":
        from waterglass.export.parquet import write_parquet

        done.bytes = write_parquet(target, sessions, hider)
    elif form not in FORMS:
        from waterglass.export.plugged import write_plugged

        done.bytes = write_plugged(target, form, sessions, hider)
    else:
        done.bytes = write_lines(target, _items(sessions, form, hider), _framing(form, hider), hider)
    done.counts = dict(sorted(hider.redactor.counts.items()))
    return done


def _loaded(sources: list[Source], reading: Reading, done: Done, progress: Progress) -> Iterator[tuple[Session, Part]]:
    total, at = sum(source.ref.size for source in sources), 0
    for source in sources:
        progress(at, total)
        try:
            one = load(source.ref, in_sight=source.in_sight, window=reading.window, now_ms=reading.now_ms)
        except WaterglassError as error:
            if reading.strict:
                raise
            done.left_out.append((source.ref.id, str(error)))
        else:
            done.sessions += 1
            yield one, partial(_within, progress, at, source.ref.size, total)
        at += source.ref.size
    progress(total, total)


def _within(progress: Progress, at: int, size: int, total: int, part: float) -> None:
    progress(at + int(part * size), total)


def _framing(form: str, hider: Hider) -> Framing:
    if form != "perfetto":
        return JSON_LINES
    from waterglass.export.perfetto import framing

    return framing(hider)


def _items(sessions: Iterator[tuple[Session, Part]], form: str, hider: Hider) -> Iterator[Any]:
    if form == "jsonl":
        from waterglass.export.jsonl import event_items

        for session, part in sessions:
            yield from event_items(session, hider, part)
        return
    from waterglass.export.otlp import span_lines
    from waterglass.export.perfetto import trace_events
    from waterglass.export.spans import session_spans
    from waterglass.export.told import tell

    for number, (session, part) in enumerate(sessions, 1):
        hider.learn(session, part)
        told = tell(session, hider)
        if form == "perfetto":
            yield from trace_events(told, number)
        else:
            yield from span_lines(told, session_spans(told), hider.level)
