"""Which folders hold transcripts."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from waterglass.discover.kept import with_kept
from waterglass.discover.refs import LookedIn
from waterglass.schema.layout import PROJECTS_FOLDER

Roots: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def roots_from(given: Sequence[str], env: Mapping[str, str], home: str, windows: bool) -> list[str]:
    """Return the folders to look in, whether they exist or not.

    `given` alone if there is any; else what `CLAUDE_CONFIG_DIR` names (several are separated by commas) alone; else the
    places that Claude Code has used.
    """
    if given:
        return list(given)
    join = ntpath.join if windows else posixpath.join
    named = [part.strip() for part in env.get("CLAUDE_CONFIG_DIR", "").split(",") if part.strip()]
    if named:
        return [join(part, PROJECTS_FOLDER) for part in named]
    places = [join(home, ".claude")]
    if env.get("XDG_CONFIG_HOME"):
        places.append(join(env["XDG_CONFIG_HOME"], "claude"))
    places.append(join(home, ".config", "claude"))
    if windows:
        if env.get("USERPROFILE"):
            places.append(join(env["USERPROFILE"], ".claude"))
        if env.get("APPDATA"):
            places.append(join(env["APPDATA"], "Claude"))
    return list(dict.fromkeys(join(place, PROJECTS_FOLDER) for place in places))


def look_in(roots: Roots | None) -> list[LookedIn]:
    """Return the folders to look in: `roots`, or without any those of this machine's user.

    A given folder that holds `projects/` stands for that one. Of several ways to one directory the first counts. After
    them come the folders of what is kept of each.
    """
    if roots:
        # A text is a sequence of texts too, and nobody means its characters.
        given = [os.fspath(r) for r in ([roots] if isinstance(roots, str | os.PathLike) else roots)]
        wanted = [
            os.path.join(r, PROJECTS_FOLDER) if os.path.isdir(os.path.join(r, PROJECTS_FOLDER)) else r for r in given
        ]
    else:
        wanted = roots_from((), os.environ, os.path.expanduser("~"), os.name == "nt")
    places: list[LookedIn] = []
    seen: set[tuple[int, int]] = set()
    for path in wanted:
        try:
            is_folder, status = os.path.isdir(path), os.stat(path)
        except OSError:
            is_folder = False
        if not is_folder:
            places.append(LookedIn(path, False))
        elif (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            places.append(LookedIn(path, True))
    return with_kept(places)
