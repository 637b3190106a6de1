"""Write raw transcripts by hand: the one place in the tests that spells the raw record format.

    t = Transcript("5e551044-0000-4000-8000-000000000001", cwd="/code/demo", version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt("Fix the test")
    t.at("+3s").reply(text="Looking.", calls=[Call("Bash", {"command": "pytest"}, id="toolu_1")])
    t.at("+5s").result("toolu_1", "Exit code 1\\n1 failed", is_error=True)
    t.write(root)

`version` decides the era: which keys a record has, and where sub-agents live (`layout`): in the main file ("inline",
1.x), beside it ("flat", 2.0.x) or under `<session>/subagents/` ("subagents", 2.1.2 on). Ids are made from the session
id and a counter, so the same calls give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

UNSET: Any = object()
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPACE = uuid.UUID("5ea91a55-0000-4000-8000-000000000000")


@dataclass
class Call:
    """A tool call to place in a reply; without `id` one is made."""

    name: str
    input: dict[str, Any]
    id: str | None = None


def used(
    input: int = 4, output: int = 120, read: int = 0, created: int = 0, created_1h: int = 0, **extra: Any
) -> dict[str, Any]:
    """Usage as Claude Code writes it. `created` counts both cache lives, `created_1h` the part kept for an hour."""
    return {
        "input_tokens": input,
        "cache_creation_input_tokens": created,
        "cache_read_input_tokens": read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": created - created_1h,
            "ephemeral_1h_input_tokens": created_1h,
        },
        "output_tokens": output,
        "service_tier": "standard",
        **extra,
    }


def iso(ms: int) -> str:
    """Unix milliseconds as the `timestamp` of a record."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def dumps(record: Any) -> str:
    """One record as its line, without the newline."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


@dataclass
class Transcript:
    """One transcript file being written. `now` is its clock in Unix milliseconds; `lines` are records, or raw bytes."""

    session_id: str
    cwd: str = "/code/demo"
    version: str = "2.1.220"
    model: str = "claude-opus-5"
    branch: str = "main"
    slug: str | None = None
    layout: str | None = None
    agent_id: str | None = None
    is_sidechain: bool = False
    folder: str | None = None
    now: int = 1_772_442_000_000
    lines: list[dict[str, Any] | bytes] = field(default_factory=list)
    agents: list[Transcript] = field(default_factory=list)
    sidecar: dict[str, Any] | None = None
    last: str | None = None
    _count: int = 0
    _calls: dict[str, tuple[Call, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.layout is None:
            self.layout = "inline" if not self.since(2, 0, 28) else "flat" if not self.since(2, 1, 2) else "subagents"

    def since(self, *version: int) -> bool:
        """Is this transcript written by that version of Claude Code or a later one?"""
        return tuple(int(n) for n in re.findall(r"\d+", self.version)[:3]) >= version

    def at(self, when: str | int | Transcript) -> Self:
        """Set the clock: "+5s", "+2h", "+250ms", an ISO time, Unix milliseconds, or another transcript's clock."""
        if isinstance(when, Transcript):
            self.now = when.now
        elif isinstance(when, int):
            self.now = when
        elif m := re.fullmatch(r"([+-]\d+(?:\.\d+)?)(ms|s|m|h|d)", when):
            self.now += round(float(m[1]) * _UNIT_MS[m[2]])
        else:
            self.now = round(datetime.fromisoformat(when).timestamp() * 1000)
        return self

    def next_uuid(self) -> str:
        self._count += 1
        return str(uuid.uuid5(_SPACE, f"{self.session_id}/{self.agent_id}/{self.is_sidechain}/{self._count}"))

    def next_id(self, prefix: str) -> str:
        """An id such as `toolu_01…` or `msg_01…`, the same in each run."""
        self._count += 1
        number = int.from_bytes(hashlib.sha256(f"{self.session_id}/{self.agent_id}/{self._count}".encode()).digest())
        return f"{prefix}_01" + "".join(_BASE62[(number >> (6 * i)) % 62] for i in range(22))

    def raw(self, line: dict[str, Any] | bytes) -> Self:
        """Append a record, or the bytes of a line, as they are."""
        self.lines.append(line)
        return self

    def record(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Append a record with the envelope of this era; `fields` override it. Moves the chain of parents on."""
        envelope: dict[str, Any] = {"parentUuid": self.last, "isSidechain": self.is_sidechain}
        if self.agent_id:
            envelope["agentId"] = self.agent_id
        envelope |= {"userType": "external", "cwd": self.cwd, "sessionId": self.session_id, "version": self.version}
        if self.since(2, 1, 81):
            envelope["entrypoint"] = "cli"
        if self.since(2, 1, 207) and kind != "system":
            envelope["session_id"] = self.session_id
        if self.since(1, 0, 56):
            envelope["gitBranch"] = self.branch
        if self.slug and self.since(2, 0, 64):
            envelope["slug"] = self.slug
        record = envelope | {"type": kind, "uuid": self.next_uuid(), "timestamp": iso(self.now)} | fields
        self.lines.append(record)
        self.last = record["uuid"]
        return record

    def prompt(self, text: str | list[dict[str, Any]], **fields: Any) -> str:
        """What a person typed; with `isMeta=True` what the program put in. Returns the record's uuid."""
        if self.since(2, 1, 207) and not fields and self.agent_id is None:
            fields = {"promptSource": "typed", "permissionMode": "default"}
        message = {"role": "user", "content": text}
        return str(self.record("user", message=message, **fields)["uuid"])

    def command(self, name: str, args: str = "", stdout: str | None = None) -> str:
        """A slash command and, if given, what it printed."""
        text = f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n"
        parent = self.prompt(text + f"            <command-args>{args}</command-args>")
        if stdout is not None:
            self.prompt(f"<local-command-stdout>{stdout}</local-command-stdout>")
        return parent

    def reply(
        self,
        text: str | None = None,
        calls: list[Call] | None = None,
        *,
        thinking: str | None = None,
        usage: dict[str, Any] | None = None,
        model: str | None = None,
        message_id: str | None = None,
        stop_reason: Any = UNSET,
        one_record_per_block: bool | None = None,
        step_ms: int = 400,
        **fields: Any,
    ) -> str:
        """One API message. Its blocks go to a record each (since 1.0.4), `step_ms` apart. Returns the message id."""
        calls = [Call(c.name, c.input, c.id or self.next_id("toolu")) for c in calls or []]
        blocks: list[dict[str, Any]] = []
        if thinking is not None:
            blocks.append({"type": "thinking", "thinking": thinking, "signature": "c2lnbmF0dXJl"})
        if text is not None:
            blocks.append({"type": "text", "text": text})
        caller = {"caller": {"type": "direct"}} if self.since(2, 1, 0) else {}
        blocks += [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input} | caller for c in calls]
        if stop_reason is UNSET:
            stop_reason = ("tool_use" if calls else "end_turn") if self.since(2, 1, 100) else None
        message_id = message_id or self.next_id("msg")
        if self.since(1, 0, 17):
            fields = {"requestId": self.next_id("req")} | fields
        split = self.since(1, 0, 4) if one_record_per_block is None else one_record_per_block
        parts = [[b] for b in blocks] if split else [blocks]
        full = usage or used()
        for n, part in enumerate(parts):
            final = n == len(parts) - 1
            self.at(self.now + (step_ms if n else 0))
            message = {
                "model": model or self.model,
                "id": message_id,
                "type": "message",
                "role": "assistant",
                "content": part,
                # Only the last part has the count that the API ended with; the earlier ones hold a placeholder.
                "stop_reason": stop_reason if final else None,
                "stop_sequence": None,
                "usage": full if final else full | {"output_tokens": min(5, full["output_tokens"])},
            }
            record = self.record("assistant", message=message, **fields)
            for call in calls:
                if any(b.get("id") == call.id for b in part):
                    self._calls[str(call.id)] = (call, record["uuid"])
        return message_id

    def result(
        self,
        call_id: str,
        content: str | list[dict[str, Any]] = "",
        *,
        is_error: bool | None = None,
        tool_use_result: Any = UNSET,
        **fields: Any,
    ) -> str:
        """The answer to a call. Returns the record's uuid. `is_error` stays absent unless the tool always writes it."""
        call, parent = self._calls.get(call_id, (Call("", {}), self.last))
        if is_error is None and call.name in ("Bash", "PowerShell"):
            is_error = False
        block: dict[str, Any] = {"tool_use_id": call_id, "type": "tool_result", "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        if tool_use_result is UNSET:
            tool_use_result = self._tool_use_result(call, content, bool(is_error))
        extra: dict[str, Any] = {} if tool_use_result is None else {"toolUseResult": tool_use_result}
        if self.since(2, 1, 1):
            extra["sourceToolAssistantUUID"] = parent
        message = {"role": "user", "content": [block]}
        return str(self.record("user", parentUuid=parent, message=message, **(extra | fields))["uuid"])

    def _tool_use_result(self, call: Call, content: Any, is_error: bool) -> Any:
        if self.agent_id and self.since(2, 1, 14):
            return None
        if is_error:
            return f"Error: {content}"
        if call.name == "Bash":
            return {"stdout": content, "stderr": "", "interrupted": False, "isImage": False}
        return content if isinstance(content, list) else None

    def notification(
        self,
        task_id: str,
        summary: str,
        *,
        status: str = "completed",
        call_id: str | None = None,
        result: str | None = None,
        via: str = "user",
    ) -> None:
        """The end of a background task, as a `user` record, a `queue` operation or a `queued_command` "attachment"."""
        lines = ["<task-notification>", f"<task-id>{task_id}</task-id>"]
        if call_id:
            lines.append(f"<tool-use-id>{call_id}</tool-use-id>")
        lines += [f"<status>{status}</status>", f"<summary>{summary}</summary>"]
        if result is not None:
            lines.append(f"<result>{result}</result>")
        text = "\n".join([*lines, "</task-notification>"])
        if via == "queue":
            self.queue("enqueue", text)
        elif via == "attachment":
            self.attachment("queued_command", prompt=text, commandMode="task-notification")
        else:
            self.prompt(text, **({"promptSource": "system"} if self.since(2, 1, 207) else {}))

    def queue(self, operation: str = "enqueue", content: str | None = None) -> None:
        record = {"type": "queue-operation", "operation": operation, "timestamp": iso(self.now)}
        self.raw(record | {"sessionId": self.session_id} | ({} if content is None else {"content": content}))

    def attachment(self, kind: str, **fields: Any) -> None:
        self.record("attachment", attachment={"type": kind, **fields})

    def system(self, subtype: str, **fields: Any) -> None:
        self.record("system", subtype=subtype, **({"isMeta": False} | fields))

    def interrupt(self, for_tool_use: bool = True) -> None:
        text = "[Request interrupted by user for tool use]" if for_tool_use else "[Request interrupted by user]"
        fields = {"promptId": self.next_uuid()} if self.since(2, 1, 81) else {}
        self.prompt([{"type": "text", "text": text}], **fields)

    def compact_boundary(self, trigger: str = "auto", pre_tokens: int = 167_000, **metadata: Any) -> None:
        """The mark of a compaction: it starts a new chain, the old one stays reachable by the logical parent."""
        self.system(
            "compact_boundary",
            parentUuid=None,
            logicalParentUuid=self.last,
            content="Conversation compacted",
            level="info",
            compactMetadata={"trigger": trigger, "preTokens": pre_tokens, **metadata},
        )

    def compact_summary(self, text: str) -> None:
        visible = {"isVisibleInTranscriptOnly": True} if self.since(1, 0, 117) else {}
        self.prompt(text, isCompactSummary=True, **visible)

    def title(self, text: str, kind: str = "ai") -> None:
        """A title of this session: "ai", "custom" or "agent"."""
        tag, key = {"ai": ("ai-title", "aiTitle"), "custom": ("custom-title", "customTitle")}.get(
            kind, ("agent-name", "agentName")
        )
        self.raw({"type": tag, key: text, "sessionId": self.session_id})

    def summary(self, text: str, leaf: str | None = None) -> None:
        """A title of older versions; `leaf` names the record, and so the session, that it is for."""
        self.raw({"type": "summary", "summary": text, "leafUuid": leaf or self.last})

    def agent(self, agent_id: str = "a0c0ffee0c0ffee00", *, sidecar: Any = None, **fields: Any) -> Self:
        """A sub-agent's transcript with the clock of this one. In the "inline" layout it writes into this very file."""
        inline = self.layout == "inline"
        child = type(self)(
            **{"session_id": self.session_id, "cwd": self.cwd, "version": self.version, "model": self.model}
            | {"branch": self.branch, "slug": self.slug, "layout": self.layout, "now": self.now, "folder": self.folder}
            | {"agent_id": None if inline else agent_id, "is_sidechain": True, "sidecar": sidecar}
            | fields
        )
        if inline:
            child.lines, child._count = self.lines, 1_000 * (1 + len(self.agents))
        self.agents.append(child)
        return child

    def agent_progress(self, call_id: str, agent: Transcript) -> None:
        """A progress record (2.1.12 to 2.1.83): it repeats the newest message of the agent that the call started."""
        inner = next(r for r in reversed(agent.lines) if isinstance(r, dict) and "message" in r)
        message = {key: inner[key] for key in ("type", "message", "uuid", "timestamp")}
        data = {"type": "agent_progress", "message": message, "normalizedMessages": [], "agentId": agent.agent_id}
        self.record("progress", data=data, toolUseID=f"agent_{inner['message'].get('id')}", parentToolUseID=call_id)

    def content(self) -> bytes:
        return b"".join((x if isinstance(x, bytes) else dumps(x).encode()) + b"\n" for x in self.lines)

    def write(self, root: Path) -> Path:
        """Write this transcript and its agents below a projects folder; returns the main file's path."""
        project = root / (self.folder or re.sub(r"[^A-Za-z0-9]", "-", self.cwd))
        for agent in self.all_agents():
            if agent.agent_id is None:
                continue
            place = project if self.layout == "flat" else project / self.session_id / "subagents"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"agent-{agent.agent_id}.jsonl").write_bytes(agent.content())
            if agent.sidecar is not None:
                (place / f"agent-{agent.agent_id}.meta.json").write_bytes(dumps(agent.sidecar).encode())
        project.mkdir(parents=True, exist_ok=True)
        path = project / f"{self.session_id}.jsonl"
        path.write_bytes(self.content())
        return path

    def all_agents(self) -> list[Transcript]:
        """Agents of any depth; all their files lie side by side."""
        return [a for child in self.agents for a in (child, *child.all_agents())]
