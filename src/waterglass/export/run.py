"""From sessions to one export: which form, where to, how much is done, what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from waterglass.errors import WaterglassError
from waterglass.export.done import Done, Progress, Reading, unread_of
from waterglass.export.hiding import Hider, Part
from waterglass.export.lines import JSON_LINES, Framing, write_lines
from waterglass.export.place import check_file
from waterglass.export.sources import Source, distinct, opened
from waterglass.private import private_folder
from waterglass.redact import Level
from waterglass.remote import is_url, place_of, put_file, refuse_target
from waterglass.session import Session

if TYPE_CHECKING:
    from waterglass.crew import Crew

Form = Literal["jsonl", "perfetto", "otlp", "parquet"]
FORMS: tuple[str, ...] = get_args(Form)


def export_sessions(
    sources: Sequence[Source],
    form: str,
    target: Path | str,
    level: Level = "secrets",
    own: Mapping[str, str] | None = None,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    progress: Progress = lambda done, total: None,
    crew: Crew | Executor | None = None,
) -> Done:
    """Write sessions to `target`, a path or an address: one file, for "parquet" a folder.

    `form` is one of `FORMS`, or the name of an exporter that another package adds. No more than one session is in
    memory. `own` are exact values to hide with their kinds; `progress` is told the bytes of transcripts that are done,
    and all of them. Nothing stands at `target` before the export is whole; of the tables no file before it is. Tables
    are made by the `crew`, where there is one: any executor. Raises WaterglassError where that cannot be done.
    """
    if form == "parquet":
        from waterglass.crew import crew_of
        from waterglass.export.dataset import write_dataset

        hands = crew_of(crew) if isinstance(crew, Executor) else crew
        return write_dataset(str(target), distinct(sources), level, own or {}, reading, progress, hands)
    if isinstance(target, str) and is_url(target):
        place = place_of(target)
        refuse_target(place, [found.url for source in sources for found in source.mirrors])
        with private_folder() as folder:
            file = folder / "export"
            done = _write(distinct(sources), form, file, Hider(level, own), reading, progress)
            put_file(place, file)
        return done
    target = Path(target)
    check_file(target, {source.ref.root for source in sources})
    return _write(distinct(sources), form, target, Hider(level, own), reading, progress)


def _write(sources: list[Source], form: str, target: Path, hider: Hider, reading: Reading, progress: Progress) -> Done:
    done = Done(0, 0, {}, [])
    sessions = _loaded(sources, reading, done, progress)
    if form not in FORMS:
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
            with opened(source, reading) as one:
                done.sessions += 1
                done.unread += [(one.id, reason) for reason in unread_of(one)]
                yield one, partial(_within, progress, at, source.ref.size, total)
        except WaterglassError as error:
            if reading.strict:
                raise
            done.left_out.append((source.ref.id, str(error)))
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
