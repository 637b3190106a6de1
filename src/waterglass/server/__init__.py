"""The page and its data over HTTP, for whoever has the printed address and nobody else. Imported by `serve` alone."""

from __future__ import annotations

from waterglass.server.app import make_app
from waterglass.server.run import Listener, listen, run
from waterglass.server.upkeep import Upkeep

__all__ = ["Listener", "Upkeep", "listen", "make_app", "run"]
