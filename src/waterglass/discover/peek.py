"""The ends of a file, opened so that nothing but a regular file is ever read."""

from __future__ import annotations

import errno
import os
import stat

from msgspec import Struct

from waterglass.packed import Body, open_body, read_fully, size_of
from waterglass.schema.brief import owner

END = 64 << 10  # bytes; what a list may read of each end of a file
_FIRST = 4 << 10  # most files name their session within these


class Ends(Struct, frozen=True):
    """Bytes of the first and the last lines of a file; where `whole`, `head` is all of it and `tail` is empty."""

    head: bytes
    tail: bytes
    whole: bool


def open_regular(path: str) -> int:
    """Open a regular file for reading and return its descriptor; refuse links, pipes, devices. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise OSError(errno.EINVAL, "not a regular file")
    return handle


def open_transcript(path: str) -> Body:
    """Open a transcript for reading, compressed or not. Raises OSError."""
    return open_body(open_regular(path), path)


def read_ends(path: str) -> Ends:
    """Return the first and last 64 KiB of a transcript, cut to whole lines. Raises OSError."""
    with open_transcript(path) as body:
        size = size_of(body)
        head = read_fully(body, min(size, 2 * END))
        if size <= 2 * END:
            return Ends(head, b"", True)
        body.seek(size - END)
        tail = read_fully(body, END)
    head = head[:END]
    return Ends(head[: head.rfind(b"\n") + 1], tail[tail.find(b"\n") + 1 :] if b"\n" in tail else b"", False)


def read_owner(path: str) -> str | None:
    """Return the session id in the first records of an agent's file, None where there is none. Raises OSError."""
    with open_transcript(path) as body:
        head = read_fully(body, _FIRST)
        size = size_of(body)
        found = owner(head, len(head) >= size)
        if found is None and len(head) < size:
            head += read_fully(body, END - len(head))
            found = owner(head, len(head) >= size)
        return found
