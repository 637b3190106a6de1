"""Sessions side by side: figures with their differences, and where their steps part. Reads payloads and nothing behind
them."""

from __future__ import annotations

from waterglass.compare.document import compare
from waterglass.compare.file import comparison_parts, redacted

__all__ = ["compare", "comparison_parts", "redacted"]
