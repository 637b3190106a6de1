"""`agent-….meta.json`, the sidecar of a sub-agent's transcript (2.1.50 and later; the call's id since 2.1.220)."""

from __future__ import annotations

from waterglass.model import Sidecar
from waterglass.schema.decode import decode_objects


def read_sidecar(data: bytes) -> Sidecar | None:
    """Return what a sidecar says, mended where need be, None where it is no object.

    A field of a wrong type is left out.
    """
    objects = decode_objects(data)
    if not objects:
        return None
    _, value = objects[0]

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
