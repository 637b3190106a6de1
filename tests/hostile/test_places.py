"""Each record of a damaged line is found again by its place: that is how bodies are read."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from waterglass.schema.bodies import record_object
from waterglass.schema.decode import decode_line
from waterglass.schema.loose import record_from

TEXTS = (
    b"plain",
    b"{",
    b"}{",
    b'\\"{',
    b"\xe9",
    b"\xff{\xfe",
    "é€😀{".encode(),
    b"\\ud83d",
    b"a\x01{",
    b"a\0b",
    b"NaN",
)
RECORDS = [
    b'{"type":"user","uuid":"'
    + str(n).encode()
    + b'","sessionId":"s","message":{"role":"user","content":"'
    + text
    + b'"}}'
    for n, text in enumerate(TEXTS)
]
BESIDE = (
    b"",
    b" ",
    b"\r",
    b"\0\0\0",
    b"\xef\xbb\xbf",
    b"{}",
    b"[1]",
    b"{",
    b"}",
    b'"',
    b"\xff",
    b'{"type":"user","x":"{',
    b"7",
)

pieces = st.lists(st.sampled_from(RECORDS) | st.sampled_from(BESIDE) | st.binary(max_size=4), max_size=6)


@settings(max_examples=500, deadline=None)
@given(pieces)
@example([b"\xef\xbb\xbf", RECORDS[4], RECORDS[5], RECORDS[0]])
@example([BESIDE[11], RECORDS[6], RECORDS[1]])
def test_the_bytes_at_the_place_of_a_record_are_that_record(parts: list[bytes]) -> None:
    line = b"".join(parts).replace(b"\n", b"")
    found = decode_line(line).found
    starts = [piece.start for piece in found]
    assert starts == sorted(set(starts))
    ends = [*starts[1:], len(line)][: len(starts)]
    for piece, start, end in zip(found, starts, ends, strict=True):
        again = record_object(line[start:end])
        assert again is not None
        assert record_from(again)[0] == piece.record
