"""Raw records to Events: one record becomes as many events as it has blocks, in their order."""

from __future__ import annotations

from waterglass.normalize.records import Normalizer

__all__ = ["Normalizer"]
