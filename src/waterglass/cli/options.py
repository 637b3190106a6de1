"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

LARGEST_WINDOW = 1_000_000_000  # tokens; a thousand times the largest there is
Command = TypeVar("Command", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """A whole number in a range, called that where something else is given."""

    name = "whole number"


def _roots(ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> list[str] | None:
    """Return the folders given, or None when none was, which means the usual places."""
    return list(value) or None


def root_option(command: Command) -> Command:
    """Add `--root DIR...`; the command gets `roots`: a list of paths, or None for the usual places."""
    return click.option(
        "--root",
        "roots",
        multiple=True,
        metavar="DIR",
        callback=_roots,
        help="A projects folder to read instead of the usual places; may be given again.",
    )(command)


def window_option(command: Command) -> Command:
    """Add `--window N`; the command gets `window`: tokens, or None when it was not given."""
    return click.option(
        "--window",
        type=WholeNumber(1, LARGEST_WINDOW),
        metavar="N",
        help="Size of the context window in tokens, where the transcript does not show it.",
    )(command)


def config_option(command: Command) -> Command:
    """Add `--config FILE`; the command gets `config`: a path, or None. What it sets is used where no option says it.

    The file is a `waterglass.toml`, or a `pyproject.toml` with a table `tool.waterglass`.
    """
    return click.option(
        "--config", metavar="FILE", is_eager=True, callback=_settings, help="Read settings (window = N) from this file."
    )(command)


def _settings(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Make the settings of the file the defaults of the options of the same names."""
    if value is None:
        return None
    import tomllib

    try:
        with open(value, "rb") as stream:
            table = tomllib.load(stream)
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{value} is no TOML file: {error}") from error
    if value.endswith("pyproject.toml"):
        table = table.get("tool", {}).get("waterglass", {})
    window = table.get("window")
    if window is not None:
        if not isinstance(window, int) or isinstance(window, bool) or not 1 <= window <= LARGEST_WINDOW:
            raise click.BadParameter(f"{value}: window is a number of tokens, 1 or more and {LARGEST_WINDOW:,} at most")
        ctx.default_map = {**(ctx.default_map or {}), "window": window}
    return value
