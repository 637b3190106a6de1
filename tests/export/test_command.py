"""`waterglass export` as a command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.export.exporting import needs_tables
from tests.transcripts import Transcript
from waterglass.sample import sample_root

SAMPLE = ("--root", str(sample_root()))


@pytest.mark.parametrize("form", ["jsonl", "perfetto", "otlp"])
def test_it_writes_the_file_and_says_so_on_stderr(form: str, run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("export", "latest", "--to", form, "-o", tmp_path / "out.json", *SAMPLE)
    assert (done.returncode, done.stdout) == (0, "")
    assert "latest is " in done.stderr and "out.json, 1 session, " in done.stderr
    assert (tmp_path / "out.json").stat().st_size > 4_000


def test_a_dash_is_standard_output_and_nothing_else_is_on_it(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("export", "--all", "--to", "jsonl", "-o", "-", *SAMPLE)
    assert done.returncode == 0
    assert len({json.loads(line)["session"] for line in done.stdout.splitlines()}) == 4
    assert done.stderr.startswith("Wrote to standard output, 4 sessions")


def test_several_sessions_by_the_beginnings_of_their_ids(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("export", "5a3b1e00", "f3a1e500", "--to", "otlp", "-o", tmp_path / "out", *SAMPLE)
    assert done.returncode == 0 and "2 sessions" in done.stderr
    traces = {
        span["traceId"]
        for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines()
        for span in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    }
    assert len(traces) == 2


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--to", "jsonl", "-o", "x"], "either SESSION"),
        (["latest", "--all", "--to", "jsonl", "-o", "x"], "either SESSION"),
        (["latest", "--to", "parquet", "-o", "-"], "standard output"),
        (["latest", "--to", "xml", "-o", "x"], "xml"),
        (["latest", "--to", "jsonl"], "output"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(args: list[str], why: str, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("export", *args, *SAMPLE)
    assert (done.returncode, done.stdout) == (2, "") and why in done.stderr and done.stderr.count("\n") == 1


def test_a_target_that_is_refused_is_one_line_and_exit_code_1(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("export", "latest", "--to", "jsonl", "-o", tmp_path, *SAMPLE)
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith(
        "waterglass: will not write the export over"
    )


def test_off_is_said(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("export", "latest", "--to", "jsonl", "-o", tmp_path / "x", "--redact", "off", *SAMPLE)
    assert "Nothing was taken out of it" in done.stderr


def test_tables_by_two_processes_are_those_of_one_and_stay_the_second_time(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    needs_tables()
    for number in ("1", "2"):
        asked = ("export", "--all", "--to", "parquet", "-o", tmp_path / number, "--workers", number, *SAMPLE)
        done = run_waterglass(*asked)
        assert (done.returncode, done.stdout) == (0, "") and ", 4 sessions, " in done.stderr
    again = run_waterglass(*asked)
    assert again.returncode == 0 and ", 4 sessions (4 unchanged), 0 B" in again.stderr
    one, two = (
        {path.relative_to(tmp_path / number): path.read_bytes() for path in (tmp_path / number).rglob("*.parquet")}
        for number in ("1", "2")
    )
    assert one == two and len(one) == 24


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("form", ["jsonl", "perfetto", "otlp"])
def test_an_export_to_a_terminal_sends_it_no_control_character(
    child_environment: dict[str, str], tmp_path: Path, form: str
) -> None:
    t = Transcript("5e550001-0000-4000-8000-00000000000c")
    t.prompt("turn \u202e round, \x9b31m red, \x7f gone")
    t.write(tmp_path / "projects")
    args = ["export", "5e55", "--root", str(tmp_path / "projects"), "--to", form, "-o", "-", "--redact", "off"]
    line = [sys.executable, "-m", "waterglass", *args]
    program = f"import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn({line!r})))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=child_environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    text = done.stdout.decode("utf-8")
    assert done.returncode == 0
    assert "\\u202e round" in text
    assert not set("\u202e\x9b\x7f") & set(text)
