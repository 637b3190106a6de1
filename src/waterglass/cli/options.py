"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from waterglass.cli.settings import Table, read_table

LARGEST_WINDOW = 1_000_000_000  # tokens; a thousand times the largest there is
_TABLE = "waterglass.cli.settings"
Command = TypeVar("Command", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """A whole number in a range, in the digits 0 to 9, called that where something else is given."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Raises click.BadParameter."""
        if isinstance(value, str) and not re.fullmatch("[+-]?[0-9]{1,400}", value.strip()):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


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


def otel_option(command: Command) -> Command:
    """Add `--otel FILE`; the command gets `otel`: paths, or None when none was given."""
    return click.option(
        "--otel",
        multiple=True,
        metavar="FILE",
        callback=lambda ctx, parameter, value: list(value) or None,
        help="Claude Code's own telemetry as a collector wrote it (OTLP/JSON); may be given again.",
    )(command)


def config_option(command: Command) -> Command:
    """Add `--config FILE`; the command gets `config`: a path, or None. What it sets is used where no option says it.

    The file is a `waterglass.toml`, or a `pyproject.toml` with a table `tool.waterglass`.
    """
    return click.option(
        "--config", metavar="FILE", is_eager=True, callback=_settings, help="Read settings from this file."
    )(command)


def given_table() -> Table | None:
    """Return what the file named by `--config` says, None without one."""
    table: Table | None = click.get_current_context().meta.get(_TABLE)
    return table


def _settings(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Make the window of the file the default of the option of that name, and keep the rest for who asks."""
    if value is None:
        return None
    table = read_table(value)
    ctx.meta[_TABLE] = table
    window = table.values.get("window")
    if window is not None:
        if not isinstance(window, int) or isinstance(window, bool) or not 1 <= window <= LARGEST_WINDOW:
            raise click.BadParameter(f"{value}: window is a number of tokens, 1 or more and {LARGEST_WINDOW:,} at most")
        ctx.default_map = {**(ctx.default_map or {}), "window": window}
    return value
