"""`agent-….meta.json`, the sidecar of a sub-agent's transcript (2.1.50 and later; the call's id since 2.1.220)."""

from __future__ import annotations

from typing import Any

import msgspec

from waterglass.model import Sidecar
from waterglass.schema.decode import REFUSED


def read_sidecar(data: bytes) -> Sidecar | None:
    """Return what a sidecar says, None where it is no object; a field of a wrong type is left out."""
    try:
        value: Any = msgspec.json.decode(data)
    except REFUSED:
        return None
    if not isinstance(value, dict):
        return None

    def text(name: str) -> str | None:
        found = value.get(name)
        return found if isinstance(found, str) and found else None

    return Sidecar(
        text("agentType"),
        text("description"),
        text("toolUseId"),
        text("name"),
        value.get("isFork") is True,
        text("teamName"),
    )
