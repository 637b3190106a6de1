"""From what a person types to one session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import modes
from tests.transcripts import Transcript
from waterglass.discover import beside, discover, find, latest, resolve
from waterglass.errors import WaterglassError

ONE = "5e550001-0000-4000-8000-000000000001"
TWO = "5e550002-0000-4000-8000-000000000002"


def talk(session: str, at: str = "2026-03-02T09:00:00Z", **fields: object) -> Transcript:
    t = Transcript(session, **fields)  # type: ignore[arg-type]
    t.at(at).prompt("Count the boats")
    return t


@pytest.fixture
def root(tmp_path: Path) -> str:
    talk(ONE, "2026-03-02T09:00:00Z", cwd="/code/one").write(tmp_path)
    talk(TWO, "2026-03-03T09:00:00Z", cwd="/code/two").write(tmp_path)
    return str(tmp_path)


def test_an_id_or_a_unique_beginning_names_a_session(root: str) -> None:
    found = discover([root])
    assert [find(found, text).id for text in (ONE, "5e550002", "5e550001-0000")] == [ONE, TWO, ONE]


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("5e55000", "2 sessions begin with this", TWO),
        ("5e5", "too short for a session's id", "4 characters"),
        ("ffff", "no session has this id", "waterglass list"),
        ("nowhere/x", "no such file", "waterglass list"),
    ],
)
def test_what_names_none_or_several_is_refused_with_what_to_try(root: str, text: str, what: str, hint: str) -> None:
    with pytest.raises(WaterglassError) as caught:
        find(discover([root]), text)
    assert (caught.value.what, hint in caught.value.hint) == (what, True)


@pytest.mark.parametrize("text", ["inner", ".", "inner/"])
@pytest.mark.parametrize("there", [True, False], ids=["sessions", "no session"])
def test_a_folder_is_no_session_and_the_error_says_what_to_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, there: bool
) -> None:
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    if there:
        talk(ONE).write(tmp_path / "projects")
    with pytest.raises(WaterglassError) as caught:
        find(discover([str(tmp_path / "projects")]), text)
    assert (caught.value.what, caught.value.where) == (
        "a folder, not a transcript",
        str(tmp_path) if text == "." else text,
    )
    assert "--root" in caught.value.hint


def test_of_many_candidates_five_are_named(tmp_path: Path) -> None:
    for number in range(8):
        talk(f"5e55000{number}-0000-4000-8000-000000000000").write(tmp_path)
    with pytest.raises(WaterglassError) as caught:
        find(discover([str(tmp_path)]), "5e55")
    assert caught.value.hint.count("5e55") == 5


def test_nothing_found_says_where_was_looked(tmp_path: Path) -> None:
    with pytest.raises(WaterglassError, match="no session found") as caught:
        find(discover([str(tmp_path), str(tmp_path / "gone")]), "latest")
    assert str(tmp_path) in caught.value.where
    assert "gone" in caught.value.where
    with pytest.raises(WaterglassError, match="no such folder"):
        find(discover([str(tmp_path / "gone")]), "latest")


def test_the_folder_of_one_project_is_told_from_the_one_above_it_that_is_wanted(root: str) -> None:
    own = str(next(path.parent for path in Path(root).rglob("*.jsonl") if path.parent.parent == Path(root)))
    with pytest.raises(WaterglassError, match="this is one project's folder") as caught:
        find(discover([own]), "latest")
    assert caught.value.hint.startswith(f"--root {root}")


def test_latest_is_by_the_newest_record_and_not_by_the_files_time(root: str) -> None:
    old = discover([root]).sessions
    for ref in old:
        stamp = 1_900_000_000 if ref.id == ONE else 1_600_000_000
        os.utime(ref.path, (stamp, stamp))
    assert latest(discover([root])).id == TWO


def test_latest_prefers_the_project_that_the_current_directory_lies_in(root: str) -> None:
    found = discover([root])
    assert [latest(found, cwd).id for cwd in ("/code/one", "/code/one/src/deep", "/code/oneself", None)] == [
        ONE,
        ONE,
        TWO,
        TWO,
    ]
    assert latest(found, "/code/one/.claude/worktrees/red").id == ONE


@pytest.mark.parametrize("version", ["2.0.60", "2.1.20"])
def test_a_path_finds_the_other_files_beside_it(tmp_path: Path, version: str) -> None:
    t = talk(ONE, version=version)
    t.agent("a1").prompt("Look")
    main = t.write(tmp_path)
    talk(TWO).write(tmp_path)
    expected = discover([str(tmp_path)])
    for path in (main, *main.parent.rglob("agent-a1.jsonl")):
        ref = beside(str(path))
        assert (ref.id, [file.key for file in ref.files]) == (ONE, ["main", "a1"])
        assert ref.files == next(r for r in expected if r.id == ONE).files


def test_a_link_given_by_hand_is_followed(tmp_path: Path) -> None:
    main = talk(ONE).write(tmp_path / "projects")
    (tmp_path / "here.jsonl").symlink_to(main)
    assert beside(str(tmp_path / "here.jsonl")).path == str(main)


def test_a_path_that_is_no_transcript_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "agent-a1.jsonl").write_bytes(b"garbage\n")
    (tmp_path / "notes.txt").write_bytes(b"{}\n")
    os.mkfifo(tmp_path / "pipe.jsonl")
    wanted = {
        "gone.jsonl": "no such file",
        "folder.jsonl": "a folder, not a transcript",
        "agent-a1.jsonl": "an agent's file that names no session",
        "notes.txt": "not a transcript",
        "pipe.jsonl": "not a regular file",
    }
    for name, what in wanted.items():
        with pytest.raises(WaterglassError) as caught:
            beside(str(tmp_path / name))
        assert caught.value.what == what


def test_the_sessions_in_sight_of_a_path_are_those_of_its_folder(tmp_path: Path) -> None:
    main = talk(ONE, folder="-a").write(tmp_path)
    talk(TWO, folder="-b").write(tmp_path)
    ref, sight = resolve(str(main))
    assert (ref.id, [r.id for r in sight]) == (ONE, [ONE])
    ref, sight = resolve(ONE, [str(tmp_path)])
    assert (ref.id, {r.id for r in sight}) == (ONE, {ONE, TWO})


@modes.that_hold()
def test_a_session_that_may_not_be_read_is_named_as_such(root: str) -> None:
    path = discover([root]).sessions[0].path
    os.chmod(path, 0)
    for text in (path, os.path.basename(path)[:8]):
        with pytest.raises(WaterglassError, match="permission denied"):
            resolve(text, [root])


def test_a_name_with_bytes_that_are_no_utf_8_is_found_as_the_shell_completes_it(root: str) -> None:
    folder = os.path.dirname(discover([root]).sessions[0].path)
    try:
        with open(os.path.join(os.fsencode(folder), b"\xff\xfeabcd.jsonl"), "wb") as file:
            file.write(b'{"type":"user","message":{"content":"hi"}}\n')
    except OSError:
        pytest.skip("this system has no such names")
    found = discover([root])
    assert find(found, os.fsdecode(b"\xff\xfeab")).id == "\\xff\\xfeabcd"
    with pytest.raises(WaterglassError, match="no session has this id"):
        find(found, "\ud800abcd")
