"""With `keep_text = true` the texts of deleted transcripts stay; without it they go, and what is said is true."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.archive.conftest import FIRST, SECOND, Kept
from tests.conftest import RunWaterglass
from tests.transcripts import Transcript
from waterglass.discover.kept import soon_deleted

Run = Callable[..., str]


@pytest.fixture
def run(kept: Kept, run_waterglass: RunWaterglass, tmp_path: Path) -> Run:
    env = {"XDG_CACHE_HOME": str(tmp_path / "caches")}

    def asked(*args: str, code: int = 0) -> str:
        done = run_waterglass(*args, "--root", str(kept.projects), env=env)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return asked


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "settings.toml"
    file.write_text("keep_text = true\n")
    return file


def remove(path: Path) -> None:
    path.unlink()
    shutil.rmtree(path.with_suffix(""), ignore_errors=True)


def found(text: str) -> list[str]:
    return sorted({hit["session"] for hit in json.loads(text[: text.rindex("}") + 1])["hits"]})


def test_the_text_of_a_deleted_transcript_leaves_and_what_is_known_of_it_stays(kept: Kept, run: Run) -> None:
    path = kept.write()
    kept.write(SECOND)
    assert found(run("search", "heron", "--json")) == [FIRST, SECOND]
    run("stats")
    remove(path)
    assert found(run("search", "heron", "--json")) == [SECOND]
    assert "2, 1 of them deleted" in run("index", "--status")
    shown = run("list", "--deleted")
    assert "transcript deleted" in shown and FIRST[:8] in shown and SECOND[:8] not in shown
    assert "1 session is deleted" in run("list")
    (gone,) = json.loads(run("list", "--deleted", "--json"))["sessions"]
    assert (gone["id"], gone["title"], gone["toolCalls"], gone["deleted"]) == (FIRST, "Look for the heron", 1, True)


def test_with_the_setting_it_stays_and_the_session_is_read_as_before(kept: Kept, run: Run, config: Path) -> None:
    path = kept.write()
    kept.write(SECOND)
    run("index", "--config", str(config))
    shown = run("show", FIRST)
    remove(path)
    assert found(run("search", "heron", "--json")) == [FIRST, SECOND]
    assert run("show", FIRST) == shown
    listed = {one["id"]: one for one in json.loads(run("list", "--json"))["sessions"]}
    assert (listed[FIRST]["deleted"], listed[SECOND]["deleted"]) == (True, False)
    assert "(transcript deleted)" in run("list")
    told = run("index", "--status")
    assert "1 of the sessions are read from there" in told and "--clear" in told


def test_what_is_kept_of_one_folder_is_not_shown_with_another(
    kept: Kept, run: Run, config: Path, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    path = kept.write()
    run("index", "--config", str(config))
    remove(path)
    (tmp_path / "more").mkdir()
    other = Kept(tmp_path / "more")
    other.write(SECOND)
    env = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    done = run_waterglass("search", "heron", "--json", "--root", other.projects, env=env)
    assert found(done.stdout) == [SECOND]


def test_clearing_the_index_and_turning_the_setting_off_remove_what_is_kept(
    kept: Kept, run: Run, config: Path, tmp_path: Path
) -> None:
    path = kept.write()
    kept.write(SECOND)
    folder = tmp_path / "caches" / "waterglass" / "kept"
    run("index", "--config", str(config))
    assert folder.exists()
    assert "texts that were kept" in run("index", "--clear") and not folder.exists()
    run("index", "--config", str(config))
    remove(path)
    config.write_text("keep_text = false\n")
    assert "removed" in run("index", "--config", str(config)) and not folder.exists()
    assert found(run("search", "heron", "--json")) == [SECOND]


def test_what_cannot_be_kept_is_said_and_the_search_goes_on(kept: Kept, run: Run, config: Path, tmp_path: Path) -> None:
    kept.write()
    place = tmp_path / "caches" / "waterglass"
    place.mkdir(parents=True)
    (place / "kept").write_text("in the way")
    told = run("search", "heron", "--json", "--config", str(config))
    assert "not kept this time" in told and FIRST in told


def test_the_setting_is_true_or_false(run: Run, kept: Kept, config: Path) -> None:
    kept.write()
    config.write_text('keep_text = "yes"\n')
    assert "keep_text is true or false" in run("index", "--config", str(config), code=2)


def test_a_projects_own_file_speaks_for_its_sessions_alone(
    kept: Kept, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "waterglass.toml").write_text("keep_text = true\n")
    for session, cwd in ((FIRST, str(shop)), (SECOND, "/code/elsewhere")):
        made = Transcript(session, cwd=cwd)
        made.prompt("Look for the heron")
        made.write(kept.projects)
    env = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    run_waterglass("index", "--root", kept.projects, cwd=shop, env=env)
    names = [path.name for path in (tmp_path / "caches" / "waterglass" / "kept").rglob("*.jsonl.gz")]
    assert names == [f"{FIRST}.jsonl.gz"]


def test_only_transcripts_that_go_within_a_week_are_told_of(kept: Kept) -> None:
    day, now = 86_400, time.time()
    for number, age in enumerate((1, 24, 26, 31)):
        path = kept.write(f"a4c5{number:04d}-0000-4000-8000-000000000001")
        for file in [path, *path.with_suffix("").rglob("agent-*")]:
            os.utime(file, (now - age * day,) * 2)
    refs = [kept.ref(kept.projects, session=f"a4c5{n:04d}-0000-4000-8000-000000000001") for n in range(4)]
    going, first = soon_deleted(refs, int(now * 1000))
    assert going == 2 and first is not None and abs(first / 1000 - (now + 4 * day)) < 60
