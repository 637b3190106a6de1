"""Level `structure`: names, times, sizes and outcomes of a payload stay; every free text becomes its length."""

from __future__ import annotations

import re
from typing import Any

from waterglass.redact.tables import tables

_MARK = re.compile(r"\[\d+ chars\](?: \(\d+\))?")
_REMOVED = re.compile(r"\[(?:REDACTED:[a-z_]+#\d+|user|host)\](?: \(\d+\))?")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,40}")
# Strings under these keys are ids, tags or versions. Everything else that is a string is somebody's words.
KEPT = frozenset(tables()["structure"]["kept"])
# Below these keys nothing is kept, whatever its name is.
_FREE = frozenset({"input", "output", "raw", "tool", "result"})
_LABELS = frozenset({"label", "display"})


def mask(text: str) -> str:
    """The length marker of a text; a marker stays as it is."""
    return text if not text or _MARK.fullmatch(text) else f"[{len(text)} chars]"


def _is_plain(key: str) -> bool:
    return _PLAIN_KEY.fullmatch(_REMOVED.sub("x", key)) is not None


def mask_label(text: str) -> str:
    """`Bash: npm test` keeps its tool."""
    tool, colon, argument = text.partition(": ")
    return f"{tool}: {mask(argument)}" if colon and _is_plain(tool) else mask(text) if " " in text else text


def mask_value(value: Any) -> Any:
    """A payload, or a part of one, with lengths in place of texts. Keys stay if they look like names of fields."""
    root: list[Any] = [None]
    stack: list[tuple[Any, Any, Any, str]] = [(value, root, 0, "")]
    while stack:
        node, into, at, how = stack.pop()
        if isinstance(node, str):
            into[at] = node if how == "keep" else mask_label(node) if how == "label" else mask(node)
        elif isinstance(node, dict):
            new: dict[str, Any] = {}
            into[at] = new
            table = _masked_strings(node) if how != "free" else None
            for key, child in node.items():
                shown = _unused(new, key if _is_plain(key) else mask(key))
                new[shown] = None
                if table is not None and key == "strings":
                    new[shown] = table
                else:
                    stack.append((child, new, shown, _how(key, how)))
        elif isinstance(node, (list, tuple)):
            listed: list[Any] = list(node)
            into[at] = listed
            stack += [(c, listed, n, how) for n, c in enumerate(listed) if isinstance(c, (str, dict, list, tuple))]
        else:
            into[at] = node
    return root[0]


def _how(key: str, above: str) -> str:
    if above == "free" or key in _FREE:
        return "free"
    return "keep" if key in KEPT else "label" if key in _LABELS else ""


def _unused(new: dict[str, Any], key: str) -> str:
    """A key that `new` does not have yet: two long keys of one length must not become one."""
    shown, n = key, 2
    while shown in new:
        shown, n = f"{key} ({n})", n + 1
    return shown


def _masked_strings(node: dict[str, Any]) -> list[str] | None:
    """The interned strings of a payload's `table`: what a kept column uses stays, labels and targets are masked."""
    strings, columns = node.get("strings"), node.get("columns")
    if not isinstance(strings, list) or not isinstance(columns, dict):
        return None
    kept, labels = set[int](), set[int]()
    for name, column in columns.items():
        if name in KEPT or name in _LABELS:
            uses = kept if name in KEPT else labels
            for cell in column:
                uses.update(cell if isinstance(cell, list) else [cell] if isinstance(cell, int) else [])
    return [s if n in kept else mask_label(s) if n in labels else mask(s) for n, s in enumerate(strings)]
