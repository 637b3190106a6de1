"""What a list says of sessions that are deleted, and of those that will be."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waterglass.index import Store
    from waterglass.index.listed import Deleted

_COUNTS = ("startMs", "endMs", "prompts", "toolCalls", "errors", "agents", "inherited", "models", "usage")


def deleted_document(roots: list[str] | None) -> dict[str, Any]:
    """Return the document of `list --deleted --json`: sessions as `list --json` has them, as far as they are known."""
    from waterglass.discover import discover
    from waterglass.index import has_index, using
    from waterglass.index.listed import deleted_sessions
    from waterglass.index.store import said
    from waterglass.schema.layout import written

    discovery = discover(roots)
    there = {ref.id for ref in discovery.sessions}

    def read(store: Store) -> list[Deleted]:
        with said(store.path):
            return deleted_sessions(store, discovery.roots)

    found = using(read) if has_index() else []
    sessions = [_fields(one) for one in found if one.name not in there]
    return {"roots": [written(root) for root in discovery.roots], "sessions": sessions}


def _fields(one: Deleted) -> dict[str, Any]:
    counts = json.loads(one.counts) if one.counts is not None else {}
    return {
        "id": one.name,
        "project": counts.get("project") or one.project,
        "worktree": counts.get("worktree"),
        "title": counts.get("title") or one.title,
        "state": "deleted",
        "path": None,
        "bytes": None,
        "lastActivityMs": one.last_ms,
        **{name: counts.get(name) for name in _COUNTS},
        "slug": counts.get("slug"),
        "continues": counts.get("continues"),
        "continuedBy": None,
        "group": one.name,
        "counted": bool(counts),
        "deleted": True,
        "deletedMs": one.deleted_ms,
    }


def closing_lines(document: dict[str, Any]) -> list[str]:
    """Return what stands below a list: how many sessions are deleted, and which will be."""
    lines = []
    deleted, going = document["deleted"], document["going"]
    if deleted:
        verb = "session is" if deleted == 1 else "sessions are"
        lines.append(f"{deleted:,} {verb} deleted; `waterglass list --deleted` shows what is known")
    if going["sessions"]:
        when = datetime.fromtimestamp(going["nextMs"] / 1000).strftime("%Y-%m-%d")
        many = "1 session" if going["sessions"] == 1 else f"{going['sessions']:,} sessions"
        lines.append(
            f"Claude Code deletes {many} within about {going['days']} days, unless it is set otherwise, the first about"
            f" {when}; `waterglass archive` keeps copies"
        )
    return lines
