"""One copy: of what a file holds now, unless the archive has that already. Nothing else there is ever replaced."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from types import TracebackType
from typing import BinaryIO, Self

from msgspec import Struct

from waterglass.archive.sources import Source, has_seal
from waterglass.discover.peek import open_regular
from waterglass.errors import WaterglassError
from waterglass.packed import Body, Unpacked, pack, read_seal, size_of

PART = ".archive.part"  # the one file that is being written; the lock makes sure that it is one
_MOST_NAMES = 100  # that a file may have beside others of the same place: other roots, states that did not just grow
_OTHER = "~"  # no project folder of Claude Code has it in its name
_BLOCK = 1 << 20
_MOST_SIDECAR = 1 << 20  # bytes; a larger one is not read either

Show = Callable[[int], None]  # plain bytes of the file that are done


class Fate(Struct, frozen=True):
    """What became of a file. Sizes are bytes; `packed` is None where nothing was written."""

    path: str
    copied: bool
    bytes: int = 0
    packed: int | None = None


class _State(Struct, frozen=True):
    """A file at the moment when it was opened."""

    size: int
    modified_ns: int
    accessed_ns: int


class Copies:
    """The copies below one folder."""

    def __init__(self, top: str, *, dry_run: bool) -> None:
        self._top = top
        self._dry_run = dry_run
        self._part = os.path.join(top, PART)

    def __enter__(self) -> Self:
        self._drop_part()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._drop_part()

    def _drop_part(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._part)

    def keep(self, source: Source, show: Show) -> Fate:
        """Make the archive hold a file as it is now. Raises OSError, WaterglassError.

        A copy that is an earlier state of it gets replaced. Beside one that is something else the file gets a place of
        its own, in a folder with a number: both are read as files of one session, and what they share counts once.
        """
        with _opened(source.path, has_seal(source.path)) as body:
            status = os.fstat(body.fileno())
            state = _State(size_of(body), status.st_mtime_ns, status.st_atime_ns)
            for number in range(1, _MOST_NAMES):
                folder = source.parts[0] if number == 1 else f"{source.parts[0]}{_OTHER}{number}"
                path = os.path.join(self._top, folder, *source.parts[1:])
                known = self._known(path, source, body, state)
                if known == "other":
                    continue
                if known == "same":
                    return Fate(path, False)
                if self._dry_run:
                    return Fate(path, True, state.size)
                self._make_folders((folder, *source.parts[1:-1]))
                return Fate(path, True, state.size, self._write(body, state, path, source.packed, show))
        raise WaterglassError("too many other files have its place in the archive", source.path)

    def _known(self, path: str, source: Source, body: Body, state: _State) -> str:
        """Tell what is at the place of a copy: nothing, the same, an earlier state of the file, or something other."""
        try:
            status = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return "nothing"
        if not stat.S_ISREG(status.st_mode):
            return "other"
        if not source.packed:
            return "same" if _plain_is_same(path, body) else "earlier"
        try:
            with open(open_regular(path), "rb", buffering=0) as file:
                seal = read_seal(file.fileno())
        except OSError:
            return "other"  # damaged, or none of ours: not to be written over
        if seal.size == state.size and status.st_mtime_ns == state.modified_ns:
            return "same"
        if _hash(body, min(seal.size, state.size)) != seal.sha256:
            # What holds more than the file does now was made of it before it was cut: that stays, and holds it too.
            return "same" if seal.size > state.size and _begins_with(path, body, state.size) else "other"
        if seal.size == state.size:
            if not self._dry_run:
                os.utime(path, ns=(state.accessed_ns, state.modified_ns))
            return "same"
        return "earlier"

    def _make_folders(self, parts: tuple[str, ...]) -> None:
        """Make the folders of a copy, each for its owner alone; one that is a link leads elsewhere and is refused."""
        path = self._top
        for part in parts:
            path = os.path.join(path, part)
            try:
                os.mkdir(path, 0o700)
            except FileExistsError:
                if not stat.S_ISDIR(os.lstat(path).st_mode):
                    raise WaterglassError("something that is no folder has its place in the archive", path) from None

    def _write(self, body: Body, state: _State, path: str, packed: bool, show: Show) -> int:
        """Write a copy under another name, read it back, and give it its name; return its size in bytes."""
        self._drop_part()
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        body.seek(0)
        with open(os.open(self._part, flags, 0o600), "w+b") as target:
            told = pack(body, target, state.size, show).sha256 if packed else _copy(body, target)
            target.flush()
            os.fsync(target.fileno())
            length = os.fstat(target.fileno()).st_size
        with _opened(self._part, packed) as back:
            if size_of(back) != state.size or _hash(back, state.size) != told:
                raise WaterglassError("the copy was not what was written, so it was dropped", path)
        os.utime(self._part, ns=(state.accessed_ns, state.modified_ns))
        os.replace(self._part, path)
        return length


def _opened(path: str, packed: bool) -> Body:
    handle = open_regular(path)
    return Unpacked(handle) if packed else open(handle, "rb", buffering=0)


def _copy(body: Body, target: BinaryIO) -> bytes:
    data = body.read(_MOST_SIDECAR)
    target.write(data)
    return sha256(data).digest()


def _hash(body: Body, size: int) -> bytes:
    """Return the SHA-256 of the first `size` bytes."""
    body.seek(0)
    found = sha256()
    while size > 0 and (data := body.read(min(size, _BLOCK))):
        found.update(data)
        size -= len(data)
    return found.digest()


def _begins_with(path: str, body: Body, size: int) -> bool:
    """Does the copy hold all that the file has?"""
    with _opened(path, True) as copy:
        return _hash(copy, size) == _hash(body, size)


def _plain_is_same(path: str, body: Body) -> bool:
    with open(open_regular(path), "rb", buffering=0) as file:
        body.seek(0)
        return file.read(_MOST_SIDECAR) == body.read(_MOST_SIDECAR)
