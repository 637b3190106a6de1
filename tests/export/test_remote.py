"""Addresses: what lies elsewhere is read as what lies here, and what is written there is whole when it is seen."""

from __future__ import annotations

import os
import random
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.export.exporting import NOW_MS, needs_tables
from tests.transcripts import Transcript
from waterglass.archive import archive
from waterglass.cli.exporting import sources_of
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.export import Done, Reading, export_sessions
from waterglass.remote import is_url, local_path, place_of, shown
from waterglass.remote.urls import reason_of
from waterglass.sample import sample_root

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install waterglass[remote]")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # of fsspec's own
SESSION = "5a3b1e00-71de-4f00-8a00-0000000000a1"


@pytest.fixture
def memory() -> Iterator[Any]:
    """fsspec's file system in memory, empty."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    system.pseudo_dirs[:] = [""]
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of this process."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    return tmp_path / "scratch"


def upload(system: Any, root: Path | None = None, to: str = "/logs/projects") -> None:
    root = root or sample_root()
    for path in root.rglob("*"):
        if path.is_file():
            system.pipe_file(f"{to}/{path.relative_to(root).as_posix()}", path.read_bytes())


def exported(names: list[str], roots: list[str] | None, form: str, target: Path | str, **more: Any) -> Done:
    reading = Reading(now_ms=NOW_MS, strict=more.pop("strict", False))
    with sources_of(names, roots) as found:
        return export_sessions(found.sources, form, target, reading=reading, **more)


def unread(roots: list[str]) -> list[tuple[str, str]]:
    with sources_of([], roots) as found:
        return found.unread


@pytest.mark.parametrize("form", ["jsonl", "otlp"])
def test_what_lies_elsewhere_comes_out_as_it_does_from_here(
    form: str, memory: Any, tmp_path: Path, scratch: Path
) -> None:
    upload(memory)
    exported([], [str(sample_root())], form, tmp_path / "here")
    exported([], ["memory://logs"], form, tmp_path / "there")
    exported([], ["memory://logs/projects/"], form, "memory://out/of/export")
    here = (tmp_path / "here").read_bytes()
    assert sorted((tmp_path / "there").read_bytes().splitlines()) == sorted(here.splitlines()) != []
    assert sorted(memory.cat_file("/out/of/export").splitlines()) == sorted(here.splitlines())
    assert memory.ls("/out/of", detail=False) == ["/out/of/export"] and list(scratch.iterdir()) == []


def test_tables_from_and_to_addresses_are_those_of_folders_and_kept_the_second_time(
    memory: Any, tmp_path: Path
) -> None:
    needs_tables()
    upload(memory)
    exported([], [str(sample_root())], "parquet", tmp_path / "here")
    exported([], ["memory://logs"], "parquet", "memory://out")
    tables = {
        path.relative_to(tmp_path / "here").as_posix(): path.read_bytes()
        for path in (tmp_path / "here").rglob("*.parquet")
    }
    found = {path: data for path, data in all_files(memory, "/out/").items() if path.endswith(".parquet")}
    assert found == tables and len(tables) == 24
    again = exported([], ["memory://logs"], "parquet", "memory://out")
    assert (again.sessions, again.kept) == (4, 4)
    assert not [path for path in all_files(memory, "/out/") if path.endswith(".part")]


def all_files(system: Any, below: str) -> dict[str, bytes]:
    return {path.removeprefix(below): system.cat_file(path) for path in system.find(below)}


def test_an_archive_elsewhere_is_read_as_the_transcripts_that_it_was_made_of(memory: Any, tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a", cwd="/code/tide").at("2026-03-02T09:00:00Z")
    for n in range(40):  # what hardly compresses, so that both ends of the copy are far apart
        t.prompt(f"{n} " + random.Random(n).randbytes(20_000).hex())
    t.write(tmp_path / "projects")
    shutil.copytree(sample_root(), tmp_path / "projects", dirs_exist_ok=True)
    archive(discover([str(tmp_path / "projects")]), str(tmp_path / "archive"))
    upload(memory, tmp_path / "archive", "/archive")
    assert max(len(data) for data in all_files(memory, "/archive").values()) > 600_000
    exported([], [str(tmp_path / "projects")], "jsonl", tmp_path / "here")
    done = exported([], ["memory://archive"], "jsonl", tmp_path / "there")
    assert done.sessions == 5 and done.left_out == []
    assert sorted((tmp_path / "there").read_bytes().splitlines()) == sorted(
        (tmp_path / "here").read_bytes().splitlines()
    )


def test_one_session_by_its_address_its_id_and_as_the_latest(memory: Any, tmp_path: Path) -> None:
    upload(memory)
    exported([SESSION], [str(sample_root())], "otlp", tmp_path / "here")
    address = next(path for path in memory.find("/logs") if path.endswith(f"{SESSION}.jsonl"))
    for n, (name, roots) in enumerate(((f"memory:/{address}", None), ("5a3b", ["memory://logs"]))):
        exported([name], roots, "otlp", tmp_path / str(n), strict=True)
        assert (tmp_path / str(n)).read_bytes() == (tmp_path / "here").read_bytes()


def test_a_file_address_is_a_path_with_the_rules_of_paths(tmp_path: Path) -> None:
    assert local_path("file:///a/b") == "/a/b" and local_path("/a/b") is None and not is_url("a/b://c")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(WaterglassError, match="over a link"):
        exported([], [f"file://{sample_root()}"], "jsonl", local_path(f"file://{tmp_path}/link") or "")


def test_no_more_than_the_ends_of_a_file_is_fetched_before_it_is_read(
    memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a", cwd="/code/tide").at("2026-03-02T09:00:00Z")
    for n in range(4_000):
        t.prompt(f"{n} {'x' * 500}")
    t.write(tmp_path / "projects")
    upload(memory, tmp_path / "projects")
    fetched = []
    ranges = type(memory).cat_ranges

    def noted(self: Any, paths: Any, starts: Any, ends: Any, **more: Any) -> Any:
        fetched.extend(end - start for start, end in zip(starts, ends, strict=True))
        return ranges(self, paths, starts, ends, **more)

    monkeypatch.setattr(type(memory), "cat_ranges", noted)
    with sources_of([], ["memory://logs"]) as found:
        (source,) = found.sources
        (mirrored,) = source.ref.files
        assert mirrored.size == t.content().__len__() > 2_000_000
        assert (
            stat.S_IMODE(os.stat(source.mirrors[0].top).st_mode) & 0o077 == 0
            or stat.S_IMODE(os.stat(Path(source.mirrors[0].top).parent).st_mode) == 0o700
        )
    assert sum(fetched) == 2 * (64 << 10)


@pytest.mark.parametrize(
    "name",
    [
        "../../x.jsonl",
        "a/../../x.jsonl",
        "a//x.jsonl",
        "a\\..\\..\\x.jsonl",
        "./x.jsonl",
        "/".join("d" * 40) + "/x.jsonl",
    ],
)
def test_no_name_leads_out_of_the_mirror_and_those_that_try_are_named(
    name: str, memory: Any, tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(memory)
    listed = memory.find("/logs", detail=True)
    listed[f"/logs/{name}"] = {"name": f"/logs/{name}", "size": 3, "type": "file"}
    monkeypatch.setattr(type(memory), "find", lambda self, path, **more: dict(listed))
    before = sorted(tmp_path.iterdir())
    (odd,) = unread(["memory://logs"])
    assert odd[1] == "a name or size that no file can have"
    assert sorted(tmp_path.iterdir()) == before and list(scratch.iterdir()) == []


def test_a_store_that_lies_about_a_size_fills_no_disk_and_costs_one_session(
    memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(memory)
    listed = memory.find("/logs", detail=True)
    own = next(path for path in listed if path.endswith(f"{SESSION}.jsonl"))
    listed[own] = {**listed[own], "size": 50_000_000_000}
    monkeypatch.setattr(type(memory), "find", lambda self, path, **more: dict(listed))
    done = exported([], ["memory://logs"], "jsonl", tmp_path / "out")
    assert done.sessions == 3
    assert [(session, "became shorter" in reason) for session, reason in done.left_out] == [(SESSION, True)]


def test_what_comes_after_the_listing_is_left_for_the_next_time(
    memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(memory)
    with sources_of([SESSION], ["memory://logs"]) as found:
        own = next(path for path in memory.find("/logs") if path.endswith(f"{SESSION}.jsonl"))
        memory.pipe_file(own, memory.cat_file(own) * 2)
        export_sessions(found.sources, "jsonl", tmp_path / "out", reading=Reading(now_ms=NOW_MS))
    exported([SESSION], [str(sample_root())], "jsonl", tmp_path / "here")
    assert (tmp_path / "out").read_bytes() == (tmp_path / "here").read_bytes()


def test_a_write_that_fails_leaves_what_was_there_and_nothing_half(
    memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(memory)
    memory.pipe_file("/out/trace.json", b"old")
    put = type(memory).put_file

    def half(self: Any, local: str, remote: str, **more: Any) -> None:
        self.pipe_file(remote, Path(local).read_bytes()[:100])
        raise ConnectionResetError("peer with password hunter2")

    monkeypatch.setattr(type(memory), "put_file", half)
    with pytest.raises(WaterglassError, match="cannot write the export") as raised:
        exported([], ["memory://logs"], "perfetto", "memory://out/trace.json")
    assert "hunter2" not in str(raised.value)
    assert all_files(memory, "/out/") == {"trace.json": b"old"}
    monkeypatch.setattr(type(memory), "put_file", put)
    exported([], ["memory://logs"], "perfetto", "memory://out/trace.json")
    assert all_files(memory, "/out/").keys() == {"trace.json"}


def test_transcripts_and_folders_elsewhere_are_not_written_over(memory: Any) -> None:
    upload(memory)
    before = all_files(memory, "/logs/")
    memory.pipe_file("/out/some.jsonl", b"{}\n")
    for target, why in (
        ("memory://logs/new.jsonl", "among the transcripts"),
        ("memory://out/some.jsonl", "may be a transcript"),
        ("memory://logs/projects", "over a folder"),
    ):
        with pytest.raises(WaterglassError, match=why):
            exported([], ["memory://logs"], "jsonl", target)
    if pytest.importorskip("pyarrow", reason="pyarrow is not installed"):
        with pytest.raises(WaterglassError, match="not empty"):
            exported([], ["memory://logs"], "parquet", "memory://logs")
    assert all_files(memory, "/logs/") == before


@pytest.mark.parametrize(
    "url",
    ["http://u:hunter2@h/x", "simplecache::s3://u:hunter2@h", "github://u:hunter2@h", "zip://u:hunter2@h::memory://x"],
)
def test_other_kinds_of_address_are_refused_and_no_password_is_said(
    url: str, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    for args in (["--root", url, "-o", "x"], ["--root", str(sample_root()), "-o", url]):
        done = run_waterglass("export", "--all", "--to", "otlp", *args)
        assert done.returncode == 2 and "not taken" in done.stderr
        assert "hunter2" not in done.stderr + done.stdout


def test_an_address_is_shown_without_user_password_and_query() -> None:
    assert shown("ssh://me:p@ss/w@host/a?token=1#x") == "ssh://***@host/a" or "p@ss" not in shown(
        "ssh://me:p@ss@host/a"
    )
    assert shown("s3://key:secret@bucket/a") == "s3://***@bucket/a" and shown("s3://bucket/a") == "s3://bucket/a"
    place = place_of("memory://u:hunter2@x/y")
    assert "hunter2" not in repr(place)


def test_why_something_failed_is_said_in_words_of_the_system_and_not_of_a_library() -> None:
    said = [
        reason_of(error)
        for error in (
            OSError(13, "denied for hunter2"),
            OSError("hunter2"),
            OSError(-2, "hunter2"),
            PermissionError("hunter2"),
            FileNotFoundError("hunter2"),
        )
    ]
    assert said == ["permission denied", "OSError", "OSError", "permission denied", "not found"]


def test_nothing_below_an_address_is_one_line(memory: Any) -> None:
    with pytest.raises(WaterglassError, match="nothing is there"):
        exported([], ["memory://nowhere"], "jsonl", "memory://out")
    memory.pipe_file("/logs/readme.txt", b"x")
    with pytest.raises(WaterglassError, match="no session found"):
        exported([], ["memory://logs"], "jsonl", "memory://out")


def test_workers_and_clusters_are_for_tables_alone(run_waterglass: RunWaterglass) -> None:
    sample = ("--root", str(sample_root()))
    for more, why in (
        (["--to", "jsonl", "-o", "x", "--workers", "2"], "only tables"),
        (["--to", "otlp", "-o", "x", "--dask", "tcp://127.0.0.1:1"], "only tables"),
        (["--to", "parquet", "-o", "x", "--workers", "2", "--dask", "tcp://127.0.0.1:1"], "either --workers or --dask"),
        (["--to", "parquet", "-o", "memory://x", "--workers", "2"], "this process's own"),
    ):
        done = run_waterglass("export", "--all", *more, *sample)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and why in done.stderr
