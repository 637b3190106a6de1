"""Sessions while they are written: what has changed below the roots, told within a moment."""

from __future__ import annotations

from waterglass.live.watch import Changes, Watcher, changes_of

__all__ = ["Changes", "Watcher", "changes_of"]
