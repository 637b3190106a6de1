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

_MOST_KINDS = 200  # a transcript has some twenty kinds of records; invented ones must not fill the memory


class _Noted:
    """What the last record said of its session: the next nearly always says the same, and nothing is to be noted."""

    __slots__ = ("branch", "facts", "kinds", "session", "slug", "version")

    def __init__(self) -> None:
        self.facts: Facts | None = None
        self.session: str | None = None
        self.version: str | None = None
        self.branch: str | None = None
        self.slug: str | None = None
        self.kinds: set[str | None] = set()

    def note(self, record: RawRecord, kind: str | None, facts: Facts) -> None:
        """Add to `facts` what a record says, and keep it for comparing."""
        if self.facts is not facts:  # the facts of an unfinished last line are thrown away: note there afresh
            self.facts = facts
            self.kinds = set()
        self.session, self.version = record.sessionId, record.version
        self.branch, self.slug = record.gitBranch, record.slug
        self.kinds.add(kind if kind is None or len(self.kinds) < _MOST_KINDS else None)
        version = record.version or record.claude_code_version
        if version:
            facts.versions[version] = None
        if record.gitBranch:
            facts.branches[record.gitBranch] = None
        if record.slug:
            facts.slugs[record.slug] = None
        if record.sessionId:
            facts.session_ids[record.sessionId] = None
            facts.first_session_id = facts.first_session_id or record.sessionId
        if record.cwd:
            facts.cwd = facts.cwd or record.cwd
        if record.forkedFrom is not None:
            facts.forked_from = facts.forked_from or record.forkedFrom.sessionId
        if kind == "user" or kind == "assistant":
            facts.conversation = True
        elif kind == "fork-context-ref":
            facts.fork = True


class Normalizer:
    """Turns the records of one file into events and gathers what they say of the session.

    `key` names the file in event ids; `agent_id` is None for a main file. Keeps nothing but strings that repeat from
    record to record, so that reading in two parts equals reading whole.
    """

    def __init__(self, key: str, agent_id: str | None) -> None:
        self._agent_id = agent_id
        self._place = Place(key, agent_id, Coverage(), {})
        self._noted = _Noted()

    def events(
        self, record: RawRecord, offset: int, length: int, line: int, facts: Facts, coverage: Coverage
    ) -> list[Event]:
        """Return the events of one record (at least one), noting in `facts` and `coverage` what it adds to them."""
        moment = record.timestamp
        ms = (
            moment_ms(moment)
            if moment is not None
            else time_ms(record.ts if record.ts is not None else record.created_at)
        )
        if ms is not None:
            if facts.last_ms is None or ms > facts.last_ms:
                facts.last_ms = ms
            if facts.first_ms is None or ms < facts.first_ms:
                facts.first_ms = ms
        kind = record.type
        noted = self._noted
        if (
            noted.facts is not facts
            or record.sessionId != noted.session
            or record.version != noted.version
            or record.gitBranch != noted.branch
            or record.slug != noted.slug
            or kind not in noted.kinds
            or record.forkedFrom is not None
            or facts.cwd is None
            or record.claude_code_version is not None
        ):
            noted.note(record, kind, facts)
        place = self._place
        parent, before = record.parentUuid, place.uuid
        place.offset = offset
        place.length = length
        place.line = line
        place.ms = ms
        place.coverage = coverage
        place.parent = before if parent == before else parent  # the record before, as a rule: one string for both
        place.uuid = record.uuid
        place.sidechain = record.isSidechain is True
        place.agent_id = self._agent_id or place.keep(record.parent_tool_use_id)
        read = _READERS.get(kind if kind is not None else _inferred(record))
        if read is None:
            read = other
            if kind is not None and kind not in RECORD_TYPES:
                coverage.unknown_record_types[kind] = coverage.unknown_record_types.get(kind, 0) + 1
        return read(record, place)


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
