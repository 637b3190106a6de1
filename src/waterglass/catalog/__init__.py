"""Many sessions at once: what a list shows of each, quickly at first, then in full."""

from __future__ import annotations

from waterglass.catalog.catalog import Catalog

__all__ = ["Catalog"]
