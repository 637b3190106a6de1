"""Which files make one session, by the contract's rules of finding."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.independent.lines import Lines, Record, read, text_or_none

INTERNAL_NAMES = ("acompact-", "aprompt_suggestion-", "aside_question-")


@dataclass
class AgentFile:
    """One `agent-*.jsonl`: its id is the name without both ends."""

    id: str
    path: Path
    flat: bool
    lines: Lines
    sidecar: dict[str, Any]

    @cached_property
    def first_text(self) -> str | None:
        """The text of the first user record: what the agent was asked."""
        for record in self.lines.records:
            if record.kind == "user":
                texts = [b["text"] for b in record.blocks if b.get("type") == "text" and isinstance(b.get("text"), str)]
                if texts:
                    return "\n".join(texts)
        return None

    @property
    def internal(self) -> bool:
        """Written by the program for itself: warm-up, compaction, prompt suggestion, side question."""
        return self.id.startswith(INTERNAL_NAMES) or self.first_text == "Warmup"

    @property
    def fork(self) -> bool:
        """Started by the user with the session's context, by no call."""
        said = self.sidecar.get("isFork") is True or self.sidecar.get("agentType") == "fork"
        return said or any(r.kind == "fork-context-ref" for r in self.lines.records[:1])

    @property
    def era(self) -> str:
        if self.fork:
            return "fork"
        if self.flat:
            return "flat"
        if "toolUseId" in self.sidecar:
            return "sidecar with call"
        if self.sidecar:
            return "sidecar"
        return "subagents"


@dataclass
class Session:
    """All files of one session id below one root; main files come first, then agent files by path."""

    id: str
    root: Path
    mains: list[tuple[Path, Lines]] = field(default_factory=list)
    agents: list[AgentFile] = field(default_factory=list)

    @cached_property
    def files(self) -> list[Lines]:
        return [lines for _, lines in self.mains] + [a.lines for a in self.agents]

    @cached_property
    def records(self) -> list[Record]:
        """All records but replays, file by file."""
        mark_replays(self.files)
        return [r for lines in self.files for r in lines.records if not r.replayed]

    @property
    def internal_keys(self) -> set[str]:
        return {a.id for a in self.agents if a.internal}


_ENVELOPE = {
    *("uuid", "parentUuid", "logicalParentUuid", "sessionId", "session_id", "timestamp", "version", "cwd"),
    *("gitBranch", "slug", "forkedFrom", "isSidechain", "userType", "entrypoint", "requestId", "agentId"),
    *("promptId", "isMeta"),
}


def said(value: dict[str, Any]) -> str:
    """Type and content of a record as one string: what makes two records of one uuid the same."""
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if content is None:
        content = {k: v for k, v in value.items() if k not in _ENVELOPE}
    return json.dumps([value.get("type"), content], sort_keys=True)


def mark_replays(files: list[Lines]) -> None:
    """Mark each record whose uuid came before with the same type and content."""
    seen: dict[str, set[str]] = {}
    for lines in files:
        for record in lines.records:
            if record.uuid is None:
                continue
            before = seen.setdefault(record.uuid, set())
            what = said(record.value)
            record.replayed = what in before
            before.add(what)


def sessions(root: Path) -> dict[str, Session]:
    """Every session below a root, by id; agent files without a main file make sessions without `mains`."""
    found: dict[str, Session] = {}
    folders = sorted(p for p in root.iterdir() if p.is_dir())
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            if not path.name.startswith("agent-"):
                session = found.setdefault(path.stem, Session(path.stem, root))
                key = f"main#{len(session.mains) + 1}" if session.mains else "main"
                session.mains.append((path, read(path, key)))
    for folder in folders:
        for path in sorted(folder.glob("agent-*.jsonl")):
            agent = _agent(path, flat=True)
            owner = next((o for r in agent.lines.records if (o := text_or_none(r.value.get("sessionId")))), None)
            if owner:
                found.setdefault(owner, Session(owner, root)).agents.append(agent)
        for path in sorted(folder.glob("*/subagents/**/agent-*.jsonl")):
            owner = path.relative_to(folder).parts[0]
            found.setdefault(owner, Session(owner, root)).agents.append(_agent(path, flat=False))
    for session in found.values():
        session.agents.sort(key=lambda a: str(a.path))
    return found


def _agent(path: Path, *, flat: bool) -> AgentFile:
    name = path.name.removeprefix("agent-").removesuffix(".jsonl")
    sidecar: Any = {}
    beside = path.parent / f"{path.stem}.meta.json"
    if beside.is_file():
        try:
            sidecar = json.loads(beside.read_bytes())
        except ValueError:
            sidecar = {}
    return AgentFile(name, path, flat, read(path, name), sidecar if isinstance(sidecar, dict) else {})
