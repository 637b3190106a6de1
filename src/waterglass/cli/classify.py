"""`waterglass classify`: what shell commands do, by the very code that the metrics use."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import IO

import click

from waterglass.errors import WaterglassError


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON lines (it always does; for symmetry).")
def command(as_json: bool) -> None:
    """Tell what shell commands do: one JSON object a line in, one out.

    Reads {"id", "command", "is_error", "output"} a line; "tool" (PowerShell) and "cwd" may be there too. Answers
    {"id", "acts", "verifyKinds", "verifyOk", "targets"} with the same id. verifyOk is null: not told yet.
    """
    import json

    bad: list[int] = []
    for answer in _answers(_lines(sys.stdin.buffer), bad):
        click.echo(json.dumps(answer, separators=(", ", ": ")))
    if bad:
        where = f"standard input, line {bad[0]}" + (f" and {len(bad) - 1} more" if len(bad) > 1 else "")
        raise WaterglassError("no JSON object with a command", where, '{"id": "1", "command": "npm test"}')


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    # Not text mode: that would also end lines at other characters and fail on bad UTF-8.
    yield from iter(stream.readline, b"")


def _answers(lines: Iterable[bytes], bad: list[int]) -> Iterator[dict[str, object]]:
    """The answers to `lines`, in order; numbers of lines that hold no command go to `bad`, blank ones are skipped."""
    import json

    from waterglass.classify import classify

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict) or not isinstance(asked.get("command"), str):
            bad.append(number)
            continue
        cwd = asked.get("cwd")
        tool = "PowerShell" if asked.get("tool") == "PowerShell" else "Bash"
        facts = classify(tool, {"command": asked["command"]}, cwd if isinstance(cwd, str) else None)
        yield {
            "id": asked.get("id"),
            "acts": list(facts.acts),
            "verifyKinds": list(facts.verify_kinds),
            "verifyOk": None,
            "targets": list(facts.targets),
        }
