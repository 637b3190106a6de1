"""Arguments that are wrong, huge or name what they should not: one clear line, exit 1 or 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from waterglass.sample import sample_root

SECRET = "ghp_" + "Zq7Xw2Lm9Pd4Rt6Vb8Nc1Kj3Hf5Gs0Ya2Ue4"


@pytest.mark.parametrize("argument", ["a" * 10_000, "b" * 10_000 + ".jsonl", "/c" * 5_000 + ".jsonl", "d " * 5_000])
@pytest.mark.parametrize("command", ["show", "report"])
def test_an_endless_argument_is_not_said_back_whole(run_waterglass: RunWaterglass, command: str, argument: str) -> None:
    done = run_waterglass(command, argument, "--root", sample_root())
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and len(done.stderr) < 1_000
    assert argument[:100] in done.stderr and " … " in done.stderr
    assert ". Try: " in done.stderr


@pytest.mark.parametrize("args", [["z" * 10_000], ["list", "--since", "z" * 10_000], ["list", "--" + "z" * 10_000]])
def test_an_endless_wrong_word_is_not_said_back_whole(run_waterglass: RunWaterglass, args: list[str]) -> None:
    done = run_waterglass(*args)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and len(done.stderr) < 1_000
    assert done.stderr.rstrip().endswith("--help")


@pytest.mark.parametrize(
    ("window", "said"),
    [
        ("0", "0 is not in the range"),
        ("-1", "-1 is not in the range"),
        ("1e18", "'1e18' is not a valid whole number"),
        ("9" * 30, "is not in the range"),
        ("", "'' is not a valid whole number"),
    ],
)
@pytest.mark.parametrize("command", ["list", "show"])
def test_a_window_that_none_can_be_is_wrong_usage(
    run_waterglass: RunWaterglass, command: str, window: str, said: str
) -> None:
    done = run_waterglass(command, "--root", sample_root(), "--window", window)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and said in done.stderr


def test_a_window_out_of_range_in_a_settings_file_is_wrong_usage(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    (tmp_path / "waterglass.toml").write_text("window = 99999999999\n")
    done = run_waterglass("list", "--root", sample_root(), "--config", "waterglass.toml")
    assert done.returncode == 2
    assert "1,000,000,000 at most" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["list", "--since", "\u0663d"], "is no span of time"),
        (["search", "x", "--since", "\uff17d"], "is no span of time"),
        (["stats", "--since", "\u0be9w"], "is no span of time"),
        (["list", "--limit", "\u0663"], "is not a valid whole number"),
        (["show", "latest", "--window", "200_000"], "is not a valid whole number"),
        (["serve", "--port", "\uff18765"], "is not a valid whole number"),
        (["check", "latest", "--max", "loopDetection=\u0663"], "a gate is METRIC=NUMBER"),
        (["check", "latest", "--max", "loopDetection=1_0"], "a gate is METRIC=NUMBER"),
    ],
)
def test_numbers_and_spans_take_the_digits_0_to_9_alone(
    run_waterglass: RunWaterglass, args: list[str], said: str
) -> None:
    done = run_waterglass(*args, "--root", sample_root())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and said in done.stderr


def test_a_question_ends_with_its_own_mark(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("serve", "--allow-hos")
    assert done.returncode == 2
    assert "?. " not in done.stderr and "? Try: waterglass serve --help" in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_not_waited_for(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for level in ("secrets", "paths"):
        done = run_waterglass("redact", "pipe", "--level", level, timeout=20)
        assert done.returncode == 1
        assert done.stderr == "waterglass: a named pipe, not a file: pipe. Try: waterglass redact < PIPE\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_settings_file_that_is_a_named_pipe_is_not_waited_for_and_one_behind_a_link_is_read(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    done = run_waterglass("show", "5a3b", "--root", sample_root(), "--config", "pipe.toml", timeout=20)
    assert done.returncode == 2
    assert "pipe.toml: not a regular file" in done.stderr
    (tmp_path / "real.toml").write_text("threshold = 4\n")
    (tmp_path / "link.toml").symlink_to("real.toml")
    assert run_waterglass("show", "5a3b", "--root", sample_root(), "--config", "link.toml").returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="this system has no device without an end")
def test_a_device_that_never_ends_is_not_read(run_waterglass: RunWaterglass) -> None:
    for level in ("secrets", "paths"):
        done = run_waterglass("redact", "/dev/zero", "--level", level, timeout=20)
        assert done.returncode == 1
        assert done.stderr == "waterglass: a device, not a file: /dev/zero. Try: name a text file\n"


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="this system names no open files")
@pytest.mark.parametrize("level", ["secrets", "paths"])
def test_what_a_shell_pipes_in_by_name_comes_out_whole(
    child_environment: dict[str, str], tmp_path: Path, level: str
) -> None:
    line = f'"{sys.executable}" -m waterglass redact --level {level} <(printf "one %s\\ntwo\\n" {SECRET})'
    done = subprocess.run(
        ["/bin/bash", "-c", line], cwd=tmp_path, env=child_environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert SECRET not in done.stdout
    assert done.stdout.startswith("one ") and done.stdout.endswith("\ntwo\n")


def test_redact_tells_reading_from_writing(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("redact", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("waterglass: cannot be read (Is a directory): ")


def test_a_report_can_go_to_standard_output(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("report", "5a3b", "--root", sample_root(), "-o", "-")
    assert done.returncode == 0
    assert done.stdout.startswith("<!doctype html>") and done.stdout.rstrip().endswith("</html>")
    assert done.stderr == f"Wrote to standard output, {len(done.stdout.encode()) / 1000:.0f} kB\n"
    assert list(tmp_path.iterdir()) == []


def test_a_report_to_standard_output_opens_nothing(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("report", "5a3b", "--root", sample_root(), "-o", "-", "--open")
    assert done.returncode == 2
    assert done.stdout == "" and "--open needs a file" in done.stderr


def test_a_report_onto_a_folder_or_a_device_is_one_line(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, what in (("folder", "over a folder: folder"), (os.devnull, "over something that is no file: ")):
        done = run_waterglass("report", "5a3b", "--root", sample_root(), "-o", name)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1 and f"will not write the report {what}" in done.stderr
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["show", "."], 1, "a folder, not a transcript"),
        (["show", "x"], 1, "too short for a session's id"),
        (["show", "./"], 1, "a folder, not a transcript"),
        (["show", "nope.jsonl"], 1, "no such file: nope.jsonl"),
        (["show", "5a3b", "second"], 2, "unexpected extra argument"),
        (["list", "--root", "nowhere"], 1, "no such folder: nowhere"),
        (["schema", "--root", "nowhere"], 1, "no such folder: nowhere"),
        (["serve", "--no-open", "--root", "nowhere"], 1, "no such folder: nowhere"),
        (["list", "--limit", "0"], 2, "0 is not in the range"),
        (["serve", "--port", "99999"], 2, "99999 is not in the range"),
        (["serve", "--port", "x"], 2, "'x' is not a valid whole number"),
        (["list", "--config", "."], 2, "Is a directory"),
        (["redact", "nowhere"], 1, "No such file or directory"),
        (["sample", "-o", "pyproject.toml/x"], 1, "cannot be written"),
        (["bogus"], 2, "No such command 'bogus'"),
    ],
)
def test_wrong_use_is_one_line_and_its_exit_code(
    run_waterglass: RunWaterglass, tmp_path: Path, args: list[str], code: int, said: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    done = run_waterglass(*args, *([] if "--root" in args or args[0] != "show" else ["--root", str(sample_root())]))
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("waterglass: ") and said in done.stderr
