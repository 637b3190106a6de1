"""`waterglass redact`: copy text with its secrets replaced."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import click

from waterglass.cli.redaction import own_values, own_values_options
from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    from waterglass.redact import Redactor


@click.command()
@click.argument("file", required=False, type=click.Path())
@click.option(
    "--level",
    type=click.Choice(["secrets", "paths"]),
    default="secrets",
    show_default=True,
    help="`paths` also replaces user names, home folders and host names.",
)
@own_values_options
def command(file: str | None, level: Literal["secrets", "paths"], values_file: str | None, environment: bool) -> None:
    """Copy FILE, or what is piped in, to stdout with its secrets replaced; what was hidden is counted on stderr.

    JSON lines are read as documents, keys and nested texts too. Best effort: no list of formats is complete.
    From a pipe, which is read once, `--level paths` knows a user's name only after the first home folder that shows it.
    """
    from waterglass.redact import Redactor
    from waterglass.redact.stream import redact_lines, texts_of

    redactor = Redactor(level, own_values(values_file, environment))
    out = sys.stdout.buffer
    shown = terminal_bytes if sys.stdout.isatty() else bytes
    if level == "paths" and _can_be_read_twice(file):
        redactor.learn(texts_of(_lines(file)))
    for piece in redact_lines(redactor, _lines(file)):
        out.write(shown(piece))
    out.flush()
    click.echo(_summary(redactor), err=True)


def terminal_bytes(piece: bytes) -> bytes:
    """The text for a terminal: with its control characters made visible. A file or a pipe gets every byte as it is."""
    from waterglass.cli.terminal import visible

    return visible(piece.decode("utf-8", "surrogateescape"), lines=True).encode("utf-8", "replace")


def _lines(file: str | None) -> Iterator[bytes]:
    """Yield the lines of the file, or of what is piped in. Raises WaterglassError where it cannot be read."""
    try:
        if file is None or file == "-":
            yield from sys.stdin.buffer
            return
        if _is_named_pipe(file):
            raise WaterglassError("a named pipe, not a file", where=file, hint="waterglass redact < PIPE")
        if _is_device(file):
            raise WaterglassError("a device, not a file", where=file, hint="name a text file")
        with open(file, "rb") as lines:
            yield from lines
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WaterglassError(f"cannot be read ({reason})", where=file or "stdin", hint="name a text file") from error


def _can_be_read_twice(file: str | None) -> bool:
    return file not in (None, "-") and os.path.isfile(file)


def _is_device(file: str) -> bool:
    """Is it a device, which may have no end? What is piped in or typed may be named by one, as `/dev/stdin` is."""
    status = os.stat(file)
    if not (stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)):
        return False
    try:
        return not os.path.samestat(status, os.fstat(sys.stdin.fileno()))
    except (OSError, ValueError):
        return True


def _is_named_pipe(file: str) -> bool:
    """Is it a pipe that somebody made in a folder? Opening one waits for a writer, who may never come.

    What a shell writes for `<(command)` is a pipe too, but an open one.
    """
    return stat.S_ISFIFO(os.stat(file).st_mode) and not os.path.abspath(file).startswith(("/dev/", "/proc/"))


def _summary(redactor: Redactor) -> str:
    counts = redactor.note()["counts"]
    if not counts:
        return "Nothing redacted (best effort)."
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"Redacted {sum(counts.values())} (best effort): {kinds}"
