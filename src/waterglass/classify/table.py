"""The list of known tools, turned into look-ups."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

from waterglass.classify import known

_MCP = "mcp__"
# Names are written by models: some are whole sentences. No rule needs more than this of one.
_MAX_NAME = 120


class Tool(msgspec.Struct, frozen=True):
    """What is known of a tool by its name alone."""

    category: str
    """One of the contract's categories, or `shell`, or `batch`."""
    title: str
    """How a label names it: `Read`, `serena find_symbol`."""
    labels: tuple[tuple[str, ...], ...]
    """Arguments that name a call: of each group the first that is there."""
    spawns: bool
    """Its calls start a sub-agent."""
    powershell: bool
    """Its command is PowerShell's."""


OTHER_SERVERS = frozenset(known.OTHER_SERVERS.lower().split())
NO_FILE = frozenset(known.NO_FILE.split())
PATH_KEYS = frozenset(known.PATH_KEYS.split())
LIST_KEYS = frozenset(known.LIST_KEYS.split())
_BUILTIN_SERVERS = frozenset(known.BUILTIN_SERVERS.split())
_SPAWNS = frozenset(known.SPAWNS.split())
_ANY_LABEL = (tuple(known.ANY_LABEL.split()),)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(category, re.compile(pattern)) for category, pattern in known.PATTERNS.items()]


def tool_named(name: str) -> Tool:
    """What is known of the tool called `name` in a transcript: the exact name first, then the patterns."""
    return _tool_named(name[: 2 * _MAX_NAME])


@lru_cache(maxsize=1024)
def _tool_named(name: str) -> Tool:
    server, bare = split_name(name)
    if server.lower() in _BUILTIN_SERVERS:
        server = ""
    lowered = bare.lower()[:_MAX_NAME]
    listed = known.TOOLS.get(lowered)
    if server and server.lower() in OTHER_SERVERS:
        listed = None
        category = "other"
    elif listed is not None:
        category = listed.partition(" ")[0]
    else:
        category = next((found for found, pattern in _patterns() if pattern.search(lowered)), "unknown")
    title = " ".join(f"{server} {bare}".split())[:_MAX_NAME] or "(no name)"
    labels = _label_groups(listed.split()[1:]) if listed is not None else _ANY_LABEL
    spawns = lowered in _SPAWNS and not server
    return Tool(category, title, labels, spawns, lowered in ("powershell", "pwsh"))


def split_name(name: str) -> tuple[str, str]:
    """Server and tool of `mcp__<server>__<tool>`, cut at the first two `__` only; other names have no server."""
    if not name.startswith(_MCP):
        return "", name
    server, separator, tool = name[len(_MCP) :].partition("__")
    return (server, tool) if separator and tool else ("", name)


def _label_groups(keys: list[str]) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    for key in keys:
        if key.startswith("+") or not groups:
            groups.append((key.removeprefix("+"),))
        else:
            groups[-1] = (*groups[-1], key)
    return tuple(groups)
