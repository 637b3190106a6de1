"""Where Claude Code keeps transcripts, and what its folder and file names mean.

    <root>/<project folder>/<session id>.jsonl                                   a session's main transcript
    <root>/<project folder>/agent-<agent id>.jsonl                               a sub-agent beside it (2.0.28 - 2.1.1)
    <root>/<project folder>/<session id>/subagents/**/agent-<agent id>.jsonl     a sub-agent (2.1.2 and later)
    <root>/<project folder>/<session id>/subagents/**/agent-<agent id>.meta.json its sidecar (2.1.50 and later)
    <root>/<project folder>/<session id>/tool-results/                           long outputs, no transcripts
    <root>/<project folder>/sessions-index.json                                  titles, long out of date

A project folder's name folds many characters into `-`, so it is never decoded. In a folder that `waterglass archive`
wrote, transcripts and long outputs end in `.gz`.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

TRANSCRIPT = ".jsonl"
PACKED = ".gz"
SIDECAR = ".meta.json"
AGENT = "agent-"
AGENTS_FOLDER = "subagents"
RESULTS_FOLDER = "tool-results"
PROJECTS_FOLDER = "projects"
TITLES_FILE = "sessions-index.json"

# `agent-acompact-…` and the like hold requests that the program made for itself; no call started them. A fork is named
# `a<slug>-<hex16>` and a slug has several words, so a second dash means a fork whose slug happens to begin so.
_INTERNAL = re.compile(r"(?:acompact|aprompt_suggestion|aside_question)(?:-[0-9A-Za-z]*)?")
_WORKTREE = re.compile(r"(?s)(.+?)[/\\](?:\.claude[/\\]worktrees|\.worktrees)[/\\][^/\\]+")
_DRIVE = re.compile(r"[A-Za-z]:(?:[/\\]|$)")


def is_packed(path: str) -> bool:
    """Has the file the name of a compressed one?"""
    return path.endswith(PACKED)


def stem(path: str) -> str:
    """Return the path or name of a transcript without what tells that it is one."""
    return path.removesuffix(PACKED).removesuffix(TRANSCRIPT)


def session_id(name: str) -> str | None:
    """Return the id of the session whose main transcript has this file name, or None for any other file."""
    name = name.removesuffix(PACKED)
    if not name.endswith(TRANSCRIPT) or name.startswith(AGENT):
        return None
    return written(name.removesuffix(TRANSCRIPT)) or None


def agent_id(name: str) -> str | None:
    """Return the id of the sub-agent whose transcript has this file name, or None for any other file."""
    name = name.removesuffix(PACKED)
    if not name.startswith(AGENT) or not name.endswith(TRANSCRIPT):
        return None
    return written(name[len(AGENT) : -len(TRANSCRIPT)]) or None


def sidecar_name(name: str) -> str:
    """Return the file name of the sidecar of an agent's transcript."""
    return stem(name) + SIDECAR


def is_internal(agent: str) -> bool:
    """Did the program write this agent's file for itself (compaction, prompt suggestion, side question)?"""
    return _INTERNAL.fullmatch(agent) is not None


def written(path: str) -> str:
    """Return a path or name as it can be written in JSON: bytes that are no UTF-8 become `\\xff`."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def project_of(cwd: str) -> tuple[str, str | None]:
    """Return the project that a working directory belongs to, and the worktree if it lies in one.

    A path with a drive letter is written with a capital letter, backslashes and no slash at the end.
    """
    path = windows_path(cwd)
    match = _WORKTREE.match(path)
    return (match.group(1), match.group(0)) if match else (path, None)


def windows_path(path: str) -> str:
    """Return `c:/data/app/` as `C:\\data\\app`; a path without a drive letter is returned as it is."""
    if not _DRIVE.match(path):
        return path
    path = path[0].upper() + path[1:].replace("/", "\\").rstrip("\\")
    return path + "\\" if len(path) == 2 else path


class _IndexEntry(Struct):
    sessionId: str | None = None
    summary: str | None = None
    customTitle: str | None = None


class _Index(Struct):
    entries: list[msgspec.Raw] = []


def titles(data: bytes) -> dict[str, str]:
    """Return the titles by session id that the bytes of `sessions-index.json` hold; what does not fit is left out."""
    found: dict[str, str] = {}
    try:
        entries = msgspec.json.decode(data, type=_Index).entries
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return found
    for raw in entries:
        try:
            entry = msgspec.json.decode(raw, type=_IndexEntry)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            continue
        title = entry.customTitle or entry.summary
        if entry.sessionId and title:
            found[entry.sessionId] = title
    return found
