"""What the output of a check says by itself: the runners' own summary lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import msgspec

from waterglass.verdict.table import Runners, runners

# A summary stands at an end of the output. Of a longer one the middle is not looked at.
HEAD_CHARACTERS = TAIL_CHARACTERS = 65_536
# A longer line is no summary, but a progress line can carry one at its end.
LINE_CHARACTERS = 300
# Of many short lines those in the middle are not looked at either.
HEAD_LINES, TAIL_LINES = 1_000, 4_000

_CONTROL = re.compile(
    r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b.|[\x00-\x08\x0b\x0c\x0e-\x1f]"
)
# Left of a summary: boxes, the name of a task ("[test]", "web:test:"), the level of a log ("[INFO]").
_FRAME = " \t│┃|╷╵\u00a0"
_PREFIX = re.compile(
    r"(?:\[[\w:. -]{1,40}\]|[\w@/.-]{1,60}:[\w:-]{1,40}:|[\w@/.-]{1,60} [\w:-]{1,30}:|\d\d:\d\d:\d\d[.,\d]*)\s+(?=\S)"
)
_BEFORE = re.compile(r"(?<![\w./-])(\d[\d,]{0,12})(?<!,)\s+([A-Za-z]+)(?:\(s\))?(?:\s+([A-Za-z]+))?\b(?!\s*[:=])")
_AFTER = re.compile(r"\b([A-Za-z]+)\s*[:=]?\s*(\d[\d,]{0,12})\b")
# What npm, pnpm and yarn print in front: the script's name, then its command.
_ANNOUNCED = re.compile(r"(?:>|\$) (\S.*)")
_EMPTY = re.compile(
    r"\W*(?:Bash completed with |Tool ran |Command completed )?"
    r"(?:(?:with)?no output|without output(?: or errors)?)?\W*\Z",
    re.IGNORECASE,
)


class Signs(msgspec.Struct):
    """What was seen in an output."""

    passed: bool = False
    """A summary says that all is well."""
    failed: bool = False
    """A summary says that something is wrong."""
    nothing: bool = False
    """The runner says that it ran nothing."""
    part_passed: bool = False
    """Something passed."""
    part_failed: bool = False
    """Something went wrong, though not surely in the check."""


def plain(output: str) -> str:
    """The ends of `output` without colours and other control sequences; a carriage return ends a line."""
    if len(output) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        output = f"{output[:HEAD_CHARACTERS]}\n{output[-TAIL_CHARACTERS:]}"
    return _CONTROL.sub("", output.replace("\r", "\n")) if output.isprintable() is False else output


def is_empty(text: str) -> bool:
    """Return whether `text` holds nothing, or only the note that nothing was printed."""
    return len(text) < 100 and _EMPTY.match(text) is not None


def announced(text: str) -> str | None:
    """The program that a task runner announces, where the output holds nothing but the announcement; else None."""
    lines = [line.strip() for line in text[:1000].split("\n") if line.strip()] if len(text) < 1000 else []
    matches = [_ANNOUNCED.fullmatch(line) for line in lines]
    last = matches[-1] if matches and all(matches) else None
    return last.group(1).split()[0] if last else None


def read_signs(text: str, kinds: Collection[str], written: str = "") -> Signs:
    """What the output `text` (see `plain`) of checks of these `kinds` says.

    Lines that the shell line itself prints (their words stand in `written`) say nothing.
    """
    table, signs = runners(), Signs()
    builds, finds = "test" not in kinds, not {"test", "build"} & set(kinds)
    for line in _lines(text):
        if len(line) > 3 and line in written:
            continue
        _read_line(table, signs, line, builds, finds)
    return signs


def _lines(text: str) -> Iterator[str]:
    tells = runners().tells
    lines = text.split("\n")
    if len(lines) > HEAD_LINES + TAIL_LINES:
        lines = lines[:HEAD_LINES] + lines[-TAIL_LINES:]
    for line in lines:
        if not tells.search(line[:2000].lower()):
            continue
        parts = (line,) if len(line) <= LINE_CHARACTERS else (line[:LINE_CHARACTERS], *_pieces(line[-LINE_CHARACTERS:]))
        for part in parts:
            bare = part.strip(_FRAME)
            if bare:
                yield bare
            prefix = _PREFIX.match(bare)
            if prefix:
                yield bare[prefix.end() :]


def _pieces(end: str) -> tuple[str, ...]:
    # A progress line that was written over and over: its last state stands behind a run of blanks.
    return (end.rstrip().rpartition("   ")[2],)


def _read_line(table: Runners, signs: Signs, line: str, builds: bool, finds: bool) -> None:
    if table.nothing.match(line):
        signs.nothing = True
    elif table.passes.match(line):
        # unittest ends with "OK" after "Ran 0 tests" too.
        signs.passed = signs.passed or not (signs.nothing and line.startswith("OK"))
    elif table.fails.match(line):
        signs.failed = True
    elif (ratio := _ratio(table, line)) is not None:
        signs.passed, signs.failed = signs.passed or ratio, signs.failed or not ratio
    elif table.tests.match(line):
        _count_tests(table, signs, line)
    elif table.problems.match(line):
        bad = _counts(table, line)[1]
        signs.failed, signs.passed = signs.failed or bool(bad), signs.passed or bad == 0
    elif builds and table.builds.match(line):
        signs.passed = True
    elif table.part_passes.match(line):
        signs.part_passed = True
    elif table.part_fails.match(line) or (finds and table.finding.match(line)):
        signs.part_failed = True


def _ratio(table: Runners, line: str) -> bool | None:
    for pattern in table.ratios:
        found = pattern.match(line)
        if found:
            good, of = int(found.group(1)[:12]), int(found.group(2)[:12])
            # "0 of 0" and "12 of 3" are no ratio of tests.
            return good == of if 0 < of >= good else None
    return None


def _count_tests(table: Runners, signs: Signs, line: str) -> None:
    good, bad = _counts(table, line)
    if bad:
        signs.failed = True
    elif good:
        signs.passed = True
    elif good == 0:
        signs.nothing = True
    elif bad == 0:
        signs.part_passed = True


def _counts(table: Runners, line: str) -> tuple[int | None, int | None]:
    """Passed and failed; None where the line has no such number. Of several numbers the largest counts."""
    pairs: list[tuple[str, str]] = []
    for number, first, second in _BEFORE.findall(line):
        # "1 test failed", "5 new errors"
        told = second.lower() in table.good | table.bad and first.lower() not in table.good | table.bad
        pairs.append(((second if told else first).lower(), number))
    if not any(word in table.good or word in table.bad for word, _ in pairs):
        pairs += [(word.lower(), number) for word, number in _AFTER.findall(line)]
    numbers = [(word, int(number.replace(",", "") or 0)) for word, number in pairs]
    good = [number for word, number in numbers if word in table.good]
    good = good or [number for word, number in numbers if word in table.ran]
    bad = [number for word, number in numbers if word in table.bad]
    return max(good, default=None), max(bad, default=None)
