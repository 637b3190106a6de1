"""The list while it is made: names first, then counts; and `waterglass list`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript
from waterglass.catalog import Catalog
from waterglass.sample import sample_root

IDS = [f"0a0a0a0{n}-1111-4222-8333-444444444444" for n in range(3)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three sessions with one, two and three calls; the last one is the newest."""
    for n, session in enumerate(IDS):
        t = Transcript(session)
        t.at(f"+{n}h").prompt(f"Question {n}")
        for number in range(n + 1):
            t.reply(
                "on it",
                calls=[Call("Bash", {"command": "ls"}, id=f"toolu_{n}_{number}")],
                message_id=f"msg_{n}_{number}",
            )
            t.result(f"toolu_{n}_{number}", "out")
        t.write(tmp_path / "projects")
    return tmp_path / "projects"


@pytest.fixture
def catalog(root: Path) -> Iterator[Catalog]:
    made = Catalog([str(root)])
    yield made
    made.close()


def by_id(snapshot: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {session["id"]: session for session in snapshot["sessions"]}


def test_names_come_without_waiting_for_any_count(catalog: Catalog) -> None:
    catalog.start(quiet_s=3600)
    revision = -1
    while len(listed := catalog.snapshot()["sessions"]) < 3:
        revision += 1
    assert [session["id"] for session in listed] == IDS[::-1]
    assert {session["title"] for session in listed} == {"Question 0", "Question 1", "Question 2"}
    assert {session["counted"] for session in listed} == {False}
    assert {session["toolCalls"] for session in listed} == {None}


def test_counts_come_to_whoever_waits_for_them(catalog: Catalog) -> None:
    catalog.start(quiet_s=3600)
    assert catalog.wait({IDS[1]}, timeout=30)
    counted = by_id(catalog.snapshot())[IDS[1]]
    assert (counted["counted"], counted["toolCalls"], counted["prompts"], counted["errors"]) == (True, 2, 1, 0)


def test_a_complete_list_has_every_count(catalog: Catalog) -> None:
    catalog.start()
    assert catalog.wait(IDS, timeout=30)
    snapshot = catalog.snapshot()
    assert snapshot["complete"] is True
    assert {i: by_id(snapshot)[i]["toolCalls"] for i in IDS} == {IDS[0]: 1, IDS[1]: 2, IDS[2]: 3}


def test_what_is_asked_for_since_a_revision_is_only_what_changed_after_it(catalog: Catalog) -> None:
    catalog.start()
    assert catalog.wait(IDS, timeout=30)
    whole = catalog.snapshot()
    later = catalog.snapshot(whole["revision"])
    assert later["sessions"] == [] and later["revision"] == whole["revision"]
    assert len(catalog.snapshot(0)["sessions"]) == 3


def test_a_session_is_found_by_its_id_and_by_nothing_else(catalog: Catalog) -> None:
    catalog.start()
    assert catalog.wait(timeout=30)
    found = catalog.find(IDS[0])
    assert found is not None and found.id == IDS[0]
    assert catalog.find("../" + IDS[0]) is None and catalog.find(IDS[0][:8]) is None


def test_the_folders_that_were_looked_in_are_named_where_nothing_is_found(tmp_path: Path) -> None:
    made = Catalog([str(tmp_path)])
    made.start()
    assert made.wait(timeout=30)
    snapshot = made.snapshot()
    made.close()
    assert snapshot["sessions"] == []
    assert snapshot["lookedIn"] == [{"path": str(tmp_path), "exists": True}]


def test_the_list_of_the_command_is_one_document_newest_first(run_waterglass: RunWaterglass, root: Path) -> None:
    done = run_waterglass("list", "--root", root, "--json")
    document = json.loads(done.stdout)
    assert [session["id"] for session in document["sessions"]] == IDS[::-1]
    assert document["roots"] == [str(root)]
    assert all(session["counted"] for session in document["sessions"])


def test_the_list_of_a_person_shows_titles_and_counts(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("list", "--root", sample_root())
    assert done.returncode == 0
    line = next(line for line in done.stdout.splitlines() if line.startswith("5a3b1e00"))
    assert "Tides after the clock change" in line and " 81 " in line


def test_a_folder_without_sessions_is_one_line_that_says_where_was_looked(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    done = run_waterglass("list", "--root", tmp_path)
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr and "Traceback" not in done.stderr
    assert json.loads(run_waterglass("list", "--root", tmp_path, "--json").stdout)["sessions"] == []
