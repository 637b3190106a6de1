"""The part of a call's input that `classify` reads: small enough to stay in memory for every call of a long session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from waterglass.classify.table import LIST_KEYS, PATH_KEYS, tool_named

# A path has at most 4,096 characters, a label reads 800; a shell line is judged by its first 20,000.
_KEPT = 4_200
_KEPT_COMMAND = 20_000
_COUNTED = frozenset({"todos", "questions", "findings", "invocations"})
_NOTHING: Mapping[str, object] = {}


def kept_arguments(name: str, tool_input: object) -> Mapping[str, object]:
    """Return the arguments of a call of tool `name` that say what it does, long texts cut; `classify` says the same
    of them."""
    if not isinstance(tool_input, dict) or not tool_input:
        return _NOTHING
    wanted, any_text = _wanted_by(name)
    kept: dict[str, object] = {}
    for key, value in tool_input.items():
        want = wanted.get(key)
        if want is None:
            want = wanted[key[:200]] = _is_wanted(key) if len(wanted) < 500 else False
        if isinstance(value, str):
            if not want and not any_text:
                continue
            room = _KEPT_COMMAND if key == "command" else _KEPT
            kept[key] = value if len(value) <= room else value[:room]
        elif want or key in _COUNTED:
            kept[key] = value
    return kept


@lru_cache(maxsize=1024)
def _wanted_by(name: str) -> tuple[dict[str, bool], bool]:
    tool = tool_named(name)
    named = {key for group in tool.labels for key in group}
    return dict.fromkeys((*named, "command", "run_in_background"), True), "*" in named


def _is_wanted(key: object) -> bool:
    """Whether an argument of this name can hold paths, by the rule of `targets`."""
    if not isinstance(key, str):
        return False
    lowered = key.lower()
    return lowered in PATH_KEYS or lowered in LIST_KEYS or lowered == "replacements" or lowered.endswith("path")
