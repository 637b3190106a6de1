"""One session of a data set as a job that any process can do, and do again: from its files to five and more tables."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from waterglass.discover import SessionRef
from waterglass.discover.peek import open_transcript
from waterglass.errors import WaterglassError
from waterglass.export.done import unread_of
from waterglass.export.hiding import Hider
from waterglass.export.parquet import day_of, write_tables
from waterglass.export.sources import Around, read
from waterglass.export.stores import Store, store_of
from waterglass.packed import read_fully
from waterglass.redact import Level
from waterglass.remote import copied

DONE = "_done"  # a file here, without content, says that a session's tables are whole: `SESSION.STAMP.DAY`
_PIECE = 1 << 20
_one_by_one = threading.Lock()  # a worker may have several threads: they fetch and upload at once, and read in turn


class Mark(Struct, frozen=True):
    """What is there of a session: what its tables were made of, and the day by which they are filed."""

    stamp: str
    day: str


class Asked(Struct, frozen=True):
    """What is the same for all jobs of an export. `own` are secrets: never shown."""

    target: str
    level: Level
    own: Mapping[str, str]
    window: int | None
    now_ms: int
    made_by: str
    """What else the tables depend on: versions."""

    def __repr__(self) -> str:
        """Return it without what a person keeps secret."""
        return "Asked(…)"


class Job(Struct, frozen=True):
    """A session to export."""

    number: int
    name: str
    """What its files are called: a digest of its id, since no name may come from a transcript."""
    ref: SessionRef
    around: Around
    settled: str
    """What of the state of its files is known before they are read: versions elsewhere, nothing here."""
    known: Mark | None
    asked: Asked

    def __repr__(self) -> str:
        """Return it without what a person keeps secret."""
        return f"Job({self.number})"


class Did(Struct, frozen=True):
    """What became of a job. `problem` says why a session was left out; `kept` that it was there already;
    `unread` are files of it that could not be read."""

    number: int
    bytes: int = 0
    counts: dict[str, int] = {}
    kept: bool = False
    unread: tuple[str, ...] = ()
    problem: tuple[str, str, str] | None = None


def run_job(job: Job) -> Did:
    """Do a job: read the session, write its tables, mark it as done. Raises nothing: what fails is told."""
    try:
        return _run(job)
    except WaterglassError as error:
        return Did(job.number, problem=(error.what, error.where, error.hint))
    except Exception as error:  # one session costs no other; of the error only the kind is told
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else type(error).__name__
        return Did(job.number, problem=(f"this session cannot be exported ({reason})", job.ref.id, ""))


def lost_job(job: Job, reason: str) -> Did:
    """Return what stands for a job that no process could do."""
    return Did(job.number, problem=(reason, job.ref.id, ""))


def stamp_of(job: Job, contents: str) -> str:
    """Return a digest of all that a session's tables are made of: `contents` are its files and those of the sessions
    that it may have history from."""
    asked = job.asked
    parts = (
        asked.made_by, asked.level, repr(asked.window), repr(sorted(asked.own.items())), job.settled, contents,
        repr(job.around.indexed_title), repr(job.around.folder_project),
    )  # fmt: skip
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def name_of(session: str) -> str:
    """Return what the files of a session are called."""
    return blake2b(session.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _run(job: Job) -> Did:
    store = store_of(job.asked.target)
    with copied(job.around.fetches, (job.ref, *job.around.related)) as refs:
        with _one_by_one:
            contents = "" if job.around.fetches else contents_of(refs)
        stamp = stamp_of(job, contents)
        if job.known is not None and job.known.stamp == stamp:
            return Did(job.number, kept=True)
        with store.scratch() as scratch:
            hider = Hider(job.asked.level, job.asked.own)
            with _one_by_one:
                session = read(refs, job.around, job.asked.window, job.asked.now_ms)
                unread = tuple(unread_of(session))
                # Without a file that is there it is not done: it is tried anew, and said anew, the next time.
                mark = Mark(stamp_of(job, f"{contents} without {time.time_ns()}") if unread else stamp, day_of(session))
                files = write_tables(scratch, session, hider)
            did = _put(job, store, mark, files, scratch, dict(hider.redactor.counts))
            return replace(did, unread=unread)


def _put(job: Job, store: Store, mark: Mark, files: dict[str, Path], scratch: Path, counts: dict[str, int]) -> Did:
    """Put the tables in place, then the mark: a process that ends in between leaves whole files and no mark."""
    size = sum(path.stat().st_size for path in files.values())
    for table, path in files.items():
        store.put(path, f"{table}/day={mark.day}/{job.name}.parquet")
    if job.known is not None and job.known.day != mark.day:
        for table in files:
            store.remove(f"{table}/day={job.known.day}/{job.name}.parquet")
    empty = scratch / "mark"
    empty.write_bytes(b"")
    store.put(empty, mark_name(job.name, mark))
    if job.known is not None and job.known != mark:
        store.remove(mark_name(job.name, job.known))
    return Did(job.number, size, counts)


def mark_name(name: str, mark: Mark) -> str:
    """Return the name of the file that says that a session is done."""
    return f"{DONE}/{name}.{mark.stamp}.{mark.day}"


def contents_of(refs: Sequence[SessionRef]) -> str:
    """Return the digests of the files of some sessions. What cannot be read has none."""
    return repr([_contents(ref) for ref in refs])


def _contents(ref: SessionRef) -> list[Any]:
    return [ref.id, *((file.key, _digest(file.path), file.sidecar and _digest(file.sidecar)) for file in ref.files)]


def _digest(path: str) -> str | None:
    digest = blake2b(digest_size=16)
    try:
        with open_transcript(path) as body:
            while data := read_fully(body, _PIECE):
                digest.update(data)
    except OSError:
        return None
    return digest.hexdigest()
