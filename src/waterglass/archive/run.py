"""Bringing an archive up to date: what is new or has grown is copied, read back, and only then gets its name."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence

from msgspec import Struct

from waterglass.archive.copying import Copies, Fate
from waterglass.archive.sources import Source, sources_of
from waterglass.discover import Discovery, SessionRef, Unreadable
from waterglass.errors import WaterglassError
from waterglass.index.lock import WriterLock
from waterglass.index.place import make_private
from waterglass.schema.layout import written

LOCK = ".archive.lock"
_STOP = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS))  # no other file would fare better

Progress = Callable[[int, int], None]  # bytes looked at, bytes in all


class Copied(Struct, frozen=True, rename="camel"):
    """A file that was copied, or would be: where from, where to, and bytes before and after."""

    session: str
    path: str
    to: str
    bytes: int
    packed_bytes: int | None  # None where nothing was written


class Archived(Struct, rename="camel"):
    """What was done. `up_to_date` counts files whose copy was there already."""

    to: str
    dry_run: bool
    sessions: int = 0
    copied: list[Copied] = []
    up_to_date: int = 0
    failed: list[Unreadable] = []


def archive(
    discovery: Discovery,
    target: str,
    *,
    since_ms: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Archived:
    """Keep compressed copies of the sessions that were found in the folder `target`.

    `since_ms` (Unix milliseconds) leaves out what was not written since. Nothing but that folder is changed, and in it
    nothing that is no earlier state of the same file. Raises WaterglassError where nothing can be kept.
    """
    refuse_nesting(target, discovery.roots)
    refs = [ref for ref in discovery.sessions if since_ms is None or ref.modified_ms >= since_ms]
    done = Archived(written(target), dry_run, len(refs), failed=list(discovery.unreadable))
    if dry_run:
        _run(refs, Copies(target, dry_run=True), done, progress)
        return done
    try:
        make_private(target)
        with WriterLock(os.path.join(target, LOCK)) as lock:
            if not lock.acquire(0):
                raise WaterglassError("another process is writing to this archive", target, "again when it has ended")
            with Copies(target, dry_run=False) as copies:
                _run(refs, copies, done, progress)
    except OSError as error:
        raise _refused(target, error) from error
    return done


def refuse_nesting(target: str, roots: Sequence[str]) -> None:
    """Raise WaterglassError for an archive within a folder of transcripts, or around one: it would be read twice, or
    Claude Code would delete it."""
    own = os.path.realpath(target)
    for root in roots:
        real = os.path.realpath(root)
        if _is_below(own, real) or _is_below(real, own):
            raise WaterglassError(
                "an archive may not lie within a folder of transcripts, nor around one",
                f"{written(target)} and {written(root)}",
                "--to DIR somewhere else",
            )
    if os.path.lexists(target) and not os.path.isdir(target):
        raise WaterglassError("not a folder", written(target), "--to DIR with the name of a folder")


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _run(refs: Sequence[SessionRef], copies: Copies, done: Archived, progress: Progress | None) -> None:
    total, so_far = sum(ref.size for ref in refs), 0
    for ref in refs:
        for source in sources_of(ref, done.failed):
            _keep(source, copies, done, so_far, total, progress)
        so_far += ref.size
        if progress is not None:
            progress(so_far, total)


def _keep(source: Source, copies: Copies, done: Archived, so_far: int, total: int, progress: Progress | None) -> None:
    def show(plain: int) -> None:
        if progress is not None:
            progress(min(so_far + plain, total), total)

    try:
        fate: Fate = copies.keep(source, show)
    except FileNotFoundError:
        return  # it was deleted meanwhile
    except WaterglassError as error:
        done.failed.append(Unreadable(written(source.path), error.what))
        return
    except OSError as error:
        if error.errno in _STOP:
            raise
        done.failed.append(Unreadable.of(source.path, error))
        return
    if fate.copied:
        to = written(fate.path)
        done.copied.append(Copied(source.session, written(source.path), to, fate.bytes, fate.packed))
    else:
        done.up_to_date += 1


def _refused(target: str, error: OSError) -> WaterglassError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return WaterglassError(
            "the disk is full, so not everything was kept", written(target), "free some space, and again"
        )
    return WaterglassError(
        f"the archive cannot be written ({error.strerror or error})", written(target), "--to DIR that you can write to"
    )
