"""The files that a call names: POSIX paths, relative to the working directory when inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from waterglass.classify.table import LIST_KEYS, NO_FILE, PATH_KEYS

# PATH_MAX of Linux; a longer "path" is a text under a wrong key.
MAX_PATH = 4096
MAX_TARGETS = 1000


def targets_of(tool_input: Mapping[object, object], cwd: str | None) -> tuple[str, ...]:
    """The paths in the arguments of a call, each once, in order."""
    found: dict[str, None] = {}
    for path in _paths(tool_input):
        target = relative_path(path, cwd)
        if target is not None:
            found[target] = None
        if len(found) >= MAX_TARGETS:
            break
    return tuple(found)


def _paths(tool_input: Mapping[object, object]) -> Iterator[str]:
    for key, value in tool_input.items():
        if not isinstance(key, str) or not value:
            continue
        lowered = key.lower()
        named = lowered in PATH_KEYS or lowered.endswith("path")
        if isinstance(value, str):
            if named and lowered not in NO_FILE:
                yield value
        elif isinstance(value, list | tuple) and (named or lowered in LIST_KEYS or lowered == "replacements"):
            for item in value[:MAX_TARGETS]:
                if isinstance(item, str):
                    yield item
                elif isinstance(item, Mapping):
                    yield from (path for path in (item.get("path"), item.get("filePath")) if isinstance(path, str))


def relative_path(path: str, cwd: str | None) -> str | None:
    """`path` as a target, or None when it is no path of a file (empty, a URL, too long)."""
    if path.startswith("file://"):
        path = _from_file_url(path)
    if not path or len(path) > MAX_PATH or "://" in path or "\n" in path or "\0" in path:
        return None
    return _relative(path, cwd)


@lru_cache(maxsize=2_048)  # a session names the same files again and again; some 0.3 MB where they are long
def _relative(path: str, cwd: str | None) -> str:
    base, windows = _base(cwd)
    if "\\" in path and (windows or path[1:2] == ":" or path.startswith("\\\\") or "/" not in path):
        path = path.replace("\\", "/")
    if path[1:3] == ":/" and path[0].isalpha():
        path = path[0].upper() + path[1:]
        windows = windows or path[:2] == base[:2]
    elif windows and path[:1] == "/" and path[2:3] in ("/", "") and path[1:2].isalpha():
        # Git Bash writes C:\Data as /c/Data.
        path = f"{path[1].upper()}:{path[2:] or '/'}"
    if "/." in path or "//" in path or path.startswith("./") or path[-1] in "/.":
        path = _normal(path)
    if base and path.startswith(base):
        return _inside(path, base)
    if windows and base and path[: len(base)].lower() == base.lower():
        return _inside(path, base)
    return path


def _inside(path: str, base: str) -> str:
    rest = path[len(base) :]
    if not rest:
        return "."
    if base == "/" or base.endswith(":/"):
        return rest
    return rest[1:] if rest[0] == "/" else path


@lru_cache(maxsize=256)
def _base(cwd: str | None) -> tuple[str, bool]:
    if not cwd:
        return "", False
    windows = cwd[1:2] == ":" or cwd.startswith("\\\\")
    if windows:
        cwd = cwd[0].upper() + cwd[1:].replace("\\", "/") if cwd[1:2] == ":" else cwd.replace("\\", "/")
    return _normal(cwd), windows


def _normal(path: str) -> str:
    # Not posixpath.normpath: it keeps a leading "//" and knows no drives.
    root = ""
    if path.startswith("//") and path[2:3] not in ("/", ""):
        root, path = "//", path[2:]
    elif path.startswith("/"):
        root = "/"
    elif path[1:3] == ":/":
        root, path = path[:3], path[3:]
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts and parts[-1] != "..":
                parts.pop()
            elif not root:
                parts.append(part)
        elif part not in ("", "."):
            parts.append(part)
    return root + "/".join(parts) or "."


def _from_file_url(url: str) -> str:
    from urllib.parse import unquote  # late: rare, and its import costs milliseconds

    path = unquote(url[len("file://") :][: MAX_PATH * 3])
    # file:///c:/Data
    return path[1:] if path[2:3] == ":" else path
