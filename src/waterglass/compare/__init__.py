"""Sessions side by side: figures with their differences, and where their steps part. Reads payloads and nothing behind
them."""

from __future__ import annotations

from waterglass.compare.document import compare

__all__ = ["compare"]
