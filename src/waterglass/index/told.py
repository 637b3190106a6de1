"""The answer to a search as one document, which the command line prints and a server can send."""

from __future__ import annotations

from typing import Any

from waterglass.discover import Discovery
from waterglass.index.query import Query
from waterglass.index.searching import Found, Wanted
from waterglass.index.upkeep import Updated

NEVER = "pictures, texts that Claude Code wrote itself (reminders, compactions, hooks), and what it cut from outputs"


def not_searched(found: Found, updated: Updated, discovery: Discovery, wanted: Wanted) -> list[str]:
    """Return what a search did not reach, in words, the most telling first."""
    missing = [NEVER]
    if found.stopped:
        missing.insert(0, f"the time of {wanted.time_s:g} s was over: {found.more:,} records that may hold it")
    elif found.more:
        missing.insert(0, f"the results are as many as were asked for: {found.more:,} more records may hold it")
    if updated.waiting:
        missing.append(f"{updated.waiting:,} new or changed files, since another process is writing the index")
    unread = len(discovery.unreadable) + max(found.unread, len(updated.unread))
    if unread:
        missing.append(f"{unread:,} files or folders that cannot be read")
    return missing


def document(query: Query, wanted: Wanted, found: Found, missing: list[str]) -> dict[str, Any]:
    """Return the document of `search --json`; `missing` is what `not_searched` says."""
    return {
        "query": query.text.encode("utf-8", "replace").decode("utf-8"),
        "in": list(wanted.parts),
        "hits": found.hits,
        "more": found.more,
        "complete": not found.more and not found.stopped,
        "seconds": found.seconds,
        "notSearched": missing,
    }
