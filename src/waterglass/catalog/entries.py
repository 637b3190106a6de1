"""One line of the list, and the chains that resumed sessions make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from waterglass.discover import Head, LookedIn, SessionRef, most_common_project
from waterglass.discover.kept import SOON_DAYS, is_kept, soon_deleted
from waterglass.model import LIVE_MS, is_young
from waterglass.schema.layout import written

_COUNTS = ("startMs", "endMs", "prompts", "toolCalls", "errors", "agents", "inherited", "models", "usage")
_NEVER = 1 << 62


class Entry(Struct):
    """What is known of one session. `revision` is when it last changed."""

    ref: SessionRef
    head: Head
    revision: int
    counts: dict[str, Any] | None = None  # `Session.listing`, None until it is counted
    project: str | None = None
    continues: str | None = None
    continued_by: str | None = None
    group: str = ""
    state: str = ""  # as it was last handed out
    state_until: int = 0  # Unix milliseconds up to which time alone does not change that

    @property
    def last_ms(self) -> int:
        """Time of the newest record as far as known; the file's own time only where no record has one."""
        counted = self.counts["lastActivityMs"] if self.counts else None
        if counted is not None:
            return int(counted)
        return self.head.last_ms if self.head.last_ms is not None else self.ref.modified_ms

    def moved_by(self, counts: dict[str, Any]) -> bool:
        """Do these counts tell another project or chain than the head did?"""
        project, continues = counts["project"], counts["continues"]
        return project not in (None, self.project) or continues not in (None, self.continues)

    def state_at(self, now_ms: int) -> str:
        """Return `orphan`, `empty`, `live` or `idle`."""
        if self.ref.orphan:
            return "orphan"
        if self.counts["state"] == "empty" if self.counts else self.head.whole and not self.head.talk:
            return "empty"
        return "live" if is_young(self.last_ms, now_ms) else "idle"

    def changes_at(self, now_ms: int) -> int:
        """Return when time alone next changes the state, in Unix milliseconds."""
        if self.state == "live":
            return self.last_ms + LIVE_MS
        return self.last_ms - LIVE_MS if self.last_ms > now_ms else _NEVER

    def fields(self, now_ms: int, deleted: bool) -> dict[str, Any]:
        """Return the object of `list --json`; `deleted` says whether its files are copies of what is gone."""
        counts = self.counts or {}
        return {
            "id": self.ref.id,
            "project": self.project,
            "worktree": counts["worktree"] if counts else self.head.worktree,
            "title": counts["title"] if counts else self.head.title,
            "state": self.state_at(now_ms),
            "path": written(self.ref.path),
            "bytes": self.ref.size,
            "lastActivityMs": self.last_ms,
            **{name: counts.get(name) for name in _COUNTS},
            "slug": counts["slug"] if counts else next(iter(self.head.slugs), None),
            "continues": self.continues,
            "continuedBy": self.continued_by,
            "group": self.group,
            "counted": self.counts is not None,
            "deleted": deleted,
        }


def session_fields(
    entries: Iterable[Entry], after: int | None, now_ms: int, first: int | None = None
) -> list[dict[str, Any]]:
    """Return the objects of `list --json`, newest activity first; of those alone that changed since `after`, and of the
    `first` so many."""
    shown = [entry for entry in entries if after is None or entry.revision > after]
    shown.sort(key=lambda entry: (-entry.last_ms, entry.ref.id))
    kept = {root for root in {entry.ref.root for entry in shown} if is_kept(root)}  # asked of few, not of each session
    return [entry.fields(now_ms, entry.ref.root in kept) for entry in shown[:first]]


def looked_in_fields(places: Iterable[LookedIn]) -> dict[str, Any]:
    """Return where was looked, and which of these folders are there."""
    found = list(places)
    return {
        "lookedIn": [{"path": written(place.path), "exists": place.exists} for place in found],
        "roots": [written(place.path) for place in found if place.exists],
    }


def going_fields(refs: Iterable[SessionRef], now_ms: int) -> dict[str, Any]:
    """Return how many sessions Claude Code is about to delete within so many days, and when it begins."""
    count, next_ms = soon_deleted(refs, now_ms)
    return {"sessions": count, "days": SOON_DAYS, "nextMs": next_ms}


def aged(entries: Iterable[Entry], now_ms: int) -> list[Entry]:
    """Note the state of each entry and return those whose state is another than it was."""
    changed = []
    for entry in entries:
        if now_ms < entry.state_until:  # of thousands all but a few
            continue
        before, entry.state = entry.state, entry.state_at(now_ms)
        entry.state_until = entry.changes_at(now_ms)
        if before not in ("", entry.state):
            changed.append(entry)
    return changed


def place(entries: Mapping[str, Entry]) -> list[Entry]:
    """Set each entry's project and place in its chain; return those that changed."""
    before = {id_: (e.project, e.continues, e.continued_by, e.group) for id_, e in entries.items()}
    _set_projects(entries.values())
    _set_continues(entries.values())
    newest_first = sorted(entries.values(), key=lambda e: (-e.last_ms, e.ref.id))
    for entry in newest_first:
        entry.continued_by = None
    for entry in newest_first:
        earlier = entries.get(entry.continues or "")
        if earlier is not None and earlier.continued_by is None:
            earlier.continued_by = entry.ref.id
    for entry in newest_first:
        entry.group = _first(entry, entries)
    return [e for id_, e in entries.items() if before[id_] != (e.project, e.continues, e.continued_by, e.group)]


def _set_projects(entries: Iterable[Entry]) -> None:
    by_folder: dict[str, list[Head]] = {}
    for entry in entries:
        for folder in entry.ref.folders:
            by_folder.setdefault(folder, []).append(entry.head)
    common: dict[tuple[str, ...], str | None] = {}
    for entry in entries:
        own = (entry.counts["project"] if entry.counts else None) or entry.head.project
        if own is None:
            folders = entry.ref.folders
            if folders not in common:
                common[folders] = most_common_project([head for f in folders for head in by_folder[f]])
            own = common[folders]
        entry.project = own


def _set_continues(entries: Iterable[Entry]) -> None:
    """Set what each session continues: as counted, else as the records name it, else by slug."""
    ended: dict[tuple[str | None, str], list[tuple[int, str]]] = {}
    for entry in entries:
        for slug in entry.head.slugs:
            ended.setdefault((entry.head.project, slug), []).append((entry.last_ms, entry.ref.id))
    for times in ended.values():
        times.sort()
    for entry in entries:
        entry.continues = (entry.counts["continues"] if entry.counts else None) or entry.head.continues
        if entry.continues is None and entry.head.start_ms is not None:
            groups = [ended[entry.head.project, slug] for slug in entry.head.slugs]
            latest = [group[at - 1] for group in groups if (at := bisect_left(group, (entry.head.start_ms + 1, "")))]
            entry.continues = max(latest)[1] if latest else None


def _first(entry: Entry, entries: Mapping[str, Entry]) -> str:
    """Return the id of the first session of the chain; of sessions that name each other in a circle the smallest."""
    seen = {entry.ref.id}
    while (earlier := entries.get(entry.continues or "")) is not None:
        if earlier.ref.id in seen:
            return min(seen)
        entry = earlier
        seen.add(entry.ref.id)
    return entry.ref.id
