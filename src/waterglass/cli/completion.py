"""`waterglass completion`: the script by which a shell completes commands, options and session ids."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class, shell_complete

VARIABLE = "_WATERGLASS_COMPLETE"  # the script sets it and calls the program to be told what may come next
SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def command(shell: str | None) -> None:
    """Print the script that lets a shell complete commands, options and session ids.

    SHELL is bash, zsh or fish; without it the one that runs.

    \b
    eval "$(waterglass completion bash)"                    # in ~/.bashrc; zsh likewise in ~/.zshrc
    waterglass completion fish > ~/.config/fish/completions/waterglass.fish
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        raise click.UsageError(f"name the shell: {', '.join(SHELLS)}")
    from waterglass.cli.main import cli

    click.echo(kind(cli, {}, "waterglass", VARIABLE).source())


def answer(cli: click.Command, instruction: str) -> int:
    """Answer a shell that asks what may come next; return the exit code."""
    try:
        return shell_complete(cli, {}, "waterglass", VARIABLE, instruction)
    except (KeyError, ValueError):  # it did not say what was typed, and a traceback in its line would help nobody
        return 1
