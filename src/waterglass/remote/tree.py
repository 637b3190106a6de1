"""A tree of transcripts elsewhere, mirrored as far as discovery looks: names, sizes, times, and the ends of each file.

The mirror is a private folder of sparse files. So the rules by which sessions are found are those for local folders,
and of a terabyte no more than the ends are fetched before it is known what is to be read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from waterglass.discover.peek import END
from waterglass.errors import WaterglassError
from waterglass.remote.urls import FILE_SYSTEMS, Place, failed, place_of, reason_of, shown
from waterglass.schema.layout import AGENT, PACKED, SIDECAR, TITLES_FILE, TRANSCRIPT

_AT_ONCE = 64  # files whose ends are fetched together
_PACKED_ENDS = (160 << 10, 384 << 10)  # bytes of a compressed file in which its first and last 64 KiB lie
_LARGEST_TITLES = 16 << 20
_DEEPEST = 32  # folders below each other
_WALKED = FILE_SYSTEMS - {"memory"}  # listed folder by folder, each of which may be refused
_SUMS = ("ETag", "etag", "md5Hash", "content_md5", "crc32c", "generation")  # what stores say of the bytes
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


class Remote(Struct, frozen=True):
    """A file elsewhere: `version` is another whenever its bytes are, as far as the store tells."""

    path: str
    size: int
    version: str
    modified_ns: int


class Mirror(Struct):
    """What lies below an address. `files` has each by its path in the mirror, `unread` what could not be taken."""

    url: str
    top: str
    files: dict[str, Remote]
    unread: list[tuple[str, str]]

    def real(self, path: str) -> str:
        """Return the address of a path in the mirror, as it may be shown."""
        return f"{shown(self.url).rstrip('/')}{path[len(self.top) :].replace(os.sep, '/')}"


def mirror(url: str, top: Path) -> Mirror:
    """Mirror the tree below an address into the empty folder `top`. Raises WaterglassError."""
    return _mirror(place_of(url), url, top)


def mirror_of_session(url: str, top: Path) -> tuple[Mirror, str]:
    """Mirror the project folder of a session that an address names; return it and the session's path in it."""
    folder, _, name = url.rstrip("/").rpartition("/")
    place = place_of(folder)
    own = top / (_safe(place.path.rpartition("/")[2]) or ("project",))[0]
    own.mkdir()
    found = _mirror(place, folder, own)
    path = os.path.join(found.top, name)
    if path not in found.files:
        raise WaterglassError("no such transcript", shown(url), "give the .jsonl file of a session")
    return found, path


def _mirror(place: Place, url: str, top: Path) -> Mirror:
    found = Mirror(url, str(top), {}, [])
    try:
        place.system.invalidate_cache()
        listed = _walked(place, found) if place.scheme in _WALKED else place.system.find(place.path, detail=True)
    except Exception as error:
        raise failed("cannot list this address", url, error) from None
    wanted: list[tuple[Path, Remote]] = []
    for path, info in sorted(listed.items()):
        if not _is_wanted(path) or info.get("type") != "file":
            continue
        parts = _safe(path[len(place.path) :].lstrip("/"))
        remote = _remote(path, info)
        if parts is None or remote is None:
            found.unread.append((place.address(path), "a name or size that no file can have"))
        else:
            wanted.append((top.joinpath(*parts), remote))
    if not listed:
        raise WaterglassError("nothing is there", shown(url), "an address of a folder of project folders")
    left = iter(wanted)
    while some := list(islice(left, _AT_ONCE)):
        _take(place, some, found)
    return found


def _walked(place: Place, found: Mirror) -> dict[str, dict[str, Any]]:
    """List all files; a folder that cannot be listed is named, which the libraries' own way to do this leaves out."""
    listed: dict[str, dict[str, Any]] = {}
    folders = [(place.path, 0)]
    while folders:
        folder, depth = folders.pop()
        try:
            infos = place.system.ls(folder or "/", detail=True)
        except FileNotFoundError:
            continue  # it vanished since it was seen
        except OSError as error:
            if folder == place.path or (error.errno is None and not isinstance(error, PermissionError)):
                raise  # nothing can be listed, or the connection is lost
            found.unread.append((place.address(folder), reason_of(error)))
            continue
        for info in infos:
            path, kind = str(info["name"]).rstrip("/"), info.get("type")
            if kind == "link" and place.system.isdir(path):
                found.unread.append((place.address(path), "a link to a folder, which is not followed"))
            elif kind == "directory" and depth == _DEEPEST:
                found.unread.append((place.address(path), "a folder too deep below the others"))
            elif kind == "directory":
                folders.append((path, depth + 1))
            else:
                listed[path] = info
    return listed


def _is_wanted(path: str) -> bool:
    name = path.rpartition("/")[2]
    if name.endswith(SIDECAR):
        return name.startswith(AGENT)
    return name == TITLES_FILE or name.removesuffix(PACKED).endswith(TRANSCRIPT)


def _safe(relative: str) -> tuple[str, ...] | None:
    """Return the parts of a path that stays below where it begins, None for any other."""
    parts = tuple(relative.split("/"))
    fine = all(part not in ("", ".", "..") and not set(part) & {"\\", "\0", ":"} for part in parts)
    return parts if fine and len(parts) <= _DEEPEST else None


def _remote(path: str, info: dict[str, Any]) -> Remote | None:
    size = info.get("size")
    if not isinstance(size, int) or size < 0:
        return None
    modified = next((ns for name in _TIMES if (ns := _nanoseconds(info.get(name))) is not None), 0)
    told = next((f"{name} {info[name]}" for name in _SUMS if info.get(name)), f"time {modified}")
    return Remote(path, size, f"{size} {told}", modified)


def _nanoseconds(when: Any) -> int | None:
    try:
        if isinstance(when, str):
            when = datetime.fromisoformat(when)
        if isinstance(when, datetime):
            when = (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
        ns = int(when * 1_000_000) * 1_000 if isinstance(when, int | float) and not isinstance(when, bool) else None
    except (ValueError, OverflowError):
        return None
    return ns if ns is not None and 0 <= ns < 1 << 62 else None


def _take(place: Place, files: list[tuple[Path, Remote]], found: Mirror) -> None:
    """Fetch the ends of some files and write them into the mirror."""
    spans = [(local, remote, span) for local, remote in files for span in _spans(remote)]
    try:
        got = place.system.cat_ranges(
            [remote.path for _, remote, _ in spans],
            [start for _, _, (start, _) in spans],
            [end for _, _, (_, end) in spans],
            on_error="return",
        )
    except Exception as error:
        raise failed("cannot read this address", found.url, error) from None
    pieces = dict(zip(((remote.path, span) for _, remote, span in spans), got, strict=True))
    for local, remote in files:
        own = [(span, pieces[remote.path, span]) for span in _spans(remote)]
        bad = next((data for _, data in own if not isinstance(data, bytes)), None)
        try:
            if bad is not None:
                raise bad if isinstance(bad, Exception) else OSError("no bytes")
            _write(local, remote, own)
        except Exception as error:
            found.unread.append((place.address(remote.path), reason_of(error)))
        else:
            found.files[str(local)] = remote


def _spans(remote: Remote) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a file that discovery reads."""
    name = remote.path.rpartition("/")[2]
    if name.endswith(SIDECAR):
        return  # read with the session, not before
    near, far = _PACKED_ENDS if name.endswith(PACKED) else (END, END)
    if name == TITLES_FILE:
        near, far = (_LARGEST_TITLES, 0) if remote.size <= _LARGEST_TITLES else (0, 0)
    if remote.size <= near + far:
        if remote.size:
            yield 0, remote.size
    elif near:
        yield 0, near
        yield remote.size - far, remote.size


def _write(local: Path, remote: Remote, pieces: list[tuple[tuple[int, int], Any]]) -> None:
    local.parent.mkdir(parents=True, exist_ok=True)
    with open(local, "xb") as file:
        for (start, end), data in pieces:
            file.seek(start)
            file.write(data[: end - start])  # a store may send more than was asked for
        file.truncate(remote.size)
    os.utime(local, ns=(remote.modified_ns, remote.modified_ns))
