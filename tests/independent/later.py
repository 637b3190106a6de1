"""What comes after: background ends, context sizes, and which session another one continues."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.independent.calls import Call, result_text
from tests.independent.ledger import replies_of
from tests.independent.lines import Record, text_or_none
from tests.independent.tree import Session

ENDS = {"failed": "error", "killed": "interrupted", "stopped": "interrupted"}
_NOTIFICATION = re.compile(r"<(?:task|agent)-notification>(.*?)(?:<result>|</(?:task|agent)-notif|$)", re.DOTALL)
_TAG = re.compile(r"<([a-z-]+)>([^<]*)</\1>")
_SAID = re.compile(r"^Command (?:running in background|was manually backgrounded by user) with ID: ([\w-]+)")
_AGENT = re.compile(r"^agentId: ([\w-]+)", re.MULTILINE)


@dataclass
class Background:
    """A background call: its acknowledgement as a duration, and how and when it ended, if it did."""

    ack_ms: int | None = None
    outcome: str = "no_result"
    end_ms: int | None = None


def backgrounds(session: Session, calls: list[Call]) -> dict[str, Background]:
    """Background calls by row id."""
    answers = _answers(session)
    told = _notifications(session)
    found: dict[str, Background] = {}
    for call in calls:
        record, block = answers.get(call.id, (None, {}))
        extra = record.value.get("toolUseResult") if record is not None else None
        extra = extra if isinstance(extra, dict) else {}
        text = result_text(block)
        said = _SAID.match(text)
        asked = isinstance(call.input, dict) and call.input.get("run_in_background") is True
        runs_on = bool(extra.get("isAsync") or extra.get("backgroundTaskId") or said or text.startswith("Async agent"))
        failed = block.get("is_error") is True
        if failed or not (asked or runs_on) or (record is not None and call.row_id != call.id):
            continue
        agent = _AGENT.search(text)
        names = [extra.get("backgroundTaskId"), said and said[1], extra.get("agentId"), agent and agent[1]]
        made = found[call.row_id] = Background()
        if record is not None and record.ms is not None and call.ms is not None:
            made.ack_ms = max(0, record.ms - call.ms)
        end = next((n for n in told if _tells(n[1], call.id, [n for n in names if n])), None)
        if end is not None:
            made.outcome = ENDS.get(end[1].get("status", ""), "ok")
            made.end_ms = end[0].ms if call.ms is None or end[0].ms is None else max(end[0].ms, call.ms)
    return found


def _tells(tags: dict[str, str], call: str, names: list[Any]) -> bool:
    if "tool-use-id" in tags:
        return tags["tool-use-id"] == call
    return tags.get("task-id", tags.get("agent-id")) in names


def _answers(session: Session) -> dict[str, tuple[Record, dict[str, Any]]]:
    found: dict[str, tuple[Record, dict[str, Any]]] = {}
    for record in session.records:
        for block in record.blocks:
            if block.get("type") == "tool_result" and (id := text_or_none(block.get("tool_use_id"))):
                found.setdefault(id, (record, block))
    return found


def _notifications(session: Session) -> list[tuple[Record, dict[str, str]]]:
    """Each notification in order of time, with its tags."""
    found = []
    for record in session.records:
        texts: list[Any] = [b.get("text") for b in record.blocks if record.kind == "user" and b.get("type") == "text"]
        if record.kind == "queue-operation":
            texts.append(record.value.get("content"))
        attachment = record.value.get("attachment")
        if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
            texts.append(attachment.get("prompt"))
        for text in texts:
            if isinstance(text, str) and text.lstrip().startswith(("<task-notification>", "<agent-notification>")):
                found += [(record, dict(reversed(_TAG.findall(part)))) for part in _NOTIFICATION.findall(text)]
    return sorted(found, key=lambda n: n[0].ms or 0)


def _merged(session: Session) -> list[Record]:
    """Records by time, each at the newest time seen so far in its file."""
    keyed, newest = [], {}
    for record in session.records:
        newest[record.key] = max(record.ms or 0, newest.get(record.key, 0))
        keyed.append((newest[record.key], record))
    return [record for _, record in sorted(keyed, key=lambda pair: pair[0])]


def context_sizes(session: Session) -> dict[str | None, int | None]:
    """Tokens in view at the end, by agent file; None is the main thread."""
    sizes: dict[str | None, int | None] = {None: None}
    for record in _merged(session):
        if record.sidechain and record.key.startswith("main"):
            continue
        thread = None if record.key.startswith("main") else record.key
        boundary = record.kind == "system" and record.value.get("subtype") == "compact_boundary"
        if boundary or record.value.get("isCompactSummary") is True:
            sizes[thread] = None
        usage = record.message.get("usage")
        if record.kind == "assistant" and isinstance(usage, dict) and record.message.get("model") != "<synthetic>":
            steps = [i for i in usage.get("iterations") or [] if isinstance(i, dict) and i.get("type") == "message"]
            last = steps[-1] if steps else usage
            names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
            sizes[thread] = sum(last.get(name) or 0 for name in names)
    return sizes


def continues(session: Session, owner: dict[str, str]) -> str | None:
    """The session before this one, as far as the records or shared replies say it (a slug alone is not looked at)."""
    mains = [r for r in session.records if r.key.startswith("main")]
    for record in mains:
        fork = record.value.get("forkedFrom")
        if isinstance(fork, dict) and text_or_none(fork.get("sessionId")):
            return str(fork["sessionId"])
    named = next((id for r in mains if (id := text_or_none(r.value.get("sessionId")))), session.id)
    if named != session.id:
        return named
    return next((o for r in replies_of(session) if (o := owner.get(r.id, session.id)) != session.id), None)
