"""What lies among the transcripts and is none, and names that mean something else to the system."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Transcript
from waterglass.discover import again, beside, discover
from waterglass.errors import WaterglassError

ONE = "5e550001-0000-4000-8000-000000000001"
RunWaterglass = Any


def talk(session: str = ONE, **fields: Any) -> Transcript:
    t = Transcript(session, folder="-code-demo", **fields)
    t.prompt("Count the boats")
    return t


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with one session and much that is none; opening some of it would wait for ever."""
    folder = talk().write(tmp_path / "projects").parent
    for name in ("pipe.jsonl", "agent-pipe.jsonl"):
        os.mkfifo(folder / name)
    for name, target in (
        ("loop.jsonl", "loop.jsonl"),
        ("dangling.jsonl", "/code/nowhere"),
        ("zero.jsonl", "/dev/zero"),
        ("null.jsonl", "/dev/null"),
        ("up", ".."),
        ("self", "."),
    ):
        (folder / name).symlink_to(target)
    (folder / "folder.jsonl").mkdir()
    deep = folder / "deep"
    for _ in range(40):
        deep = deep / "dddddddddd"
    deep.mkdir(parents=True)
    return folder


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_every_command_ends_among_pipes_devices_and_loops(folder: Path, run_waterglass: RunWaterglass) -> None:
    listed = run_waterglass("list", "--root", folder.parent, "--json", timeout=30)
    assert (listed.returncode, listed.stdout.count('"id":')) == (0, 1)
    for name in ("pipe.jsonl", "loop.jsonl", "dangling.jsonl", "zero.jsonl", "null.jsonl", "folder.jsonl", "up"):
        shown = run_waterglass("show", folder / name, timeout=30)
        assert (shown.returncode, shown.stdout) == (1, ""), name
        assert shown.stderr.startswith("waterglass: ") and shown.stderr.count("\n") == 1, name


def test_a_file_with_two_names_is_one_session_by_either_path(folder: Path) -> None:
    other = folder / "another-name.jsonl"
    os.link(folder / f"{ONE}.jsonl", other)
    found = discover([str(folder.parent)])
    assert len(found) == 1
    assert beside(str(other)).id == beside(str(folder / f"{ONE}.jsonl")).id == found.sessions[0].id


def test_a_path_that_shares_its_file_with_no_session_is_still_refused(folder: Path) -> None:
    os.link(folder / f"{ONE}.jsonl", folder.parent / "outside.jsonl")
    (folder / "agent-.jsonl").write_bytes(b"{}\n")
    with pytest.raises(WaterglassError):
        beside(str(folder / "agent-.jsonl"))


@pytest.mark.parametrize("name", ["..jsonl", "...jsonl"])
def test_a_session_named_by_dots_has_no_agents_from_folders_around_it(folder: Path, name: str) -> None:
    (folder / name).write_bytes(talk().content())
    for around in (folder, folder.parent):
        (around / "subagents").mkdir()
        (around / "subagents" / "agent-x.jsonl").write_bytes(talk().content())
    ref = beside(str(folder / name))
    assert ref.id == name.removesuffix(".jsonl")
    renewed = again(ref)
    assert renewed is not None
    assert [file.key for file in ref.files] == [file.key for file in renewed.files] == ["main"]
