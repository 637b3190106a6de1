"""Did a call succeed: from the evidence that each era left."""

from __future__ import annotations

from waterglass.model import ToolResult

OUTCOMES = ("ok", "error", "rejected", "blocked", "interrupted", "no_result", "running")
STATUS = {
    "ok": "success",
    "error": "error",
    "rejected": "error",
    "blocked": "error",
    "interrupted": "error",
    "no_result": "running",
    "running": "running",
}
_ENDED = {"completed": "ok", "failed": "error", "killed": "interrupted", "stopped": "interrupted"}


def outcome_of(result: ToolResult) -> str:
    """Return the outcome that a result tells. `is_error` is the recorded fact; words in an output are not."""
    if result.refusal is not None:
        return result.refusal
    if result.is_error or result.failed:
        return "error"
    return "ok"


def ended_as(status: str | None) -> str:
    """Return the outcome that a background task's notification tells; one that says nothing just ended."""
    return _ENDED.get(status or "", "ok")
