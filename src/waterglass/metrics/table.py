"""The table of files and commands, read once from `tables/metrics.toml`, turned into look-ups."""

from __future__ import annotations

import re
from functools import cache

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/metrics.toml"

Commands = dict[str, list[tuple[str, ...]]]  # program to the words that must stand among its arguments


class Table:
    """The file's tables as look-ups; the attributes mirror its sections."""

    def __init__(self, text: str) -> None:
        import tomllib  # late: nothing is paid for it where no metric is asked for

        raw = tomllib.loads(text)
        self.endings: dict[str, str] = {
            ending: kind for kind in ("code", "markup", "prose", "media") for ending in raw["endings"][kind].split()
        }
        self.copies = tuple(f".{ending}" for ending in raw["endings"]["copies"].split())
        self.names: dict[str, str] = {name: kind for kind, names in raw["names"].items() for name in names.split()}
        folders = raw["folders"]
        self.temporary = tuple(folders["temporary"].split())
        self.temporary_inside = frozenset(folders["temporary_inside"].split())
        self.temporary_anywhere = tuple(folders["temporary_anywhere"].split())
        self.own_inside = tuple(f"/{name}/" for name in folders["own_inside"].split())
        self.generated = frozenset(folders["generated"].split())
        self.unchecked = frozenset(folders["unchecked"].split())
        self.state = tuple(raw["state"]["names"].split())
        self.loaded = any_of(raw["state"]["loaded"].split())
        self.plans = any_of(raw["state"]["plans"].split())
        self.commands: dict[str, Commands] = {name: _commands(text) for name, text in raw["commands"].items()}
        self.no_checks = tuple(raw["prompts"]["no_checks"])
        self.reports = tuple(raw["prompts"]["reports"])
        self.poll_tools = frozenset(raw["tools"]["polls"].split())
        self.poll_words = re.compile("|".join(raw["tools"]["polls_words"].split()))
        self.list_tools = frozenset(raw["tools"]["lists"].split())
        self.output_tools = frozenset(raw["tools"]["outputs"].split())
        self.browsers = re.compile("|".join(raw["tools"]["browsers"].split()))
        self.run_names = re.compile("|".join(raw["tools"]["runs"].split()))
        self.asking_tools = frozenset(raw["tools"]["asks"].split())


@cache
def table() -> Table:
    """The table; the file is read at the first call."""
    with open(_FILE, encoding="utf-8") as stream:
        return Table(stream.read())


def any_of(globs: tuple[str, ...] | list[str]) -> re.Pattern[str]:
    """One expression for patterns with `*` and `?` over lower-cased names; `*` takes no slash. Matches the end of a
    path."""
    bodies = (
        "".join("[^/]*" if char == "*" else "[^/]" if char == "?" else re.escape(char) for char in glob.lower())
        for glob in globs
    )
    return re.compile(rf"(?:^|/)(?:{'|'.join(bodies)})\Z" if globs else r"(?!)")


def _commands(text: str) -> Commands:
    found: Commands = {}
    for entry in text.split():
        program, *words = entry.split("+")
        found.setdefault(program, []).append(tuple(words))
    return found


def is_command(words: tuple[str, ...], program: str, wanted: Commands) -> bool:
    """Whether a simple command is one of `wanted`: its program, and each further word among the first arguments."""
    entries = wanted.get(program)
    return entries is not None and any(all(word in words[1:8] for word in entry) for entry in entries)
