"""Statistics over all sessions: counted and judged once each, kept in the index, added up in a moment."""

from __future__ import annotations

from waterglass.stats.gather import gather
from waterglass.stats.known import Figures, Gathered, Judge, figures
from waterglass.stats.scores import METRICS, SettingsOf
from waterglass.stats.table import GROUPS, Asked, document, projects_of

__all__ = [
    "GROUPS",
    "METRICS",
    "Asked",
    "Figures",
    "Gathered",
    "Judge",
    "SettingsOf",
    "document",
    "figures",
    "gather",
    "projects_of",
]
