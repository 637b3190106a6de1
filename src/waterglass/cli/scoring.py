"""The options that the scorecard takes, and a project's own settings behind them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from waterglass.cli.options import WholeNumber, given_table
from waterglass.cli.settings import Table, nearest_table, speaks_for
from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    from waterglass.metrics import Settings

Command = TypeVar("Command", bound=Callable[..., Any])
_MOST_TIMES = 1_000_000


class SettingsFor(Struct, frozen=True):
    """The settings for a project; other processes can be sent it."""

    for_all: Settings
    for_own: Settings
    near: Table | None
    """The settings file of the current folder, which speaks for its own project alone."""

    def __call__(self, project: str | None) -> Settings:
        """Return the settings for a session of this project."""
        return self.for_own if self.near is not None and speaks_for(self.near, project) else self.for_all


class Asked(Struct, frozen=True):
    """What the command line says of the scorecard; None or empty where it says nothing."""

    scope: tuple[str, ...]
    threshold: int | None
    state_files: tuple[str, ...]
    verify: tuple[str, ...]
    table: Table | None
    plugins: bool = True

    def further(self) -> dict[str, str | None]:
        """Return the metrics of third parties that can be used, each with its better side."""
        from waterglass.plugins import MetricPlugin, metrics, wanted

        if not self.plugins or not wanted():
            return {}
        return {one.name: one.plugin.better for one in metrics() if isinstance(one.plugin, MetricPlugin)}

    def settings(self, project: str | None) -> Settings:
        """Return the settings for a session of `project`: the command line's, else those of `--config`, else those of
        the settings file of the current folder where that is the session's project."""
        return self.resolved()(project)

    def resolved(self) -> SettingsFor:
        """Read the settings files now, and return what tells the settings for a project. Raises click.BadParameter."""
        near = nearest_table(os.getcwd()) if self.table is None else None
        for_all = self._with(self.table)
        return SettingsFor(for_all, self._with(near) if near is not None else for_all, near)

    def _with(self, table: Table | None) -> Settings:
        from waterglass.metrics import settings_of

        values = dict(table.values) if table is not None else {}
        for name, given in (
            ("scope", self.scope),
            ("threshold", self.threshold),
            ("state_files", self.state_files),
            ("verify", self.verify),
        ):
            if given:
                values.pop(name.replace("_", "-"), None)
                values[name] = given
        if not self.plugins:
            values["plugins"] = False
        try:
            return settings_of(values)
        except WaterglassError as error:
            raise click.BadParameter(f"{table.path if table is not None else 'options'}: {error.what}") from error


def no_plugins_option(command: Command) -> Command:
    """Add `--no-plugins`; the command gets `no_plugins`."""
    return click.option("--no-plugins", is_flag=True, help="Leave out what other packages add (waterglass plugins).")(
        command
    )


def scoring_options(command: Command) -> Command:
    """Add `--scope`, `--threshold`, `--state-file`, `--verify` and `--no-plugins`; the command gets `asked`."""

    @functools.wraps(command)
    def collected(
        *args: Any,
        scope: tuple[str, ...],
        threshold: int | None,
        state_files: tuple[str, ...],
        verify: tuple[str, ...],
        no_plugins: bool,
        **others: Any,
    ) -> Any:
        asked = Asked(scope, threshold, state_files, verify, given_table(), not no_plugins)
        return command(*args, asked=asked, **others)

    options: tuple[Callable[[Any], Any], ...] = (
        click.option(
            "--scope",
            multiple=True,
            metavar="GLOB",
            help="Files that the work was to touch, as in a .gitignore; may be given again.",
        ),
        click.option(
            "--threshold",
            type=WholeNumber(2, _MOST_TIMES),
            metavar="N",
            help="So many equal calls with equal results are a loop (3).",
        ),
        click.option(
            "--state-file",
            "state_files",
            multiple=True,
            metavar="GLOB",
            help="Name of a state file, in place of the usual ones; may be given again.",
        ),
        click.option(
            "--verify",
            multiple=True,
            metavar="PATTERN",
            help="A check of your own, by the first words of its command; may be given again.",
        ),
        no_plugins_option,
    )
    for option in reversed(options):
        collected = option(collected)
    return collected  # type: ignore[return-value]
