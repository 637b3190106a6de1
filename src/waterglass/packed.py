"""Transcripts kept compressed: how they are written, and how any part of one is read without unpacking it all.

A packed file is a gzip file that any `gunzip` reads. Its members hold one block of plain bytes each, so that to read a
part only the blocks that it lies in are unpacked, in memory: nothing plain is left on the disk, and no file can fill
either. Two members without content stand at the end: the lengths of the blocks, and the seal, which says where those
are, how long the whole is, and what it hashes to.
"""

from __future__ import annotations

import errno
import os
import struct
import zlib
from collections.abc import Callable
from io import SEEK_CUR, SEEK_END, SEEK_SET, FileIO, RawIOBase
from typing import BinaryIO

from msgspec import Struct

from waterglass.schema.layout import is_packed

BLOCK = 128 << 10  # plain bytes; a smaller one costs size, a larger one time to read a body
_MOST_BLOCKS = 16_000  # their lengths have to fit into one field of a gzip header; longer files get larger blocks
_LARGEST_BLOCK = 4 << 20  # enough for 64 GB
_LEVEL = 6
_RATIO = 200  # plain bytes to packed ones, at most: real transcripts have 3 to 20
_SLACK = 16 << 20  # plain bytes that any file may have
PRINT = 2048  # bytes at each end of what is there, whose digest tells an earlier state of a file
_GZIP = 31  # zlib's number for that form
_HEAD = b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff"  # of a member with a field of its own, of no time and no system
_NOTHING = b"\x03\x00" + bytes(8)  # the content of an empty member, with its check sum and its length
_FIELD = struct.Struct("<H2sH")  # length of all fields, name of this one, its length
_SEAL = struct.Struct("<BxxxIQIQ32s16s")
_TABLE_NAME, _SEAL_NAME = b"WT", b"WS"
_FORM = 1
_SEAL_BYTES = len(_HEAD) + _FIELD.size + _SEAL.size + len(_NOTHING)


class Seal(Struct, frozen=True):
    """What the end of a packed file says of the whole. `size` is plain bytes, `packed` those on the disk."""

    size: int
    packed: int
    block: int
    blocks: int
    table: int  # where the lengths of the blocks begin
    sha256: bytes
    print: bytes  # as `print_of` makes it


class Unpacked(RawIOBase):
    """The plain bytes of a packed file, to be read from any place. Owns the descriptor. Raises OSError for damage."""

    def __init__(self, handle: int) -> None:
        super().__init__()
        self._handle = handle
        self._at = 0
        self._kept: tuple[int, bytes] | None = None  # number and bytes of the block that was read last
        try:
            self.seal = read_seal(handle)
            self._starts = _starts(handle, self.seal)
        except BaseException:
            self.close()
            raise

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor of the packed file."""
        return self._handle

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            super().close()
            os.close(self._handle)

    def seek(self, offset: int, whence: int = SEEK_SET, /) -> int:
        """Go to a place and return it, in plain bytes from the start."""
        base = {SEEK_SET: 0, SEEK_CUR: self._at, SEEK_END: self.seal.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Fill the buffer as far as there is something to read, and return how far."""
        room = memoryview(buffer).cast("B")
        done = 0
        while done < len(room) and self._at < self.seal.size:
            number, start = divmod(self._at, self.seal.block)
            piece = self._block(number)[start : start + len(room) - done]
            room[done : done + len(piece)] = piece
            done += len(piece)
            self._at += len(piece)
        return done

    def _block(self, number: int) -> bytes:
        if self._kept is not None and self._kept[0] == number:
            return self._kept[1]
        start, end = self._starts[number], self._starts[number + 1]
        length = min(self.seal.block, self.seal.size - number * self.seal.block)
        member = zlib.decompressobj(_GZIP)
        try:  # one byte more than it may have: the end, with the check sum, is only seen when there is room left
            data = member.decompress(_read(self._handle, start, end - start), length + 1)
        except zlib.error as error:
            raise _damaged() from error
        if len(data) != length or not member.eof:
            raise _damaged()
        self._kept = (number, data)
        return data


Body = FileIO | Unpacked


def open_body(handle: int, path: str) -> Body:
    """Return the bytes of a transcript from its descriptor, which is owned from here on. Raises OSError."""
    return Unpacked(handle) if is_packed(path) else FileIO(handle)


def size_of(body: Body) -> int:
    """Return how many plain bytes there are."""
    return body.seal.size if isinstance(body, Unpacked) else os.fstat(body.fileno()).st_size


def read_fully(body: Body, length: int) -> bytes:
    """Return the next `length` bytes, fewer where the file ends before. Raises OSError."""
    parts = []
    while length > 0 and (part := body.read(min(length, 1 << 24))):
        parts.append(part)
        length -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def print_of(body: Body, size: int) -> bytes:
    """Return a digest of the bytes at both ends of the first `size`: equal where a file only grew. Raises OSError."""
    near = min(size, PRINT)
    body.seek(0)
    first = read_fully(body, near)
    body.seek(size - near)
    from hashlib import blake2b  # late: reading what is not packed does without

    return blake2b(first + read_fully(body, near), digest_size=16).digest()


def read_seal(handle: int) -> Seal:
    """Return the seal of a packed file. Raises OSError where it has none, or one that cannot be true."""
    packed = os.fstat(handle).st_size
    data = _read(handle, packed - _SEAL_BYTES, _SEAL_BYTES) if packed >= _SEAL_BYTES else b""
    field = _FIELD.pack(4 + _SEAL.size, _SEAL_NAME, _SEAL.size)
    if not data.startswith(_HEAD + field):
        raise OSError(errno.EINVAL, "compressed by another program: gunzip it")
    form, block, size, blocks, table, whole, near = _SEAL.unpack_from(data, len(_HEAD) + len(field))
    if form != _FORM:
        raise OSError(errno.EINVAL, "packed by a later version of Waterglass")
    seal = Seal(size, packed, block, blocks, table, whole, near)
    if not 1 <= block <= _LARGEST_BLOCK or blocks != -(-size // block) or blocks > _MOST_BLOCKS or table > packed:
        raise _damaged()
    if size > _SLACK + _RATIO * packed:
        raise OSError(errno.EFBIG, "holds far more than a transcript of its length can")
    return seal


def pack(source: Body, target: BinaryIO, size: int, show: Callable[[int], None] | None = None) -> Seal:
    """Write the next `size` bytes of a source, or what is left of it, packed. Raises OSError.

    `show` is told the plain bytes that are done. What is so uniform that it would look like an attempt to fill a
    memory is written without being compressed.
    """
    block = BLOCK
    while size > block * _MOST_BLOCKS:
        block *= 2
    from hashlib import blake2b, sha256

    whole, lengths, done, packed = sha256(), [], 0, 0
    first, last = b"", b""
    while done < size and (data := read_fully(source, min(block, size - done))):
        whole.update(data)
        first = first if len(first) == PRINT else (first + data)[:PRINT]
        last = (last + data)[-PRINT:]
        member = _member(data, _LEVEL)
        if done + len(data) > _SLACK // 2 + (packed + len(member)) * (_RATIO // 2):
            member = _member(data, 0)
        target.write(member)
        lengths.append(len(member))
        done, packed = done + len(data), packed + len(member)
        if show is not None:
            show(done)
    near = blake2b(first + last, digest_size=16).digest()
    lines = struct.pack(f"<{len(lengths)}I", *lengths)
    target.write(_HEAD + _FIELD.pack(4 + len(lines), _TABLE_NAME, len(lines)) + lines + _NOTHING)
    seal = _SEAL.pack(_FORM, block, done, len(lengths), packed, whole.digest(), near)
    target.write(_HEAD + _FIELD.pack(4 + len(seal), _SEAL_NAME, len(seal)) + seal + _NOTHING)
    table_bytes = len(_HEAD) + _FIELD.size + len(lines) + len(_NOTHING)
    return Seal(done, packed + table_bytes + _SEAL_BYTES, block, len(lengths), packed, whole.digest(), near)


def _member(data: bytes, level: int) -> bytes:
    made = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    return made.compress(data) + made.flush()


def _starts(handle: int, seal: Seal) -> list[int]:
    """Return where each block begins, and where the last one ends."""
    field = _FIELD.pack(4 + 4 * seal.blocks, _TABLE_NAME, 4 * seal.blocks)
    length = len(_HEAD) + len(field) + 4 * seal.blocks + len(_NOTHING)
    data = _read(handle, seal.table, length)
    if not data.startswith(_HEAD + field) or seal.table + length + _SEAL_BYTES != seal.packed:
        raise _damaged()
    starts = [0]
    for (member,) in struct.iter_unpack("<I", data[len(_HEAD) + len(field) : -len(_NOTHING)]):
        if member > 2 * seal.block + 1024:  # not even bytes without any order take so much room
            raise _damaged()
        starts.append(starts[-1] + member)
    if starts[-1] != seal.table:
        raise _damaged()
    return starts


def _read(handle: int, offset: int, length: int) -> bytes:
    os.lseek(handle, offset, os.SEEK_SET)
    parts = []
    while length > 0 and (part := os.read(handle, min(length, 1 << 24))):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _damaged() -> OSError:
    return OSError(errno.EIO, "the packed file is damaged")
