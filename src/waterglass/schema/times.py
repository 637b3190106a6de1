"""Times of records: `timestamp` (every real file), `ts` or `created_at`, as ISO 8601 text or Unix seconds or
milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime

# 2000-01-01 and 2100-01-01: a number outside is no time of a transcript, in neither unit.
_EARLIEST_MS = 946_684_800_000
_LATEST_MS = 4_102_444_800_000


def moment_ms(moment: datetime) -> int | None:
    """Return Unix milliseconds of a decoded time; one without a zone is UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    ms = int(moment.timestamp() * 1_000 + 0.5)  # twice as quick as dividing a timedelta; times before 1970 are none
    return ms if _EARLIEST_MS <= ms <= _LATEST_MS else None


def time_ms(value: object) -> int | None:
    """Return Unix milliseconds of a time in any of its forms, or None for what is no time. A text without a zone is
    UTC."""
    if isinstance(value, datetime):
        return moment_ms(value)
    if isinstance(value, str):
        try:
            return moment_ms(datetime.fromisoformat(value))
        except (ValueError, OverflowError):
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
