"""Find the call that started each sub-agent, in every era.

In this order: the sidecar's call id (2.1.220 and later), the call that the agent is named after (captured logs), the
agent id in a spawning call's result (2.0.28 and later), the progress records of the call (2.1.12 - 2.1.83), and the
equality of the call's prompt with the agent's first text (all; the only sign before 2.0.28).
"""

from __future__ import annotations

from msgspec import Struct

from waterglass.link.calls import Call
from waterglass.link.index import EventIndex
from waterglass.model import Event, Problem, Sidecar
from waterglass.schema import texts


class Agent(Struct):
    """One sub-agent. `parent` is the row id of the call that started it, None where none is in sight."""

    id: str
    kind: str  # spawned | internal | fork | teammate
    type: str | None = None
    name: str | None = None
    parent: str | None = None
    depth: int = 1
    runs: int = 1
    wakes: list[str] = []  # row ids of the calls that set it going again
    start_ms: int | None = None
    end_ms: int | None = None
    missing: bool = False  # a result names it, but its file is gone


class Found(Struct):
    """What is known of an agent before it is linked."""

    id: str
    files: list[str]  # keys of its transcripts, none for an inline one
    internal: bool
    fork: bool
    sidecar: Sidecar | None
    events: list[Event]


def link_agents(
    found: list[Found], calls: list[Call], index: EventIndex, whole: bool
) -> tuple[list[Agent], list[Problem]]:
    """Return the agents with parents, depths and runs, and a problem for each that has no parent in sight.

    `whole` says that the main transcript is there.
    """
    spawns = [c for c in calls if c.event.tool is not None and c.event.tool.spawns]
    by_id = {c.row_id: c for c in calls}
    starts = _starts(found, spawns, by_id, index)
    agents = [_agent(f, starts.get(f.id)) for f in found]
    agents.extend(_missing(spawns, agents))
    _count_runs(agents, calls)
    problems = _place(agents, by_id)
    why = "no call in sight started this sub-agent" if whole else "the session's main transcript is gone"
    problems += [
        Problem("agent_without_parent", a.id, f"{why}; it is shown at the top")
        for a in agents
        if a.parent is None and a.kind == "spawned"
    ]
    problems += [
        Problem("agent_file_missing", a.id, "a result names this sub-agent, but its transcript is not there")
        for a in agents
        if a.missing
    ]
    return agents, problems


def first_text(events: list[Event]) -> Event | None:
    """Return the first user text of an agent: what it was asked to do."""
    return next((e for e in events if e.type == "user" and e.text is not None), None)


def _starts(found: list[Found], spawns: list[Call], by_id: dict[str, Call], index: EventIndex) -> dict[str, str]:
    """Map agent ids to row ids of the calls that started them."""
    by_result: dict[str, list[Call]] = {}
    for call in spawns:
        if call.result is not None and call.result.result is not None and call.result.result.agent_id:
            by_result.setdefault(call.result.result.agent_id, []).append(call)
    by_progress = {
        e.detail["agent_id"]: e.tool_use_id
        for _, e in reversed(index.marks)
        if e.kind == "agent_progress" and e.detail and e.tool_use_id
    }
    starts: dict[str, str] = {}
    for agent in found:
        own = agent.sidecar.tool_use_id if agent.sidecar else None
        if not agent.files and agent.id in by_id:
            own = agent.id
        named = by_result.get(agent.id, [])
        fresh = [c for c in named if c.event.tool is not None and c.event.tool.agent_id is None] or named
        progress = by_progress.get(agent.id)
        if own is not None and own in by_id:
            starts[agent.id] = own
        elif fresh:
            starts[agent.id] = fresh[0].row_id
        elif progress in by_id and progress is not None:
            starts[agent.id] = progress
    _by_prompt(found, spawns, starts)
    for agent in found:
        start = by_id.get(starts.get(agent.id, ""))
        if start is not None and start.event.agent_id == agent.id:  # nothing starts itself
            del starts[agent.id]
    return starts


def _by_prompt(found: list[Found], spawns: list[Call], starts: dict[str, str]) -> None:
    """Link what is left by equal prompts; several agents of one prompt go to its calls in order."""
    taken = set(starts.values())
    waiting: dict[tuple[str, int], list[Call]] = {}
    for call in spawns:
        tool = call.event.tool
        if tool is not None and tool.prompt and call.row_id not in taken:
            waiting.setdefault((tool.prompt, tool.prompt_chars), []).append(call)
    for agent in found:
        if agent.id in starts:
            continue
        first = first_text(agent.events)
        queue = waiting.get((first.text or "", first.text_chars)) if first is not None else None
        if queue:
            starts[agent.id] = queue.pop(0).row_id


def _agent(found: Found, parent: str | None) -> Agent:
    sidecar = found.sidecar or Sidecar()
    first = first_text(found.events)
    opening = (first.text or "") if first is not None else ""
    helper = found.internal or opening.strip() == texts.WARM_UP or opening.startswith(texts.SUGGESTION)
    kind = "spawned"
    if parent is None and helper:
        kind = "internal"
    elif parent is None and (found.fork or sidecar.fork):
        kind = "fork"
    elif parent is None and sidecar.team is not None:
        kind = "teammate"
    times = [e.ms for e in found.events if e.ms is not None]
    return Agent(
        found.id, kind, sidecar.agent_type, sidecar.name or sidecar.description, parent,
        start_ms=min(times, default=None), end_ms=max(times, default=None),
    )  # fmt: skip


def _missing(spawns: list[Call], agents: list[Agent]) -> list[Agent]:
    known = {a.id for a in agents}
    served = {a.parent for a in agents}
    gone: dict[str, Agent] = {}
    for call in spawns:
        result = call.result.result if call.result is not None else None
        if result is None or not result.agent_id or result.agent_id in known or call.row_id in served:
            continue
        gone.setdefault(result.agent_id, Agent(result.agent_id, "spawned", parent=call.row_id, missing=True))
    return list(gone.values())


def _count_runs(agents: list[Agent], calls: list[Call]) -> None:
    """A spawn with `resume` and a message that woke an agent are further runs of it."""
    names = {a.name: a for a in agents if a.name} | {a.id: a for a in agents}
    for call in calls:
        tool = call.event.tool
        if tool is None or tool.agent_id is None:
            continue
        agent = names.get(tool.agent_id)
        result = call.result.result if call.result is not None else None
        if agent is None or agent.parent == call.row_id or (result is not None and (result.is_error or result.failed)):
            continue
        agent.runs += 1
        agent.wakes.append(call.row_id)


def _place(agents: list[Agent], by_id: dict[str, Call]) -> list[Problem]:
    """Set types and depths from the parents; a circle of agents is cut and said."""
    by_agent = {a.id: a for a in agents}
    problems: list[Problem] = []
    for agent in agents:
        call = by_id.get(agent.parent or "")
        if call is not None and call.event.tool is not None:
            agent.type = agent.type or call.event.tool.agent_type
            agent.name = agent.name or call.event.tool.description
    depths: dict[str, int] = {}
    for agent in agents:
        path: list[Agent] = []
        seen: set[str] = set()
        at: Agent | None = agent
        while at is not None and at.id not in depths:
            if at.id in seen:
                problems.append(Problem("agent_circle", at.id, "sub-agents start each other in a circle; cut here"))
                at.parent, depths[at.id] = None, 1
                break
            path.append(at)
            seen.add(at.id)
            call = by_id.get(at.parent or "")
            at = by_agent.get(call.event.agent_id or "") if call is not None else None
        above = depths.get(at.id, 0) if at is not None else 0
        for step in reversed(path):
            above = depths.setdefault(step.id, above + 1 if step.parent is not None else 1)
    for agent in agents:
        agent.depth = depths[agent.id]
    return problems
