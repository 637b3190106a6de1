"""Claude Code's own telemetry beside a transcript: how long a call waited for its permission, and how long it ran.

The files are those that an OpenTelemetry collector writes; nothing is fetched. What fits no call for certain is counted
and not used.
"""

from __future__ import annotations

from waterglass.otel.match import OfCall, Told, Wait, match
from waterglass.otel.read import FileCount, Heard, Telemetry, read_spans

__all__ = ["FileCount", "Heard", "OfCall", "Telemetry", "Told", "Wait", "match", "read_spans"]
