"""Which sessions may share history: told by the heads of all, so that counting one reads few others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from waterglass.catalog.entries import Entry
from waterglass.discover import Head, SessionRef


class Kin:
    """Sessions that begin with the same records or name one another; a slug in common is no history."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        records: dict[str, list[str]] = {}  # by the mark of a first record, the sessions that have it
        sources: dict[str, list[str]] = {}  # by the session that they continue
        for entry in entries:
            id_, head = entry.ref.id, entry.head
            for mark in head.marks:
                if (known := records.get(mark)) is None:
                    records[mark] = [id_]
                else:
                    known.append(id_)
            if head.continues is not None:
                sources.setdefault(head.continues, []).append(id_)
        self._records = {mark: ids for mark, ids in records.items() if len(ids) > 1}
        self._sources = sources

    def of(self, entry: Entry, refs: Mapping[str, SessionRef]) -> tuple[SessionRef, ...]:
        """Return the sessions to compare with this one."""
        groups = [found for mark in entry.head.marks if (found := self._records.get(mark)) is not None]
        groups.append(self._sources.get(entry.ref.id, []))
        ids = dict.fromkeys(chain.from_iterable(groups))
        if entry.head.continues is not None:
            ids[entry.head.continues] = None
        ids.pop(entry.ref.id, None)
        return tuple(refs[id_] for id_ in ids if id_ in refs)

    def in_sight(
        self, session: str, entries: Mapping[str, Entry], refs: Mapping[str, SessionRef], named: bool
    ) -> list[SessionRef]:
        """Return the sessions to hold one against; those of its folders too where not all are `named`."""
        ref, entry = refs.get(session), entries.get(session)
        folders = set(ref.folders) if ref is not None else set()
        beside = {id_: other for id_, other in refs.items() if not folders.isdisjoint(other.folders)}
        if entry is None:
            return list(beside.values())
        found = {other.id: other for other in self.of(entry, refs)}
        if entry.continues is not None and entry.continues in refs:
            found[entry.continues] = refs[entry.continues]  # by its slug: no history is shared
        if not named or entry.head.cwd is None:  # a project without a directory is that of most beside it
            found |= beside
        return list(found.values())


def ties(head: Head) -> tuple[object, ...]:
    """Return all that places a session among the others."""
    return head.project, head.continues, head.marks, tuple(head.slugs)
