"""An index that is of no use never costs an answer: it is put aside, left alone, or done without, and that is said."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass, hearing
from tests.index.conftest import FIRST, SECOND, Place
from waterglass.cli.main import run
from waterglass.cli.updating import Bar
from waterglass.discover import discover
from waterglass.discover.kept import cache_folder
from waterglass.errors import WaterglassError
from waterglass.index import Store, Wanted, clear, open_store, parse, search, update, using
from waterglass.index import store as store_module
from waterglass.index.lock import WriterLock
from waterglass.index.place import is_shared


def answer(place: Place) -> tuple[list[str], list[str]]:
    """The sessions that hold "apple", and what is said of the index on the way."""
    discovery = discover([str(place.projects)])

    def work(store: Store) -> tuple[list[str], list[str]]:
        update(store, discovery)
        return sorted(hit.session for hit in search(store, discovery, parse("apple"), Wanted()).hits), store.notes

    return using(work, str(place.cache))


@pytest.fixture
def two(place: Place) -> Place:
    place.write(FIRST, "apple")
    place.write(SECOND, "apple")
    place.update()
    place.store.close()
    return place


@pytest.fixture
def file(two: Place) -> Path:
    return two.cache / "index.sqlite"


def test_the_cache_folder_is_that_of_the_system() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/c"}, "/home/a", "linux") == "/c/waterglass"
    assert cache_folder({"XDG_CACHE_HOME": "relative"}, "/home/a", "linux") == "/home/a/.cache/waterglass"
    assert cache_folder({}, "/Users/a", "darwin") == "/Users/a/Library/Caches/waterglass"
    assert cache_folder({"LOCALAPPDATA": r"C:\L"}, r"C:\a", "win32") == r"C:\L\waterglass"


def test_a_network_drive_is_told_by_the_mount_that_holds_the_folder() -> None:
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n"
        "/dev/sdb1 /home/my\\040disk ext4 rw 0 0\nodd line\ntmpfs /homely tmpfs rw 0 0\n"
    )
    told = {path: is_shared(path, mounts) for path in ("/var/cache", "/home/a/.cache", "/home/my disk/a", "/homely/a")}
    assert told == {"/var/cache": False, "/home/a/.cache": True, "/home/my disk/a": False, "/homely/a": False}


def test_on_a_network_drive_the_index_needs_no_shared_memory(two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waterglass.index.place.lies_on_network", lambda folder: True)
    assert answer(two) == ([FIRST, SECOND], [])
    store = two.reopen()
    assert store.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert not list(two.cache.glob("*-shm"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_the_index_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = Place(tmp_path)
        made.write(FIRST, "apple")
        made.update()
    finally:
        os.umask(before)
    assert stat.S_IMODE(made.cache.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.cache.iterdir()} == {0o600}
    made.store.close()


def test_nothing_is_written_beside_the_transcripts(two: Place) -> None:
    assert all(path.suffix == ".jsonl" for path in two.projects.rglob("*") if path.is_file())


def test_the_text_of_a_transcript_is_not_in_the_file(two: Place, file: Path) -> None:
    two.write(FIRST, "a title is there", "marzipan comes before nougat")
    two.reopen()
    two.update()
    two.store.close()
    data = file.read_bytes()
    assert b"a title is there" in data and b"marzipan comes" not in data and b"before nougat" not in data


@pytest.mark.parametrize("content", [b"", b"\0" * 5_000, b"SQLite format 3\0" + b"x" * 8_000, b"a letter to my aunt\n"])
def test_a_file_that_is_none_of_ours_is_renamed_and_a_new_index_made(two: Place, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND]
    if content:
        assert len(notes) == 1 and "index.broken" in notes[0]
        assert (two.cache / "index.broken").read_bytes() == content
    assert answer(two) == ([FIRST, SECOND], [])


def test_another_programs_database_is_renamed(two: Place, file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE song(name)")
    other.close()
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND] and "another program's file" in notes[0]


def test_an_index_cut_at_any_page_gives_the_same_answer(two: Place, file: Path) -> None:
    whole = file.read_bytes()
    for size in range(0, len(whole), 4096):
        for left in two.cache.iterdir():
            left.unlink()
        file.write_bytes(whole[:size])
        assert answer(two)[0] == [FIRST, SECOND]


def test_an_index_with_any_byte_changed_gives_the_same_answer(two: Place, file: Path) -> None:
    whole, sealed = file.read_bytes(), (two.cache / "index.seal").read_bytes()
    chance = random.Random(11)
    for _ in range(100):
        for left in two.cache.iterdir():
            left.unlink()
        damaged = bytearray(whole)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        (two.cache / "index.seal").write_bytes(sealed)
        sessions, notes = answer(two)
        assert sessions == [FIRST, SECOND] and len(notes) == 1 and "index.broken" in notes[0]
        assert answer(two) == ([FIRST, SECOND], [])


def test_an_index_that_was_damaged_with_its_seal_gives_no_wrong_hit_and_no_error(two: Place, file: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(12)
    for _ in range(50):
        for left in two.cache.iterdir():
            left.unlink()
        damaged = bytearray(whole)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        assert set(answer(two)[0]) <= {FIRST, SECOND}


def test_reading_the_index_again_and_again_is_no_foreign_change(two: Place) -> None:
    for number in range(5):
        assert answer(two) == ([FIRST, SECOND], [])
        if number == 2:
            two.write(FIRST, "apple", "pear")


def test_a_reader_that_holds_the_log_open_makes_no_index_look_damaged(two: Place) -> None:
    reader = open_store(str(two.cache))
    reader.db.execute("BEGIN")
    reader.db.execute("SELECT count(*) FROM record").fetchone()
    two.write(FIRST, "apple", "pear")
    assert answer(two) == ([FIRST, SECOND], [])
    reader.db.execute("COMMIT")
    reader.close()
    assert answer(two) == ([FIRST, SECOND], [])


def test_an_index_of_a_later_version_is_left_alone(two: Place, file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = file.read_bytes()
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND] and "later version" in notes[0] and "temporary" in notes[1]
    assert file.read_bytes() == before


def test_an_index_that_an_earlier_parser_made_is_made_anew(two: Place, file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("UPDATE meta SET value = '0' WHERE key = 'parser'")
    db.close()
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND] and "an older form" in notes[0]


def test_what_an_older_index_knew_of_deleted_sessions_is_taken_over(two: Place, file: Path) -> None:
    next(two.projects.rglob(f"{FIRST}.jsonl")).unlink()
    assert answer(two)[0] == [SECOND]
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 1")
    db.close()
    assert answer(two)[0] == [SECOND]
    store = two.reopen()
    rows = store.db.execute("SELECT name, title, deleted_ms IS NOT NULL FROM session ORDER BY name").fetchall()
    assert rows == [(FIRST, "apple", 1), (SECOND, "apple", 0)]


def test_where_no_index_can_be_written_a_temporary_one_answers(two: Place) -> None:
    for left in two.cache.iterdir():
        left.unlink()
    two.cache.rmdir()
    two.cache.write_bytes(b"in the way")
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND]
    assert "cannot be written" in notes[0] and "temporary" in notes[1]


def test_a_read_only_file_is_done_without(two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("waterglass.index.place.make_file", refuse)
    sessions, notes = answer(two)
    assert sessions == [FIRST, SECOND] and "Permission denied" in notes[0]


def test_while_another_writes_the_index_is_searched_as_it_is_and_what_is_missing_is_counted(two: Place) -> None:
    two.write(SECOND, "pear", "apple")
    with WriterLock(str(two.cache / "index.lock")) as lock:
        assert lock.acquire(0)
        store = open_store(str(two.cache), patience_s=0)
        assert two.update(store).waiting == 1
        assert len(two.places("apple", store)) == 1  # of the other file the index tells places that are no longer right
        store.close()
    with_time = two.reopen()
    assert two.update(with_time).files == 1 and len(two.places("apple")) == 2


def test_the_index_command_says_that_it_waits_for_another_once_and_what_it_left_out(
    two: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(two.cache))
    for module in ("index", "updating"):
        monkeypatch.setattr(f"waterglass.cli.{module}.SOON_S", 0.0)
    monkeypatch.setattr("waterglass.cli.index._PATIENCE_S", 0.1)
    assert run(["index", "--root", str(two.projects)]) == 0
    two.write(SECOND, "pear", "apple")
    capsys.readouterr()
    with WriterLock(str(two.cache / "waterglass" / "index.lock")) as lock:
        assert lock.acquire(0)
        assert run(["index", "--root", str(two.projects)]) == 0
        out, err = capsys.readouterr()
        assert err.count("waiting for its end") == 1 and "1 new or changed file is not in it yet" in err
        assert "read 0 files" in out and "the index is not up to date" in out
    assert run(["index", "--root", str(two.projects)]) == 0
    assert "read 1 file (" in capsys.readouterr().out


def test_removing_the_index_waits_for_nobody_and_leaves_nothing(two: Place) -> None:
    with WriterLock(str(two.cache / "index.lock")) as lock:
        assert lock.acquire(0)
        with pytest.raises(WaterglassError, match="another process"):
            clear(str(two.cache))
    assert "index.sqlite" in clear(str(two.cache))
    assert list(two.cache.iterdir()) == [] and clear(str(two.cache)) == []


def start(place: Place, env: dict[str, str]) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-m", "waterglass", "index", "--root", str(place.projects)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(arguments, env={**env, "XDG_CACHE_HOME": str(place.cache)}, stdout=quiet, stderr=quiet)


def test_two_processes_at_once_read_nothing_twice(two: Place, child_environment: dict[str, str]) -> None:
    for number in range(8):
        two.write(f"1a2b1{number:03d}-0000-4000-8000-000000000001", *[f"apple {n}" for n in range(40)])
    running = [start(two, child_environment) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    db = sqlite3.connect(two.cache / "waterglass" / "index.sqlite")
    (written,) = db.execute("SELECT value FROM meta WHERE key = 'written'").fetchone()
    assert db.execute("SELECT count(*) FROM record").fetchone() == (int(written),)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    store, fresh = open_store(str(two.cache / "waterglass")), two.rebuilt(two.cache / "other")
    assert two.places("apple", store) == two.places("apple", fresh) and len(two.places("apple", store)) == 322
    store.close()
    fresh.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_disk_that_is_full_on_the_way_is_one_line_and_the_next_time_everything_is_found(
    two: Place, child_environment: dict[str, str]
) -> None:
    for number in range(8):
        two.write(f"1a2b1{number:03d}-0000-4000-8000-000000000001", *[f"apple {n} {n * 977}x" for n in range(200)])
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2);"
        "from waterglass.cli.main import run; sys.exit(run(sys.argv[2:]))"
    )
    env = {**child_environment, "XDG_CACHE_HOME": str(two.cache)}
    for limit in (4_096, 60_000, 100_000):  # in the log, in the file, at its end
        arguments = [sys.executable, "-c", program, str(limit), "index", "--root", str(two.projects)]
        done = subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=60)
        assert "Traceback" not in done.stderr and done.stderr.startswith("waterglass: ")
        assert done.returncode == 1 or "temporary" in done.stderr
    store, fresh = open_store(str(two.cache / "waterglass")), two.rebuilt(two.cache / "other")
    update(store, discover([str(two.projects)]))
    assert two.places("apple", store) == two.places("apple", fresh) and len(two.places("apple", store)) == 1602
    store.close()
    fresh.close()


def test_an_index_whose_making_ended_before_its_first_table_is_not_taken_for_a_file_of_others(
    two: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(connection: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(store_module, "_create", ended)
        open_store(str(two.cache / "waterglass"))
    store = open_store(str(two.cache / "waterglass"))
    assert store.notes == [] and store.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_an_index_whose_writer_was_killed_at_any_moment_is_whole(two: Place, child_environment: dict[str, str]) -> None:
    for number in range(30):
        two.write(f"1a2b1{number:03d}-0000-4000-8000-000000000001", *[f"apple {n} {'word ' * 400}" for n in range(60)])
    folder = two.cache / "waterglass"
    for number in range(22):
        running = start(two, child_environment)
        while not (folder / "index.sqlite").exists() and running.poll() is None:
            time.sleep(0.01)
        time.sleep(0.04 * (number % 11))
        running.send_signal(signal.SIGKILL)
        running.wait(10)
        if number % 5 == 4:
            two.write(f"1a2b2{number:03d}-0000-4000-8000-000000000001", "apple more")
    store = open_store(str(folder))
    update(store, discover([str(two.projects)]))
    assert store.notes == []
    assert store.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    fresh = two.rebuilt(two.cache / "other")
    assert two.places("apple", store) == two.places("apple", fresh)
    store.close()
    fresh.close()


def test_the_command_tells_what_the_index_holds_and_removes_it(run_waterglass: RunWaterglass, two: Place) -> None:
    env = {"XDG_CACHE_HOME": str(two.cache)}
    root = ("--root", two.projects)
    assert "no index yet" in run_waterglass("index", "--status", *root, env=env).stdout
    assert "read 2 files" in run_waterglass("index", *root, env=env).stdout
    told = run_waterglass("index", "--status", *root, env=env).stdout
    assert "sessions  2" in told and "files     2, 0 new" in told
    old = next(two.projects.rglob(f"{FIRST}.jsonl"))
    os.utime(old, (time.time() - 28 * 86_400,) * 2)
    assert "deletes transcripts 30 days" in run_waterglass("index", "--status", *root, env=env).stdout
    assert run_waterglass("index", "--clear", env=env).stdout.startswith("removed: index.sqlite")
    assert run_waterglass("index", "--clear", "--status", env=env).returncode == 2


def test_a_work_within_a_work_says_once_that_it_was_stopped() -> None:
    with pytest.raises(KeyboardInterrupt) as stopped, Bar("counting"), Bar("indexing"):
        raise KeyboardInterrupt
    assert stopped.value.__notes__ == ["stopped; what was done is kept"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("moment", [0.0, 0.3, 0.8])
def test_ctrl_c_on_the_way_is_one_line_and_the_next_time_the_rest_is_read(
    two: Place, signalled_environment: dict[str, str], moment: float
) -> None:
    for number in range(30):
        two.write(f"1a2b1{number:03d}-0000-4000-8000-000000000001", *[f"apple {n} {'word ' * 400}" for n in range(60)])
    arguments = [sys.executable, "-m", "waterglass", "index", "--root", str(two.projects)]
    env = {**signalled_environment, "XDG_CACHE_HOME": str(two.cache)}
    running = subprocess.Popen(
        arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hearing()
    )
    while not (two.cache / "waterglass" / "index.sqlite-wal").exists() and running.poll() is None:
        time.sleep(0.01)
    time.sleep(moment)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert "Traceback" not in err
    if running.returncode:  # it may have been done before
        assert running.returncode == 130 and out == ""
        assert [line for line in err.split("\n") if line] in ([], ["waterglass: stopped; what was done is kept"])
    store, fresh = open_store(str(two.cache / "waterglass")), two.rebuilt(two.cache / "other")
    update(store, discover([str(two.projects)]))
    assert store.notes == [] and two.places("apple", store) == two.places("apple", fresh)
    store.close()
    fresh.close()
