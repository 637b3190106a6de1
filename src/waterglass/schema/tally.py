"""Counters over names that a transcript chose: bounded, whatever the transcript holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from msgspec import Struct, field

MAX_NAME = 100  # characters; the longest real key has 26, but models write whole sentences as tool names
MAX_KEYS = 200  # distinct keys of one kind; a real user record has 36 over all versions
# Sets of keys that are held before they are taken apart, and the keys of each. At worst, in a file made to be so, 300
# kinds x 32 sets x 48 keys x 150 bytes are 69 MB; real files hold 2 MB.
MAX_SHAPES, SHAPE_KEYS = 32, 48
_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}")

Kind = TypeVar("Kind", bound=Hashable)


def short(name: str) -> str:
    """Return a name cut at `MAX_NAME` characters."""
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"


@lru_cache(maxsize=4096)
def version_order(version: str) -> tuple[int, ...]:
    """Return what a version sorts by: its numbers, so that 2.1.9 comes before 2.1.10. Empty for what is no version."""
    return tuple(int(number) for number in version.split(".")) if _VERSION.fullmatch(version) else ()


class Tally(Struct):
    """How often one kind of thing was seen, in how many files, by which versions, with which keys."""

    count: int = 0
    files: int = 0
    first_version: str | None = None
    last_version: str | None = None
    keys_left_out: int = 0  # occurrences of keys beyond `MAX_KEYS` distinct ones

    _keys: Counter[str] = field(default_factory=Counter)
    _shapes: dict[tuple[str, ...], int] = {}  # whole sets of keys: a look-up a record instead of one a key
    _file: int = -1
    _version: str | None = None

    def saw(self, file: int, version: str | None, keys: Collection[str] = ()) -> None:
        """Count one more, in the file of that number."""
        self.count += 1
        if file != self._file:
            self._file = file
            self.files += 1
        if version is not self._version:
            self.saw_version(version)
        if keys:
            self._count_keys(keys)

    def saw_version(self, version: str | None) -> None:
        """Widen the range of versions."""
        self._version = version
        if version is None or not (order := version_order(version)):
            return
        if self.first_version is None or order < version_order(self.first_version):
            self.first_version = version
        if self.last_version is None or order > version_order(self.last_version):
            self.last_version = version

    def _count_keys(self, keys: Collection[str]) -> None:
        shape = tuple(keys)
        if shape in self._shapes:
            self._shapes[shape] += 1
            return
        held = len(shape) <= SHAPE_KEYS and max(map(len, shape)) <= MAX_NAME
        if not held or len(self._shapes) >= MAX_SHAPES:
            self._unfold()
        if held:
            self._shapes[shape] = 1
        else:
            self._add([short(key) for key in shape], 1)

    def _unfold(self) -> None:
        for shape, count in self._shapes.items():
            self._add(shape, count)
        self._shapes.clear()

    def _add(self, keys: Collection[str], count: int) -> None:
        own = self._keys
        for key in keys:
            if key in own or len(own) < MAX_KEYS:
                own[key] += count
            else:
                self.keys_left_out += count

    @property
    def keys(self) -> Counter[str]:
        """How often each key was there."""
        self._unfold()
        return self._keys


class Tallies(Struct, Generic[Kind]):
    """Tallies by kind, at most `most` of them; what comes after those is only counted."""

    most: int
    found: dict[Kind, Tally] = {}
    left_out: int = 0

    def saw(self, kind: Kind, file: int, version: str | None, keys: Collection[str] = ()) -> Tally | None:
        """Count one of that kind; return its tally, None where there is no room for another kind."""
        tally = self.found.get(kind)
        if tally is None:
            if len(self.found) >= self.most:
                self.left_out += 1
                return None
            tally = self.found[kind] = Tally()
        tally.saw(file, version, keys)
        return tally

    def ranked(self) -> Iterator[tuple[Kind, Tally]]:
        """Yield the kinds, the most frequent first; of equal ones that which was seen first."""
        yield from sorted(self.found.items(), key=lambda entry: -entry[1].count)

    @property
    def total(self) -> int:
        """All that was counted."""
        return self.left_out + sum(tally.count for tally in self.found.values())
