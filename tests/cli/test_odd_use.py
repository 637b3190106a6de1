"""Odd use of the command line: settings files, controls in JSON, files that may not be read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Transcript
from waterglass.cli.terminal import visible_json
from waterglass.discover import Discovery, LookedIn, Unreadable, nothing_found
from waterglass.sample import sample_root

CONTROLS = "a\x7f\x9b31m\u202ertl\u2028\u2066\u061c é 日本"


def test_json_for_a_terminal_has_the_same_value_without_a_control_character() -> None:
    data = json.dumps(CONTROLS, ensure_ascii=False).encode()
    safe = visible_json(data)
    assert json.loads(safe) == CONTROLS
    assert b"\xc2\x9b" not in safe and b"\xe2\x80\xae" not in safe and b"\x7f" not in safe
    assert "é 日本".encode() in safe


def test_no_control_character_of_a_transcript_reaches_the_output_of_show(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt(CONTROLS)
    t.write(tmp_path)
    done = run_waterglass("show", "0a0a", "--root", tmp_path, "--json", "--events")
    assert json.loads(done.stdout)["prompts"][0]["text"] == CONTROLS
    assert not set("\x7f\x9b\u202e\u2028\u2066\u061c") & set(done.stdout)


def test_a_settings_file_gives_the_window_and_an_option_overrules_it(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    (tmp_path / "waterglass.toml").write_text("window = 400_000\n")
    (tmp_path / "pyproject.toml").write_text("[tool.waterglass]\nwindow = 500_000\n")
    common = ["show", "5a3b", "--root", sample_root(), "--json"]

    def window(*args: str) -> int:
        return int(json.loads(run_waterglass(*common, *args).stdout)["context"]["window"])

    assert window("--config", str(tmp_path / "waterglass.toml")) == 400_000
    assert window("--config", str(tmp_path / "pyproject.toml")) == 500_000
    assert window("--config", str(tmp_path / "waterglass.toml"), "--window", "300000") == 300_000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("window = ", "no TOML file"),
        ("window = 0", "1 or more"),
        ("window = 'x'", "1 or more"),
        ("scope = " + "[" * 9_000, "nested too deeply"),
    ],
)
def test_a_settings_file_that_cannot_be_used_is_wrong_usage(
    run_waterglass: RunWaterglass, tmp_path: Path, content: str | None, said: str
) -> None:
    file = tmp_path / "waterglass.toml"
    if content is not None:
        file.write_text(content)
    done = run_waterglass("list", "--root", sample_root(), "--config", file)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr


def test_transcripts_that_may_not_be_read_are_not_said_to_be_missing() -> None:
    unreadable = [Unreadable("/p/one.jsonl", "permission denied"), Unreadable("/p/two.jsonl", "permission denied")]
    error = nothing_found(Discovery([], unreadable, [LookedIn("/p", True)]))
    assert str(error).startswith("cannot read the transcripts (permission denied): /p/one.jsonl and 1 more")


def test_an_option_without_its_value_names_the_help_of_its_command(run_waterglass: RunWaterglass) -> None:
    for args, command in ((["check", "x", "--max"], "check"), (["--port"], "serve"), (["show", "--window"], "show")):
        done = run_waterglass(*args)
        assert done.returncode == 2
        assert done.stderr.rstrip().endswith(f"requires an argument. Try: waterglass {command} --help")


def test_a_file_that_is_no_transcript_is_not_looked_for_among_the_ids(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    (tmp_path / "notes of today.txt").write_text("x")
    done = run_waterglass("show", "notes of today.txt", "--root", sample_root())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "waterglass: not a transcript: notes of today.txt. Try: give a file whose name ends in .jsonl\n"
    )


@pytest.mark.parametrize("command", [["show"], ["check"], ["report", "-o", "r.html"], ["compare", "5a3b1e00"]])
def test_what_latest_is_goes_to_stderr(run_waterglass: RunWaterglass, command: list[str]) -> None:
    done = run_waterglass(*command, "latest", "--root", sample_root())
    assert done.returncode in (0, 3)
    assert done.stderr.count("latest is 0e4c7d92-") == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="caches lie elsewhere on this system")
def test_an_index_that_cannot_be_kept_is_exit_code_1(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    done = run_waterglass("index", "--root", sample_root(), env={"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert (done.returncode, done.stdout) == (1, "nothing was kept\n")
    assert "the index cannot be written" in done.stderr
