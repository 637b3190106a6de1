"""Compressed transcripts beside the plain ones that they were made of: what is there twice is read once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from waterglass.discover.peek import open_regular, open_transcript
from waterglass.packed import Seal, print_of, read_seal
from waterglass.schema.layout import is_packed


class Seen(Struct, frozen=True):
    """A transcript file that was met on the way. `size` is bytes when it is not compressed."""

    path: str
    agent_id: str | None
    modified_ns: int
    size: int
    sidecar: str | None = None
    seal: Seal | None = None  # of a compressed one


def plain_of(path: str) -> Seal | None:
    """Return what a compressed file says of itself, None for a file that is not compressed. Raises OSError."""
    if not is_packed(path):
        return None
    with open(open_regular(path), "rb", buffering=0) as file:
        return read_seal(file.fileno())


def without_copies(files: Sequence[Seen]) -> list[Seen]:
    """Return the files of one session without the compressed ones that another of them holds whole."""
    kept = [file for file in files if file.seal is None]
    packed = [(file.seal, file) for file in files if file.seal is not None]
    for seal, file in sorted(packed, key=lambda pair: (-pair[0].size, pair[1].path)):
        if not any(_holds(other, seal, file) for other in kept if other.agent_id == file.agent_id):
            kept.append(file)
    return kept


def _holds(other: Seen, seal: Seal, file: Seen) -> bool:
    """Is a compressed file the other one, or a state from before that grew?

    Told by the bytes at both ends. Where size and time are the same too, nothing is read.
    """
    if other.seal is not None and other.seal.size == seal.size:
        return other.seal.sha256 == seal.sha256
    if other.size < seal.size:
        return False
    if other.size == seal.size and other.modified_ns == file.modified_ns:
        return True
    try:
        with open_transcript(other.path) as body:
            return print_of(body, seal.size) == seal.print
    except OSError:
        return False
