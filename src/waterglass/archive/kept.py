"""Keeping the texts of transcripts for the time when they are deleted, where the setting `keep_text` says so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from msgspec import Struct

from waterglass.archive.run import Archived, archive
from waterglass.discover import Discovery, LookedIn, SessionRef
from waterglass.discover.kept import is_kept, kept_folder, kept_top
from waterglass.errors import WaterglassError
from waterglass.index.place import make_private

Progress = Callable[[int, int], None]  # bytes looked at, bytes in all


class Kept(Struct, frozen=True):
    """What is kept: the folder, its bytes, and how many sessions are there although their transcripts are deleted."""

    folder: str
    bytes: int
    deleted: int


def keep_texts(
    discovery: Discovery, wanted: Callable[[SessionRef], bool], progress: Progress | None = None
) -> list[Archived]:
    """Keep copies of the sessions that are wanted, each with those of its folder. Raises WaterglassError."""
    done = []
    for place in discovery.looked_in:
        if not place.exists or is_kept(place.path):
            continue
        refs = [ref for ref in discovery.sessions if ref.root == place.path and wanted(ref)]
        if refs:
            try:
                make_private(os.path.dirname(kept_top()))
                make_private(kept_top())
            except OSError as error:
                raise WaterglassError(f"the texts cannot be kept ({error.strerror})", kept_top()) from error
            part = Discovery(refs, [], [LookedIn(place.path, True)])
            done.append(archive(part, kept_folder(place.path), progress=progress))
    return done


def kept_texts(discovery: Discovery) -> Kept | None:
    """Return what is kept, None where nothing is."""
    top = kept_top()
    if not os.path.isdir(top):
        return None
    size = sum(os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(top) for name in names)
    return Kept(top, size, sum(is_kept(ref.root) for ref in discovery.sessions))


def drop_texts() -> bool:
    """Remove all that is kept; return whether there was anything. Raises WaterglassError."""
    top = kept_top()
    if not os.path.lexists(top):
        return False
    try:
        if os.path.islink(top):
            os.unlink(top)
        else:
            shutil.rmtree(top)
    except OSError as error:
        raise WaterglassError(f"the kept texts cannot be removed ({error.strerror})", top) from error
    return True
