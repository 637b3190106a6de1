"""Work of which no end can be told says how long it goes on, in a terminal alone, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import hearing
from waterglass.sample import sample_root

pty = pytest.importorskip("pty", reason="this system has no terminals of that kind")

PROGRAM = """
import sys, time
from waterglass.cli import elapsed, main
import waterglass.report as report
write = report.write_report
elapsed._AFTER_S = elapsed._EACH_S = 0.05
def slow(*given, **named):
    time.sleep(float(sys.argv[2]))
    return write(*given, **named)
report.write_report = slow
sys.exit(main.run(["report", "5a3b", "-o", "out.html", "--root", sys.argv[1]]))
"""


def shown(folder: Path, env: dict[str, str], seconds: float, stop: bool = False) -> tuple[int, str]:
    """What a terminal gets to see of a report that takes so long, and how that ended."""
    return seen([sys.executable, "-c", PROGRAM, str(sample_root()), str(seconds)], folder, env, stop)


def seen(arguments: list[str], folder: Path, env: dict[str, str], stop: bool = False) -> tuple[int, str]:
    """How a program ended, and what a terminal got to see of it."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        arguments, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=hearing()
    )
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 4_096)
        except OSError:  # Linux' way to say that nobody holds the other end any more
            break
        if not piece:
            break
        text += piece
        if stop and b"writing the report" in text:
            child.send_signal(signal.SIGINT)
            stop = False
    os.close(ours)
    return child.wait(30), text.decode()


def test_a_slow_report_says_that_it_goes_on_and_wipes_that_away(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    code, text = shown(tmp_path, child_environment, 0.4)
    assert code == 0 and "\rwriting the report … " in text and "\x1b" not in text
    assert re.search(r"\(Ctrl-C stops it\)\r {35,}\rWrote out\.html", text) and (tmp_path / "out.html").exists()


def test_ctrl_c_ends_it_and_leaves_no_file(tmp_path: Path, signalled_environment: dict[str, str]) -> None:
    code, text = shown(tmp_path, signalled_environment, 60, stop=True)
    assert code == 130 and "Traceback" not in text
    assert list(tmp_path.iterdir()) == []
