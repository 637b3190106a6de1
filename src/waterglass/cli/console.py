"""The printer of tables."""

from __future__ import annotations

from rich.console import Console


class TableConsole(Console):
    """A console that leaves a closed pipe to the command line, which ends every command alike."""

    def on_broken_pipe(self) -> None:
        """Say that the reader is gone, instead of leaving with an exit code of its own."""
        raise BrokenPipeError
