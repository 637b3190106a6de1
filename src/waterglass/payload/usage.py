"""Usage as the contract writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waterglass.model import Usage

if TYPE_CHECKING:
    from waterglass.payload import shapes


def usage_fields(usage: Usage) -> shapes.Usage:
    """Return the contract's `Usage` object."""
    return {
        "apiCalls": usage.api_calls,
        "input": usage.input,
        "cacheCreation": usage.cache_creation,
        "cacheCreation1h": usage.cache_creation_1h,
        "cacheRead": usage.cache_read,
        "output": usage.output,
        "outputIsLowerBound": usage.output_is_lower_bound,
    }
