"""A data set is brought up to date by any number of processes, and each file in it is whole."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tests.export.exporting import NOW_MS, needs_tables
from tests.transcripts import Call, Transcript
from waterglass.crew import Crew, Work, run_jobs
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.export import Done, Reading, all_sources, export_sessions
from waterglass.export.jobs import Did, Job, lost_job, run_job

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install waterglass[parquet]")
MANY = 9


def transcript(number: int, words: str = "Look") -> Transcript:
    t = Transcript(f"5e551044-0000-4000-8000-{number:012d}", cwd="/code/tide").at(
        f"2026-03-0{number % 3 + 1}T09:00:00Z"
    )
    t.prompt(f"{words} {number}")
    t.reply("Yes", [Call("Bash", {"command": "ls"}, "toolu_1")])
    t.at("+2s").result("toolu_1", "a")
    return t


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(MANY):
        transcript(number).write(tmp_path / "projects")
    return tmp_path / "projects"


def exported(root: Path, target: Path, **more: Any) -> Done:
    reading = Reading(now_ms=NOW_MS, strict=more.pop("strict", False))
    return export_sessions(all_sources(discover([str(root)])), "parquet", target, reading=reading, **more)


def files(folder: Path) -> dict[str, bytes]:
    """What is in a data set, without its lock and the folder of what is not whole, which may be there or not."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "_waterglass.lock"
    }


def test_a_second_run_keeps_what_is_there_and_writes_only_what_changed(root: Path, tmp_path: Path) -> None:
    assert exported(root, tmp_path / "data").kept == 0
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "data").rglob("*.parquet")}
    again = exported(root, tmp_path / "data")
    assert (again.sessions, again.kept, again.bytes) == (MANY, MANY, 0)
    grown = transcript(4)
    grown.at("+9s").prompt("And more")
    grown.write(root)
    third = exported(root, tmp_path / "data")
    assert (third.sessions, third.kept) == (MANY, MANY - 1) and third.bytes > 0
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "data").rglob("*.parquet")}
    assert after.keys() == before.keys()
    assert len([path for path in after if after[path] != before[path]]) == 6
    exported(root, tmp_path / "anew")
    assert files(tmp_path / "data") == files(tmp_path / "anew")


def test_a_session_that_moves_to_another_day_leaves_nothing_on_the_old_one(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "data")
    moved = transcript(4)
    moved.lines = [json.loads(json.dumps(line).replace("2026-03-02T", "2026-03-08T")) for line in moved.lines]
    moved.write(root)
    exported(root, tmp_path / "data")
    exported(root, tmp_path / "anew")
    assert files(tmp_path / "data") == files(tmp_path / "anew")
    assert len(list((tmp_path / "data" / "calls" / "day=2026-03-08").iterdir())) == 1


def test_what_depends_on_another_session_is_made_anew_with_it(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    first, fork = transcript(1), Transcript("5e551044-0000-4000-8000-00000000000b", cwd="/code/tide")
    fork.lines = [{**line, "sessionId": fork.session_id} for line in first.lines if isinstance(line, dict)]
    fork.write(root)
    exported(root, tmp_path / "data")
    first.write(root)
    assert exported(root, tmp_path / "data").kept == 0
    exported(root, tmp_path / "anew")
    assert files(tmp_path / "data") == files(tmp_path / "anew")


def test_a_session_that_is_being_written_is_never_taken_for_unchanged(tmp_path: Path) -> None:
    transcript(1).write(tmp_path / "projects")
    (source,) = all_sources(discover([str(tmp_path / "projects")]))
    began = 1_772_355_600_000 + 86_400_000  # 2026-03-02T09:00:00Z
    for wait_ms, kept in ((5_000, 0), (9_000, 0), (3_600_000, 0), (7_200_000, 1)):
        done = export_sessions([source], "parquet", tmp_path / "data", reading=Reading(now_ms=began + wait_ms))
        assert done.kept == kept, wait_ms


@pytest.mark.parametrize(("changed", "why"), [({"level": "paths"}, "--redact secrets"), ({}, "version 9")])
def test_what_was_written_otherwise_is_not_mixed(changed: dict[str, Any], why: str, root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "data")
    if not changed:
        (tmp_path / "data" / "_waterglass.json").write_text('{"tables":9,"redaction":"secrets"}', encoding="utf-8")
    before = files(tmp_path / "data")
    with pytest.raises(WaterglassError, match=why):
        exported(root, tmp_path / "data", **changed)
    assert files(tmp_path / "data") == before


def test_values_of_ones_own_that_came_since_make_everything_anew(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "data")
    assert exported(root, tmp_path / "data", own={"Look": "own"}).kept == 0
    assert not any(b"Look" in data for data in files(tmp_path / "data").values())


def test_other_prices_or_another_metric_make_everything_anew(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported(root, tmp_path / "data")
    with monkeypatch.context() as patch:
        patch.setattr("waterglass.export.dataset.prices_version", lambda: "9.9")
        assert exported(root, tmp_path / "data").kept == 0
        assert exported(root, tmp_path / "data").kept == MANY
    exported(root, tmp_path / "data")
    one = metadata.EntryPoint("tides", "tides:METRIC", "waterglass.metrics")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [one] if group == one.group else [])
    assert exported(root, tmp_path / "data").kept == 0


def test_nothing_is_written_through_a_link_in_the_folder(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "data")
    for path in (tmp_path / "data" / "calls").rglob("*.parquet"):
        path.unlink()
    for path in (tmp_path / "data" / "calls").iterdir():
        path.rmdir()
    (tmp_path / "data" / "calls").rmdir()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "data" / "calls").symlink_to(tmp_path / "theirs")
    for path in (tmp_path / "data" / "_done").iterdir():
        path.unlink()
    assert len(exported(root, tmp_path / "data").left_out) == MANY
    assert list((tmp_path / "theirs").iterdir()) == []


def test_two_at_a_time_are_refused_on_one_machine(root: Path, tmp_path: Path) -> None:
    seen: list[str] = []

    def meanwhile(done: int, total: int) -> None:
        if not seen:
            seen.append("")
            with pytest.raises(WaterglassError, match="another process") as raised:
                exported(root, tmp_path / "data")
            seen.append(str(raised.value))

    exported(root, tmp_path / "data", progress=meanwhile)
    assert "again when it has ended" in seen[1] and exported(root, tmp_path / "data").kept == MANY


def test_several_processes_make_the_same_files_as_one(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "one")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = exported(root, tmp_path / "two", crew=pool)
    assert done.sessions == MANY and done.left_out == []
    assert files(tmp_path / "two") == files(tmp_path / "one")


def test_threads_make_the_same_files_too(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "one")
    with ThreadPoolExecutor(3) as pool:
        exported(root, tmp_path / "three", crew=pool)
    assert files(tmp_path / "three") == files(tmp_path / "one")


def test_a_run_that_ended_half_way_is_taken_up(root: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exported(root, tmp_path / "data", progress=stop)
    done = exported(root, tmp_path / "data")
    assert 0 < done.kept < MANY
    exported(root, tmp_path / "anew")
    assert files(tmp_path / "data") == files(tmp_path / "anew")


def test_rests_of_an_ended_process_are_removed_and_two_marks_count_as_none(root: Path, tmp_path: Path) -> None:
    exported(root, tmp_path / "data")
    rest = tmp_path / "data" / "_writing" / "x" / "calls.parquet"
    rest.parent.mkdir(parents=True)
    rest.write_bytes(b"half")
    mark = next((tmp_path / "data" / "_done").iterdir())
    name, _, day = mark.name.split(".")
    (mark.parent / f"{name}.{'0' * 32}.{day}").write_bytes(b"")
    assert exported(root, tmp_path / "data").kept == MANY - 1
    exported(root, tmp_path / "anew")
    assert files(tmp_path / "data") == files(tmp_path / "anew")


class Deadly(ProcessPoolExecutor):
    """A pool in which the job of one session ends its process, once or each time."""

    def __init__(self, session: str, note: Path, once: bool) -> None:
        super().__init__(2, mp_context=get_context("spawn"))
        self._deadly = session, note, once

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(end_or_run, fn, self._deadly, *args, **kwargs)


def end_or_run(fn: Any, deadly: tuple[str, Path, bool], job: Job) -> Did:
    session, note, once = deadly
    if job.ref.id == session and not (once and note.exists()):
        note.write_text("ended", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    did: Did = fn(job)
    return did


@pytest.mark.parametrize("once", [True, False])
def test_a_process_that_ends_costs_no_other_session(once: bool, root: Path, tmp_path: Path) -> None:
    deadly = transcript(4).session_id
    crew = Crew(lambda: Deadly(deadly, tmp_path / "note", once), 4)
    done = exported(root, tmp_path / "data", crew=crew)
    assert (tmp_path / "note").exists()
    if once:
        exported(root, tmp_path / "anew")
        assert done.left_out == [] and files(tmp_path / "data") == files(tmp_path / "anew")
    else:
        assert [session for session, _ in done.left_out] == [deadly] and "ended" in done.left_out[0][1]
        assert done.sessions == MANY - 1


class Counting(Executor):
    """Does jobs in a thread, and notes how many it held at once."""

    def __init__(self) -> None:
        self.held = self.most = 0
        self._pool = ThreadPoolExecutor(1)
        self._lock = threading.Lock()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        with self._lock:
            self.held += 1
            self.most = max(self.most, self.held)
        future = self._pool.submit(lambda: Did(0))
        future.add_done_callback(self._back)
        return future

    def _back(self, future: Future[Any]) -> None:
        with self._lock:
            self.held -= 1


def test_no_more_jobs_are_made_than_there_is_room_for(root: Path) -> None:
    needs_tables()
    executor, made = Counting(), []

    def jobs() -> Iterator[Any]:
        for number in range(50):
            made.append(number)
            yield number

    for seen, _ in enumerate(run_jobs(jobs(), Work(run_job, lost_job), Crew(lambda: executor, 3, own=False)), 1):
        assert len(made) <= seen + 3
    assert len(made) == 50 and executor.most <= 3
