"""The record types, subtypes and block types that are known; everything else is kept and counted as unknown."""

from __future__ import annotations

RECORD_TYPES = frozenset(
    {
        "user",
        "assistant",
        "system",
        "progress",
        "attachment",
        "summary",
        "custom-title",
        "ai-title",
        "agent-name",
        "last-prompt",
        "queue-operation",
        "file-history-snapshot",
        "file-history-delta",
        "permission-mode",
        "mode",
        "bridge-session",
        "pr-link",
        "frame-link",
        "fork-context-ref",
        "teleported-from",
        "result",
    }
)
BLOCK_TYPES = frozenset(
    {
        "text",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "server_tool_use",
        "tool_result",
        "image",
        "document",
        "tool_reference",
    }
)
CALL_BLOCKS = frozenset({"tool_use", "server_tool_use"})
SYNTHETIC_MODEL = "<synthetic>"
# Why a reply stopped: because it was at its end, or before that.
ENDED_BY_ITSELF = frozenset({"end_turn", "stop_sequence"})
CUT_SHORT = frozenset({"max_tokens", "refusal"})
