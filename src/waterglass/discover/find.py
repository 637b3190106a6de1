"""From what a person typed to one session."""

from __future__ import annotations

import os

from waterglass.discover.heads import read_head
from waterglass.discover.peek import read_owner
from waterglass.discover.refs import Discovery, SessionRef
from waterglass.discover.roots import Roots
from waterglass.discover.scan import discover, discover_folder
from waterglass.errors import WaterglassError
from waterglass.schema.layout import AGENTS_FOLDER, PACKED, TRANSCRIPT, agent_id, project_of, session_id, written

SHORTEST_PREFIX = 4
_CANDIDATES = 5
LATEST = "latest"


def is_path(text: str) -> bool:
    """Does this name a file, rather than a session by id or `latest`?"""
    return text.removesuffix(PACKED).endswith(TRANSCRIPT) or "/" in text or os.sep in text


def resolve(
    text: str | os.PathLike[str], roots: Roots | None = None, cwd: str | None = None
) -> tuple[SessionRef, Discovery]:
    """Return the session that `text` names and all sessions in sight of it.

    For a path these are the sessions of its project folder, else those of the roots. Raises WaterglassError.
    """
    if not isinstance(text, str):
        text = os.path.abspath(text)  # nobody gives a path and means an id
    if is_path(text):
        session, folder = _place(text)
        discovery = discover_folder(folder)
        return _exact(discovery, session, text), discovery
    discovery = discover(roots)
    return find(discovery, text, cwd), discovery


def find(discovery: Discovery, text: str, cwd: str | None = None) -> SessionRef:
    """Return the session that `text` names.

    It is a path to a `.jsonl`, an id, a unique prefix of one (4 characters or more), or `latest`: the newest session of
    the project that `cwd` lies in, else the newest of all. Raises WaterglassError: no such session, or several.
    """
    if is_path(text):
        return beside(text)
    if text == LATEST:
        return latest(discovery, cwd)
    if not discovery.sessions:
        raise _a_folder(text) if os.path.isdir(text) else nothing_found(discovery)
    wanted = _as_an_id(text)
    matches = [ref for ref in discovery.sessions if ref.id == wanted]
    if not matches and len(text) >= SHORTEST_PREFIX:
        matches = [ref for ref in discovery.sessions if ref.id.startswith(wanted)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        shown = ", ".join(ref.id for ref in matches[:_CANDIDATES]) + (", …" if len(matches) > _CANDIDATES else "")
        raise WaterglassError(f"{len(matches)} sessions begin with this", text, f"one of {shown}")
    for file in discovery.unreadable:
        name = session_id(os.path.basename(file.path))
        if name is not None and (name == wanted or (len(text) >= SHORTEST_PREFIX and name.startswith(wanted))):
            raise WaterglassError(f"cannot read the transcript ({file.reason})", file.path, "check who may read it")
    if os.path.isdir(text):
        raise _a_folder(text)
    if os.path.isfile(text):
        raise WaterglassError("not a transcript", written(text), "give a file whose name ends in .jsonl")
    if len(text) < SHORTEST_PREFIX:
        raise WaterglassError(
            "too short for a session's id", text, f"give {SHORTEST_PREFIX} characters or more, or `latest`"
        )
    raise WaterglassError(
        "no session has this id", text, "`waterglass list` shows those that are there; --root names another folder"
    )


def _as_an_id(text: str) -> str:
    """Return a name as ids are written: bytes that are no UTF-8, as a shell completes them, as `\\xff`."""
    try:
        return written(text)
    except UnicodeEncodeError:  # half of a pair, which no file's name has
        return text


def nothing_found(discovery: Discovery) -> WaterglassError:
    """Return the error that says where was looked and what to try."""
    there = [written(place.path) for place in discovery.looked_in if place.exists]
    gone = [written(place.path) for place in discovery.looked_in if not place.exists]
    hint = "--root DIR with a folder of project folders, as ~/.claude/projects, or `waterglass sample`"
    if not there:
        return WaterglassError("no such folder", ", ".join(gone), hint)
    if discovery.unreadable:
        first = discovery.unreadable[0]
        more = f" and {len(discovery.unreadable) - 1} more" if len(discovery.unreadable) > 1 else ""
        return WaterglassError(
            f"cannot read the transcripts ({first.reason})", first.path + more, "make them readable for you"
        )
    for place in discovery.looked_in:
        if place.exists and _is_a_project_s(place.path):
            above = written(os.path.dirname(os.path.abspath(place.path)))
            return WaterglassError(
                "this is one project's folder", written(place.path), f"--root {above}, the one above"
            )
    missing = f" (not there: {', '.join(gone)})" if gone else ""
    return WaterglassError("no session found", ", ".join(there) + missing, hint)


def _is_a_project_s(folder: str) -> bool:
    """Whether transcripts lie in the folder itself."""
    try:
        return any(session_id(name) is not None for name in os.listdir(folder))
    except OSError:
        return False


def latest(discovery: Discovery, cwd: str | None = None) -> SessionRef:
    """Return the session with the newest record, of the project that `cwd` lies in if it has any.

    Raises WaterglassError where there is none.
    """
    if not discovery.sessions:
        raise nothing_found(discovery)
    newest: dict[str | None, tuple[int, SessionRef]] = {}
    for ref in discovery.sessions:
        head = read_head(ref)
        if len(head.unreadable) == len(ref.files):
            continue
        ms = head.last_ms or 0
        for project in {head.project, None}:
            if project not in newest or ms > newest[project][0]:
                newest[project] = (ms, ref)
    at = project_of(cwd)[0] if cwd else ""
    while at:
        if at in newest:
            return newest[at][1]
        at = parent if (parent := os.path.dirname(at)) != at else ""
    if None not in newest:
        raise nothing_found(discovery)
    return newest[None][1]


def beside(path: str) -> SessionRef:
    """Return the session of a transcript, with its other files beside that path. Raises WaterglassError."""
    session, folder = _place(path)
    return _exact(discover_folder(folder), session, path)


def _exact(discovery: Discovery, session: str, path: str) -> SessionRef:
    for ref in discovery.sessions:
        if ref.id == session:
            return ref
    for ref in discovery.sessions:  # a file with several names is listed under the first
        if any(_is_same(file.path, path) for file in ref.files if file.kind == "main"):
            return ref
    for file in discovery.unreadable:
        if session_id(os.path.basename(file.path)) == session:
            raise WaterglassError(f"cannot read the transcript ({file.reason})", file.path, "check who may read it")
    raise WaterglassError("not a session's transcript", written(path), "give the .jsonl file of a session")


def _is_same(one: str, other: str) -> bool:
    """Are these two names of one file?"""
    try:
        return os.stat(other).st_nlink > 1 and os.path.samefile(one, other)
    except OSError:
        return False


def _a_folder(path: str) -> WaterglassError:
    shown = path if path.strip(".") else os.path.abspath(path)  # a dot at a sentence's end says nothing
    return WaterglassError(
        "a folder, not a transcript", written(shown), "give a .jsonl file, or the folder with --root"
    )


def _place(path: str) -> tuple[str, str]:
    """Return the session id and the project folder of a transcript's path. A link given by hand is followed."""
    real = os.path.realpath(path)
    if not os.path.exists(real):
        raise WaterglassError("no such file", written(path), "`waterglass list` shows the sessions that are there")
    if os.path.isdir(real):
        raise _a_folder(path)
    if not os.path.isfile(real):
        raise WaterglassError("not a regular file", written(path), "give the .jsonl file of a session")
    folder, name = os.path.split(real)
    if (session := session_id(name)) is not None:
        return session, folder
    if agent_id(name) is None:
        raise WaterglassError("not a transcript", written(path), "give a file whose name ends in .jsonl")
    above = folder
    while os.path.dirname(above) != above:
        above, part = os.path.split(above)
        if part == AGENTS_FOLDER:
            return written(os.path.basename(above)), os.path.dirname(above)
    try:
        owner = read_owner(real)
    except OSError as error:
        raise WaterglassError(
            f"cannot read the transcript ({error.strerror})", written(path), "check who may read it"
        ) from error
    if owner is None:
        raise WaterglassError(
            "an agent's file that names no session", written(path), "give the .jsonl file of its session"
        )
    return owner, folder
