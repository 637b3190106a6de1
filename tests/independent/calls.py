"""Tool calls and results, and the call that started each sub-agent."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.independent.lines import Record, text_or_none
from tests.independent.tree import AgentFile, Session

SPAWNING = ("Task", "Agent")
_AGENT_ID = re.compile(r"^agentId: ([A-Za-z0-9_-]+)", re.MULTILINE)


@dataclass
class Call:
    """One tool call. `row_id` is its id, with `#2` … when the id was used for another call before.

    Time, text and error of the result are set where the session has just one result of that id.
    """

    row_id: str
    id: str
    name: str
    input: Any
    key: str
    sidechain: bool
    ms: int | None
    paired: bool = False
    result_ms: int | None = None
    output: str | None = None
    is_error: bool | None = None


@dataclass
class Link:
    """Where an agent file belongs: the calls that could have started it (several if alike), and by what sign."""

    agent: AgentFile
    way: str | None
    calls: tuple[str, ...]


def calls_of(session: Session) -> list[Call]:
    """Each call that must have a row, in order of files; calls of internal files have none."""
    results: dict[str, list[tuple[Record, dict[str, Any]]]] = {}
    for record in session.records:
        for block in record.blocks:
            if block.get("type") == "tool_result" and (found := text_or_none(block.get("tool_use_id"))):
                results.setdefault(found, []).append((record, block))
    calls: list[Call] = []
    known: dict[str, list[str]] = {}
    for record in session.records:
        if record.key in session.internal_keys:
            continue
        for block in record.blocks:
            id = text_or_none(block.get("id"))
            if block.get("type") != "tool_use" or id is None:
                continue
            what = json.dumps([block.get("name"), block.get("input")], sort_keys=True)
            before = known.setdefault(id, [])
            if what in before:
                continue
            before.append(what)
            row_id = id if len(before) == 1 else f"{id}#{len(before)}"
            name = str(block.get("name"))
            calls.append(Call(row_id, id, name, block.get("input"), record.key, record.sidechain, record.ms))
    for call in calls:
        answers = results.get(call.id, [])
        call.paired = bool(answers)
        if len(answers) == 1 and call.row_id == call.id:
            record, block = answers[0]
            call.result_ms, call.output, call.is_error = record.ms, result_text(block), _failed(record, block)
    return calls


def _failed(record: Record, block: dict[str, Any]) -> bool:
    """Whether a result is an error: by its block, or (SendMessage, KillBash) by `success: false` beside it."""
    extra = record.value.get("toolUseResult")
    alone = sum(b.get("type") == "tool_result" for b in record.blocks) == 1
    return block.get("is_error") is True or (alone and isinstance(extra, dict) and extra.get("success") is False)


def orphan_results(session: Session) -> int:
    """Results whose call is nowhere in the session."""
    ids = {b.get("id") for r in session.records for b in r.blocks if b.get("type") in ("tool_use", "server_tool_use")}
    blocks = [b for r in session.records for b in r.blocks if b.get("type") == "tool_result"]
    return sum(b.get("tool_use_id") not in ids for b in blocks)


def links_of(session: Session, calls: list[Call]) -> list[Link]:
    """Link every genuine agent file: by sidecar, by the result's agent id, by progress, by equal prompts."""
    by_id = {c.id for c in calls}
    by_result = _by_result(session, {c.id: c for c in calls})
    by_progress = _by_progress(session)
    links: list[Link] = []
    for agent in session.agents:
        if agent.internal or agent.fork:
            continue
        sidecar = text_or_none(agent.sidecar.get("toolUseId"))
        if sidecar in by_id:
            links.append(Link(agent, "sidecar", (str(sidecar),)))
        elif by_result.get(agent.id) in by_id:
            links.append(Link(agent, "result", (by_result[agent.id],)))
        elif by_progress.get(agent.id) in by_id:
            links.append(Link(agent, "progress", (by_progress[agent.id],)))
        else:
            links.append(Link(agent, None, ()))
    taken = {c for link in links for c in link.calls}
    for link in links:
        if link.way is None:
            own = link.agent.lines.key
            alike = [c.row_id for c in calls if c.key != own and c.id not in taken and asks(c, link.agent.first_text)]
            link.calls = tuple(alike)
            link.way = "prompt" if len(alike) == 1 else "several prompts" if alike else None
    return links


def asks(call: Call, text: str | None) -> bool:
    """Whether a call's prompt is what an agent was asked first."""
    prompt = call.input.get("prompt") if isinstance(call.input, dict) else None
    return call.name in SPAWNING and isinstance(prompt, str) and text is not None and prompt.strip() == text.strip()


def result_text(block: dict[str, Any]) -> str:
    """The text of a result: text blocks and bare strings joined by a newline."""
    content = block.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [b["text"] if isinstance(b, dict) and b.get("type") == "text" else b for b in content]
    return "\n".join(t for t in texts if isinstance(t, str))


def _by_result(session: Session, calls: dict[str, Call]) -> dict[str, str]:
    """Agent id to the first call whose result names it; a call that resumed the agent did not start it."""
    found: dict[str, str] = {}
    resumed: dict[str, str] = {}
    for record in session.records:
        results = [b for b in record.blocks if b.get("type") == "tool_result"]
        for block in results:
            call = calls.get(str(block.get("tool_use_id")))
            if call is None:
                continue
            extra = record.value.get("toolUseResult")
            agent = text_or_none(extra.get("agentId")) if isinstance(extra, dict) and len(results) == 1 else None
            if agent is None and call.name in SPAWNING and (match := _AGENT_ID.search(result_text(block))):
                agent = match[1]
            if agent is not None:
                resumes = isinstance(call.input, dict) and call.input.get("resume")
                (resumed if resumes else found).setdefault(agent, call.id)
    return resumed | found


def _by_progress(session: Session) -> dict[str, str]:
    found: dict[str, str] = {}
    for record in session.records:
        data = record.value.get("data")
        call = text_or_none(record.value.get("parentToolUseID"))
        if record.kind == "progress" and isinstance(data, dict) and data.get("type") == "agent_progress" and call:
            agent = text_or_none(data.get("agentId"))
            if agent:
                found.setdefault(agent, call)
    return found


def inline_roots(session: Session, calls: list[Call]) -> list[tuple[Record, tuple[str, ...]]]:
    """Sub-agents written in a main file: each root record with the calls that ask the same."""
    roots = []
    for record in session.records:
        inline = record.key.startswith("main") and record.sidechain
        if inline and record.kind == "user" and record.value.get("parentUuid") is None:
            text = "\n".join(str(b.get("text")) for b in record.blocks if b.get("type") == "text")
            roots.append((record, tuple(c.row_id for c in calls if asks(c, text))))
    return roots
