"""A shell that asks what may come next is told commands, options and sessions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Transcript
from waterglass.cli.main import COMMANDS

FIRST, SECOND = "c0fe0000-0000-4000-8000-00000000000a", "deaf0000-0000-4000-8000-00000000000b"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for id in (FIRST, SECOND):
        t = Transcript(id)
        t.prompt("Count the boats")
        t.write(tmp_path / "projects")
    return tmp_path / "projects"


def asked(run_waterglass: RunWaterglass, words: str, at: int) -> list[str]:
    """What may stand as word number `at` of a line, as bash is told."""
    env = {"_WATERGLASS_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = run_waterglass(env=env)
    assert (done.returncode, done.stderr) == (0, "")
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_every_command_is_offered(run_waterglass: RunWaterglass) -> None:
    assert asked(run_waterglass, "waterglass ", 1) == list(COMMANDS)
    assert asked(run_waterglass, "waterglass sho", 1) == ["show"]


def test_the_sessions_of_a_root_are_offered_by_their_ids(run_waterglass: RunWaterglass, root: Path) -> None:
    line = f"waterglass show --root {root}"
    assert sorted(asked(run_waterglass, f"{line} ", 4)) == [FIRST, SECOND, "latest"]
    assert asked(run_waterglass, f"{line} c0", 4) == [FIRST]
    assert asked(run_waterglass, f"{line} --no-s", 4) == ["--no-scorecard"]


def test_the_forms_of_an_export_are_offered(run_waterglass: RunWaterglass) -> None:
    assert asked(run_waterglass, "waterglass export --to p", 3) == ["parquet", "perfetto"]


def test_a_path_is_completed_by_the_shell_itself(run_waterglass: RunWaterglass) -> None:
    env = {"_WATERGLASS_COMPLETE": "bash_complete", "COMP_WORDS": "waterglass show ./a", "COMP_CWORD": "2"}
    assert run_waterglass(env=env).stdout == "file,./a\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_is_one_that_it_can_read(run_waterglass: RunWaterglass, shell: str) -> None:
    done = run_waterglass("completion", shell)
    assert done.returncode == 0
    assert f"_WATERGLASS_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell):
        read = subprocess.run([shell, "-n"], input=done.stdout, capture_output=True, text=True, check=False)
        assert (read.returncode, read.stderr) == (0, "")


def test_a_shell_that_is_not_known_is_wrong_usage(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("completion", env={"SHELL": "/bin/tcsh"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "name the shell: bash, zsh, fish" in done.stderr


@pytest.mark.parametrize("env", [{}, {"COMP_WORDS": "waterglass show", "COMP_CWORD": "x"}])
def test_a_shell_that_does_not_say_what_was_typed_gets_no_traceback(
    run_waterglass: RunWaterglass, env: dict[str, str]
) -> None:
    done = run_waterglass(env={"_WATERGLASS_COMPLETE": "bash_complete", **env})
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
