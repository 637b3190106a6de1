"""The raw records of a transcript, as far as Waterglass reads them.

One struct names every field that is read, with the types that real files hold; msgspec skips all other fields
without building them, which is what makes a 100 MB file cheap (the mirror of each tool result alone is 42 % of all
bytes). A line that does not fit these types goes through `schema.loose`, which keeps what fits. Versions in brackets
say where a field was seen.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

# Token counts beyond 2**53 cannot be told apart by a browser; nothing real comes near.
Count = Annotated[int, Meta(ge=0, le=2**53)]


class RawCacheCreation(Struct, gc=False):
    """Split of the cache writes by lifetime."""

    ephemeral_1h_input_tokens: Count | None = None
    ephemeral_5m_input_tokens: Count | None = None


class RawIteration(Struct, gc=False):
    """One pass of a reply that the service made in several (`message`), or a call of its own (`advisor_message`)."""

    type: str | None = None
    model: str | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation: RawCacheCreation | None = None


class RawUsage(Struct, gc=False):
    """`message.usage`: repeated on every part of a reply, the last part is right."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation: RawCacheCreation | None = None
    iterations: list[RawIteration] | None = None


class RawSource(Struct, gc=False):
    """What an image or document block says of itself; its data is left unread."""

    type: str | None = None
    media_type: str | None = None


class RawResultBlock(Struct, gc=False):
    """A block inside a tool result's content."""

    type: str | None = None
    text: str | None = None
    source: RawSource | None = None


class RawBlock(Struct, gc=False):
    """A content block of a message: text, thinking, tool_use, tool_result, image, document …"""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: str | list[RawResultBlock | str | None] | None = None
    is_error: bool | None = None
    source: RawSource | None = None


class RawMessage(Struct, gc=False):
    """`message` of a user or assistant record."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    content: str | list[RawBlock | str | None] | None = None
    stop_reason: str | None = None
    usage: RawUsage | None = None


class RawTask(Struct, gc=False):
    """`toolUseResult.task` of TaskOutput."""

    task_id: str | None = None
    status: str | None = None


class RawToolUseResult(Struct, gc=False):
    """The few fields of `toolUseResult` that say more than the result block; absent in sub-agent files since 2.1.14."""

    agentId: str | None = None
    isAsync: bool | None = None
    status: str | None = None
    backgroundTaskId: str | None = None
    task_id: str | None = None
    success: bool | None = None
    task: RawTask | None = None


class RawAttachment(Struct, gc=False):
    """`attachment` (2.1.90 and later)."""

    type: str | None = None
    prompt: str | list[RawBlock | str | None] | None = None
    commandMode: str | None = None
    hookName: str | None = None
    hookEvent: str | None = None
    command: str | None = None
    toolUseID: str | None = None
    exitCode: int | None = None
    durationMs: int | float | None = None
    origin: Any = None
    isMeta: bool | None = None


class RawHookInfo(Struct, gc=False):
    """One of `hookInfos` of a `stop_hook_summary`."""

    command: str | None = None


class RawProgress(Struct, gc=False):
    """`data` of a progress record (2.1.11 - 2.1.83); its repeated outputs are left unread."""

    type: str | None = None
    command: str | None = None
    agentId: str | None = None
    hookName: str | None = None
    hookEvent: str | None = None
    taskId: str | None = None


class RawCompact(Struct, gc=False):
    """`compactMetadata` and `microcompactMetadata`."""

    trigger: str | None = None
    preTokens: Count | None = None
    postTokens: Count | None = None
    durationMs: int | float | None = None
    tokensSaved: Count | None = None


class RawFork(Struct, gc=False):
    """`forkedFrom` (2.1.23)."""

    sessionId: str | None = None
    messageUuid: str | None = None


class RawRecord(Struct, gc=False):
    """One line. `type` stands anywhere in it, and any field may be absent."""

    type: str | None = None
    uuid: str | None = None
    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    sessionId: str | None = None
    timestamp: datetime | None = None
    ts: Any = None
    created_at: Any = None
    role: str | None = None
    message: RawMessage | None = None
    toolUseResult: RawToolUseResult | str | list[Any] | None = None
    isSidechain: bool | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isVisibleInTranscriptOnly: bool | None = None
    isApiErrorMessage: bool | None = None
    agentId: str | None = None
    requestId: str | None = None
    cwd: str | None = None
    version: str | None = None
    gitBranch: str | None = None
    slug: str | None = None
    forkedFrom: RawFork | None = None
    toolDenialKind: str | None = None
    subtype: str | None = None
    level: str | None = None
    content: str | list[RawBlock | str | None] | None = None
    operation: str | None = None
    attachment: RawAttachment | None = None
    data: RawProgress | None = None
    toolUseID: str | None = None
    parentToolUseID: str | None = None
    compactMetadata: RawCompact | None = None
    microcompactMetadata: RawCompact | None = None
    summary: str | None = None
    leafUuid: str | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    agentName: str | None = None
    messageId: str | None = None
    retryAttempt: int | float | None = None
    parentSessionId: str | None = None
    hookInfos: list[RawHookInfo | None] | None = None
    parent_tool_use_id: str | None = None  # these four stand in logs captured with `--output-format stream-json`
    tool_use_result: RawToolUseResult | str | list[Any] | None = None
    isSynthetic: bool | None = None
    claude_code_version: str | None = None
    url: str | None = None


LONGEST_ID = 249  # characters; a session's id and `.jsonl` make the name of a file


def is_degraded(record: RawRecord) -> bool:
    """Whether a record lacks what makes it one, or has a session's id that no session can have."""
    return is_incomplete(record) or is_no_session(record.sessionId)


def is_no_session(id: str | None) -> bool:
    """Whether an id that a record gives cannot be the name of a file, as a session's id is."""
    return id is not None and (not 0 < len(id) <= LONGEST_ID or "/" in id or "\0" in id)


def is_incomplete(record: RawRecord) -> bool:
    """Whether a record lacks a `type` that is a string, or of a `message` both role and content.

    A teleported session has messages that are maps of characters (`{"0": "H", "1": "i"}`).
    """
    message = record.message
    return record.type is None or (message is not None and message.content is None and message.role is None)
