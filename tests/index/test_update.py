"""The index follows the transcripts: what it holds after any change equals an index made from nothing."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.index.conftest import FIRST, SECOND, Place
from tests.transcripts import Transcript
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.index import update, writer
from waterglass.index.upkeep import known_files


def append(path: Path, *prompts: str) -> None:
    made = Transcript(path.stem)
    made._count = path.stat().st_size  # other ids than those that are there
    made.at("2026-03-03T09:00:00Z")
    for text in prompts:
        made.prompt(text)
    with path.open("ab") as file:
        file.write(made.content())


def test_an_update_without_news_reads_nothing(place: Place) -> None:
    place.write(FIRST, "apple")
    assert place.update().files == 1
    assert (place.update().files, place.update().bytes) == (0, 0)


def test_of_a_file_that_grew_only_what_was_appended_is_read(place: Place) -> None:
    path = place.write(FIRST, "apple " * 500)
    place.update()
    before = path.stat().st_size
    append(path, "pear")
    done = place.update()
    assert (done.files, done.bytes) == (1, path.stat().st_size - before)
    assert len(place.places("apple")) == 1 and len(place.places("pear")) == 1


def test_an_unfinished_last_line_is_found_and_not_doubled_when_it_is_whole(place: Place) -> None:
    path = place.write(FIRST, "apple", "pear")
    whole = path.read_bytes()
    path.write_bytes(whole.rstrip(b"\n"))
    place.update()
    assert len(place.places("answer")) == 2
    path.write_bytes(whole)
    append(path, "plum")
    place.update()
    assert [len(place.places(word)) for word in ("answer", "pear", "plum")] == [2, 1, 1]


def test_a_torn_last_line_is_found_once_it_is_whole(place: Place) -> None:
    path = place.write(FIRST, "apple", "pear")
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    place.update()
    path.write_bytes(whole)
    place.update()
    assert place.places("answer") == place.places("answer", place.rebuilt(place.cache / "other"))


@pytest.mark.parametrize("change", ["truncated", "replaced", "cut and grown", "edited in place"])
def test_a_file_that_did_not_just_grow_is_read_anew(place: Place, change: str) -> None:
    path = place.write(FIRST, "apple", "pear", "plum")
    place.update()
    data = path.read_bytes()
    if change == "truncated":
        path.write_bytes(data[: data.index(b"\n") + 1])
    elif change == "replaced":
        other = path.with_suffix(".new")
        other.write_bytes(data.replace(b"plum", b"kiwi"))
        os.replace(other, path)
    elif change == "cut and grown":
        path.write_bytes(data.replace(b"apple", b"grape") + data)
    else:
        path.write_bytes(data.replace(b"plum", b"kiwi"))
        os.utime(path, ns=(1, 1))
    place.update()
    fresh = place.rebuilt(place.cache / "other")
    for word in ("apple", "pear", "plum", "kiwi", "grape", "answer"):
        assert place.places(word) == place.places(word, fresh), word


def test_a_deleted_transcript_is_not_found_and_its_session_stays_marked(place: Place) -> None:
    path = place.write(FIRST, "apple")
    place.write(SECOND, "apple")
    place.update()
    path.unlink()
    assert place.update().deleted == 1
    assert [session for session, _ in place.places("apple")] == [SECOND]
    rows = place.store.db.execute("SELECT name, title, deleted_ms IS NULL FROM session ORDER BY name").fetchall()
    assert rows == [(FIRST, "apple", 0), (SECOND, "apple", 1)]
    assert place.update().deleted == 0
    place.write(FIRST, "apple")
    place.update()
    assert len(place.places("apple")) == 2
    assert place.store.db.execute("SELECT count(deleted_ms) FROM session").fetchone() == (0,)


def test_the_command_says_once_that_a_session_is_gone_and_what_is_wrong_with_the_index(
    place: Place, run_waterglass: RunWaterglass
) -> None:
    path = place.write(FIRST, "apple")
    place.write(SECOND, "apple")

    def said() -> str:
        return run_waterglass(
            "index", "--root", place.projects, env={"XDG_CACHE_HOME": str(place.cache.parent / "caches")}
        ).stderr

    assert said() == ""
    path.unlink()
    assert said() == "waterglass: 1 session is gone, its transcript deleted; all that is known but the text stays\n"
    assert said() == ""
    index = place.cache.parent / "caches" / "waterglass" / "index.sqlite"
    index.write_bytes(b"no database" * 1_000)
    told = said()
    assert told.startswith("waterglass: the index was of no use") and told.count("\n") == 1
    assert said() == ""


def test_a_path_is_the_same_from_whatever_folder_it_is_named(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write(FIRST, "apple")
    place.update()
    elsewhere = place.cache / "projects" / "-code-other"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(place.projects.parent)
    assert update(place.store, discover(["projects"])).files == 0
    monkeypatch.chdir(place.cache)
    assert update(place.store, discover(["projects"])).deleted == 0
    assert len(place.places("apple")) == 1


def test_an_update_of_one_root_leaves_the_others_alone(place: Place, tmp_path: Path) -> None:
    place.write(FIRST, "apple")
    place.update()
    other = Transcript(SECOND)
    other.prompt("pear")
    other.write(tmp_path / "more")
    done = update(place.store, discover([str(tmp_path / "more")]))
    assert (done.files, done.deleted) == (1, 0)
    assert place.update().files == 0
    assert len(place.places("apple")) == 1 and place.places("pear") == []  # it is not below the root that was asked for


def test_a_folder_that_is_not_there_deletes_nothing(place: Place) -> None:
    place.write(FIRST, "apple")
    place.update()
    away = place.projects.with_name("away")
    place.projects.rename(away)
    assert place.update().deleted == 0
    away.rename(place.projects)
    assert place.update().files == 0 and len(place.places("apple")) == 1


def test_the_words_of_dead_texts_leave_the_file_when_they_are_a_fifth(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waterglass.index.upkeep._FEW", 3)
    path = place.write(FIRST, "apple", "pear")
    place.write(SECOND, "cherry", "plum")
    place.update()
    path.unlink()
    place.update()
    held = place.store.db.execute("SELECT count(*) FROM words WHERE words MATCH 'apple'").fetchone()
    assert held == (0,) and len(place.places("cherry")) == 1


def test_a_long_file_is_written_in_stretches_and_read_on_after_any_of_them(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "STRETCH", 3_000)
    place.write(FIRST, *[f"n{n}z {'x' * 300}" for n in range(60)])
    commits = 0
    real = writer.Writer.commit

    def stop_at_third(self: writer.Writer) -> None:
        nonlocal commits
        real(self)
        commits += 1
        if commits == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writer.Writer, "commit", stop_at_third)
        with pytest.raises(KeyboardInterrupt):
            place.update()
    (known,) = known_files(place.store).values()
    assert not known.whole and known.offset > 0
    total = next(place.projects.rglob("*.jsonl")).stat().st_size
    assert place.update().bytes == total - known.offset
    assert [len(place.places(f"n{n}z")) for n in range(60)] == [1] * 60


def test_of_a_text_that_is_far_too_long_the_beginning_is_held(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LONGEST_TEXT", 1_000)
    place.write(FIRST, "apple " + "x " * 2_000 + "pear", "plum")
    place.update()
    assert [len(place.places(word)) for word in ("apple", "pear", "plum")] == [1, 0, 1]


def test_a_full_disk_is_one_clear_line_and_the_index_stays_right(place: Place) -> None:
    place.write(FIRST, "apple")
    place.update()
    place.write(SECOND, *[f"pear {n} {' '.join(str(n * m) for m in range(400))}" for n in range(60)])
    (pages,) = place.store.db.execute("PRAGMA page_count").fetchone()
    place.store.db.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(WaterglassError, match="the disk is full"):
        place.update()
    assert len(place.places("apple")) == 1
    place.reopen()
    assert place.update().files == 1 and len(place.places("pear")) == 60
    assert place.store.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_after_two_hundred_random_changes_the_index_equals_a_new_one(place: Place) -> None:
    chance = random.Random(7)
    names = [f"1a2b{n:04d}-0000-4000-8000-000000000001" for n in range(6)]
    fruits = ("apple", "pear", "plum", "cherry", "kiwi")
    for step in range(200):
        name = chance.choice(names)
        path = next(iter(place.projects.rglob(f"{name}.jsonl")), None)
        words = [chance.choice(fruits) + f" {step}" for _ in range(chance.randint(1, 3))]
        kind = chance.choice(("append", "append", "truncate", "replace", "rename", "delete", "agent"))
        if path is None or kind == "replace":
            place.write(name, *words)
        elif kind == "append":
            append(path, *words)
        elif kind == "truncate":
            os.truncate(path, chance.randint(0, path.stat().st_size))
        elif kind == "rename":
            path.rename(path.with_name(chance.choice(names) + ".jsonl"))
        elif kind == "delete":
            path.unlink()
        else:
            agent = Transcript(name, agent_id=f"ab{step}", is_sidechain=True)
            agent.prompt(words[0])
            folder = path.with_suffix("") / "subagents"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"agent-ab{step}.jsonl").write_bytes(agent.content())
        if chance.random() < 0.4:
            place.update()
    place.update()
    fresh = place.rebuilt(place.cache / "other")
    for word in (*fruits, "answer"):
        assert sorted(place.places(word)) == sorted(place.places(word, fresh)), word
    fresh.close()


def test_an_index_is_made_where_no_thread_can_be_started(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    place.write(FIRST, "apple")
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        assert place.update().files == 1
    assert place.update().files == 0
    assert [session for session, _ in place.places("apple")] == [FIRST]
