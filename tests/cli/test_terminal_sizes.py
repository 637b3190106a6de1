"""Terminals of odd sizes, and NO_COLOR in a real one."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from waterglass.sample import sample_root

fcntl = pytest.importorskip("fcntl", reason="this system has no terminals of that kind")
pty = pytest.importorskip("pty", reason="this system has no terminals of that kind")
termios = pytest.importorskip("termios", reason="this system has no terminals of that kind")

Shown = Callable[..., str]
COMMANDS = (["list"], ["show", "5a3b"], ["schema"], ["compare", "5a3b", "9e55"])


@pytest.fixture
def in_terminal(child_environment: dict[str, str], tmp_path: Path) -> Shown:
    """Return `run(columns, *args, **env)`: all that a terminal of so many columns gets to see."""

    def run(columns: int, *args: str, **env: str) -> str:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen(
            [sys.executable, "-m", "waterglass", *args, "--root", str(sample_root())],
            cwd=tmp_path,
            env={**child_environment, "TERM": "xterm-256color", **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = bytearray()
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # the child has ended
                break
            if not part:
                break
            shown += part
        os.close(ours)
        assert child.wait(60) == 0, shown.decode()
        return shown.decode()

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_that_says_it_has_no_columns_still_shows_everything(in_terminal: Shown, command: list[str]) -> None:
    assert in_terminal(0, *command, NO_COLOR="1").count("\n") > 4


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [1, 7, 20])
def test_a_terminal_however_narrow_is_no_failure(in_terminal: Shown, command: list[str], columns: int) -> None:
    assert in_terminal(columns, *command).count("\n") > 4


@pytest.mark.parametrize("command", COMMANDS)
def test_no_color_leaves_no_escape_in_a_terminal_and_without_it_there_are_some(
    in_terminal: Shown, command: list[str]
) -> None:
    assert "\x1b[" in in_terminal(100, *command)
    assert "\x1b" not in in_terminal(100, *command, NO_COLOR="1")
    assert "\x1b" not in in_terminal(100, *command, TERM="dumb")
