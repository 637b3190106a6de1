"""Statistics over all sessions: counted once each, kept in the index, added up in a moment."""

from __future__ import annotations

from waterglass.stats.gather import Gathered, gather
from waterglass.stats.table import GROUPS, document

__all__ = ["GROUPS", "Gathered", "document", "gather"]
