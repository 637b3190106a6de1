"""The verdict over one call that runs checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waterglass.verdict.summary import Signs, announced, is_empty, plain, read_signs
from waterglass.verdict.table import Runners, runners

if TYPE_CHECKING:  # only names: a verdict reads the facts, and imports no shell reader
    from waterglass.shell import LineFacts

VERDICTS = ("pass", "fail", "unknown")

_CODE = re.compile(r"\s*(?:Error: )?Exit code (-?\d{1,10})\b[^\n]*\n?")
_PYTEST_RAN_NOTHING = 5
_TRIMS = re.compile(r"\|\s*(?:head|tail|cat|tee)\b[^|;&\n]*")
_REDIRECTED = re.compile(r"(?:^|[^2&0-9])>\s*[\w/.$~]")
_EITHER = re.compile(
    r"""&&\s*echo\s+["']?([^"'|&;\n]{1,200}?)["']?\s*\|\|\s*echo\s+["']?([^"'|&;\n]{1,200}?)["']?\s*(?:$|[;\n])"""
)


def verify_ok(
    line: LineFacts, is_error: bool | None, exit_code: int | None, output: str, command: str = ""
) -> str | None:
    """Return `pass`, `fail` or `unknown` for the checks of a shell line, None if it has none. Pure; never raises.

    `is_error` and `output` are the result's, `exit_code` is its code where one is known (the `Exit code N` in front of
    the output is read here). `is_error` None means what it means in a transcript: no error was noted. `command` is the
    line itself; with it, what the line's own `echo` prints is told from what a runner prints. Of an output, the first
    and last 64 KiB are looked at.
    """
    if not line.checks:
        return None
    table = runners()
    text = plain(output)
    head = _CODE.match(text)
    if head:
        exit_code = int(head.group(1)) if exit_code is None else exit_code
        text = text[head.end() :]
    if line.background or _unended(table, exit_code, text):
        return "unknown"
    kinds = {kind for check in line.checks for kind in check.kinds}
    signs = read_signs(text, kinds, command if "echo" in command or "printf" in command else "")
    printed = _printed(table, line, text)
    if printed is not None:
        return printed
    if exit_code or is_error:
        return _after_failure(line, exit_code, signs)
    return _after_success(table, line, text, signs, command, is_error is not None or exit_code is not None)


def _unended(table: Runners, exit_code: int | None, text: str) -> bool:
    start = text.lstrip()[:400]
    return (
        exit_code in table.unended_codes
        or start.startswith(table.unended_starts)
        or any(words in start or words in text[-400:] for words in table.unended_within)
    )


def _after_failure(line: LineFacts, exit_code: int | None, signs: Signs) -> str:
    if exit_code == _PYTEST_RAN_NOTHING and any(check.program in ("pytest", "py.test") for check in line.checks):
        return "unknown"
    if signs.failed:
        return "fail"
    if signs.nothing and not signs.passed and not signs.part_failed:
        return "unknown"
    if any(check.fails_with_line for check in line.checks):
        return "fail"
    if signs.passed and len(line.checks) == 1:
        return "pass"
    return "fail" if signs.part_failed else "unknown"


def _after_success(table: Runners, line: LineFacts, text: str, signs: Signs, command: str, shown: bool) -> str:
    either = _either(line, text, command)
    if either is not None:
        return either
    if not shown and signs.failed:
        return "fail"
    if all(check.passes_with_line for check in line.checks):
        script = any(check.program in table.scripts or "." in check.program for check in line.checks)
        if signs.failed and (script or not signs.passed):
            # It counts failures and then ends well: the two facts contradict each other.
            return "unknown"
        if script and signs.part_failed and not (signs.passed or signs.part_passed):
            return "unknown"  # it catches its own errors
        return "unknown" if signs.nothing and not signs.passed else "pass"
    if signs.failed:
        return "fail"
    if signs.passed:
        return "pass"
    if signs.part_failed:
        return "fail"
    if signs.nothing:
        return "unknown"
    if signs.part_passed or _silent(table, line, text, command):
        return "pass"
    return "unknown"


def _printed(table: Runners, line: LineFacts, text: str) -> str | None:
    """What the codes say that the line itself prints; None where they do not settle it."""
    proven = True
    for check in line.checks:
        codes = [] if check.status_prefix is None else _codes_behind(check.status_prefix, text)
        if table.unended_codes.intersection(codes):
            return "unknown"
        if any(codes):
            return "fail"
        proven = proven and bool(codes)
    return "pass" if proven else None


def _codes_behind(prefix: str, text: str) -> list[int]:
    before = re.escape(prefix.strip()[-60:])
    found = re.findall(rf"{before}[ \t]*(\d{{1,3}})\b" if before else r"^[ \t]*(\d{1,3})[ \t]*$", text, re.MULTILINE)
    return [int(code) for code in found]


def _either(line: LineFacts, text: str, command: str) -> str | None:
    """What `check && echo A || echo B` printed, where the check stands in no pipe."""
    found = _EITHER.search(command) if len(line.checks) == 1 and len(command) < 2000 else None
    if found is None:
        return None
    before = re.split(r";|\n|&&|\|\|", command[: found.start()])[-1]
    if "|" in before:
        return None
    lines = {part.strip() for part in text.split("\n")}
    good, bad = found.group(1).strip() in lines, found.group(2).strip() in lines
    return None if good == bad else "pass" if good else "fail"


def _silent(table: Runners, line: LineFacts, text: str, command: str) -> bool:
    """Return whether every check of `command` printed nothing, and each of them prints something when it fails."""
    if not command or len(command) > 2000:
        return False
    program = announced(text)
    if program is None and not is_empty(text):
        return False
    rest = _TRIMS.sub("", command)
    if "|" in rest.replace("||", "") or "/dev/null" in rest or _REDIRECTED.search(rest):
        return False
    programs = [check.program for check in line.checks] if program is None else [program] * len(line.checks)
    return all(name in table.silent for name in programs)
