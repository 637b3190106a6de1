"""The name of a call in a row: the tool and its main argument in words."""

from __future__ import annotations

from collections.abc import Mapping

from waterglass.classify.table import Tool
from waterglass.classify.targets import relative_path

MAX_LABEL = 200
# Read from each argument: enough for a label even where half of it is white space.
_READ = 800


def label_of(tool: Tool, tool_input: Mapping[object, object], cwd: str | None) -> str:
    """One line of at most 200 characters, such as `Bash: npm test` or `Agent: Explore, find the parser`."""
    parts: list[str] = []
    for keys in tool.labels:
        for key in keys:
            text = _worded(key, tool_input.get(key), cwd) if key != "*" else _first_text(tool_input)
            if text:
                parts.append(text)
                break
    if not parts:
        parts = _counted(tool_input)
    label = f"{tool.title}: {', '.join(parts)}" if parts else tool.title
    return label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1].rstrip() + "…"


def _worded(key: str, value: object, cwd: str | None) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if len(value) == 1 else None if not value else f"{_worded(key, value[0], cwd)} …"
    if isinstance(value, str):
        if key.lower().endswith(("path", "paths", "uri")):
            value = relative_path(value, cwd) or value
        return " ".join(value[:_READ].split())
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return str(value)
    return ""


def _first_text(tool_input: Mapping[object, object]) -> str:
    for value in tool_input.values():
        if isinstance(value, str) and value.strip():
            return " ".join(value[:_READ].split())
    return ""


def _counted(tool_input: Mapping[object, object]) -> list[str]:
    todos = tool_input.get("todos")
    if isinstance(todos, list | tuple):
        done = sum(1 for todo in todos if isinstance(todo, Mapping) and todo.get("status") == "completed")
        return [f"{done} of {len(todos)} done"]
    for key in ("questions", "findings", "invocations"):
        value = tool_input.get(key)
        if isinstance(value, list | tuple):
            return [f"{len(value)} {key}" if len(value) != 1 else f"1 {key[:-1]}"]
    return []
