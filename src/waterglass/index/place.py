"""Where the index lies: the user's cache folder, and nowhere near the transcripts."""

from __future__ import annotations

import os
import re
import stat

from waterglass.discover import kept

FILE = "index.sqlite"
LOCK = "index.lock"
SEAL = "index.seal"
ASIDE = "index.broken"  # what a damaged or foreign index is renamed to
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database

_NETWORK = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "afs",
    "ceph",
    "glusterfs",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.gcsfuse",
)
_OCTAL = re.compile(r"\\([0-7]{3})")


def own_folder() -> str:
    """Return the cache folder of this machine's user."""
    return kept.own_folder()


def located(path: str) -> bytes:
    """Return a path as the index has it: the same from whatever folder it is named."""
    plain = path[:1] == "/" and "//" not in path and "/./" not in path and "/../" not in path
    if os.sep == "/" and plain and not path.endswith(("/", "/.", "/..")):
        return os.fsencode(path)  # as it is: of thousands of sessions, asking the system's rules took a tenth
    return os.fsencode(os.path.abspath(path))


def is_shared(folder: str, mounts: str) -> bool:
    """Tell by the lines of Linux' table of mounts whether a folder lies on a drive that other machines may write."""
    best, shared = -1, False
    for line in mounts.splitlines():
        words = line.split(" ")
        if len(words) < 3:
            continue
        point = _OCTAL.sub(lambda match: chr(int(match[1], 8)), words[1])
        inside = folder == point or folder.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:  # of several on one point the last is on top
            best, shared = len(point), words[2].startswith(_NETWORK)
    return shared


def lies_on_network(folder: str) -> bool:
    """Return whether a folder lies on a network drive, as far as this system tells."""
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as file:
            return is_shared(os.path.realpath(folder), file.read())
    except OSError:
        return False


def make_private(folder: str) -> None:
    """Create the folder for its owner alone, or close it to others. Raises OSError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if hasattr(os, "getuid"):
        status = os.stat(folder)
        if status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) & 0o077:
            os.chmod(folder, 0o700)


def make_file(path: str) -> None:
    """Create the file empty and readable for its owner alone where there is none; a link is refused. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags, 0o600)
    try:
        if hasattr(os, "fchmod") and stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)
