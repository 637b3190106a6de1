"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


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
        type=click.IntRange(min=1),
        metavar="N",
        help="Size of the context window in tokens, where the transcript does not show it.",
    )(command)


def config_option(command: Command) -> Command:
    """Add `--config FILE`; the command gets `config`: a path, or None."""
    return click.option("--config", metavar="FILE", help="Read settings from this file.")(command)
