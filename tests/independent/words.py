"""Prompts, title, times and the coverage counts that need the whole session."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.independent.lines import Record, text_or_none
from tests.independent.tree import Session

PROGRAM = (
    "<system-reminder>",
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification>",
    "<agent-notification>",  # seen in 2.0.70 to 2.0.76; the contract lists the later name
    "<ide_",
    "[Request interrupted by user",
    "Stop hook feedback",
)
# Record type to its field and the source that the payload names.
TITLES = {
    "custom-title": ("customTitle", "custom"),
    "agent-name": ("agentName", "agent"),
    "ai-title": ("aiTitle", "ai"),
    "summary": ("summary", "ai"),
}


@dataclass
class Prompt:
    """What a person typed: `state` is sent, queued or unsent."""

    text: str
    state: str
    uuid: str | None
    parent: str | None


def typed(texts: list[str]) -> str:
    """The texts that no program wrote, joined as they are; empty when none is left."""
    text = "\n".join(t for t in texts if not t.lstrip().startswith(PROGRAM))
    return text if text.strip() else ""


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return []
    texts = [b.get("text") for b in value if isinstance(b, dict) and b.get("type") == "text"]
    return [t for t in texts if isinstance(t, str)]


def _sent(record: Record) -> str:
    value = record.value
    if record.kind != "user" or value.get("isMeta") is True or value.get("isCompactSummary") is True:
        return ""
    if value.get("isVisibleInTranscriptOnly") is True:
        return ""
    return typed(_texts(record.message.get("content")))


def _queued(record: Record) -> str:
    attachment = record.value.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return ""
    return "" if attachment.get("isMeta") is True else typed(_texts(attachment.get("prompt")))


def prompts_of(session: Session) -> list[Prompt]:
    """Sent and queued prompts in file order, then the unsent ones."""
    found: list[Prompt] = []
    enqueued: list[str] = []
    waiting: dict[tuple[object, str], str] = {}  # moment and text to the file that said it first
    for record in session.records:
        if not record.key.startswith("main") or record.sidechain:
            continue
        parent = text_or_none(record.value.get("parentUuid"))
        if text := _sent(record):
            found.append(Prompt(text, "sent", record.uuid, parent))
        elif text := _queued(record):
            found.append(Prompt(text, "queued", record.uuid, parent))
        elif record.kind == "queue-operation" and record.value.get("operation") == "enqueue":
            text = typed(_texts(record.value.get("content")))
            # A record without uuid is a copy where another file says the same of the same moment.
            if waiting.setdefault((record.value.get("timestamp"), text), record.key) == record.key:
                enqueued.append(text)
    taken = Counter(p.text.strip() for p in found)
    for text in filter(None, enqueued):
        if taken[text.strip()]:
            taken[text.strip()] -= 1
        else:
            found.append(Prompt(text, "unsent", None, None))
    return found


def branches(session: Session) -> int:
    """Abandoned ways: of n sent prompts under one parent record, n - 1."""
    under = Counter(p.parent for p in prompts_of(session) if p.state == "sent" and p.parent)
    return sum(n - 1 for n in under.values())


def chain_breaks(session: Session) -> int:
    """Records whose parent is in no file of the session."""
    there = {r.uuid for r in session.records}
    parents = [r.value.get("parentUuid") or r.value.get("logicalParentUuid") for r in session.records]
    return sum(isinstance(p, str) and p not in there for p in parents)


def times(session: Session) -> tuple[int | None, int | None]:
    """Oldest and newest time of a record, over all files."""
    found = [r.ms for r in session.records if r.ms is not None]
    return min(found, default=None), max(found, default=None)


def title(session: Session) -> tuple[str | None, str | None]:
    """The session's title and where it comes from; of each kind the last record wins."""
    there = {r.uuid for r in session.records if r.uuid}
    found: dict[str, str] = {}
    for record in session.records:
        if not record.key.startswith("main"):
            continue
        field, source = TITLES.get(record.kind, ("", ""))
        own = record.kind != "summary" or record.value.get("leafUuid") in there
        if own and (text := text_or_none(record.value.get(field))):
            found[source] = text
    if text := _index_title(session):
        found["index"] = text
    first = next((p.text for p in prompts_of(session) if p.state != "unsent"), None)
    if first:
        found["prompt"] = first
    source = next((s for s in ("custom", "agent", "ai", "index", "prompt") if s in found), None)
    return (found[source], source) if source else (None, None)


def _index_title(session: Session) -> str | None:
    for path, _ in session.mains:
        index = Path(path).parent / "sessions-index.json"
        if not index.is_file():
            continue
        try:
            entries = json.loads(index.read_bytes()).get("entries") or []
        except (ValueError, AttributeError):
            continue
        for entry in entries:
            if isinstance(entry, dict) and entry.get("sessionId") == session.id:
                return text_or_none(entry.get("customTitle")) or text_or_none(entry.get("summary"))
    return None
