"""Counters over names that a transcript chose: bounded, whatever the transcript holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from msgspec import Struct, field

MAX_NAME = 100  # characters; the longest real key has 26, but models write whole sentences as tool names
_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}")
MAX_KEYS = 200  # distinct keys of one kind; a real user record has 36 over all versions

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
    keys: Counter[str] = field(default_factory=Counter)
    keys_left_out: int = 0  # occurrences of keys beyond `MAX_KEYS` distinct ones

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
        own = self.keys
        own.update(keys if max(map(len, keys)) <= MAX_NAME else [short(key) for key in keys])
        while len(own) > MAX_KEYS:  # dicts keep their order, so what goes is what came last
            self.keys_left_out += own.popitem()[1]


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
