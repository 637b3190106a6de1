"""A session as a list of sessions shows it."""

from __future__ import annotations

from typing import Any

from waterglass.payload.usage import usage_fields
from waterglass.schema.layout import project_of
from waterglass.view import View


def listing_fields(view: View, project: str | None, continues: str | None, inherited: frozenset[str]) -> dict[str, Any]:
    """Return what `list` counts of a session; `inherited` are the ids of the replies copied from another one."""
    facts = view.linked.facts
    return {
        "title": view.title,
        "state": view.state,
        "project": project,
        "worktree": project_of(facts.cwd)[1] if facts.cwd else None,
        "slug": next(iter(facts.slugs), None),
        "continues": continues,
        "startMs": facts.first_ms,
        "endMs": facts.last_ms,
        "lastActivityMs": facts.last_ms,
        "prompts": sum(p.state != "unsent" for p in view.prompts),
        "toolCalls": len(view.rows),
        "errors": sum(row.outcome == "error" for row in view.rows),
        "agents": sum(a.kind != "internal" for a in view.linked.agents),
        "inherited": _inherited_counts(view, inherited),
        "models": list(view.ledger.by_model),
        "usage": usage_fields(view.ledger.total),
    }


def _inherited_counts(view: View, inherited: frozenset[str]) -> dict[str, int]:
    """Count what was copied from another session, so that a chain of sessions can count it once."""
    if not inherited:
        return {"prompts": 0, "toolCalls": 0, "errors": 0}
    last = max((reply.order for reply in view.replies if reply.id in inherited), default=-1)
    copied = [row for row in view.rows if row.call.message_id in inherited]
    return {
        "prompts": sum(p.state != "unsent" and p.order < last for p in view.prompts),
        "toolCalls": len(copied),
        "errors": sum(row.outcome == "error" for row in copied),
    }
