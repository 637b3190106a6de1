"""Work of which the end is known says how far it is, in a terminal alone, and wipes that away."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.cli.test_elapsed import seen
from waterglass.sample import sample_root

pytest.importorskip("pty", reason="this system has no terminals of that kind")

# Each step of the work is shown, from its beginning on.
PROGRAM = """
import sys
from waterglass.cli import main, progress
progress.AFTER_S = -1
sys.exit(main.run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("command", "line", "next_words"),
    [
        (["export", "--all", "--to", "jsonl", "-o", "out.jsonl"], "exporting 100 %", "Wrote"),
        (["export", "--all", "--to", "jsonl", "-o", "-"], "exporting 100 %", "{"),
        (["stats"], "counting 100 % (Ctrl-C keeps what is done)", " "),
        (["schema"], "Reading 0 B of ", "/"),
    ],
    ids=["to a file", "to the terminal", "counting", "reading"],
)
def test_a_work_says_how_far_it_is_and_wipes_that_away_before_it_says_more(
    command: list[str], line: str, next_words: str, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    arguments = [sys.executable, "-c", PROGRAM, *command, "--root", str(sample_root())]
    code, text = seen(arguments, tmp_path, {**child_environment, "TERM": "dumb"})
    assert code == 0 and f"\r{line}" in text and "\x1b" not in text
    wiped = re.split(r"\r {10,}\r", text)
    assert line in wiped[0] and wiped[-1].startswith(next_words) and "%" not in wiped[-1].split("\n")[0]
