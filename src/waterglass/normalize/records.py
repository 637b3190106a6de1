"""One record: when it was, what it says of the session, and which reader makes its events."""

from __future__ import annotations

from collections.abc import Callable

from waterglass.model import Coverage, Event, Facts
from waterglass.normalize.bookkeeping import attachment, other, progress, queue, system, title
from waterglass.normalize.conversation import assistant, user
from waterglass.normalize.place import Place
from waterglass.schema.names import CALL_BLOCKS, RECORD_TYPES
from waterglass.schema.records import RawBlock, RawRecord
from waterglass.schema.times import moment_ms, time_ms

_READERS: dict[str | None, Callable[[RawRecord, Place], list[Event]]] = {
    "user": user,
    "assistant": assistant,
    "system": system,
    "progress": progress,
    "attachment": attachment,
    "queue-operation": queue,
    "summary": title,
    "custom-title": title,
    "ai-title": title,
    "agent-name": title,
}


class Normalizer:
    """Turns the records of one file into events and gathers what they say of the session.

    `key` names the file in event ids; `agent_id` is None for a main file. Keeps nothing but strings that repeat from
    record to record, so that reading in two parts equals reading whole.
    """

    def __init__(self, key: str, agent_id: str | None) -> None:
        self._place = Place(key, agent_id, Coverage(), {})

    def events(
        self, record: RawRecord, offset: int, length: int, line: int, facts: Facts, coverage: Coverage
    ) -> list[Event]:
        """Return the events of one record (at least one), noting in `facts` and `coverage` what it adds to them."""
        if record.timestamp is not None:
            ms = moment_ms(record.timestamp)
        else:
            ms = time_ms(record.ts if record.ts is not None else record.created_at)
        kind = record.type
        _note(record, kind, ms, facts)
        place = self._place
        parent = record.parentUuid
        place.offset, place.length, place.line, place.ms, place.coverage = offset, length, line, ms, coverage
        place.parent = (
            place.uuid if parent == place.uuid else parent
        )  # the record before, as a rule: one string for both
        place.uuid = record.uuid
        place.sidechain = record.isSidechain is True
        read = _READERS.get(kind if kind is not None else _inferred(record))
        if read is None:
            read = other
            if kind is not None and kind not in RECORD_TYPES:
                coverage.unknown_record_types[kind] = coverage.unknown_record_types.get(kind, 0) + 1
        return read(record, place)


def _note(record: RawRecord, kind: str | None, ms: int | None, facts: Facts) -> None:
    if ms is not None:
        if facts.first_ms is None or ms < facts.first_ms:
            facts.first_ms = ms
        if facts.last_ms is None or ms > facts.last_ms:
            facts.last_ms = ms
    if record.version and record.version not in facts.versions:
        facts.versions[record.version] = None
    if record.gitBranch and record.gitBranch not in facts.branches:
        facts.branches[record.gitBranch] = None
    if record.slug and record.slug not in facts.slugs:
        facts.slugs[record.slug] = None
    if record.sessionId and record.sessionId not in facts.session_ids:
        facts.session_ids[record.sessionId] = None
        facts.first_session_id = facts.first_session_id or record.sessionId
    if facts.cwd is None and record.cwd:
        facts.cwd = record.cwd
    if record.forkedFrom is not None and facts.forked_from is None:
        facts.forked_from = record.forkedFrom.sessionId
    if not facts.conversation and (kind == "user" or kind == "assistant"):
        facts.conversation = True
    elif kind == "fork-context-ref":
        facts.fork = True


def _inferred(record: RawRecord) -> str | None:
    """The seed's order for a record without a type: an explicit role, else the blocks that are there, else nothing."""
    message = record.message
    role = record.role or (message.role if message else None)
    if role in ("user", "assistant"):
        return role
    if message and isinstance(message.content, list):
        kinds = {block.type for block in message.content if isinstance(block, RawBlock)}
        if kinds & CALL_BLOCKS:
            return "assistant"
        if "tool_result" in kinds:
            return "user"
    return None
