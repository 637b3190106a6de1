"""An archive holds what the transcripts held, is read like them, counts nothing twice, and never loses a line."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.archive.conftest import FIRST, SECOND, Kept
from tests.conftest import RunWaterglass, hearing
from waterglass.archive import archive
from waterglass.archive.copying import PART
from waterglass.archive.run import LOCK
from waterglass.catalog import Catalog
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.index import open_store, parse, search, update
from waterglass.index.lock import WriterLock
from waterglass.session import load
from waterglass.stats import gather

Append = Callable[[Path, str], None]
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither such signals nor such limits")


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("layout", ["inline", "flat", "subagents"])
def test_a_session_in_an_archive_is_the_session_that_was_kept(kept: Kept, layout: str) -> None:
    kept.write(layout=layout)
    done = kept.keep()
    assert done.failed == [] and len(done.copied) == {"inline": 2, "flat": 4, "subagents": 4}[layout]
    assert kept.told(kept.archive) == kept.told(kept.projects)


def test_every_file_of_a_session_is_kept_with_its_time_and_for_its_owner_alone(kept: Kept) -> None:
    path = kept.write()
    os.utime(path, ns=(5, 1_700_000_000_123_456_789))
    kept.keep()
    names = {Path(name).name for name in files(kept.archive)}
    assert names == {f"{FIRST}.jsonl.gz", "agent-ab1.jsonl.gz", "agent-ab1.meta.json", "toolu_9.txt.gz", LOCK}
    copy = next(kept.archive.rglob(f"{FIRST}.jsonl.gz"))
    assert copy.stat().st_mtime_ns == 1_700_000_000_123_456_789
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600 and stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


def test_only_what_is_new_or_has_grown_is_copied(kept: Kept, append: Append) -> None:
    path = kept.write()
    assert len(kept.keep().copied) == 4
    assert (kept.keep().copied, kept.keep().up_to_date) == ([], 4)
    append(path, "And now for geese")
    kept.write(SECOND)
    assert [Path(file.path).name for file in kept.keep().copied if file.session == FIRST] == [path.name]
    assert kept.told(kept.archive) == kept.told(kept.projects)


def test_the_transcripts_are_not_touched(kept: Kept) -> None:
    kept.write()
    before = {name: (kept.projects / name).read_bytes() for name in files(kept.projects)}
    times = {name: (kept.projects / name).stat().st_mtime_ns for name in before}
    kept.keep()
    assert {name: (kept.projects / name).read_bytes() for name in files(kept.projects)} == before
    assert {name: (kept.projects / name).stat().st_mtime_ns for name in before} == times


def test_a_session_in_both_folders_counts_once_whether_it_grew_since_or_not(kept: Kept, append: Append) -> None:
    path = kept.write()
    kept.keep()
    for _ in range(2):
        for roots in ((kept.projects, kept.archive), (kept.archive, kept.projects)):
            assert kept.ref(*roots).files == kept.ref(kept.projects).files
            assert kept.told(*roots) == kept.told(kept.projects)
        append(path, "And now for geese")


def test_a_deleted_session_is_read_from_the_archive(kept: Kept) -> None:
    path = kept.write()
    told = kept.told(kept.projects)
    kept.keep()
    path.unlink()
    for agent in kept.projects.rglob("agent-*"):
        agent.unlink()
    assert kept.told(kept.projects, kept.archive) == told


def test_two_archives_of_one_session_count_once(kept: Kept, tmp_path: Path) -> None:
    kept.write()
    kept.keep()
    again = tmp_path / "again"
    archive(discover([str(kept.archive)]), str(again))
    assert files(again) == files(kept.archive)
    assert kept.told(kept.archive, again) == kept.told(kept.projects)


def test_search_and_bodies_read_an_archive(kept: Kept, tmp_path: Path) -> None:
    kept.write()
    kept.keep()
    store, discovery = open_store(str(tmp_path / "cache")), discover([str(kept.projects), str(kept.archive)])
    update(store, discovery)
    both = [(hit.session, hit.event_id) for hit in search(store, discovery, parse("herons")).hits]
    for path in list(kept.projects.rglob("*.jsonl")):
        path.unlink()
    discovery = discover([str(kept.projects), str(kept.archive)])
    assert update(store, discovery).deleted == 0  # its copy is there
    found = search(store, discovery, parse("herons")).hits
    assert sorted((hit.session, hit.event_id) for hit in found) == sorted(both) and len(both) == 4
    store.close()


def test_a_transcript_that_was_cut_does_not_take_anything_from_the_archive(kept: Kept) -> None:
    path = kept.write()
    told = kept.told(kept.projects)
    kept.keep()
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    done = kept.keep()
    assert [Path(file.path).name for file in done.copied] == [] and done.failed == []
    assert kept.told(kept.archive) == told


def test_a_transcript_that_was_replaced_is_kept_beside_what_it_was(kept: Kept) -> None:
    path = kept.write()
    kept.keep()
    prompts = [path.read_bytes(), path.read_bytes().replace(b"Look for the heron", b"Look for the goose")]
    path.write_bytes(prompts[1])
    (copied,) = kept.keep().copied
    assert "~2" in copied.to
    assert kept.keep().copied == []
    texts = {prompt["text"] for prompt in kept.told(kept.archive)["prompts"]}
    assert texts == {"Look for the heron", "Look for the goose"}


def test_a_damaged_copy_and_a_file_of_another_program_are_left_and_the_transcript_kept_beside(kept: Kept) -> None:
    kept.write()
    kept.keep()
    copy = next(kept.archive.rglob(f"{FIRST}.jsonl.gz"))
    copy.write_bytes(b"something of yours")
    assert len(kept.keep().copied) == 1
    assert copy.read_bytes() == b"something of yours"
    discovery = discover([str(kept.archive)])
    assert [file.reason for file in discovery.unreadable] == ["compressed by another program: gunzip it"]
    told, plain = kept.told(kept.archive), kept.told(kept.projects)
    assert [(p["code"], p["file"]) for p in told["coverage"].pop("problems")] == [
        ("unreadable_file", f"{FIRST}.jsonl.gz")
    ]
    assert plain["coverage"].pop("problems") == []
    assert {metric["status"] for metric in told.pop("metrics")} == {"unknown"}  # what lies in that file may change all
    del plain["metrics"]
    assert told == plain


def test_a_copy_that_is_damaged_inside_is_named(kept: Kept, run_waterglass: RunWaterglass) -> None:
    kept.write()
    kept.keep()
    copy = next(kept.archive.rglob(f"{FIRST}.jsonl.gz"))
    damaged = bytearray(copy.read_bytes())
    damaged[60:90] = bytes(30)
    copy.write_bytes(damaged)
    done = run_waterglass("show", FIRST, "--root", kept.archive)
    assert "damaged" in done.stdout + done.stderr and "Traceback" not in done.stderr
    assert run_waterglass("list", "--root", kept.archive).returncode == 0


@pytest.mark.parametrize("inside", ["projects/kept", "projects", "."])
def test_an_archive_within_the_transcripts_or_around_them_is_refused(kept: Kept, inside: str, tmp_path: Path) -> None:
    kept.write()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / inside)
    for target in (tmp_path / inside, link):
        with pytest.raises(WaterglassError, match="may not lie within"):
            archive(discover([str(kept.projects)]), str(target))


def test_a_link_in_the_archive_leads_nowhere(kept: Kept, tmp_path: Path) -> None:
    path = kept.write()
    outside = tmp_path / "outside"
    outside.mkdir()
    kept.archive.mkdir()
    (kept.archive / path.parent.name).symlink_to(outside)
    done = kept.keep()
    assert len(done.failed) == 4 and files(outside) == []


def test_an_odd_name_stays_a_name_in_the_archive(kept: Kept) -> None:
    for name in (b"..jsonl", b"-\xff.jsonl", b"a\nb.jsonl", b"...jsonl"):
        place = os.path.join(os.fsencode(kept.projects), b"-odd\xff", name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(b'{"type":"user","message":{"role":"user","content":"hi"}}\n')
    assert len(kept.keep().copied) == len(discover([str(kept.projects)]))
    assert {os.path.dirname(name) for name in files(kept.archive)} == {"", os.fsdecode(b"-odd\xff")}


def test_a_dry_run_says_what_would_be_copied_and_writes_nothing(kept: Kept) -> None:
    kept.write()
    done = kept.keep(dry_run=True)
    assert len(done.copied) == 4 and not kept.archive.exists()


def test_only_sessions_of_the_span_are_kept(kept: Kept) -> None:
    path = kept.write()
    for old in [path, *kept.projects.rglob("agent-*")]:
        os.utime(old, (1_000, 1_000))
    kept.write(SECOND)
    assert {file.session for file in kept.keep(since_ms=10_000_000).copied} == {SECOND}


def test_two_at_once_do_not_disturb_each_other(kept: Kept) -> None:
    kept.write()
    kept.keep()
    with WriterLock(str(kept.archive / LOCK)) as lock:
        assert lock.acquire(0)
        with pytest.raises(WaterglassError, match="another process"):
            kept.keep()


@posix
def test_a_full_disk_is_one_clear_line_and_leaves_whole_copies_only(kept: Kept, run_waterglass: RunWaterglass) -> None:
    kept.write()
    path = kept.write(SECOND)
    with path.open("ab") as file:
        file.write(b'{"type":"x","x":"' + os.urandom(300_000).hex().encode() + b'"}\n')
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000));"
        "from waterglass.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    arguments = ["archive", "--to", str(kept.archive), "--root", str(kept.projects)]
    env = {"PATH": os.environ["PATH"], "HOME": str(kept.projects), "PYTHONPATH": "src"}
    done = subprocess.run([sys.executable, "-c", program, *arguments], env=env, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "cannot be written (File too large)" in done.stderr
    assert not (kept.archive / PART).exists()
    assert [file.reason for file in discover([str(kept.archive)]).unreadable] == []
    assert kept.keep().failed == [] and kept.told(kept.archive) == kept.told(kept.projects)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 200_000


def start(kept: Kept, env: dict[str, str]) -> subprocess.Popen[str]:
    arguments = ["archive", "--to", str(kept.archive), "--root", str(kept.projects)]
    return subprocess.Popen([sys.executable, "-m", "waterglass", *arguments], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hearing())  # fmt: skip


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_on_the_way_it_leaves_whole_copies_and_goes_on_the_next_time(
    kept: Kept, signalled_environment: dict[str, str], how: signal.Signals
) -> None:
    noise = [b'{"type":"x","x":"' + os.urandom(200_000).hex().encode() + b'"}\n' for _ in range(4)]
    for number in range(40):
        path = kept.write(f"a4c5{number:04d}-0000-4000-8000-000000000001")
        with path.open("ab") as file:
            file.writelines(noise)
    running = start(kept, signalled_environment)
    while len(list(kept.archive.rglob("*.jsonl.gz"))) < 6 and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(how)
    out, err = running.communicate(timeout=30)
    if how == signal.SIGINT:
        assert running.returncode == 130 and "Traceback" not in err
        assert err.split("\n")[1:] == ["waterglass: stopped; what was done is kept", ""] and out == ""
        assert not (kept.archive / PART).exists()
    assert discover([str(kept.archive)]).unreadable == []
    assert len(kept.keep().copied) > 0
    assert len(discover([str(kept.archive)])) == 40 and not (kept.archive / PART).exists()


def test_the_command_tells_what_it_did_and_what_it_could_not(kept: Kept, run_waterglass: RunWaterglass) -> None:
    kept.write()
    root = ("--root", kept.projects, "--to", kept.archive)
    assert run_waterglass("archive", *root, "--dry-run").stdout.count("would copy") == 5
    done = run_waterglass("archive", *root)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("copied 4 files of 1 session, ")
    assert "0 files of 0 sessions; 4 up to date" in run_waterglass("archive", *root).stdout
    (kept.projects / "-code-demo" / f"{SECOND}.jsonl.gz").write_bytes(b"of another program")
    done = run_waterglass("archive", *root, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 1 and "not kept" in done.stderr
    assert (document["upToDate"], document["copied"], len(document["failed"])) == (4, [], 1)
    assert run_waterglass("archive", "--root", kept.projects).returncode == 2


def test_statistics_count_a_deleted_session_once_when_an_archive_has_it(kept: Kept, tmp_path: Path) -> None:
    path = kept.write()
    kept.write(SECOND)
    kept.keep()
    store = open_store(str(tmp_path / "cache"))

    def calls(*roots: Path) -> tuple[int, int]:
        discovery = discover([str(root) for root in roots])
        update(store, discovery, texts=False)
        gathered = gather(store, discovery)
        return len(gathered.sessions), len(gathered.deleted)

    assert calls(kept.projects) == calls(kept.projects, kept.archive) == (2, 0)
    path.unlink()
    for agent in path.with_suffix("").rglob("agent-*"):
        agent.unlink()
    assert calls(kept.projects) == (1, 1)
    assert calls(kept.projects, kept.archive) == (2, 0)
    store.close()


def test_a_session_that_is_deleted_while_it_is_looked_at_is_found_in_the_archive(kept: Kept) -> None:
    path = kept.write()
    kept.keep()
    catalog = Catalog([str(kept.projects), str(kept.archive)])
    catalog.start()
    try:
        catalog.wait()
        before = catalog.find(FIRST)
        assert before is not None and before.path == str(path)
        for file in [path, *path.with_suffix("").rglob("agent-*")]:
            file.unlink()
        end = time.monotonic() + 10
        while (now := catalog.find(FIRST)) is None and time.monotonic() < end:
            catalog.changed([FIRST], others=True)
            time.sleep(0.05)
        assert now is not None and now.path.endswith(".jsonl.gz") and now.size == before.size
        assert load(now).row_body(f"toolu_{FIRST[:8]}") is not None
    finally:
        catalog.close()


def test_a_copy_that_cannot_be_read_is_not_taken_for_deleted(kept: Kept, tmp_path: Path) -> None:
    kept.write()
    kept.keep()
    store = open_store(str(tmp_path / "cache"))
    update(store, discover([str(kept.archive)]), texts=False)
    next(kept.archive.rglob(f"{FIRST}.jsonl.gz")).write_bytes(b"damaged")
    next(kept.archive.rglob("agent-*.gz")).write_bytes(b"damaged")
    assert update(store, discover([str(kept.archive)]), texts=False).deleted == 0
    store.close()


@pytest.mark.parametrize("command", [["report"], ["export", "--to", "jsonl"], ["compare"]])
def test_no_command_writes_over_a_copy(kept: Kept, run_waterglass: RunWaterglass, command: list[str]) -> None:
    kept.write()
    kept.write(SECOND)
    kept.keep()
    copy = next(kept.archive.rglob(f"{FIRST}.jsonl.gz"))
    before = copy.read_bytes()
    sessions = [FIRST, SECOND] if command == ["compare"] else [FIRST]
    done = run_waterglass(*command, *sessions, "-o", copy, "--root", kept.projects)
    assert done.returncode == 1 and "transcript" in done.stderr and copy.read_bytes() == before
