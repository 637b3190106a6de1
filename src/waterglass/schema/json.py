"""Values to JSON, as deep as transcripts may nest them, without what no reader takes (lone surrogates, NaN)."""

from __future__ import annotations

from typing import Any

import msgspec

from waterglass.schema.decode import room_for_depth

_encoder = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """Return `value` as JSON bytes; NaN and infinities become null, lone surrogates U+FFFD."""
    try:
        return _encoder.encode(value)
    except (RecursionError, UnicodeEncodeError):
        from waterglass.schema.repair import without_surrogates

        with room_for_depth():
            return _encoder.encode(without_surrogates(value))
