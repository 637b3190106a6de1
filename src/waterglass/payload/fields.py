"""The names of a document's own fields, as apart from names that a transcript gave."""

from __future__ import annotations

from typing import Any

# Below these the keys are a transcript's: models, tools, unknown types, what a call was given.
_GIVEN = frozenset(
    {"byModel", "unknownRecordTypes", "unknownBlockTypes", "detail", "input", "output", "call", "result"}
)


def field_names(document: Any) -> frozenset[str]:
    """Return every key of a document that is ours: a person may be called as one of them, and it must stay."""
    found: set[str] = set()
    todo: list[Any] = [document]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            for key, child in node.items():
                found.add(key)
                if key not in _GIVEN and isinstance(child, (dict, list)):
                    todo.append(child)
        elif isinstance(node, list) and node and isinstance(node[0], (dict, list)):
            todo.extend(node)
    return frozenset(found)
