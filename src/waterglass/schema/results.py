"""What a raw tool result says of how the call went."""

from __future__ import annotations

from waterglass.model import ToolResult
from waterglass.schema import texts
from waterglass.schema.records import RawBlock, RawRecord, RawToolUseResult

HEAD = 600  # characters kept of a failed result: enough for every refusal text
_DENIALS = {"user-rejected": "rejected"}


def result_text(content: object) -> str:
    """Return the text of a result's content: text blocks and bare strings joined by a newline, other blocks left
    out."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [item if isinstance(item, str) else getattr(item, "text", None) for item in content]
    return "\n".join(part for part in parts if part is not None)


def result_facts(block: RawBlock, record: RawRecord, alone: bool) -> ToolResult:
    """Return the signs in one result block; `alone` says that the record's `toolUseResult` can only mean this one."""
    text = result_text(block.content)
    mirror = (record.toolUseResult or record.tool_use_result) if alone else None
    content = block.content
    images = sum(getattr(b, "type", None) == "image" for b in content) if content.__class__ is list and content else 0
    if block.is_error or isinstance(mirror, str) or record.toolDenialKind or len(text) < 200:
        refused = _refusal(text, mirror, record.toolDenialKind, block.is_error)
    else:
        refused = None
    background, task = texts.background_id(text[:200]) if text[:5] in texts.ACKNOWLEDGED else (False, None)
    agent = texts.agent_id(text)
    status, failed, text_id = None, False, agent or task
    if isinstance(mirror, RawToolUseResult):
        agent = mirror.agentId or agent
        background = background or bool(mirror.isAsync) or mirror.backgroundTaskId is not None
        task = mirror.backgroundTaskId or task or mirror.task_id or (mirror.task.task_id if mirror.task else None)
        status, failed = mirror.status, mirror.success is False
    is_error = block.is_error
    return ToolResult(
        is_error,
        hash(text),
        texts.exit_code(text[:40]) if is_error else None,
        refused,
        failed,
        text[:HEAD] if is_error else "",
        len(text),
        images,
        agent,
        task,
        background and not is_error,
        status,
        texts.is_cut(text),
        text_id,
    )


def _refusal(text: str, mirror: object, denial: str | None, is_error: bool | None) -> str | None:
    if denial:
        return _DENIALS.get(denial, "blocked")
    found = texts.refusal(text[:HEAD]) if is_error else None
    if found is None and isinstance(mirror, str):
        found = texts.refusal(mirror[:HEAD])
        if found == "blocked" and not is_error:  # a mirror that is no error may be the output of LS
            found = None
    if is_error is None:
        return found or ("interrupted" if text.startswith("[Request interrupted by user") else None)
    return None if found == "interrupted" and not is_error else found  # a call that succeeded printed those words
