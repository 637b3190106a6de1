"""What kind of file a path names, seen from the project: could a check cover it, is it the agent's own, is it in the
scope."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from waterglass.classify.targets import relative_path
from waterglass.errors import WaterglassError
from waterglass.metrics.table import any_of, table

_WORKTREE = re.compile(r"^.*?/\.(?:claude/)?worktrees/[^/]+/")
_MEMORY = re.compile(r"/\.claude/projects/[^/]+/memory/")
_HOME_FILE = re.compile(r"^(?:~|/users/[^/]+|/home/[^/]+|/root|c:/users/[^/]+)/\.")
_ABSOLUTE = re.compile(r"^(?:/|~|[A-Za-z]:/|\$)")


def project_path(target: str, cwd: str | None, root: str | None) -> str:
    """Return a call's target as a POSIX path below the project's root, as it is where it lies elsewhere.

    `target` is relative to `cwd`, the folder that the call was made in. A file in a worktree of the repository has its
    path in the worktree.
    """
    path = target.removeprefix("/private") if target.startswith(("/private/tmp/", "/private/var/")) else target
    if cwd and (cwd != root or path.startswith("..")) and not _ABSOLUTE.match(path):
        path = relative_path(f"{cwd}/{path}", None) or path
    if root and is_outside(path):
        path = relative_path(path, root) or path
    if "worktrees/" in path:
        inside = _WORKTREE.sub("", path if is_outside(path) else f"/{path}", count=1)
        path = inside if is_outside(path) else inside.removeprefix("/")
    return path


def is_outside(path: str) -> bool:
    """Whether a path made by `project_path` lies outside the project's root, or nowhere that can be told."""
    return _ABSOLUTE.match(path) is not None or path.startswith("../") or path == ".."


@lru_cache(maxsize=4096)
def kind_of(path: str) -> str:
    """Return what a file is to a check, by its path alone.

    `code`: a check could cover it. `markup` (and what builds are made from): one could where there are checks at all.
    `prose`, `media`, `unchecked` (settings, data): none surely does. `temporary`, `own` (the agent's plans, notes and
    memory) and `generated` are no part of the work.
    """
    known = table()
    lowered = path.lower()
    slashed = f"/{lowered}"
    if lowered.startswith(known.temporary) or any(part in slashed for part in known.temporary_anywhere):
        return "temporary"
    if any(part in slashed for part in known.own_inside):
        return "own"
    *folders, name = lowered.split("/")
    if is_plan(path) or default_states()(path):
        return "own"
    if not is_outside(path) and not known.temporary_inside.isdisjoint(folders):
        return "temporary"
    if not known.generated.isdisjoint(folders) or name in known.generated:
        return "generated"
    while name.endswith(known.copies) or name.endswith("~"):
        name = name[:-1] if name.endswith("~") else name.rpartition(".")[0]
    ending = name.rpartition(".")[2] if "." in name[1:] else ""
    kind = known.names.get(name)
    if kind is None and ending not in known.endings:
        kind = known.names.get(name.partition(".")[0])  # LICENSE.MIT
    if kind is not None:
        return kind
    if not known.unchecked.isdisjoint(folders) or _HOME_FILE.match(lowered):
        return "unchecked"
    return known.endings.get(ending, "unchecked")


def kind_below(root: str | None, path: str) -> str:
    """Return the kind of a file below a project's root, whose own name may say what lies in it: `~/.claude` holds
    settings, as the `.claude` of a project does."""
    name = (root or "").rstrip("/").rpartition("/")[2].lower()
    return kind_of(path if name not in table().unchecked or is_outside(path) else f"{name}/{path}")


def is_plan(path: str) -> bool:
    """Whether a path is a plan of the agent by its name."""
    return table().plans.search(path.lower()) is not None


@lru_cache(maxsize=16)
def state_matcher(globs: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that says whether a path is a state file: by `globs`, without any by the usual names."""
    pattern = any_of(globs or table().state)

    @lru_cache(maxsize=4096)  # the same files are named again and again
    def is_state(path: str) -> bool:
        return pattern.search(path.lower()) is not None

    return is_state


def default_states() -> Callable[[str], bool]:
    """Return the function for the usual names."""
    return state_matcher(())


def is_generated(path: str) -> bool:
    """Whether a path lies in a folder that a program fills: dependencies, build output."""
    return not table().generated.isdisjoint(path.lower().split("/")[:-1])


def is_loaded(path: str) -> bool:
    """Whether the program puts the file into the context by itself: at the start, or once it reads in that folder.

    Of a memory folder it loads at least the index.
    """
    if _MEMORY.search(path.lower()):
        return True
    return table().loaded.search(path.lower()) is not None


def _from_root(glob: str, root: str | None) -> str:
    excludes, pattern = glob[:1] == "!", glob.removeprefix("!")
    if root and root[1:2] == ":":
        pattern = pattern.replace("\\", "/")
    if root and pattern.startswith(f"{root.rstrip('/')}/"):
        pattern = pattern[len(root.rstrip("/")) :]
    elif pattern.startswith("./"):
        pattern = pattern[1:]
    return f"!{pattern}" if excludes else pattern


def outside_scope(globs: tuple[str, ...], root: str | None = None) -> Callable[[str], bool]:
    """Return a function that says whether a path lies outside the scope, by the rules of a .gitignore.

    A pattern may begin with `./`, or with the project's root: a .gitignore knows neither, people write both.
    Raises WaterglassError where the patterns name nothing: every file would lie outside.
    """
    from pathspec import GitIgnoreSpec  # late: only a scope needs it

    spec = GitIgnoreSpec.from_lines([_from_root(glob, root) for glob in globs])
    if not any(pattern.include for pattern in spec.patterns):
        raise WaterglassError("the scope names no files", ", ".join(globs)[:200], "patterns such as src/ or *.py")
    return lambda path: is_outside(path) or not spec.match_file(path)
