"""Which files an archive keeps of a session, and under which names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from msgspec import Struct

from waterglass.discover import SessionRef, Unreadable
from waterglass.discover.peek import open_regular
from waterglass.packed import read_seal
from waterglass.schema.layout import PACKED, RESULTS_FOLDER, is_packed, stem


class Source(Struct, frozen=True):
    """A file to keep. `parts` are the folders and the name of its copy, each without a separator in it."""

    session: str
    path: str
    parts: tuple[str, ...]
    packed: bool  # the copy: sidecars are not, they are a few hundred bytes, and read with every session


def sources_of(ref: SessionRef, unread: list[Unreadable]) -> Iterator[Source]:
    """Yield the files of a session: transcripts, sidecars, long outputs. What cannot be looked at goes to `unread`."""
    for file in ref.files:
        folder = _folder_of(file.path, ref)
        yield Source(ref.id, file.path, _parts(folder, file.path, packed=True), True)
        if file.sidecar is not None:
            yield Source(ref.id, file.sidecar, _parts(folder, file.sidecar, packed=False), False)
        if file.kind == "main":
            for path in _regular_files(os.path.join(stem(file.path), RESULTS_FOLDER), unread):
                yield Source(ref.id, path, _parts(folder, path, packed=True), True)


def has_seal(path: str) -> bool:
    """Is a file a copy that an archive made, and not just one whose name ends like those?"""
    if not is_packed(path):
        return False
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            read_seal(file.fileno())
    except OSError:
        return False
    return True


def _folder_of(path: str, ref: SessionRef) -> str:
    """Return the project folder that a file lies in."""
    inside = [folder for folder in ref.folders if path.startswith(os.path.join(folder, ""))]
    return max(inside, key=len) if inside else os.path.dirname(path)


def _parts(folder: str, path: str, *, packed: bool) -> tuple[str, ...]:
    below = os.path.relpath(path, folder).split(os.sep)
    name = below[-1] if not packed or has_seal(path) else below[-1] + PACKED
    return (os.path.basename(os.path.abspath(folder)), *below[:-1], name)


def _regular_files(top: str, unread: list[Unreadable]) -> Iterator[str]:
    """Yield the files below a folder, at any depth, without following links."""
    todo = [top]
    while todo:
        folder = todo.pop()
        try:
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                continue
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield entry.path
        except FileNotFoundError:
            continue
        except OSError as error:
            unread.append(Unreadable.of(folder, error))
