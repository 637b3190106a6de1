"""Whether a file has only grown since it was read: then what was appended is all that has to be read.

An inode alone is no identity, since it is used again, and neither is a size, since a file may be cut and grow past
where it was. So the bytes at the start and before the place where reading stopped must be the same too.
"""

from __future__ import annotations

import os

from msgspec import Struct

from waterglass.errors import WaterglassError
from waterglass.read import read_bytes

_PRINT = 2048  # bytes at each end of what was read


class FileState(Struct, frozen=True):
    """A file as it stood at one moment; sizes in bytes, times in nanoseconds."""

    device: int
    inode: int
    size: int
    modified_ns: int


class Mark(Struct, frozen=True):
    """How far a file was read: its state before that, and a digest of what stands around the end of what was read."""

    state: FileState
    sidecar: FileState | None
    offset: int
    digest: bytes


def state_of(path: str | None) -> FileState | None:
    """Return the state of a file, None where there is none."""
    if path is None:
        return None
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return FileState(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def make_mark(path: str, state: FileState, sidecar: FileState | None, offset: int) -> Mark:
    """Return the mark of a file that was read to `offset`. Raises WaterglassError where it cannot be read."""
    return Mark(state, sidecar, offset, _digest(path, offset))


def is_same(mark: Mark, state: FileState) -> bool:
    """Is nothing new in the file?"""
    return mark.state == state


def only_grew(path: str, mark: Mark, state: FileState) -> bool:
    """Does all that was read still stand in the file, as far as can be told without reading it again?

    A file that was written to and did not grow was changed in place, so what was read of it does not count.
    """
    before = mark.state
    if (state.device, state.inode) != (before.device, before.inode) or state.size <= before.size:
        return False
    try:
        return _digest(path, mark.offset) == mark.digest
    except WaterglassError:
        return False


def _digest(path: str, offset: int) -> bytes:
    from hashlib import blake2b  # late: a session that is read once needs none

    near = min(offset, _PRINT)
    return blake2b(read_bytes(path, 0, near) + read_bytes(path, offset - near, near), digest_size=16).digest()
