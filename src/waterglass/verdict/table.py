"""The table of runners, read once from `tables/runners.toml`, turned into look-ups."""

from __future__ import annotations

import re
from functools import cache

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/runners.toml"


class Runners:
    """The file's tables as look-ups; the attributes mirror its sections."""

    def __init__(self, text: str) -> None:
        import tomllib  # late: nothing is paid for it where no check is judged

        raw = tomllib.loads(text)
        # For a line in lower case: ignoring case is four times slower.
        self.tells = re.compile("|".join(raw["tells"]["words"]))
        self.nothing = _any_of(raw["nothing"]["lines"])
        self.passes = _any_of(raw["pass"]["lines"])
        self.builds = _any_of(raw["pass"]["build"])
        self.part_passes = _any_of(raw["pass"]["part"])
        self.fails = _any_of(raw["fail"]["lines"])
        self.part_fails = _any_of(raw["fail"]["part"])
        self.finding = _any_of(raw["fail"]["finding"])
        self.tests = _any_of(raw["tests"]["lines"])
        self.problems = _any_of(raw["problems"]["lines"])
        self.ratios = tuple(re.compile(pattern) for pattern in raw["ratio"]["lines"])
        self.good = frozenset(raw["tests"]["good"].split())
        self.ran = frozenset(raw["tests"]["ran"].split())
        self.bad = frozenset(raw["tests"]["bad"].split())
        self.silent = frozenset(raw["silent"]["programs"].split())
        self.scripts = frozenset(raw["silent"]["scripts"].split())
        self.unended_starts = tuple(raw["unended"]["starts"])
        self.unended_within = tuple(raw["unended"]["within"])
        self.unended_codes = frozenset(raw["unended"]["codes"])


@cache
def runners() -> Runners:
    """The table; the file is read at the first call."""
    with open(_FILE, encoding="utf-8") as stream:
        return Runners(stream.read())


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
