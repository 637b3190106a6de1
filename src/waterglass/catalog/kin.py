"""Which sessions may share history: told by the heads of all, so that counting one reads few others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from waterglass.catalog.entries import Entry
from waterglass.discover import Head, SessionRef


class Kin:
    """Sessions that begin with the same records or name one another; a slug in common is no history."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        groups: dict[tuple[str, str], list[str]] = {}
        for entry in entries:
            for mark in entry.head.marks:
                groups.setdefault(("record", mark), []).append(entry.ref.id)
            if entry.head.continues is not None:
                groups.setdefault(("source", entry.head.continues), []).append(entry.ref.id)
        self._groups = {key: ids for key, ids in groups.items() if len(ids) > 1 or key[0] == "source"}

    def of(self, entry: Entry, refs: Mapping[str, SessionRef]) -> tuple[SessionRef, ...]:
        """Return the sessions to compare with this one."""
        keys = [("record", mark) for mark in entry.head.marks]
        keys.append(("source", entry.ref.id))
        ids = dict.fromkeys(id_ for key in keys for id_ in self._groups.get(key, ()))
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
