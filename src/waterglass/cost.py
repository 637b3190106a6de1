"""What the counted calls cost at the API's list prices, where the price data is installed (`waterglass[prices]`).

A subscription is not billed this way, and nothing is guessed: a model that the data does not know is named as unpriced.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.model import Usage
from waterglass.usage import Spent

if TYPE_CHECKING:
    from genai_prices import Usage as Priced

# Some models cost more a token in requests above a size (200,000 tokens, the smallest of all models 128,000): calls
# above are priced one by one, those below as a sum, with the price of a single token of each kind.
ONE_BY_ONE = 128_000


class Cost(Struct, frozen=True, rename="camel"):
    """US dollars, for all counted calls and by model; `unpriced` are the models without a known price."""

    usd: float
    unpriced: list[str]
    by_model: dict[str, float]
    prices_as_of: str
    basis: str = "API list prices"


def cost_of(calls: Iterable[Spent], ms: int | None) -> Cost | None:
    """Return what the calls that are not inherited cost at the prices of the time `ms`; None without price data."""
    try:
        import genai_prices
    except ImportError:
        return None
    at = datetime.fromtimestamp(ms / 1000, UTC) if ms is not None else None
    sums: dict[str, Decimal] = {}
    unpriced: dict[str, None] = {}
    small: dict[str, Usage] = {}
    for call in calls:
        if call.inherited:
            continue
        model = call.model or "unknown"
        if call.usage.context_tokens < ONE_BY_ONE:
            small[model] = small.get(model, Usage()) + call.usage
        else:
            _add(sums, unpriced, model, _price(model, call.usage, at))
    for model, usage in small.items():
        _add(sums, unpriced, model, _linear(model, usage, at))
    by_model = {model: float(round(usd, 6)) for model, usd in sums.items()}
    total = float(round(sum(sums.values(), Decimal(0)), 6))
    return Cost(total, list(unpriced), by_model, f"genai-prices {genai_prices.__version__}")


def _add(sums: dict[str, Decimal], unpriced: dict[str, None], model: str, usd: Decimal | None) -> None:
    if usd is None:
        unpriced[model] = None
    else:
        sums[model] = sums.get(model, Decimal(0)) + usd


def _priced(usage: Usage) -> Priced:
    """Name the tokens as the price data does: its input holds what went into the cache and came from it."""
    from genai_prices import Usage as Priced

    return Priced(
        input_tokens=usage.context_tokens or None,
        cache_write_tokens=usage.cache_creation or None,
        cache_write_1h_tokens=min(usage.cache_creation_1h, usage.cache_creation) or None,
        cache_read_tokens=usage.cache_read or None,
        output_tokens=usage.output or None,
    )


def _linear(model: str, usage: Usage, at: datetime | None) -> Decimal | None:
    hour = min(usage.cache_creation_1h, usage.cache_creation)
    parts = (
        (usage.input, Usage(input=1)),
        (usage.cache_creation - hour, Usage(cache_creation=1)),
        (hour, Usage(cache_creation=1, cache_creation_1h=1)),
        (usage.cache_read, Usage(cache_read=1)),
        (usage.output, Usage(output=1)),
    )
    total = Decimal(0)
    for count, one in parts:
        price = _of_one(model, one, at.date() if at is not None else None)
        if price is None:
            return None
        total += count * price
    return total


@lru_cache(maxsize=4096)
def _of_one(model: str, usage: Usage, day: date | None) -> Decimal | None:
    """The price of a single token, remembered: over many sessions looking it up is half of the work of counting."""
    at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) if day is not None else None
    return _price(model, usage, at)


def _price(model: str, usage: Usage, at: datetime | None) -> Decimal | None:
    from genai_prices import calc_price

    provider = "anthropic" if model.startswith("claude") else None
    try:
        found = calc_price(_priced(usage), model_ref=model[:200], provider_id=provider, genai_request_timestamp=at)
    except (LookupError, ValueError):
        return None
    return found.total_price
