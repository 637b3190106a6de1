"""What was found of some sessions: counts, and faults by code."""

from __future__ import annotations

from dataclasses import dataclass, field

NOW_MS = 1_900_000_000_000  # long after every record, so that no session is live


@dataclass
class Held:
    """What was found of some sessions: counts, and faults by code."""

    sessions: int = 0
    calls: int = 0
    genuine: int = 0
    placed: int = 0
    current: str = ""
    faults: list[tuple[str, str]] = field(default_factory=list)

    def fault(self, code: str, text: str) -> None:
        """Note a fault of the session that is held just now."""
        self.faults.append((code, f"{self.current}: {text}"))

    def of(self, *codes: str) -> list[str]:
        """The faults of these codes."""
        return [text for code, text in self.faults if code in codes]
