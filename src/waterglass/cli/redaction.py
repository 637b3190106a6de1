"""Options for values that no rule can know: the user's own words, and what the environment holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from waterglass.cli.terminal import visible
from waterglass.errors import WaterglassError

Command = TypeVar("Command", bound=Callable[..., Any])
_MOST_BYTES = 10_000_000


def own_values_options(command: Command) -> Command:
    """Add `--redact-values FILE` and `--redact-env`; the command gets `values_file`: a path or None, and `environment`:
    a flag."""
    environment = click.option(
        "--redact-env",
        "environment",
        is_flag=True,
        help="Also hide the values of environment variables with a secret's name (API_KEY, DB_PASSWORD, …).",
    )
    values = click.option(
        "--redact-values",
        "values_file",
        metavar="FILE",
        help="Also hide the values in this file, one a line, exactly as they stand there.",
    )
    return environment(values(command))


def own_values(values_file: str | None, environment: bool) -> dict[str, str]:
    """Return the values to hide with their kinds, and say so where the file has none. Raises WaterglassError where it
    cannot be used.

    No error and no output ever quotes one of them.
    """
    from waterglass.redact.values import environment_values, values_of

    found = environment_values(os.environ) if environment else {}
    if values_file is None:
        return found
    try:
        with open(values_file, "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError("more than 10 MB")
        given = values_of(data.decode("utf-8-sig").split("\n"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WaterglassError(f"cannot be read ({reason})", values_file, "a text file with one value a line") from error
    except UnicodeDecodeError as error:
        raise WaterglassError("is no UTF-8 text", values_file, "a text file with one value a line") from error
    except ValueError as error:
        raise WaterglassError(f"cannot be used: {error}", values_file, "a text file with one value a line") from error
    if not given:  # whoever believes that it was filled must not believe that it hides
        click.echo(f"waterglass: no value to hide is in the file: {visible(values_file)}", err=True)
    return found | given
