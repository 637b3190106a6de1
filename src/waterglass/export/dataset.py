"""A data set: the tables of many sessions as Parquet files below one folder, made by any number of processes.

Each session has a file of its own in each table, which depends on that session alone (and on those it has history
from). So a run may be ended at any time, is taken up where it ended, and leaves what has not changed as it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib import metadata
from pathlib import Path

import msgspec
from msgspec import Struct

from waterglass.cost import prices_version
from waterglass.crew import Crew, Work, run_jobs
from waterglass.discover import SessionRef
from waterglass.errors import WaterglassError
from waterglass.export.arrow import arrow
from waterglass.export.done import Done, Progress, Reading
from waterglass.export.jobs import DONE, Asked, Did, Job, Mark, lost_job, mark_name, name_of, run_job, stamp_of
from waterglass.export.place import refused
from waterglass.export.sources import Source, around
from waterglass.export.stores import LocalStore, Store, store_of
from waterglass.export.tables import VERSION
from waterglass.index.lock import WriterLock
from waterglass.model import is_young
from waterglass.plugins.found import METRIC_GROUP, wanted
from waterglass.redact import Level
from waterglass.remote import shown
from waterglass.version import __version__

HEAD = "_waterglass.json"
_LOCK = "_waterglass.lock"


class Head(Struct, frozen=True):
    """What holds for all of a data set."""

    tables: int
    """The version of the tables."""
    redaction: Level


def write_dataset(
    target: str,
    sources: Sequence[Source],
    level: Level,
    own: Mapping[str, str],
    reading: Reading,
    progress: Progress,
    crew: Crew | None = None,
) -> Done:
    """Write the sessions to the folder or address `target`, and return what that came to.

    What is there and unchanged stays as it is; what is there of other sessions stays too. Raises WaterglassError where
    nothing can be written; a session that cannot be read raises it with `reading.strict`, else it is left out.
    """
    arrow()
    store = store_of(target)
    fresh = store.is_empty()
    with _begun(store, target, fresh, Head(VERSION, level)):
        now_ms = reading.now_ms if reading.now_ms is not None else time.time_ns() // 1_000_000
        asked = Asked(target, level, dict(own), reading.window, now_ms, _made_by())
        run = _Run(sources, _marks(store), asked, reading.strict, progress)
        try:
            run.do(crew)
        except WaterglassError:
            if fresh:
                store.clear()
            raise
        if isinstance(store, LocalStore):
            store.drop_rests()
    run.done.counts = dict(sorted(run.done.counts.items()))
    return run.done


@contextmanager
def _begun(store: Store, target: str, fresh: bool, head: Head) -> Iterator[None]:
    """See that the data set may be written, and that nobody else on this machine does so."""
    if not fresh:
        _check(store.read(HEAD), shown(target), head)
    with ExitStack() as stack:
        if isinstance(store, LocalStore):
            _make(store.folder)
            lock = stack.enter_context(WriterLock(str(store.folder / _LOCK)))
            if not lock.acquire(0):
                raise WaterglassError("another process is writing this export", target, "again when it has ended")
            store.drop_rests()
        if fresh:
            _put_head(store, target, head)
        yield


def _put_head(store: Store, target: str, head: Head) -> None:
    """Write what makes a folder a data set, or leave nothing. Written where the tables are: a temporary folder may be
    another disk, from which no file can be moved."""
    try:
        with store.scratch() as folder:
            local = folder / "head"
            local.write_bytes(msgspec.json.encode(head) + b"\n")
            store.put(local, HEAD)
    except WaterglassError:
        store.clear()
        raise
    except OSError as error:
        store.clear()
        raise refused(Path(target), error) from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error


def _check(data: bytes | None, target: str, wanted: Head) -> None:
    if data is None:
        raise WaterglassError(
            "will not write the export into a folder that is not empty", target, "-o PATH with another name"
        )
    try:
        head = msgspec.json.decode(data, type=Head)
    except msgspec.DecodeError:
        raise WaterglassError(
            "the head of this export cannot be read, so nothing is written", f"{target}/{HEAD}"
        ) from None
    if head.tables != wanted.tables:
        raise WaterglassError(
            f"this export holds tables of version {head.tables}, and this program writes version {wanted.tables}",
            target,
            "-o PATH with another name",
        )
    if head.redaction != wanted.redaction:
        raise WaterglassError(
            f"this export was written with --redact {head.redaction}, and nothing else goes into it",
            target,
            f"--redact {head.redaction}, or -o PATH with another name",
        )


def _marks(store: Store) -> dict[str, Mark]:
    """Return what is there, by the names of sessions. Where an ended process left two marks, neither counts."""
    found: dict[str, list[Mark]] = {}
    for name in store.names(DONE):
        parts = name.split(".")
        if len(parts) == 3:
            found.setdefault(parts[0], []).append(Mark(parts[1], parts[2]))
    for name, several in found.items():
        for mark in several[1:]:
            store.remove(mark_name(name, mark))
        if len(several) > 1:
            store.remove(mark_name(name, several[0]))
    return {name: marks[0] for name, marks in found.items() if len(marks) == 1}


def _made_by() -> str:
    """Return the versions of all that tables depend on beside the transcripts."""
    others = metadata.entry_points(group=METRIC_GROUP) if wanted() else ()
    metrics = sorted(f"{one.name} {one.value} {one.dist.version if one.dist is not None else ''}" for one in others)
    return f"{__version__} {VERSION} {prices_version() or ''} {metrics}"


class _Run:
    """The sessions of one export, made into jobs as there is room for them."""

    def __init__(
        self, sources: Sequence[Source], marks: Mapping[str, Mark], asked: Asked, strict: bool, progress: Progress
    ) -> None:
        self.done = Done(0, 0, {}, [])
        self._sources = sources
        self._marks = marks
        self._asked = asked
        self._strict = strict
        self._progress = progress
        self._total = sum(source.ref.size for source in sources)
        self._at = 0

    def do(self, crew: Crew | None) -> None:
        """Do all of them."""
        self._progress(0, self._total)
        results = run_jobs(self._jobs(), Work(run_job, lost_job), crew)
        with closing(results):
            for job, did in results:
                self._take(job.ref, did)
        self._progress(self._total, self._total)

    def _take(self, ref: SessionRef, did: Did) -> None:
        self._at += ref.size
        if did.problem is None:
            self.done.add(did.bytes, did.counts, did.kept)
            self.done.unread += [(ref.id, reason) for reason in did.unread]
        elif self._strict:
            raise WaterglassError(*did.problem)
        else:
            self.done.left_out.append((ref.id, str(WaterglassError(*did.problem))))
        self._progress(self._at, self._total)

    def _jobs(self) -> Iterator[Job]:
        met: set[str] = set()
        for number, source in enumerate(self._sources):
            name = name_of(source.ref.id)
            if name in met:
                self._take(source.ref, Did(number, problem=("another session has this id", source.ref.path, "")))
                continue
            met.add(name)
            job = self._job(number, name, source)
            if job.around.fetches and job.known is not None and job.known.stamp == stamp_of(job, ""):
                self._take(source.ref, Did(number, kept=True))
            else:
                yield job

    def _job(self, number: int, name: str, source: Source) -> Job:
        told = around(source)
        now_ms = self._asked.now_ms
        # While it is being written, what it looks like depends on the time of asking: so it is never there already.
        settled = f"live {now_ms}" if told.newest_ms is not None and is_young(told.newest_ms, now_ms) else ""
        settled += "".join(fetch.versions for fetch in told.fetches)
        return Job(number, name, source.ref, told, settled, self._marks.get(name), self._asked)
