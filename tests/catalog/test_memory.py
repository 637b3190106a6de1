"""A list from the index is the list without one: what is unchanged is not read, what has changed is, and an index that
is of no use costs one line."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript
from waterglass.catalog import Catalog, catalog, memory
from waterglass.discover import discover
from waterglass.index import open_store, place, update
from waterglass.index.lock import WriterLock
from waterglass.stats import gather

IDS = [f"0a0a0a0{n}-1111-4222-8333-444444444444" for n in range(4)]
NOW_MS = 1_800_000_000_000


def transcript(session: str, calls: int, hour: int = 0) -> Transcript:
    t = Transcript(session)
    t.at(f"+{hour}h").prompt(f"Question of {session[7]}")
    for number in range(calls):
        t.reply("on it", calls=[Call("Bash", {"command": "ls"}, id=f"toolu_{session[7]}_{number}")],
                message_id=f"msg_{session[7]}_{number}")  # fmt: skip
        t.result(f"toolu_{session[7]}_{number}", "out")
    return t


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for n, session in enumerate(IDS[:3]):
        transcript(session, n + 1, n).write(tmp_path / "projects")
    return tmp_path / "projects"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an index that is there and holds nothing."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(place, "own_folder", lambda: str(folder))
    open_store().close()
    yield folder


def shown(root: Path, notes: list[str] | None = None) -> list[dict[str, Any]]:
    """All that a list says of the sessions, counted."""
    listing = Catalog([str(root)], lambda: NOW_MS)
    listing.start()
    try:
        listing.wait()
        listing.wait([session["id"] for session in listing.snapshot()["sessions"]])
        sessions: list[dict[str, Any]] = listing.snapshot()["sessions"]
    finally:
        listing.close()
    if notes is not None:
        notes += listing.memory.notes
    assert all(session["counted"] for session in sessions)
    return sessions


def without(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The same, as it is where there is no index."""
    with monkeypatch.context() as patch:
        patch.setattr(memory, "has_index", lambda folder: False)
        return shown(root)


def test_what_has_not_changed_is_neither_read_nor_counted(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shown(root)
    assert before == without(root, monkeypatch) and len(before) == 3

    def refuse(*_: object) -> None:
        raise AssertionError("was read")

    monkeypatch.setattr(memory, "read_head", refuse)
    monkeypatch.setattr(catalog, "count", refuse)
    assert shown(root) == before


@pytest.mark.parametrize("change", ["grown", "replaced", "titled", "gone", "new", "agent"])
def test_what_has_changed_is_read_anew(root: Path, cache: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shown(root)
    path = next(root.rglob(f"{IDS[1]}.jsonl"))
    if change == "grown":
        more = transcript(IDS[1], 4)
        path.write_bytes(more.content())
    elif change == "replaced":
        path.write_bytes(path.read_bytes().replace(b"Question", b"Answered"))
        os.utime(path, (5, 5))
    elif change == "titled":
        entry = {"sessionId": IDS[1], "customTitle": "Named beside it"}
        (path.parent / "sessions-index.json").write_text(json.dumps({"entries": [entry]}))
    elif change == "gone":
        path.unlink()
    elif change == "new":
        transcript(IDS[3], 2).write(root)
    else:
        agent = transcript(IDS[1], 1)
        agent.agent_id, agent.is_sidechain = "ab12", True
        folder = path.with_suffix("") / "subagents"
        folder.mkdir(parents=True)
        (folder / "agent-ab12.jsonl").write_bytes(agent.content())
    after = shown(root)
    assert after == without(root, monkeypatch) and after != before


def test_a_session_is_counted_anew_when_the_one_that_it_continues_is_there_again(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(root.rglob(f"{IDS[0]}.jsonl"))
    resumed = transcript(IDS[0], 1)
    for record in resumed.lines:
        assert isinstance(record, dict)
        record["sessionId"] = IDS[3]
    resumed.session_id = IDS[3]
    resumed.at("+9h").prompt("and on")
    resumed.write(root)
    away = first.with_suffix(".away")
    for _ in range(2):
        first.rename(away)
        assert shown(root) == without(root, monkeypatch)
        away.rename(first)
        assert shown(root) == without(root, monkeypatch)
    (last,) = [session for session in shown(root) if session["id"] == IDS[3]]
    assert last["inherited"]["toolCalls"] == 1


def test_after_any_changes_the_list_is_the_one_without_an_index(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    for _ in range(25):
        path = root / "-code-demo" / f"{chance.choice(IDS)}.jsonl"
        kind = chance.choice(["write", "cut", "delete", "touch"])
        if kind == "write" or not path.exists():
            transcript(path.stem, chance.randint(0, 3), chance.randint(0, 50)).write(root)
        elif kind == "cut":
            os.truncate(path, chance.randint(0, path.stat().st_size))
        elif kind == "delete":
            path.unlink()
        else:
            os.utime(path, (chance.randint(1, 10**9), chance.randint(1, 10**9)))
        assert shown(root) == without(root, monkeypatch)


def test_what_the_statistics_counted_is_not_counted_again_for_the_list(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    discovery, store = discover([str(root)]), open_store()
    update(store, discovery, texts=False)
    gather(store, discovery)
    store.close()
    assert kept(cache) == 3
    expected = without(root, monkeypatch)
    monkeypatch.setattr(catalog, "count", None)
    assert shown(root) == expected


def test_a_list_makes_no_index(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "own_folder", lambda: str(tmp_path / "none"))
    assert len(shown(root)) == 3 and not (tmp_path / "none").exists()


def spoil(file: Path, how: str) -> None:
    data = file.read_bytes()
    if how == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif how == "random":
        file.write_bytes(random.Random(5).randbytes(len(data)))
    elif how == "foreign":
        file.write_bytes(b"a letter to my aunt\n" * 500)
    elif how == "overwritten":
        file.write_bytes(data[:4096] + random.Random(5).randbytes(len(data) - 4096))
    else:
        with sqlite3.connect(file) as db:
            if how == "newer":
                db.execute("PRAGMA user_version = 99")
            elif how == "older":
                db.execute("PRAGMA user_version = 1")
            elif how == "odd values":
                db.execute("UPDATE listed SET head = 'x', counts = x'00ff'")
                (file.parent / "index.seal").unlink()  # else it is noticed before any value is looked at
        db.close()


@pytest.mark.parametrize("how", ["cut", "random", "foreign", "overwritten", "newer", "older", "odd values"])
def test_an_index_of_no_use_costs_one_line_and_never_an_answer(
    root: Path, cache: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shown(root)
    spoil(cache / "index.sqlite", how)
    notes: list[str] = []
    assert shown(root, notes) == before == without(root, monkeypatch)
    assert len(notes) == (0 if how == "odd values" else 1)
    again: list[str] = []
    assert shown(root, again) == before
    assert len(again) == (1 if how == "newer" else 0)


def test_an_index_with_any_byte_changed_never_changes_the_list(root: Path, cache: Path) -> None:
    before = shown(root)
    file = cache / "index.sqlite"
    whole, chance = file.read_bytes(), random.Random(11)
    told = [at for at in range(len(whole)) if whole[at : at + 9] in (b"toolCalls", b"Question ")]
    for place_ in [*(at + chance.randrange(60) for at in told), *(chance.randrange(len(whole)) for _ in range(30))]:
        for left in cache.iterdir():
            left.unlink()
        damaged = bytearray(whole)
        damaged[place_] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        assert shown(root) == before


def test_an_index_that_cannot_be_written_costs_one_line(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(place, "make_file", refuse)
    notes: list[str] = []
    assert len(shown(root, notes)) == 3
    assert notes == ["the index cannot be written (Permission denied)"]


def test_while_another_process_writes_the_list_is_there_and_what_is_new_is_kept_later(root: Path, cache: Path) -> None:
    with WriterLock(str(cache / "index.lock")) as lock:
        assert lock.acquire(0)
        notes: list[str] = []
        assert len(shown(root, notes)) == 3 and notes == []
    assert kept(cache) == 0
    shown(root)
    assert kept(cache) == 3


def kept(cache: Path) -> int:
    store = open_store(str(cache))
    try:
        return int(store.db.execute("SELECT count(counts) FROM listed").fetchone()[0])
    finally:
        store.close()


def test_the_command_says_once_what_is_wrong_with_the_index(
    root: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    usual = run_waterglass("list", "--root", root, env=env)
    assert usual.stderr == "" and not (tmp_path / "caches").exists()
    run_waterglass("index", "--root", root, env=env)
    assert run_waterglass("list", "--root", root, env=env).stdout == usual.stdout
    spoil(tmp_path / "caches" / "waterglass" / "index.sqlite", "random")
    done = run_waterglass("list", "--root", root, env=env)
    assert done.stdout == usual.stdout and done.stderr.count("\n") == 1 and "index" in done.stderr
