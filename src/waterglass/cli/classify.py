"""`waterglass classify`: what shell commands do and what texts claim, by the very code that the metrics use."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from typing import IO

import click

from waterglass.errors import WaterglassError

Asked = dict[str, object]
Answer = dict[str, object]


@click.command()
@click.option(
    "--claims", is_flag=True, help='Read {"id", "text"} a line; tell whether the text says that work is done.'
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON lines (it always does; for symmetry).")
def command(claims: bool, as_json: bool) -> None:
    """Tell what shell commands do: one JSON object a line in, one out.

    Reads {"id", "command", "is_error", "output"} a line; "tool" (PowerShell), "cwd" and "exit_code" may be there too.
    Answers {"id", "acts", "verifyKinds", "verifyOk", "targets"} with the same id. verifyOk is pass, fail or unknown,
    null for a command that checks nothing. With --claims it answers {"id", "claim"}: done, partial, none or unknown.
    """
    bad: list[tuple[int, str]] = []
    answer_of = _claim if claims else _command_facts
    for answer in _answers(sys.stdin.buffer, answer_of, bad):
        click.echo(answer)
    if bad:
        number, what = bad[0]
        where = f"standard input, line {number}" + (f" and {len(bad) - 1} more" if len(bad) > 1 else "")
        if claims:
            raise WaterglassError(what or "no JSON object with a text", where, '{"id": "1", "text": "Done."}')
        raise WaterglassError(what or "no JSON object with a command", where, '{"id": "1", "command": "npm test"}')


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    # Not text mode: that would also end lines at other characters and fail on bad UTF-8.
    try:
        yield stream.readline().removeprefix(codecs.BOM_UTF8)
        yield from iter(stream.readline, b"")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WaterglassError(f"cannot be read ({reason})", "standard input", "pipe JSON lines to it") from error


def _answers(
    stream: IO[bytes], answer_of: Callable[[Asked], Answer | None], bad: list[tuple[int, str]]
) -> Iterator[str]:
    """The answers to the lines of `stream`, in order; numbers of lines without one go to `bad`, with what is odd where
    it is the id; blank ones nowhere."""
    import json

    for number, line in enumerate(_lines(stream), 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            asked = None
        answer = answer_of(asked) if isinstance(asked, dict) else None
        if answer is None:
            bad.append((number, ""))
            continue
        try:  # `1e999` and `NaN` are read as numbers that no JSON can hold
            yield json.dumps({"id": asked.get("id"), **answer}, separators=(", ", ": "), allow_nan=False)
        except (ValueError, RecursionError):
            bad.append((number, "an id that JSON cannot hold"))


def _command_facts(asked: Asked) -> Answer | None:
    from waterglass.classify import classify

    command, cwd = asked.get("command"), asked.get("cwd")
    if not isinstance(command, str):
        return None
    powershell = asked.get("tool") == "PowerShell"
    facts = classify(
        "PowerShell" if powershell else "Bash", {"command": command}, cwd if isinstance(cwd, str) else None
    )
    return {
        "acts": list(facts.acts),
        "verifyKinds": list(facts.verify_kinds),
        "verifyOk": _verify_ok(asked, command, powershell),
        "targets": list(facts.targets),
    }


def _verify_ok(asked: Asked, command: str, powershell: bool) -> str | None:
    from waterglass.shell import judge_line
    from waterglass.verdict import verify_ok

    line = judge_line(command, powershell)
    is_error, code, output = asked.get("is_error"), asked.get("exit_code"), asked.get("output")
    if not isinstance(output, str) and not isinstance(is_error, bool):
        # Nothing is known of how it ended; None in both is no result without an error.
        return "unknown" if line.checks else None
    return verify_ok(
        line,
        is_error if isinstance(is_error, bool) else None,
        code if isinstance(code, int) and not isinstance(code, bool) else None,
        output if isinstance(output, str) else "",
        command,
    )


def _claim(asked: Asked) -> Answer | None:
    from waterglass.claims import claim

    text = asked.get("text")
    return {"claim": claim(text).kind} if isinstance(text, str) else None
