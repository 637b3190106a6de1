"""Usage, the slow way: one API call per message id, the last record wins, once over all files of the session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.independent.lines import Record, text_or_none
from tests.independent.tree import Session

FIELDS = ("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output")


@dataclass
class Spent:
    """Tokens of some API calls, by the payload's names."""

    apiCalls: int = 0
    input: int = 0
    cacheCreation: int = 0
    cacheCreation1h: int = 0
    cacheRead: int = 0
    output: int = 0
    outputIsLowerBound: bool = False

    def __add__(self, other: Spent) -> Spent:
        sums = {name: getattr(self, name) + getattr(other, name) for name in FIELDS}
        return Spent(**sums, outputIsLowerBound=self.outputIsLowerBound or other.outputIsLowerBound)

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*FIELDS, "outputIsLowerBound")}


@dataclass
class Reply:
    """One reply: where it counts, and what each API call of it spent, by model."""

    id: str
    key: str
    main_thread: bool
    ms: int | None
    spent: list[tuple[str, Spent]]


@dataclass
class Ledger:
    """A session's usage as the payload shows it."""

    total: Spent = field(default_factory=Spent)
    main: Spent = field(default_factory=Spent)
    agents: Spent = field(default_factory=Spent)
    inherited: Spent = field(default_factory=Spent)
    by_model: dict[str, Spent] = field(default_factory=dict)
    by_agent: dict[str, Spent] = field(default_factory=dict)


def _is_call(record: Record) -> bool:
    """A malformed message with neither id nor usage is no API call."""
    message = record.message
    whole = bool(message.get("id") or message.get("usage"))
    return record.kind == "assistant" and whole and message.get("model") != "<synthetic>"


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _spent(usage: object, *, lower_bound: bool) -> Spent:
    usage = usage if isinstance(usage, dict) else {}
    parts = usage.get("cache_creation")
    hour = parts.get("ephemeral_1h_input_tokens") if isinstance(parts, dict) else 0
    return Spent(
        1,
        _number(usage.get("input_tokens")),
        _number(usage.get("cache_creation_input_tokens")),
        _number(hour),
        _number(usage.get("cache_read_input_tokens")),
        _number(usage.get("output_tokens")),
        lower_bound,
    )


def replies_of(session: Session) -> list[Reply]:
    """Every reply that was an API call, once, in the order of files."""
    groups: dict[str, dict[str, list[Record]]] = {}
    for record in session.records:
        if _is_call(record):
            id = text_or_none(record.message.get("id")) or f"{record.key}@{record.offset}"
            groups.setdefault(id, {}).setdefault(record.key, []).append(record)
    replies = []
    for id, files in groups.items():
        lasts = [records[-1] for records in files.values()]
        best = max(lasts, key=lambda r: _number((r.message.get("usage") or {}).get("output_tokens")))
        stopped = any(r.message.get("stop_reason") for records in files.values() for r in records)
        usage = best.message.get("usage")
        spent = [(str(best.message.get("model")), _spent(usage, lower_bound=not stopped))]
        for extra in (usage or {}).get("iterations") or []:
            if isinstance(extra, dict) and extra.get("type") == "advisor_message":
                model = text_or_none(extra.get("model")) or spent[0][0]
                spent.append((model, _spent(extra, lower_bound=False)))
        key, records = next(iter(files.items()))
        first = records[0]
        times = [r.ms for rs in files.values() for r in rs if r.ms is not None]
        replies.append(Reply(id, key, key.startswith("main") and not first.sidechain, min(times, default=None), spent))
    return replies


def owners(root: dict[str, Session]) -> dict[str, str]:
    """Reply id to the session that owns it, for the replies that several sessions of a root hold."""
    held = {id: {r.id: r for r in replies_of(s) if "@" not in r.id} for id, s in root.items()}
    holders: dict[str, list[str]] = {}
    for session, replies in held.items():
        for id in replies:
            holders.setdefault(id, []).append(session)
    before_all = -1
    oldest = {
        session: min((r.ms or before_all for id, r in replies.items() if len(holders[id]) == 1), default=before_all)
        for session, replies in held.items()
    }
    shared = {id: some for id, some in holders.items() if len(some) > 1}
    return {id: min(some, key=lambda s: oldest[s]) for id, some in shared.items()} | _forked(root, holders)


def _forked(root: dict[str, Session], holders: dict[str, list[str]]) -> dict[str, str]:
    named: dict[str, str] = {}
    for session in root.values():
        for record in session.records:
            fork, id = record.value.get("forkedFrom"), text_or_none(record.message.get("id"))
            if isinstance(fork, dict) and id and fork.get("sessionId") in holders.get(id, []):
                named[id] = str(fork["sessionId"])
    return named


def ledger(session: Session, owner: dict[str, str]) -> Ledger:
    """Add a session's replies up; `owner` comes from `owners` of its root."""
    out = Ledger()
    for reply in replies_of(session):
        total = add(spent for _, spent in reply.spent)
        if owner.get(reply.id, session.id) != session.id:
            out.inherited += total
            continue
        out.total += total
        if reply.main_thread:
            out.main += total
        else:
            out.agents += total
            out.by_agent[reply.key] = out.by_agent.get(reply.key, Spent()) + total
        for model, spent in reply.spent:
            out.by_model[model] = out.by_model.get(model, Spent()) + spent
    return out


def add(parts: Iterable[Spent]) -> Spent:
    """The sum of several; nothing is all zero."""
    return sum(parts, Spent())
