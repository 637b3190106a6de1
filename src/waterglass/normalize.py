"""Raw records to Events: one record becomes as many events as it has blocks, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from waterglass.classify import classify
from waterglass.model import TEXT_KEPT, Coverage, Event, Facts, ReplyPart, ToolCall, ToolResult, Usage
from waterglass.schema import texts
from waterglass.schema.names import BLOCK_TYPES, CALL_BLOCKS, RECORD_TYPES, SYNTHETIC_MODEL
from waterglass.schema.records import RawBlock, RawIteration, RawRecord, RawUsage
from waterglass.schema.results import result_facts
from waterglass.schema.times import time_ms

Place = tuple[int, int, int]  # offset, length, line


class Normalizer:
    """Turns the records of one file into events and gathers what they say of the session.

    `key` names the file in event ids; `agent_id` is None for a main file. Keeps nothing but strings that repeat from record to
    record, so that reading in two parts equals reading whole.
    """

    def __init__(self, key: str, agent_id: str | None) -> None:
        self.key = key
        self.agent_id = agent_id
        self._kept: dict[str, str] = {}
        self._last_uuid: str | None = None
        self._by_type: dict[str | None, Callable[[RawRecord, Place, int | None], list[Event]]] = {
            "user": self._user,
            "assistant": self._assistant,
            "system": self._system,
            "progress": self._progress,
            "attachment": self._attachment,
            "queue-operation": self._queue,
            "summary": self._title,
            "custom-title": self._title,
            "ai-title": self._title,
            "agent-name": self._title,
        }

    def events(self, record: RawRecord, place: Place, facts: Facts, coverage: Coverage) -> list[Event]:
        """Return the events of one record (at least one), noting in `facts` and `coverage` what it adds to them."""
        ms = time_ms(record.timestamp) if record.timestamp is not None else self._other_time(record)
        self._note(record, ms, facts)
        kind = record.type
        make = self._by_type.get(kind if kind is not None else self._inferred(record)) or self._other
        if kind is not None and kind not in RECORD_TYPES:
            coverage.unknown_record_types[kind] = coverage.unknown_record_types.get(kind, 0) + 1
        events = make(record, place, ms)
        for event in events:
            if event.kind == "unknown_block" and event.detail:
                name = str(event.detail["block"])
                coverage.unknown_block_types[name] = coverage.unknown_block_types.get(name, 0) + 1
        uuid = record.uuid
        if uuid is not None:
            self._last_uuid = uuid
        return events

    @staticmethod
    def _other_time(record: RawRecord) -> int | None:
        return time_ms(record.ts if record.ts is not None else record.created_at)

    @staticmethod
    def _inferred(record: RawRecord) -> str | None:
        """The seed's order: an explicit role, else the blocks that are there, else nothing."""
        message = record.message
        role = record.role or (message.role if message else None)
        if role in ("user", "assistant"):
            return role
        if message and isinstance(message.content, list):
            kinds = {block.type for block in message.content if isinstance(block, RawBlock)}
            if kinds & CALL_BLOCKS:
                return "assistant"
            if "tool_result" in kinds:
                return "user"
        return None

    def _note(self, record: RawRecord, ms: int | None, facts: Facts) -> None:
        if ms is not None:
            if facts.first_ms is None or ms < facts.first_ms:
                facts.first_ms = ms
            if facts.last_ms is None or ms > facts.last_ms:
                facts.last_ms = ms
        for value, known in (
            (record.version, facts.versions),
            (record.gitBranch, facts.branches),
            (record.slug, facts.slugs),
            (record.sessionId, facts.session_ids),
        ):
            if value and value not in known:
                known[value] = None
        if facts.first_session_id is None and record.sessionId:
            facts.first_session_id = record.sessionId
        if facts.cwd is None and record.cwd:
            facts.cwd = record.cwd
        if record.forkedFrom is not None and facts.forked_from is None:
            facts.forked_from = record.forkedFrom.sessionId
        if not facts.conversation and record.type in ("user", "assistant"):
            facts.conversation = True
        if record.type == "fork-context-ref":
            facts.fork = True

    def _keep(self, text: str | None) -> str | None:
        """Return one and the same object for equal strings: a model's name stands in every record."""
        if text is None:
            return None
        return self._kept.setdefault(text, text) if len(self._kept) < 10_000 else text

    def _event(self, record: RawRecord, place: Place, ms: int | None, block: int, type_: str, kind: str, **more: Any) -> Event:
        parent = record.parentUuid
        if parent is not None and parent == self._last_uuid:
            parent = self._last_uuid
        return Event(
            self.key,
            place[0],
            place[1],
            place[2],
            block,
            type_,
            kind,
            ms,
            self.agent_id,
            record.uuid,
            parent,
            sidechain=record.isSidechain is True,
            **more,
        )

    # -- conversation ---------------------------------------------------------------------------------------------------

    def _user(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        message = record.message
        content = message.content if message else None
        hidden = None
        if record.isCompactSummary:
            hidden = "compact_summary"
        elif record.isMeta:
            hidden = "meta"
        elif record.isVisibleInTranscriptOnly:
            hidden = "hidden"
        if isinstance(content, str):
            return [self._text(record, place, ms, 0, content, hidden)]
        if not content:
            return [self._event(record, place, ms, 0, "user", hidden or "empty")]
        results = sum(isinstance(b, RawBlock) and b.type == "tool_result" for b in content)
        events = []
        for index, block in enumerate(content):
            if isinstance(block, str):
                events.append(self._text(record, place, ms, index, block, hidden))
            elif block is None:
                continue
            elif block.type == "text" and block.text is not None:
                events.append(self._text(record, place, ms, index, block.text, hidden))
            else:
                events.append(self._block(record, place, ms, index, block, "user", results == 1, None))
        return events or [self._event(record, place, ms, 0, "user", hidden or "empty")]

    def _text(self, record: RawRecord, place: Place, ms: int | None, index: int, text: str, hidden: str | None) -> Event:
        kind = hidden or texts.program_text(text) or "prompt"
        detail: dict[str, Any] | None = None
        if kind == "notification":
            detail = dict(texts.notification(text))
        elif kind in ("command", "shell", "command_output"):
            detail = {"label": texts.command_name(text) if kind == "command" else texts.inner_text(text)}
        return self._event(
            record, place, ms, index, "user", kind, text=text[:TEXT_KEPT], text_chars=len(text), detail=detail
        )

    def _assistant(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        message = record.message
        content = message.content if message else None
        part = _reply_part(record)
        if isinstance(content, str):
            content = [content]
        events: list[Event] = []
        for index, block in enumerate(content or ()):
            if block is None:
                continue
            if isinstance(block, str):
                block = RawBlock("text", block)
            events.append(self._block(record, place, ms, index, block, "assistant", True, part if not events else None))
        if not events:
            events.append(self._event(record, place, ms, 0, "assistant", "empty", message_id=self._message_id(record), reply=part))
        return events

    @staticmethod
    def _message_id(record: RawRecord) -> str | None:
        return (record.message.id or None) if record.message else None

    def _block(
        self, record: RawRecord, place: Place, ms: int | None, index: int, block: RawBlock, type_: str, alone: bool, part: ReplyPart | None
    ) -> Event:
        more: dict[str, Any] = {}
        if type_ == "assistant":
            more = {"message_id": self._keep(self._message_id(record)), "reply": part}
        kind = block.type
        if kind == "text":
            text = block.text or ""
            return self._event(record, place, ms, index, type_, "text", text=text[:TEXT_KEPT], text_chars=len(text), **more)
        if kind == "thinking" or kind == "redacted_thinking":
            thought = block.thinking or ""
            return self._event(record, place, ms, index, type_, "thinking", thinking=thought[:TEXT_KEPT], text_chars=len(thought), **more)
        if kind in CALL_BLOCKS:
            call = self._call(block, record.cwd)
            return self._event(record, place, ms, index, "tool_call", "call", tool=call, tool_use_id=block.id or None, **more)
        if kind == "tool_result":
            result = result_facts(block, record, alone)
            return self._event(record, place, ms, index, "tool_result", "result", result=result, tool_use_id=block.tool_use_id or None, **more)
        if kind in BLOCK_TYPES:
            return self._event(record, place, ms, index, type_, str(kind), **more)
        return self._event(record, place, ms, index, type_, "unknown_block", detail={"block": str(kind)}, **more)

    def _call(self, block: RawBlock, cwd: str | None) -> ToolCall:
        name = block.name if block.name is not None else "?"
        given = block.input
        facts = classify(name, given, cwd)
        more: dict[str, Any] = {}
        if isinstance(given, dict) and (facts.spawns or "resume" in given or "to" in given):
            prompt = given.get("prompt")
            more = {
                "agent_type": _string(given.get("subagent_type")),
                "description": _string(given.get("description")),
                "prompt": prompt[:TEXT_KEPT] if isinstance(prompt, str) else None,
                "prompt_chars": len(prompt) if isinstance(prompt, str) else 0,
                "agent_id": _string(given.get("resume")) or (None if facts.spawns else _string(given.get("to"))),
            }
        return ToolCall(
            self._keep(name) or name,
            hash(msgspec.json.encode(given)),
            facts.category,
            facts.acts,
            facts.targets,
            facts.label,
            facts.command[:TEXT_KEPT] if facts.command else None,
            facts.spawns,
            facts.background,
            **more,
        )

    # -- bookkeeping ----------------------------------------------------------------------------------------------------

    def _system(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        text = record.content if isinstance(record.content, str) else None
        detail: dict[str, Any] | None = None
        kind = "notice"
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
        return [
            self._event(
                record, place, ms, 0, "system", kind, text=text[:300] if text else None, text_chars=len(text or ""), detail=detail,
                tool_use_id=record.toolUseID,
            )
        ]  # fmt: skip

    def _progress(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        data = record.data
        kind, detail = "progress", None
        if data is not None and data.type == "agent_progress":
            kind, detail = "agent_progress", {"agent_id": data.agentId}
        elif data is not None and data.type == "hook_progress":
            kind, detail = "hook", {"label": self._keep(data.hookName)}
        return [self._event(record, place, ms, 0, "system", kind, tool_use_id=self._keep(record.parentToolUseID), detail=detail)]

    def _attachment(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        attachment = record.attachment
        name = (attachment.type if attachment else None) or ""
        if attachment is not None and name == "queued_command":
            text = attachment.prompt if isinstance(attachment.prompt, str) else _joined(attachment.prompt)
            kind = texts.program_text(text) or ("queued" if not attachment.isMeta else "meta")
            detail = dict(texts.notification(text)) if kind == "notification" else None
            return [self._event(record, place, ms, 0, "system", kind, text=text[:TEXT_KEPT], text_chars=len(text), detail=detail)]
        if attachment is not None and name.startswith("hook"):
            label = self._keep(attachment.hookName or attachment.hookEvent)
            return [self._event(record, place, ms, 0, "system", "hook", tool_use_id=attachment.toolUseID, detail={"label": label})]
        return [self._event(record, place, ms, 0, "system", "attachment", detail={"name": self._keep(name)})]

    def _queue(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        text = record.content if isinstance(record.content, str) else _joined(record.content)
        kind = texts.program_text(text) or "queue"
        detail: dict[str, Any] = {"operation": record.operation}
        if kind == "notification":
            detail |= texts.notification(text)
        elif kind != "queue":
            kind = "queue_program"
        return [self._event(record, place, ms, 0, "system", kind, text=text[:TEXT_KEPT], text_chars=len(text), detail=detail)]

    def _title(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        source, text = {
            "summary": ("summary", record.summary),
            "custom-title": ("custom", record.customTitle),
            "ai-title": ("ai", record.aiTitle),
        }.get(record.type or "", ("agent", record.agentName))
        detail = {"source": source, "leaf": record.leafUuid}
        return [self._event(record, place, ms, 0, "system", "title", text=(text or "")[:TEXT_KEPT] or None, detail=detail)]

    def _other(self, record: RawRecord, place: Place, ms: int | None) -> list[Event]:
        if record.type in RECORD_TYPES:
            return [self._event(record, place, ms, 0, "system", "bookkeeping", detail={"name": record.type})]
        return [self._event(record, place, ms, 0, "unknown", "unknown", warnings=("unknown record type",))]


def _string(value: object) -> str | None:
    return value[:TEXT_KEPT] if isinstance(value, str) and value else None


def _joined(content: list[RawBlock | str | None] | str | None) -> str:
    if not isinstance(content, list):
        return content or ""
    parts = [b if isinstance(b, str) else b.text for b in content if b is not None]
    return "\n".join(part for part in parts if part)


def _usage(raw: RawUsage | RawIteration, lower_bound: bool) -> Usage:
    split = raw.cache_creation
    return Usage(
        1,
        raw.input_tokens or 0,
        raw.cache_creation_input_tokens or 0,
        (split.ephemeral_1h_input_tokens or 0) if split else 0,
        raw.cache_read_input_tokens or 0,
        raw.output_tokens or 0,
        lower_bound,
    )


def _reply_part(record: RawRecord) -> ReplyPart:
    message = record.message
    if message is None or (message.usage is None and message.id is None and message.role is None):
        return ReplyPart(None, None, None, None, synthetic=True)  # nothing that the service could have sent
    synthetic = message.model == SYNTHETIC_MODEL
    usage, context, advisor = None, None, ()
    if message.usage is not None and not synthetic:
        usage = _usage(message.usage, message.stop_reason is None)
        context = usage.context_tokens
        if message.usage.iterations:
            passes = [i for i in message.usage.iterations if i.type in (None, "message")]
            if passes:
                context = _usage(passes[-1], False).context_tokens
            advisor = tuple((i.model, _usage(i, False)) for i in message.usage.iterations if i.type == "advisor_message")
    return ReplyPart(
        message.model, message.stop_reason, usage, context, advisor, synthetic, record.isApiErrorMessage is True
    )
