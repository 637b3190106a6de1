"""Level `structure`: names, times, sizes and outcomes of a payload stay; every free text becomes its length."""

from __future__ import annotations

import re
from typing import Any

from waterglass.redact.batches import unused
from waterglass.redact.tables import tables

_MARK = re.compile(r"\[\d+ chars\](?: \(\d+\))?")
_REMOVED = re.compile(r"\[(?:REDACTED:[a-z][a-z0-9_]*#\d+|user|host)\](?: \(\d+\))?")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,40}")
# Strings under these keys are ids, tags or versions. Everything else that is a string is somebody's words.
KEPT = frozenset(tables()["structure"]["kept"])
# Below these keys nothing is kept, whatever its name is.
_FREE = frozenset({"input", "output", "raw", "tool", "result"})
_LABEL = "label"


def mask(text: str) -> str:
    """The length marker of a text; a marker stays as it is, and so does what stands for a secret."""
    return text if not text or _MARK.fullmatch(text) or _REMOVED.fullmatch(text) else f"[{len(text)} chars]"


def _is_plain(key: str) -> bool:
    return _PLAIN_KEY.fullmatch(_REMOVED.sub("x", key)) is not None


def mask_label(text: str, tool: object) -> str:
    """`Bash: npm test` keeps its tool, if that is the name of the row's tool; any other label is free text."""
    if isinstance(tool, str) and tool and text.startswith(tool):
        rest = text.removeprefix(tool)
        return text if not rest else f"{tool}: {mask(rest.removeprefix(': '))}"
    return mask(text)


def mask_value(value: Any) -> Any:
    """A payload, or a part of one, with lengths in place of texts. Keys stay if they look like names of fields."""
    root: list[Any] = [None]
    stack: list[tuple[Any, Any, Any, str]] = [(value, root, 0, "")]
    while stack:
        node, into, at, how = stack.pop()
        if isinstance(node, str):
            into[at] = node if how in ("keep", "all") else mask(node)
        elif isinstance(node, dict):
            into[at] = _masked_dict(node, how, stack)
        elif isinstance(node, (list, tuple)):
            listed: list[Any] = list(node)
            into[at] = listed
            stack += [(c, listed, n, how) for n, c in enumerate(listed) if isinstance(c, (str, dict, list, tuple))]
        else:
            into[at] = node
    return root[0]


def _masked_dict(node: dict[Any, Any], how: str, stack: list[tuple[Any, Any, Any, str]]) -> dict[Any, Any]:
    """The dict with its keys; what is below them goes on the stack, except labels and a table's strings."""
    new: dict[Any, Any] = {}
    strings = _masked_strings(node) if how != "free" else None
    for key, child in node.items():
        shown = unused(new, key if not isinstance(key, str) or _is_plain(key) else mask(key))
        new[shown] = None
        if strings is not None and key == "strings":
            new[shown] = strings
        elif key == _LABEL and isinstance(child, str) and how == "":
            new[shown] = mask_label(child, node.get("toolName"))
        else:
            stack.append((child, new, shown, _how(key, how)))
    return new


def _how(key: Any, above: str) -> str:
    """What becomes of strings below a key: "keep" and "all" keep them ("all": at any depth), "free" keeps nothing."""
    if above in ("free", "all"):
        return above
    if key in _FREE:
        return "free"
    return "all" if key == "generator" else "keep" if key in KEPT else ""


def _masked_strings(node: dict[Any, Any]) -> list[str] | None:
    """The interned strings of a payload's `table`: what a kept column uses stays, labels and targets are masked."""
    strings, columns = node.get("strings"), node.get("columns")
    if not isinstance(strings, list) or not isinstance(columns, dict):
        return None
    kept = {
        n
        for name, column in columns.items()
        if name in KEPT
        for cell in column
        for n in (cell if isinstance(cell, list) else [cell])
        if isinstance(n, int)
    }
    labels = dict(zip(columns.get(_LABEL, ()), columns.get("toolName", ()), strict=False))
    return [s if n in kept else mask_label(s, _at(strings, labels.get(n))) for n, s in enumerate(strings)]


def _at(strings: list[str], index: object) -> str | None:
    return strings[index] if isinstance(index, int) and 0 <= index < len(strings) else None
