"""A proposed record held against its text, which gives the hit and its snippet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import TracebackType
from typing import Self

from msgspec import Struct

from waterglass.errors import WaterglassError
from waterglass.index.passages import Passage, passages
from waterglass.index.query import Query
from waterglass.packed import read_fully
from waterglass.read import MAX_LINE, open_transcript
from waterglass.schema.decode import decode_line
from waterglass.schema.records import RawRecord
from waterglass.schema.times import moment_ms, time_ms

_BEFORE, _AFTER = 60, 140  # characters of a snippet around the place that was found
_CUT = "…"


class Match(Struct, frozen=True):
    """A passage that holds the query, with its record. `spans` are places in the passage, in characters."""

    passage: Passage
    record: RawRecord
    spans: list[tuple[int, int]]

    @property
    def ms(self) -> int | None:
        """Time of the record in Unix milliseconds."""
        return record_ms(self.record)

    @property
    def identity(self) -> tuple[str, int, str] | None:
        """What a copy of the record in another session has too; None for one without id."""
        return (self.record.uuid, self.passage.block, self.passage.part) if self.record.uuid else None

    def snippet(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the text around the first place, and where the terms stand in it."""
        text = self.passage.text
        first = min(self.spans)
        start, end = max(0, first[0] - _BEFORE), min(len(text), first[1] + _AFTER)
        before, after = _CUT * (start > 0), _CUT * (end < len(text))
        shift = len(before) - start
        places = sorted((a + shift, b + shift) for a, b in self.spans if a >= start and b <= end)
        return before + text[start:end] + after, places


def record_ms(record: RawRecord) -> int | None:
    """Return the time of a record in Unix milliseconds, None where it has none."""
    if record.timestamp is not None:
        return moment_ms(record.timestamp)
    return time_ms(record.ts if record.ts is not None else record.created_at)


class Bodies:
    """The records of one transcript, read by their places. Raises WaterglassError where it cannot be opened."""

    def __init__(self, path: str) -> None:
        self._body = open_transcript(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._body.close()

    def matches(self, place: tuple[int, int], query: Query, parts: Collection[str]) -> Iterator[Match]:
        """Yield the passages of the record at `place` (offset, length in bytes) that hold all terms.

        A file that has changed since holds something else there: then what is yielded is what it holds now, or nothing.
        """
        data = self._bytes(*place)
        if not query.may_hold(data):
            return
        for found in decode_line(data).found:
            for passage in passages(found.record):
                if passage.part in parts and (spans := query.spans(passage.text)) is not None:
                    yield Match(passage, found.record, spans)

    def _bytes(self, offset: int, length: int) -> bytes:
        try:
            self._body.seek(offset)
            return read_fully(self._body, min(length, MAX_LINE))
        except (OSError, OverflowError) as error:
            raise WaterglassError("cannot read the transcript") from error
