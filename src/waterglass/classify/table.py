"""The table of tools, read once from `tables/tools.toml`, turned into look-ups."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/tools.toml"
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


class Tools:
    """The file's tables as look-ups."""

    def __init__(self, text: str) -> None:
        import tomllib  # late: nothing is paid for it where no call is classified

        raw = tomllib.loads(text)
        self.tools: dict[str, str] = raw["tools"]
        self.other_servers = frozenset(raw["servers"]["other"].lower().split())
        self.builtin_servers = frozenset(raw["servers"]["builtin"].split())
        self.patterns = [(category, re.compile(pattern)) for category, pattern in raw["patterns"].items()]
        self.spawns = frozenset(raw["spawns"]["names"].split())
        self.no_file = frozenset(raw["paths"]["no_file"].split())
        self.path_keys = frozenset(raw["paths"]["also"].split())
        self.list_keys = frozenset(raw["paths"]["lists"].split())
        self.any_label = (tuple(raw["labels"]["any"].split()),)


def _text() -> str:
    with open(_FILE, encoding="utf-8") as stream:
        return stream.read()


@cache
def tools() -> Tools:
    """The table; the file is read at the first call."""
    return Tools(_text())


def tool_named(name: str) -> Tool:
    """What is known of the tool called `name` in a transcript: the exact name first, then the patterns."""
    return _tool_named(name[: 2 * _MAX_NAME])


@lru_cache(maxsize=1024)
def _tool_named(name: str) -> Tool:
    table = tools()
    server, bare = split_name(name)
    if server.lower() in table.builtin_servers:
        server = ""
    lowered = bare.lower()[:_MAX_NAME]
    known = table.tools.get(lowered)
    if server and server.lower() in table.other_servers:
        known = None
        category = "other"
    elif known is not None:
        category = known.partition(" ")[0]
    else:
        category = next((found for found, pattern in table.patterns if pattern.search(lowered)), "unknown")
    title = " ".join(f"{server} {bare}".split())[:_MAX_NAME] or "(no name)"
    labels = _label_groups(known.split()[1:]) if known is not None else table.any_label
    spawns = lowered in table.spawns and not server
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
