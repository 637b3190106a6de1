"""Copies of what lies elsewhere, in a private folder that is gone when they were read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import msgspec
from msgspec import Struct

from waterglass.discover import SessionRef, TranscriptFile
from waterglass.errors import WaterglassError
from waterglass.private import private_folder
from waterglass.remote.tree import Mirror
from waterglass.remote.urls import Place, failed_at, place_of, shown

_PIECE = 1 << 20
_SMALL = 8 << 20
_LARGEST_SIDECAR = 1 << 20  # bytes; a larger one is not read either
_TRIES = 2  # a file that changes while it is read is read once more


class Copy(Struct, frozen=True):
    """A file to fetch: where from, how much of it, and its place below the folder of copies."""

    path: str
    size: int
    version: str
    relative: str


class Fetch(Struct, frozen=True):
    """The files of a session elsewhere. `top` is the folder in whose place the copies stand."""

    url: str
    top: str
    copies: tuple[Copy, ...]

    def __repr__(self) -> str:
        """Return it without what a person keeps secret."""
        return f"Fetch({shown(self.url)!r})"

    @classmethod
    def of(cls, found: Mirror, refs: Iterable[SessionRef]) -> Fetch | None:
        """Return what is to be fetched of a mirror to read these sessions, None where none of their files is in it."""
        paths = [path for ref in refs for file in ref.files for path in (file.path, file.sidecar) if path is not None]
        copies = [
            Copy(remote.path, remote.size, remote.version, os.path.relpath(path, found.top))
            for path in dict.fromkeys(paths)
            if (remote := found.files.get(path)) is not None
        ]
        return cls(found.url, found.top, tuple(copies)) if copies else None

    @property
    def versions(self) -> str:
        """What the store tells of the state of the files."""
        return repr([(copy.relative, copy.version) for copy in self.copies])


@contextmanager
def copied(fetches: Sequence[Fetch], refs: Sequence[SessionRef]) -> Iterator[list[SessionRef]]:
    """The sessions as they lie in copies, which are gone at the end. Raises WaterglassError."""
    with ExitStack() as stack:
        moved = list(refs)
        for fetch in fetches:
            folder = stack.enter_context(fetched(fetch))
            moved = [rebased(ref, fetch.top, folder) for ref in moved]
        yield moved


@contextmanager
def fetched(fetch: Fetch) -> Iterator[str]:
    """Fetch the files into a private folder, which is gone at the end. Raises WaterglassError."""
    place = place_of(fetch.url)
    with private_folder() as private:
        folder = str(private)
        for copy in fetch.copies:
            local = os.path.join(folder, copy.relative)
            if copy.relative.endswith(".json") and copy.size > _LARGEST_SIDECAR:
                continue
            os.makedirs(os.path.dirname(local), exist_ok=True)
            _copy(place, copy, local)
        yield folder


def _copy(place: Place, copy: Copy, local: str) -> None:
    """Copy as much as was listed: what came since is for the next time, and a store that lies fills no disk."""
    for left in reversed(range(_TRIES)):
        try:
            with open(local, "wb") as target:
                missing = copy.size
                for data in _pieces(place, copy):
                    target.write(data[:missing])
                    missing -= min(len(data), missing)
                    if not missing:
                        break
        except Exception as error:
            if not left:
                raise failed_at("cannot read this file", place.address(copy.path), error) from None
        else:
            if not missing:
                return
    raise WaterglassError("this file became shorter while it was read", place.address(copy.path))


def _pieces(place: Place, copy: Copy) -> Iterator[bytes]:
    """Yield the bytes of a file: a small one by a single request, which is all of one state of it."""
    if copy.size <= _SMALL:
        if copy.size:
            yield place.system.cat_file(copy.path, start=0, end=copy.size)
        return
    with place.system.open(copy.path, "rb") as source:
        while data := source.read(_PIECE):
            yield data


def rebased(ref: SessionRef, old: str, new: str) -> SessionRef:
    """Return a session whose files lie below `new` as they lay below `old`."""

    def moved(path: str) -> str:
        if path != old and not path.startswith(os.path.join(old, "")):
            return path
        return os.path.normpath(os.path.join(new, os.path.relpath(path, old)))

    files: tuple[TranscriptFile, ...] = tuple(
        msgspec.structs.replace(
            file, path=moved(file.path), sidecar=moved(file.sidecar) if file.sidecar is not None else None
        )
        for file in ref.files
    )
    folders = tuple(moved(folder) for folder in ref.folders)
    return msgspec.structs.replace(ref, root=moved(ref.root), folders=folders, files=files)
