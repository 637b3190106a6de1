"""What an assistant record says of the reply that it is a part of."""

from __future__ import annotations

from waterglass.model import ReplyPart, Usage
from waterglass.normalize.place import Place
from waterglass.schema.names import SYNTHETIC_MODEL
from waterglass.schema.records import RawIteration, RawMessage, RawRecord, RawUsage

_NOTHING = ReplyPart(None, None, None, None, synthetic=True)  # nothing that the service could have sent


def reply_part(record: RawRecord, message: RawMessage | None, place: Place) -> ReplyPart:
    """Return model, usage and stop reason; a record of the program's own is `synthetic` and no API call."""
    if message is None:
        return _NOTHING
    raw = message.usage
    if raw is None and message.id is None and message.role is None:
        return _NOTHING
    failed = record.isApiErrorMessage is True
    if message.model == SYNTHETIC_MODEL:
        return ReplyPart(SYNTHETIC_MODEL, message.stop_reason, None, None, synthetic=True, api_error=failed)
    model, stop = place.keep(message.model), place.keep(message.stop_reason)
    if raw is None:
        return ReplyPart(model, stop, None, None, api_error=failed)
    usage = _usage(raw, stop is None)
    if not raw.iterations:
        return ReplyPart(model, stop, usage, _context(raw), api_error=failed)
    passes = [one for one in raw.iterations if one.type in (None, "message")]
    context = _context(passes[-1] if passes else raw)
    advisor = tuple((one.model, _usage(one, False)) for one in raw.iterations if one.type == "advisor_message")
    return ReplyPart(model, stop, usage, context, advisor, api_error=failed)


def _context(raw: RawUsage | RawIteration) -> int | None:
    """Return the tokens in view; None where none of the three figures is there, which says nothing of them."""
    given = (raw.input_tokens, raw.cache_creation_input_tokens, raw.cache_read_input_tokens)
    return None if given == (None, None, None) else sum(count or 0 for count in given)


def _usage(raw: RawUsage | RawIteration, lower_bound: bool) -> Usage:
    split = raw.cache_creation
    return Usage(
        1,
        raw.input_tokens or 0,
        raw.cache_creation_input_tokens or 0,
        split.ephemeral_1h_input_tokens or 0 if split is not None else 0,
        raw.cache_read_input_tokens or 0,
        raw.output_tokens or 0,
        lower_bound,
    )
