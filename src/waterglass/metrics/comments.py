"""Does an edit change comments or the project's own version alone? Then no check could say anything of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MARKS = {
    "#": "py pyi rb rake sh bash zsh fish pl pm r jl ex exs ps1 tf hcl nim graphql gql",
    "//": "js jsx mjs cjs ts tsx mts cts vue svelte go rs c h cc cpp cxx hpp hh m mm swift kt kts java scala groovy cs "
    "fs php dart zig sol proto v sv css scss less",
    "--": "lua hs elm vhd",
    ";": "clj cljs",
}
_MARK_OF = {ending: mark for mark, endings in _MARKS.items() for ending in endings.split()}
# Inside /* … */ a line may begin with a star alone; " * x" may also be code in C, so the block must be seen to open.
_BLOCK = re.compile(r"/\*.*?\*/", re.DOTALL)
# A comment that a tool reads is no comment.
_READ_BY_TOOLS = re.compile(
    r"noqa|nosec|nolint|type:|pylint|pyright|mypy|ruff|eslint|prettier|biome|tslint|istanbul|c8 |v8 |pragma|go:|\+build"
    r"|@(?:ts-|type|jsx|flow|vue|jest|vitest)|rubocop|shellcheck|swiftlint|ktlint|clang-|phpcs|phpstan|#!|coding[:=]|jshint"
    r"|webpack|vite|cspell|sourceMapping",
    re.IGNORECASE,
)
# `__version__ = "1.2.3"`, `"version": "18.0.1.2",`: the number that is raised for a release.
_VERSION = re.compile(
    r"^(\s*(?:export\s+)?(?:const\s+|var\s+|let\s+)?[\"']?(?:__)?version(?:__)?[\"']?\s*[:=]\s*[\"'])v?\d+(?:\.\d+){1,5}"
    r"([\"'][,;]?)$",
    re.IGNORECASE,
)
_MOST = 2_000  # characters of one side of an edit


def only_comments(path: str, arguments: Mapping[str, object]) -> bool:
    """Whether the edit that these arguments ask for changes comments, blank lines and the version of the file alone.

    False where it cannot be told: the texts are not there (a long edit's are not kept in memory), the language is not
    known, or a comment is one that a tool reads.
    """
    edits = arguments.get("edits")
    parts = [one for one in edits if isinstance(one, Mapping)] if isinstance(edits, list) else [arguments]
    mark = _MARK_OF.get(path.rpartition(".")[2].lower())
    return mark is not None and bool(parts) and all(_same_code(mark, one) for one in parts)


def _same_code(mark: str, edit: Mapping[str, object]) -> bool:
    old, new = edit.get("old_string"), edit.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str) or len(old) > _MOST or len(new) > _MOST or old == new:
        return False
    before, after = _code(mark, old), _code(mark, new)
    return before is not None and before == after


def _code(mark: str, text: str) -> list[str] | None:
    """The lines of code without the number of a version, None where a comment is one that a tool reads."""
    if mark == "//":
        if any(_READ_BY_TOOLS.search(block) for block in _BLOCK.findall(text)):
            return None
        text = _BLOCK.sub("", text)
    kept: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(mark):
            if _READ_BY_TOOLS.search(bare):
                return None
        elif bare:
            kept.append(_VERSION.sub(r"\1\2", line.rstrip()))
    return kept
