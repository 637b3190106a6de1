"""Times of records: `timestamp` (every real file), `ts` or `created_at`, as ISO 8601 text or Unix seconds or milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime

# 2000-01-01 and 2100-01-01: a number outside is no time of a transcript, in neither unit.
_EARLIEST_MS = 946_684_800_000
_LATEST_MS = 4_102_444_800_000


_minutes: dict[str, int] = {}  # "2026-03-02T09:00:" to its milliseconds: records come many to the minute


def time_ms(value: object) -> int | None:
    """Return Unix milliseconds, or None for what is no time. A text without a zone is UTC."""
    if value.__class__ is str and len(value) == 24 and value[19] == "." and value[23] == "Z":  # type: ignore[arg-type, index]
        text = str(value)
        minute = _minutes.get(text[:17])
        if minute is not None:
            seconds, thousandths = text[17:19], text[20:23]
            if seconds.isdecimal() and seconds < "60" and thousandths.isdecimal() and text.isascii():
                return minute + 1000 * int(seconds) + int(thousandths)
        ms = _slowly(text)
        if ms is not None and len(_minutes) < 100_000 and text[:17].isascii():
            _minutes[text[:17]] = ms - ms % 60_000
        return ms
    return _slowly(value)


def _slowly(value: object) -> int | None:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            ms = round(moment.timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            return None
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if _EARLIEST_MS <= value * 1000 <= _LATEST_MS:
            return round(value * 1000)
        if not _EARLIEST_MS <= value <= _LATEST_MS:
            return None
        ms = round(value)
    else:
        return None
    return ms if _EARLIEST_MS <= ms <= _LATEST_MS else None
