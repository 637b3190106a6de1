"""A packed transcript that is damaged beside agents that are not: what is told without it says so, each time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from waterglass.sample import sample_root

ID = "5a3b1e00-71de-4f00-8a00-0000000000a1"


@pytest.fixture(params=["a byte", "the end"])
def damaged(request: pytest.FixtureRequest, run_waterglass: RunWaterglass, tmp_path: Path) -> Path:
    """An archive of the sample in which the main transcript of the longest session lost something."""
    root, archive = tmp_path / "projects", tmp_path / "archive"
    shutil.copytree(sample_root(), root)
    assert run_waterglass("archive", "--root", root, "--to", archive).returncode == 0
    file = next(archive.rglob(f"{ID}.jsonl.gz"))
    data = bytearray(file.read_bytes())
    file.chmod(0o600)
    if request.param == "a byte":
        data[600] ^= 0xFF
    else:
        del data[len(data) // 2 :]
    file.write_bytes(data)
    return archive


@pytest.mark.parametrize(
    "command",
    [
        ("check", "5a3b"),
        ("compare", "5a3b", "0e4c"),
        ("report", "5a3b", "-o", "out.html"),
        ("export", "5a3b", "--to", "jsonl", "-o", "out"),
        ("export", "--all", "--to", "otlp", "-o", "out"),
        ("stats", "--json"),
    ],
)
def test_every_command_names_the_file_that_it_could_not_read(
    command: tuple[str, ...], damaged: Path, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    for _ in range(2):
        done = run_waterglass(*command, "--root", damaged, env=env)
        said = done.stdout if command[0] == "stats" else done.stderr
        assert ID in said, done.stderr
        assert "damaged" in said or "compressed by another program" in said


def test_show_says_of_a_file_cut_in_half_that_it_was_not_read(damaged: Path, run_waterglass: RunWaterglass) -> None:
    shown = run_waterglass("show", "5a3b", "--root", damaged).stdout
    assert "1 unreadable files" in shown
