"""Texts of transcripts that stay when Claude Code deletes them: compressed copies in the user's cache folder.

They are made where the setting `keep_text` says so. The copies of each folder of transcripts are read with it, so a
session whose transcript is deleted is found, searched and shown as before.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache

from waterglass.discover.refs import LookedIn, SessionRef
from waterglass.schema.layout import is_packed

NAME = "waterglass"
KEPT = "kept"
KEPT_DAYS = 30  # Claude Code deletes a transcript that was not written for so long, unless its settings say otherwise
SOON_DAYS = 7
_DAY_MS = 86_400_000


def cache_folder(env: Mapping[str, str], home: str, system: str) -> str:
    """Return the program's folder below the user's caches; `system` is `sys.platform`."""
    if system == "win32":
        return ntpath.join(env.get("LOCALAPPDATA") or ntpath.join(home, "AppData", "Local"), NAME)
    if system == "darwin":
        return posixpath.join(home, "Library", "Caches", NAME)
    given = env.get("XDG_CACHE_HOME", "")
    return posixpath.join(given if given.startswith("/") else posixpath.join(home, ".cache"), NAME)


def own_folder() -> str:
    """Return the cache folder of this machine's user."""
    return cache_folder(os.environ, os.path.expanduser("~"), sys.platform)


def kept_top() -> str:
    """Return the folder below which all kept texts lie, whether it is there or not."""
    return os.path.join(own_folder(), KEPT)


def kept_folder(root: str) -> str:
    """Return the folder of what is kept of one folder of transcripts, whether it is there or not."""
    from hashlib import blake2b  # late: most users keep nothing

    name = blake2b(os.fsencode(os.path.realpath(root)), digest_size=8).hexdigest()
    return os.path.join(kept_top(), name)


def is_kept(root: str) -> bool:
    """Is this a folder of kept texts?"""
    return _is_below(root, kept_top())


@lru_cache(maxsize=64)
def _is_below(root: str, top: str) -> bool:
    return os.path.realpath(root).startswith(os.path.join(os.path.realpath(top), ""))


def with_kept(places: Iterable[LookedIn]) -> list[LookedIn]:
    """Return the folders with those of what is kept of them, where there are any."""
    found = list(places)
    if os.path.isdir(kept_top()):
        folders = [kept_folder(place.path) for place in found if place.exists and not is_kept(place.path)]
        found += [LookedIn(folder, True) for folder in folders if os.path.isdir(folder)]
    return found


def soon_deleted(refs: Iterable[SessionRef], now_ms: int) -> tuple[int, int | None]:
    """Return how many sessions Claude Code deletes within SOON_DAYS, and when the first of them goes, both about.

    What is older than KEPT_DAYS and still there is told nothing of: its owner has another setting, or these are copies.
    """
    ends = [
        end
        for ref in refs
        if (end := ref.modified_ms + KEPT_DAYS * _DAY_MS) > now_ms and end <= now_ms + SOON_DAYS * _DAY_MS
        if not is_packed(ref.path)
    ]
    return len(ends), min(ends, default=None)
