"""What the tests of telemetry share: a session, and telemetry of it written as a collector writes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.core.told import SESSION
from tests.transcripts import Transcript, iso
from waterglass.session import Session, load

LONG_AFTER = 1_780_000_000_000


@dataclass
class Recorder:
    """Writes OTLP/JSON lines. `t` is the transcript whose clock the times are told by: seconds after its start."""

    t: Transcript
    session: str | None = SESSION
    ids: bool = True  # later versions name the call
    lines: list[str] = field(default_factory=list)
    start: int = 0
    _count: int = 0

    def __post_init__(self) -> None:
        self.start = self.t.now

    def call(
        self,
        call: str,
        at: float,
        end: float,
        wait: tuple[float, float] | None = None,
        ran: tuple[float, float] | None = None,
        tool: str = "Bash",
        by: str = "user_temporary",
    ) -> Recorder:
        """The spans of a call, the inner ones first, as they are exported."""
        top, spans = self._id(), []
        if wait is not None:
            spans.append(
                self._span("claude_code.tool.blocked_on_user", *wait, parent=top, decision="accept", source=by)
            )
        if ran is not None:
            spans.append(self._span("claude_code.tool.execution", *ran, parent=top, success="true"))
        named = {"tool_use_id": call} if self.ids else {}
        spans.append(self._span("claude_code.tool", at, end, own=top, tool_name=tool, **named))
        return self.spans(*spans)

    def spans(self, *spans: dict[str, Any]) -> Recorder:
        resource = {"attributes": _pairs({"service.name": "claude-code"})}
        self.lines.append(json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}))
        return self

    def decision(self, call: str | None, at: float, by: str, tool: str = "Bash") -> Recorder:
        return self.event("tool_decision", at, tool_use_id=call, tool_name=tool, source=by, decision="accept")

    def result(self, call: str | None, at: float, ran: float, tool: str = "Bash", **more: Any) -> Recorder:
        return self.event("tool_result", at, tool_use_id=call, tool_name=tool, duration_ms=str(int(ran * 1000)), **more)

    def event(self, name: str, at: float, **attributes: Any) -> Recorder:
        """A log record; its own time is that of the export, a while later."""
        ms = self.start + round(at * 1000)
        known = {"session.id": self.session, "event.name": name, "event.timestamp": iso(ms), **attributes}
        record = {
            "timeUnixNano": str((ms + 4_000) * 1_000_000),
            "body": {"stringValue": f"claude_code.{name}"},
            "attributes": _pairs(known),
        }
        self.lines.append(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}))
        return self

    def _id(self) -> str:
        self._count += 1
        return f"{self._count:016x}"

    def _span(
        self, name: str, at: float, end: float, own: str | None = None, parent: str | None = None, **attributes: Any
    ) -> dict[str, Any]:
        return {
            "traceId": f"{1:032x}",
            "spanId": own or self._id(),
            **({} if parent is None else {"parentSpanId": parent}),
            "name": name,
            "startTimeUnixNano": str(round((self.start / 1000 + at) * 1000) * 1_000_000),
            "endTimeUnixNano": str(round((self.start / 1000 + end) * 1000) * 1_000_000),
            "attributes": _pairs({"session.id": self.session, **attributes}),
        }

    def write(self, path: Path) -> str:
        path.write_text("".join(line + "\n" for line in self.lines), encoding="utf-8")
        return str(path)


def _pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in attributes.items()
        if value is not None
    ]


Heard = Callable[..., Session]


@pytest.fixture
def hear(tmp_path: Path) -> Heard:
    """Return `hear(transcript, recorder)`: write both and read the session with the telemetry beside it."""

    def hear(t: Transcript, recorder: Recorder) -> Session:
        t.write(tmp_path / "projects")
        file = recorder.write(tmp_path / "telemetry.jsonl")
        return load(t.session_id, [str(tmp_path / "projects")], now_ms=LONG_AFTER, otel=[file])

    return hear
