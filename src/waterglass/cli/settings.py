"""A project's settings: `waterglass.toml`, or the table `tool.waterglass` of a `pyproject.toml`."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import click
from msgspec import Struct

FILES = ("waterglass.toml", "pyproject.toml")
KEYS = frozenset({"window", "scope", "threshold", "state_files", "verify", "keep_text", "density_warn", "plugins"})
_OTHER_SPELLINGS = frozenset({"state-files", "density-warn"})
_MOST_NAMED = 5  # keys that are not known
MOST_FOLDERS = 64  # upwards; a path has at most 4,096 characters, and nobody nests a project so deep


class Table(Struct, frozen=True):
    """What a settings file says, and where it lies."""

    path: str
    values: dict[str, Any]

    @property
    def folder(self) -> str:
        """The folder of the file: the project that it speaks for."""
        return os.path.dirname(os.path.abspath(self.path))


def read_table(path: str) -> Table:
    """Return the settings of a file. Raises click.BadParameter for a file that is not there, no regular
    one or no TOML."""
    import tomllib

    from waterglass.discover.peek import open_regular

    try:
        with open(open_regular(os.path.realpath(path)), "rb") as stream:
            table = tomllib.load(stream)
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{path} is no TOML file: {error}") from error
    except RecursionError as error:
        raise click.BadParameter(f"{path}: nested too deeply for settings") from error
    values = _own(path, table)
    unknown = sorted(values.keys() - KEYS - _OTHER_SPELLINGS)
    if unknown:
        _say_unknown(path, ", ".join(unknown[:_MOST_NAMED]))
    return Table(path, values)


@cache
def _say_unknown(path: str, keys: str) -> None:
    """Say once on stderr which keys change nothing: a slip of the pen must not look like a setting that holds."""
    from waterglass.cli.terminal import visible

    click.echo(visible(f"waterglass: no such setting: {keys} ({path}). Known: {', '.join(sorted(KEYS))}"), err=True)


def _own(path: str, table: dict[str, Any]) -> dict[str, Any]:
    if os.path.basename(path) != "pyproject.toml":
        return table
    tools = table.get("tool")
    own = tools.get("waterglass") if isinstance(tools, dict) else None
    return own if isinstance(own, dict) else {}


def nearest_table(folder: str) -> Table | None:
    """Return the settings of the project that `folder` lies in: of the first folder upwards that has some, no further
    than the repository. A file that cannot be read as TOML is said, not passed over."""
    at = os.path.abspath(folder)
    for _ in range(MOST_FOLDERS):
        for name in FILES:
            path = os.path.join(at, name)
            if os.path.isfile(path):
                found = read_table(path)
                if found.values or name == FILES[0]:
                    return found
        above = os.path.dirname(at)
        if above == at or os.path.exists(os.path.join(at, ".git")):
            return None
        at = above
    return None


def speaks_for(table: Table, project: str | None) -> bool:
    """Whether a file that was found by itself is about this project: one's settings must not judge another's work."""
    if project is None:
        return False
    folder, path = os.path.realpath(table.folder), os.path.realpath(project)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
