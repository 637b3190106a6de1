"""The linking as a whole: the pipeline's third step on one screen."""

from __future__ import annotations

from msgspec import Struct

from waterglass.link.agents import Agent, Found, first_text, link_agents
from waterglass.link.calls import Call, end_background, pair_calls
from waterglass.link.copies import ByUuid, Replays, without_copies
from waterglass.link.index import EventIndex, index_events
from waterglass.link.sources import Source
from waterglass.link.threads import merged, with_inline_agents
from waterglass.model import Event, Facts, Problem
from waterglass.schema import texts


class Linked(Struct):
    """A session put together. `events` are merged and without copies; `sources` keeps the files' order for the
    ledger."""

    events: list[Event]
    index: EventIndex
    by_uuid: ByUuid  # every record that has a uuid
    replies_by_source: list[list[Event]]  # those that say something of their reply, in the order of the sources
    sources: list[Source]
    calls: list[Call]
    agents: list[Agent]
    facts: Facts  # of all files together; `cwd` and `slug` of the first
    replays: Replays
    orphan_results: int
    chain_breaks: int
    problems: list[Problem]


def link(sources: list[Source]) -> Linked:
    """Link the files of one session, main files first. Pure: the same events give the same answer."""
    unique = without_copies(sources)
    parts, inline = [], []
    for source, events in zip(sources, unique.events, strict=True):
        if source.kind == "main":
            events, ids = with_inline_agents(events)
            inline.extend(ids)
        parts.append(events)
    events = merged(parts)
    found = _found(sources, parts, inline)
    hidden = {key for f in found if _helper(f) for key in f.files}
    index = index_events(events)
    paired = pair_calls(index, hidden)
    end_background(paired.calls, index)
    whole = any(s.kind == "main" for s in sources)
    agents, problems = link_agents(found, paired.calls, index, whole)
    facts = Facts()
    for source in sources:
        facts = facts + source.facts
    if unique.replays.records:  # a replay counts nowhere, and so its time does not either
        times = [event.ms for part in parts for event in part if event.ms is not None]
        facts.first_ms, facts.last_ms = min(times, default=None), max(times, default=None)
    replies = [index.replies] if len(parts) == 1 else [[e for e in part if e.reply is not None] for part in parts]
    return Linked(
        events, index, unique.first, replies, sources, paired.calls, agents, facts, unique.replays,
        len(paired.orphans), unique.chain_breaks, [*problems, *unique.problems, *paired.problems],
    )  # fmt: skip


def _found(sources: list[Source], parts: list[list[Event]], inline: list[str]) -> list[Found]:
    by_chain: dict[str, list[Event]] = {agent: [] for agent in inline}
    by_file: dict[str, Found] = {}
    for source, events in zip(sources, parts, strict=True):
        if source.agent_id is None:
            for event in events:
                if event.agent_id is not None:
                    by_chain[event.agent_id].append(event)
            continue
        known = by_file.get(source.agent_id)
        if known is None:
            by_file[source.agent_id] = Found(
                source.agent_id, [source.key], source.internal, source.facts.fork, source.sidecar, events
            )
        else:
            known.files.append(source.key)
            known.events = known.events + events
            known.sidecar = known.sidecar or source.sidecar
    chains = [Found(agent, [], False, False, None, events) for agent, events in by_chain.items()]
    return chains + list(by_file.values())


def _helper(found: Found) -> bool:
    """Whether the program wrote the file for itself (warm-up, compaction, suggestion, side question) and no call
    names it."""
    if found.sidecar is not None and found.sidecar.tool_use_id is not None:
        return False
    first = first_text(found.events)
    opening = ((first.text or "") if first is not None else "").strip()
    return found.internal or opening == texts.WARM_UP or opening.startswith(texts.SUGGESTION)
