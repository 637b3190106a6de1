"""What was spent: one API call per reply, its last record right, counted once over all files of the session."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from waterglass.model import Event, ReplyPart, Usage


class Spent(Struct):
    """One API call as the ledger counts it."""

    key: str  # the message id, or the event's id where there is none
    model: str | None
    usage: Usage
    file: str  # the first file that holds it
    agent_id: str | None
    ms: int | None
    stopped: bool  # some record of it says why it stopped, so its output count is final
    inherited: bool = False
    within: str | None = None  # of an advisor's call: the key of the reply that asked it


class Ledger(Struct):
    """Sums of the spent calls; `inherited` were made by another session and are in no other sum."""

    calls: list[Spent]
    total: Usage
    main: Usage
    agents: Usage
    by_agent: dict[str, Usage]
    by_model: dict[str, Usage]
    inherited: Usage


def reply_key(event: Event) -> str:
    """Return the key under which a reply's records come together; a record without message id stands alone."""
    return event.message_id or f"{event.file}@{event.offset}"


def ledger(by_source: Iterable[list[Event]], inherited: frozenset[str] = frozenset()) -> Ledger:
    """Count every reply once. `inherited` holds the keys of replies that another session owns.

    Files come in their order, main first: the first that holds a reply is where it counts, and the copy with the
    largest output says how much (copies were cut at different moments of the same stream).
    """
    spent: dict[str, Spent] = {}
    for events in by_source:
        for key, own in _of_file(events).items():
            before = spent.get(key)
            if before is None:
                spent[key] = own
            elif own.usage.output > before.usage.output:
                before.usage, before.model, before.stopped = own.usage, own.model, own.stopped
            else:
                before.stopped = before.stopped or own.stopped
    calls: list[Spent] = []
    for call in spent.values():
        call.inherited = (call.within or call.key) in inherited
        calls.append(call)
    return _sums(calls)


def _of_file(events: list[Event]) -> dict[str, Spent]:
    found: dict[str, Spent] = {}
    advisors: dict[str, Spent] = {}
    for event in events:
        part = event.reply
        if part is None or part.synthetic or (part.usage is None and event.message_id is None):
            continue
        key = event.message_id or reply_key(event)
        before = found.get(key)
        if before is None:
            usage = part.usage or Usage(api_calls=1)
            found[key] = Spent(
                key, part.model, usage, event.file, event.agent_id, event.ms, part.stop_reason is not None
            )
        else:
            before.model = part.model or before.model
            before.usage = part.usage or before.usage
            before.stopped = before.stopped or part.stop_reason is not None
        for number, (model, more) in enumerate(part.advisor):
            name = f"{key}/advisor{number}"
            advisors[name] = Spent(name, model, more, event.file, event.agent_id, event.ms, True, within=key)
    return found | advisors


def _sums(calls: list[Spent]) -> Ledger:
    alike: dict[tuple[bool, str, str | None], list[Spent]] = {}
    for call in calls:
        kind = (call.inherited, call.model or "unknown", call.agent_id)
        same = alike.get(kind)
        if same is None:
            alike[kind] = [call]
        else:
            same.append(call)
    book = Ledger(calls, Usage(), Usage(), Usage(), {}, {}, Usage())
    for (inherited, model, agent), same in alike.items():
        usage = _sum(same)
        if inherited:
            book.inherited += usage
            continue
        book.total += usage
        book.by_model[model] = book.by_model.get(model, Usage()) + usage
        if agent is None:
            book.main += usage
        else:
            book.agents += usage
            book.by_agent[agent] = book.by_agent.get(agent, Usage()) + usage
    return book


def _sum(calls: list[Spent]) -> Usage:
    """Return what calls used together: field by field, which makes no object for each of thousands of calls."""
    used = [call.usage for call in calls]
    return Usage(
        sum(usage.api_calls for usage in used),
        sum(usage.input for usage in used),
        sum(usage.cache_creation for usage in used),
        sum(usage.cache_creation_1h for usage in used),
        sum(usage.cache_read for usage in used),
        sum(usage.output for usage in used),
        not all(call.stopped for call in calls),
    )


def with_bound(usage: Usage, lower: bool) -> Usage:
    """Return the usage with its output marked as a lower bound or not."""
    if usage.output_is_lower_bound == lower:
        return usage
    return Usage(
        usage.api_calls,
        usage.input,
        usage.cache_creation,
        usage.cache_creation_1h,
        usage.cache_read,
        usage.output,
        lower,
    )


def context_of(part: ReplyPart | None) -> int | None:
    """Return the tokens in view of a reply, None for one that the program wrote or that has no figures."""
    return None if part is None or part.synthetic else part.context_tokens
