"""Whether an agent's closing text says that the work is done."""

from __future__ import annotations

from waterglass.claims.claim import KINDS, Claim, claim, claims
from waterglass.claims.language import language_of

__all__ = ["KINDS", "Claim", "claim", "claims", "language_of"]
