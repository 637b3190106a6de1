"""All sessions at once: which record holds which words, so that a search reads few of them."""

from __future__ import annotations

from waterglass.index.holdings import KEPT_DAYS, SOON_DAYS, Status, has_index, status
from waterglass.index.passages import PARTS
from waterglass.index.query import Query, parse
from waterglass.index.searching import Found, Hit, Wanted, search
from waterglass.index.store import Store, clear, open_store, using
from waterglass.index.told import document, not_searched
from waterglass.index.upkeep import Updated, update

__all__ = [
    "KEPT_DAYS",
    "PARTS",
    "SOON_DAYS",
    "Found",
    "Hit",
    "Query",
    "Status",
    "Store",
    "Updated",
    "Wanted",
    "clear",
    "document",
    "has_index",
    "not_searched",
    "open_store",
    "parse",
    "search",
    "status",
    "update",
    "using",
]
