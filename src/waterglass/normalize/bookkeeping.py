"""What the program wrote about itself: boundaries, titles, queues, hooks, progress."""

from __future__ import annotations

from typing import Any

from waterglass.model import TEXT_KEPT, Event
from waterglass.normalize.place import Place
from waterglass.schema import texts
from waterglass.schema.names import RECORD_TYPES
from waterglass.schema.records import RawBlock, RawRecord

COMMAND_KEPT = 2_000  # characters of a hook's command
MOST_HOOKS = 50  # hooks of one record
NOTICE_KEPT = 300  # characters of a notice: nothing shows more of one


def system(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of a system record: a compaction, a retry, a command, or a notice."""
    text = record.content if isinstance(record.content, str) else ""
    kind = "notice"
    detail: dict[str, Any] | None = None
    if record.subtype == "compact_boundary":
        kind, meta = "compaction", record.compactMetadata
        detail = {
            "trigger": meta.trigger if meta else None,
            "pre_tokens": meta.preTokens if meta else None,
            "post_tokens": meta.postTokens if meta else None,
            "parent": record.logicalParentUuid,
        }
    elif record.subtype == "microcompact_boundary":
        kind, micro = "microcompaction", record.microcompactMetadata
        detail = {"trigger": micro.trigger if micro else None, "pre_tokens": micro.preTokens if micro else None}
    elif record.subtype == "api_error":
        kind, detail = "api_error", {"attempt": record.retryAttempt}
    elif record.subtype == "local_command" and text:
        kind = texts.program_text(text) or "command_output"
        detail = {"label": texts.command_name(text) if kind == "command" else texts.inner_text(text)}
    if record.hookInfos:
        detail = (detail or {}) | _hook_commands(*(info.command for info in record.hookInfos if info is not None))
    if not text:
        return place.system(kind, record.toolUseID, detail)
    return [place.text("system", kind, text, TEXT_KEPT if kind == "command_output" else NOTICE_KEPT, detail)]


def _hook_commands(*commands: str | None) -> dict[str, list[str]]:
    """Return the commands of hooks as a part of a detail; `callback` is no command, but a hook inside the program."""
    named = [command[:COMMAND_KEPT] for command in commands[:MOST_HOOKS] if command and command != "callback"]
    return {"commands": named} if named else {}


def progress(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of a progress record; only those of agents and hooks say something that nothing else says."""
    data = record.data
    if data is not None and data.type == "agent_progress":
        return place.system(
            "agent_progress", place.keep(record.parentToolUseID), {"agent_id": place.keep(data.agentId)}
        )
    if data is not None and data.type == "hook_progress":
        label = {"label": place.keep(data.hookName)}
        return place.system("hook", place.keep(record.parentToolUseID), label | _hook_commands(data.command))
    return place.system("progress", place.keep(record.parentToolUseID))


def attachment(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of an attachment: a queued prompt, a hook's run, or something for the model."""
    given = record.attachment
    name = given.type if given is not None else None
    if given is not None and name == "queued_command":
        text = joined(given.prompt)
        kind = texts.program_text(text) or ("meta" if given.isMeta else "queued")
        detail = dict(texts.notification(text)) if kind == "notification" else None
        return [place.text("system", kind, text, TEXT_KEPT, detail)]
    if given is not None and name is not None and name.startswith("hook"):
        label = {"label": place.keep(given.hookName or given.hookEvent)}
        return place.system("hook", given.toolUseID, label | _hook_commands(given.command))
    return place.system("attachment", None, {"name": place.keep(name)})


def queue(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of a queue operation: a text that waits for the agent, or a notification on its way."""
    text = joined(record.content)
    kind = texts.program_text(text) or "queue"
    detail: dict[str, Any] = {"operation": record.operation}
    if kind == "notification":
        detail |= texts.notification(text)
    elif kind != "queue":
        kind = "queue_program"
    return [place.text("system", kind, text, TEXT_KEPT, detail)]


def title(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of a record that titles this session, or (`summary`) perhaps another."""
    source, text = {
        "summary": ("summary", record.summary),
        "custom-title": ("custom", record.customTitle),
        "ai-title": ("ai", record.aiTitle),
    }.get(record.type or "", ("agent", record.agentName))
    return [place.text("system", "title", text or "", TEXT_KEPT, {"source": source, "leaf": record.leafUuid})]


def other(record: RawRecord, place: Place) -> list[Event]:
    """Return the event of a record with nothing to show, known or unknown."""
    if record.type in RECORD_TYPES:
        return place.system("bookkeeping", None, {"name": record.type})
    return [
        Event(
            place.file, place.offset, place.length, place.line, 0, "unknown", "unknown", place.ms, place.agent_id,
            place.uuid,
            place.parent, detail={"name": record.type}, sidechain=place.sidechain, warnings=("unknown record type",),
        )
    ]  # fmt: skip


def joined(content: list[RawBlock | str | None] | str | None) -> str:
    """Return the texts of a content, joined by newlines."""
    if not isinstance(content, list):
        return content or ""
    parts = [block if isinstance(block, str) else block.text for block in content if block is not None]
    return "\n".join(part for part in parts if part)
