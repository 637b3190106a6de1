"""What the counted calls cost at the API's list prices, where the price data is installed (`waterglass[prices]`).

A subscription is not billed this way, and nothing is guessed: a model that the data does not know is named as unpriced.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from waterglass.model import Usage
from waterglass.usage import Spent

if TYPE_CHECKING:
    from genai_prices import Usage as Priced
    from genai_prices.types import ModelInfo, ModelPrice


class Cost(Struct, frozen=True, rename="camel"):
    """US dollars, for all counted calls and by model; `unpriced` are the models without a known price."""

    usd: float
    unpriced: list[str]
    by_model: dict[str, float]
    prices_as_of: str
    basis: str = "API list prices"


@cache
def prices_version() -> str | None:
    """Return the version of the price data, None where it is not installed; found without loading it."""
    from importlib import metadata  # late: its import takes longer than that of all the rest here

    try:
        return metadata.version("genai-prices")  # takes a millisecond
    except metadata.PackageNotFoundError:
        return None


def cost_of(calls: Iterable[Spent], ms: int | None) -> Cost | None:
    """Return what the calls that are not inherited cost at the prices of the time `ms`; None without price data."""
    try:
        import genai_prices
    except ImportError:
        return None
    at = datetime.fromtimestamp(ms / 1000, UTC) if ms is not None else datetime.now(UTC)
    by_name: dict[str, list[Usage]] = {}
    for call in calls:
        if not call.inherited:
            by_name.setdefault(call.model or "unknown", []).append(call.usage)
    sums: dict[str, Decimal] = {}
    unpriced: list[str] = []
    for name, usages in by_name.items():
        model = _model(name)
        try:
            if model is None:
                raise LookupError(name)
            sums[name] = _prices_at(model, at).sum(usages)
        except (LookupError, ValueError):
            unpriced.append(name)
    by_model = {model: float(round(usd, 6)) for model, usd in sums.items()}
    total = float(round(sum(sums.values(), Decimal(0)), 6))
    return Cost(total, unpriced, by_model, f"genai-prices {genai_prices.__version__}")


@lru_cache(maxsize=1024)  # looking a name up takes as long as pricing a call
def _model(name: str) -> ModelInfo | None:
    from genai_prices import Usage as Priced
    from genai_prices import calc_price

    provider = "anthropic" if name.startswith("claude") else None
    try:
        return calc_price(Priced(input_tokens=1), model_ref=name[:200], provider_id=provider).model
    except (LookupError, ValueError):
        return None


class _Prices:
    """What a model's tokens cost over a span of time: of each kind one, and from which size of a request they cost
    another price."""

    def __init__(self, prices: ModelPrice) -> None:
        self.prices = prices
        self.one = [self._price(kind) for kind in _KINDS]
        starts = [tier.start for price in vars(prices).values() for tier in getattr(price, "tiers", ())]
        self.one_price_to = min(starts, default=None)

    def _price(self, usage: Usage) -> Decimal:
        return self.prices.calc_price(_priced(usage))["total_price"]

    def sum(self, usages: Iterable[Usage]) -> Decimal:
        """Return what calls cost together: those of one price as a sum of tokens, larger ones one by one."""
        total, small = Decimal(0), [0] * len(_KINDS)
        for usage in usages:
            if self.one_price_to is not None and usage.context_tokens > self.one_price_to:
                total += self._price(usage)
                continue
            hour = min(usage.cache_creation_1h, usage.cache_creation)
            small[0] += usage.input
            small[1] += usage.cache_creation - hour
            small[2] += hour
            small[3] += usage.cache_read
            small[4] += usage.output
        return total + sum((count * one for count, one in zip(small, self.one, strict=True)), Decimal(0))


_KINDS = (
    Usage(input=1),
    Usage(cache_creation=1),
    Usage(cache_creation=1, cache_creation_1h=1),
    Usage(cache_read=1),
    Usage(output=1),
)
_known: dict[int, _Prices] = {}  # by the identity of the library's own objects, a few for each model, which stay


def _prices_at(model: ModelInfo, at: datetime) -> _Prices:
    prices = model.get_prices(at)
    found = _known.get(id(prices))
    if found is None:
        found = _known[id(prices)] = _Prices(prices)
    return found


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
