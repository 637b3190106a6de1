"""`waterglass redact`: copy text with its secrets replaced."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Literal

import click

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
def command(file: str | None, level: Literal["secrets", "paths"]) -> None:
    """Copy FILE, or what is piped in, to stdout with its secrets replaced; what was hidden is counted on stderr.

    JSON lines are read as documents, keys and nested texts too. Best effort: no list of formats is complete.
    From a pipe, `--level paths` knows a user's name only after the first home folder that shows it.
    """
    from waterglass.redact import Redactor
    from waterglass.redact.stream import redact_lines, texts_of

    redactor = Redactor(level)
    out = sys.stdout.buffer
    try:
        if file not in (None, "-") and level == "paths":
            with _opened(file) as lines:
                redactor.learn(texts_of(lines))
        with _opened(file) as lines:
            for piece in redact_lines(redactor, lines):
                out.write(piece)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WaterglassError(f"cannot be read ({reason})", where=file or "stdin", hint="name a text file") from error
    click.echo(_summary(redactor), err=True)


@contextmanager
def _opened(file: str | None) -> Iterator[IO[bytes]]:
    if file is None or file == "-":
        yield sys.stdin.buffer
        return
    with open(file, "rb") as lines:
        yield lines


def _summary(redactor: Redactor) -> str:
    counts = redactor.note()["counts"]
    if not counts:
        return "Nothing redacted (best effort)."
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"Redacted {sum(counts.values())} (best effort): {kinds}"
