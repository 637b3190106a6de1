"""A packed file holds exactly what was packed, from any place, and nothing in it can fill a memory or a disk."""

from __future__ import annotations

import gzip
import io
import os
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waterglass import packed
from waterglass.packed import Seal, Unpacked, pack, print_of, read_fully


def write(path: Path, data: bytes) -> Seal:
    plain = path.with_suffix(".plain")
    plain.write_bytes(data)
    with path.open("wb") as target, io.FileIO(str(plain)) as source:
        return pack(source, target, len(data))


def unpacked(path: Path) -> Unpacked:
    return Unpacked(os.open(path, os.O_RDONLY))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packed") / "a.jsonl.gz"


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "BLOCK", 1_000)


@given(data=st.binary(max_size=3_000), places=st.lists(st.tuples(st.integers(0, 3_100), st.integers(0, 3_100))))
def test_any_part_of_any_bytes_comes_back(path: Path, data: bytes, places: list[tuple[int, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "BLOCK", 700)
        seal = write(path, data)
    assert gzip.decompress(path.read_bytes()) == data
    with unpacked(path) as body:
        assert body.seal == seal and seal.size == len(data)
        assert body.read() == data
        for offset, length in places:
            body.seek(offset)
            assert read_fully(body, length) == data[offset : offset + length]


@pytest.mark.parametrize("size", [0, 1, 2_047, 2_048, 2_049, 5_000])
def test_the_seal_tells_what_a_file_that_grew_from_it_tells_of_its_beginning(
    path: Path, size: int, small_blocks: None
) -> None:
    data = bytes(n * 7 % 251 for n in range(size))
    seal = write(path, data)
    grown = path.with_suffix(".grown")
    grown.write_bytes(data + b"more")
    with io.FileIO(str(grown)) as body:
        assert print_of(body, size) == seal.print


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b", b"{}\n" * 100, gzip.compress(b"{}\n" * 100)],
    ids=["nothing", "two bytes", "no gzip", "gzip without a seal"],  # of bytes that hold the time no name can be made
)
def test_what_no_archive_made_is_refused_with_a_reason(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(OSError, match="another program"):
        unpacked(path)


def test_any_changed_byte_is_an_error_or_changes_nothing(path: Path, small_blocks: None) -> None:
    data = bytes(n * n % 251 for n in range(4_000))
    write(path, data)
    whole = path.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        try:
            with unpacked(path) as body:
                assert body.read() == data, place
        except OSError:
            pass


def test_a_file_cut_anywhere_is_an_error(path: Path, small_blocks: None) -> None:
    write(path, b"{}\n" * 700)
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(OSError):
            unpacked(path)


def test_a_block_that_unpacks_to_more_than_it_may_is_not_unpacked(path: Path) -> None:
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    member = bomb.compress(bytes(200 << 20)) + bomb.flush()
    table = packed._HEAD + struct.pack("<H2sHI", 8, b"WT", 4, len(member)) + packed._NOTHING
    seal = packed._SEAL.pack(1, 1 << 20, 1_000, 1, len(member), bytes(32), bytes(16))
    head = packed._HEAD + struct.pack("<H2sH", 4 + len(seal), b"WS", len(seal))
    path.write_bytes(member + table + head + seal + packed._NOTHING)
    with unpacked(path) as body, pytest.raises(OSError, match="damaged"):
        body.read()


def test_a_file_that_says_to_hold_far_more_than_it_can_is_refused(path: Path) -> None:
    write(path, b"{}\n")
    whole = bytearray(path.read_bytes())
    at = len(whole) - len(packed._NOTHING) - packed._SEAL.size
    kept = packed._SEAL.unpack_from(whole, at)
    packed._SEAL.pack_into(whole, at, kept[0], 4 << 20, 1 << 34, 4_096, *kept[4:])
    path.write_bytes(whole)
    with pytest.raises(OSError, match="far more"):
        unpacked(path)


def test_what_is_as_uniform_as_a_bomb_is_kept_so_that_it_can_be_read(path: Path) -> None:
    data = bytes(20 << 20)
    seal = write(path, data)
    assert seal.packed * 200 > seal.size
    with unpacked(path) as body:
        assert body.read() == data
