"""The word lists of `tables.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def tables() -> dict[str, Any]:
    """{"names": {…}, "structure": {…}, "paths": {…}}: lists of words, read once."""
    return tomllib.loads(files(__package__).joinpath("tables.toml").read_text("utf-8"))
