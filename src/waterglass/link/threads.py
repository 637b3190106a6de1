"""Which agent each event belongs to: agent files say it by name, old main files hold their sub-agents inline, and logs
of `--output-format stream-json` name the call that started the agent."""

from __future__ import annotations

from msgspec import structs

from waterglass.model import Event


def with_inline_agents(events: list[Event]) -> tuple[list[Event], list[str]]:
    """Give the sidechain events of a main file (0.2.122 - 2.0.28) the id of their chain: the uuid of its first record.

    In a captured log the agent's id is that of the call that started it, and the event has it already.

    Returns the events and the ids in order of appearance. A chain is followed by parent uuids without recursion; a
    circle ends at the record where it was entered.
    """
    parents = {e.uuid: e.parent_uuid for e in events if e.sidechain and e.uuid is not None}
    if not parents and all(e.agent_id is None and not e.sidechain for e in events):
        return events, []
    roots: dict[str, str] = {}

    def root_of(uuid: str) -> str:
        path: list[str] = []
        on_path: set[str] = set()
        at = uuid
        while at not in roots:
            path.append(at)
            on_path.add(at)
            above = parents.get(at)
            if above is None or above not in parents or above in on_path:
                break
            at = above
        root = roots.get(at, at)
        for step in path:
            roots[step] = root
        return root

    ids: dict[str, None] = {}
    placed: list[Event] = []
    last: str | None = None
    for event in events:
        if event.agent_id is not None:
            ids[event.agent_id] = None
        elif event.sidechain:
            agent = root_of(event.uuid) if event.uuid is not None else last
            if agent is None:
                agent = event.id
            last = agent
            ids[agent] = None
            event = structs.replace(event, agent_id=agent)
        placed.append(event)
    return placed, list(ids)


def merged(parts: list[list[Event]]) -> list[Event]:
    """Merge the files by time, each event at the newest time seen so far in its file, so that a file keeps its own
    order."""
    if len(parts) == 1:
        return parts[0]
    keyed: list[tuple[int, int, int]] = []
    for number, part in enumerate(parts):
        newest = 0
        first = next((e.ms for e in part if e.ms is not None), 0)
        for index, event in enumerate(part):
            if event.ms is not None and event.ms > newest:
                newest = event.ms
            keyed.append((newest or first, number, index))
    keyed.sort()
    return [parts[number][index] for _, number, index in keyed]
