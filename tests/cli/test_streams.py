"""Standard streams that are closed, full, cut off or unable to show a character."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from waterglass.cli.main import _reason, run
from waterglass.sample import sample_root

Ran = Callable[..., tuple[int, str]]
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
LONG = "5a3b"


@pytest.fixture
def in_shell(child_environment: dict[str, str], tmp_path: Path) -> Ran:
    """Return `run(line)`: exit code and standard error of a shell line in which `$WG` is the program, `$ROOT` the
    sample."""

    def run(line: str, **env: str) -> tuple[int, str]:
        ours = {"WG": f"{sys.executable} -m waterglass", "ROOT": str(sample_root())}
        done = subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=tmp_path,
            env={**child_environment, **ours, **env},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return done.returncode, done.stderr

    return run


@needs_full
@pytest.mark.parametrize(
    "command", ["list --root $ROOT", "show 5a3b --root $ROOT", "show 5a3b --root $ROOT --json", "--help", "redact /etc"]
)
def test_a_full_disk_behind_the_output_is_one_line(in_shell: Ran, command: str) -> None:
    if command.startswith("redact"):
        command = "redact <(echo some text)"
    code, said = in_shell(f"$WG {command} > /dev/full")
    assert (code, said) == (1, "waterglass: cannot write the output (No space left on device)\n")


def test_a_closed_output_is_one_line_and_no_success(in_shell: Ran) -> None:
    for command in ("show 5a3b --root $ROOT", "show 5a3b --root $ROOT --json", "list --root $ROOT"):
        code, said = in_shell(f"$WG {command} >&-")
        assert (code, said) == (1, "waterglass: cannot write the output (Bad file descriptor)\n")


def test_what_writes_no_output_does_not_miss_it(in_shell: Ran, tmp_path: Path) -> None:
    code, said = in_shell("$WG report 5a3b --root $ROOT -o one.html >&-")
    assert code == 0 and said.startswith("Wrote one.html")
    assert (tmp_path / "one.html").stat().st_size > 10_000


def test_a_closed_input_is_one_line(in_shell: Ran) -> None:
    code, said = in_shell("$WG redact <&-")
    assert (code, said) == (1, "waterglass: cannot be read (Bad file descriptor): stdin. Try: name a text file\n")


def test_with_closed_errors_the_exit_code_still_tells(in_shell: Ran) -> None:
    assert in_shell("$WG show nope1 --root $ROOT 2>&-")[0] == 1
    assert in_shell("$WG list --root $ROOT 2>&-")[0] == 0


@pytest.mark.parametrize(
    "command", ["list", "schema", "show 5a3b", "show 5a3b --json", "compare 5a3b 9e55", "check 5a3b"]
)
def test_a_reader_that_leaves_early_is_no_failure_of_any_command(in_shell: Ran, command: str) -> None:
    code, said = in_shell(f"$WG {command} --root $ROOT | true; exit ${{PIPESTATUS[0]}}")
    assert (code, said) == (0, "")


@pytest.mark.parametrize("command", ["list", "schema", "show 5a3b"])
def test_a_terminal_without_unicode_gets_question_marks(in_shell: Ran, command: str, tmp_path: Path) -> None:
    code, said = in_shell(f"$WG {command} --root $ROOT > out", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert (code, said) == (0, "")
    assert (tmp_path / "out").read_bytes().isascii()


def test_a_current_folder_that_is_gone_is_one_line(in_shell: Ran) -> None:
    code, said = in_shell("mkdir gone && cd gone && rmdir ../gone && exec $WG show latest --root $ROOT")
    assert code == 1
    assert said.endswith("waterglass: the current folder is no longer there. Try: cd to one that is\n")
    assert "Traceback" not in said


@needs_full
def test_notes_that_nobody_can_be_told_are_one_exit_code(in_shell: Ran) -> None:
    assert in_shell("$WG report 5a3b --root $ROOT -o one.html 2> /dev/full")[0] == 1
    assert in_shell("$WG show nope1 --root $ROOT 2> /dev/full")[0] == 1


def test_no_folder_for_temporary_files_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile._os, "open", refuse)  # type: ignore[attr-defined]
    with pytest.raises(FileNotFoundError) as error:
        tempfile.mkdtemp()
    monkeypatch.undo()
    assert _reason(error.value) == "no folder for temporary files can be written. Try: make room, or TMPDIR=DIR"


def test_no_room_for_a_thread_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert run(["list", "--root", str(sample_root())]) == 1
    assert capsys.readouterr().err.startswith("waterglass: no more threads can be started for this user. Try: ")


def test_ctrl_c_while_the_program_is_loaded_is_130_without_a_traceback(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from waterglass.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=child_environment, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")
