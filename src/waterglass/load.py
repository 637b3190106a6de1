"""The pipeline on one screen: read a session's files, normalize their records, link the events, derive the view.

Reading resumes: a transcript that has grown is read from where whole lines ended, and everything after `normalize`
runs again over the events in memory. So live equals cold, and no step after `normalize` keeps state of its own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from waterglass.discover.refs import SessionRef, TranscriptFile
from waterglass.errors import WaterglassError
from waterglass.growth import Mark, is_same, make_mark, only_grew, state_of
from waterglass.link import Linked, Source, link
from waterglass.model import Coverage, Event, Facts, Problem, Sidecar
from waterglass.normalize import Normalizer
from waterglass.otherprocess import Beside, Job, cut_in_two
from waterglass.read import Position, RecordReader, read_bytes
from waterglass.schema.layout import agent_id, is_internal
from waterglass.schema.sidecars import read_sidecar

MAX_SIDECAR = 1 << 20


class Transcript(Struct):
    """What was read of one file. The tail is the unfinished last line: read anew each time until it is whole."""

    file: TranscriptFile
    position: Position
    normalizer: Normalizer
    events: list[Event]
    facts: Facts
    coverage: Coverage
    sidecar: Sidecar | None = None
    tail_events: list[Event] = []
    tail_facts: Facts = msgspec.field(default_factory=Facts)
    tail_coverage: Coverage = msgspec.field(default_factory=Coverage)
    mark: Mark | None = None  # set where the file may be read on later
    replaced: bool = False  # read anew, since what was read of the file before no longer stands in it

    @property
    def whole(self) -> Source:
        """The file's events and facts, tail included, as the linking takes them."""
        return Source(
            self.file.key,
            self.file.agent_id,
            self.file.kind,
            self.file.agent_id is not None and is_internal(self.file.agent_id),
            self.events + self.tail_events if self.tail_events else self.events,
            self.facts + self.tail_facts if self.tail_events else self.facts,
            self.sidecar,
        )


def open_transcript(file: TranscriptFile) -> Transcript:
    """Return a transcript of which nothing is read yet."""
    sidecar = None
    coverage = Coverage()
    if file.sidecar is not None:
        try:
            sidecar = read_sidecar(read_bytes(file.sidecar, 0, MAX_SIDECAR))
        except WaterglassError as error:
            coverage.add_problem(Problem("unreadable_sidecar", file.key, error.what))
    return Transcript(file, Position(), Normalizer(file.key, file.agent_id), [], Facts(), coverage, sidecar)


def read_on(transcript: Transcript) -> None:
    """Read what has been appended since the last time. Raises WaterglassError where the file cannot be read."""
    cut = cut_in_two(transcript.file.path) if transcript.position.offset == 0 else None
    if cut is None:
        _read_to(transcript, None)
        return
    with Beside([_other_half(transcript.file, cut)]) as beside:
        _read_to(transcript, cut)
        half: Half | None = beside.value("half", lambda: None)
    if half is None:
        _read_to(transcript, None)
        return
    half.put_behind(transcript.position.line)
    transcript.events += half.events
    transcript.facts = transcript.facts + half.facts
    transcript.coverage = transcript.coverage + half.coverage
    transcript.position = half.position
    transcript.tail_events, transcript.tail_facts, transcript.tail_coverage = (
        half.tail_events,
        half.tail_facts,
        half.tail_coverage,
    )


def _read_to(transcript: Transcript, end: int | None) -> None:
    reader = RecordReader(transcript.file.path, transcript.file.key, transcript.position, end)
    transcript.tail_events, transcript.tail_facts = [], Facts()
    events, facts, coverage = transcript.events, transcript.facts, reader.coverage
    known = len(events)
    make = transcript.normalizer.events
    for record, offset, length, line, tail in reader:
        if tail:
            transcript.tail_events += make(record, offset, length, line, transcript.tail_facts, reader.tail)
        else:
            events += make(record, offset, length, line, facts, coverage)
    transcript.position = reader.position
    transcript.coverage = transcript.coverage + reader.coverage
    transcript.tail_coverage = reader.tail
    if reader.odd:
        for place in (events, transcript.tail_events):
            _warn(place, known if place is events else 0, reader.odd)


def _warn(events: list[Event], start: int, odd: dict[int, tuple[str, ...]]) -> None:
    """Say on the first event of each odd record what is odd about it."""
    at = -1
    for index in range(start, len(events)):
        event = events[index]
        if event.offset != at:
            at = event.offset
            if at in odd:
                events[index] = msgspec.structs.replace(event, warnings=event.warnings + odd[at])


class Half(Struct):
    """What another process read of the second half of a file."""

    events: list[Event]
    facts: Facts
    coverage: Coverage
    position: Position
    tail_events: list[Event]
    tail_facts: Facts
    tail_coverage: Coverage

    def put_behind(self, lines: int) -> None:
        """Count lines from the file's start: so many stand before this half, which nobody knew while it was read."""
        for event in (*self.events, *self.tail_events):
            msgspec.structs.force_setattr(event, "line", event.line + lines)  # still nobody else's; a copy costs thrice
        for coverage in (self.coverage, self.tail_coverage):
            coverage.problems = [
                msgspec.structs.replace(p, line=p.line + lines) if p.line is not None else p for p in coverage.problems
            ]
        self.position = Position(self.position.offset, self.position.line + lines)


def _other_half(file: TranscriptFile, cut: int) -> Job:
    """Return the reading of a long transcript from the byte `cut` on, as a job for a process of its own.

    The cut is at a line's end, so the two halves are what reading in two parts gives anyway.
    """

    def work() -> Half:
        half = open_transcript(file)
        half.coverage, half.position = Coverage(), Position(cut, 0)
        _read_to(half, None)
        return Half(
            half.events, half.facts, half.coverage, half.position, half.tail_events, half.tail_facts, half.tail_coverage
        )

    return Job("half", work, Half)


def read_session(
    ref: SessionRef, before: Sequence[Transcript] = (), *, growing: bool = False
) -> tuple[list[Transcript], list[Problem]]:
    """Read all files of a session; a file that cannot be read is a problem, unless none can.

    `before` is what was read of it earlier, with `growing`: of files that only grew since, what was appended is read.
    Those transcripts are changed and handed on, also where this fails: they are of no use afterwards.
    Raises WaterglassError when no file of the session can be read.
    """
    known = {transcript.file.path: transcript for transcript in before}
    transcripts: list[Transcript] = []
    problems = [_unread(os.path.basename(place.path), place.reason) for place in ref.unread]
    failure: WaterglassError | None = None
    for file in ref.files:
        try:
            if growing:
                transcript = _read_growing(file, known.get(file.path))
            else:
                transcript = open_transcript(file)
                read_on(transcript)
        except WaterglassError as error:
            failure = error
            problems.append(Problem("unreadable_file", file.key, error.what))
            continue
        transcripts.append(transcript)
    if failure is not None and not transcripts:
        raise failure
    return transcripts, problems


def unread_since(ref: SessionRef, unread: Sequence[Problem]) -> Sequence[Problem]:
    """Return those of `read_session`'s problems that are of files which could be opened when they were found.

    Those that could not be opened come first there; whoever found the session names them from `ref.unread`.
    """
    return unread[len(ref.unread) :]


def _unread(name: str, reason: str) -> Problem:
    return Problem("unreadable_file", agent_id(name) or name, f"cannot read the transcript ({reason})")


def _read_growing(file: TranscriptFile, known: Transcript | None) -> Transcript:
    """Read a file, or what it gained. Its state is noted before it is read: what comes meanwhile is seen next time."""
    state, sidecar = state_of(file.path), state_of(file.sidecar)
    transcript, replaced = None, False
    if known is not None and known.mark is not None and state is not None and known.mark.sidecar == sidecar:
        old = known.file
        if (old.key, old.kind, old.sidecar) == (file.key, file.kind, file.sidecar):
            if is_same(known.mark, state):
                return known
            transcript = known if only_grew(file.path, known.mark, state) else None
            replaced = transcript is None
    if transcript is None:
        transcript = open_transcript(file)
        transcript.replaced = replaced
    read_on(transcript)
    transcript.file = file
    transcript.mark = None if state is None else make_mark(file.path, state, sidecar, transcript.position.offset)
    return transcript


def link_transcripts(transcripts: list[Transcript]) -> tuple[Linked, Coverage]:
    """Link what was read and add up what was covered. What replays are counts in no other figure."""
    coverage = Coverage()
    for transcript in transcripts:
        coverage = coverage + transcript.coverage + transcript.tail_coverage
    linked = link([t.whole for t in transcripts])
    linked.replays.take_from(coverage)
    return linked, coverage
