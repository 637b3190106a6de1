"""The same places to index as the tests of the index have."""

from __future__ import annotations

from tests.index.conftest import place

__all__ = ["place"]
