"""Which folders are looked in."""

from __future__ import annotations

from pathlib import Path

import pytest

from waterglass.discover import look_in, roots_from


def test_given_folders_count_alone() -> None:
    assert roots_from(["/a", "/b"], {"CLAUDE_CONFIG_DIR": "/c"}, "/home/u", False) == ["/a", "/b"]


def test_the_variable_counts_alone_and_may_name_several() -> None:
    env = {"CLAUDE_CONFIG_DIR": "/c, /d ,,", "XDG_CONFIG_HOME": "/x"}
    assert roots_from([], env, "/home/u", False) == ["/c/projects", "/d/projects"]


def test_an_empty_variable_is_none() -> None:
    assert roots_from([], {"CLAUDE_CONFIG_DIR": ""}, "/home/u", False) == [
        "/home/u/.claude/projects",
        "/home/u/.config/claude/projects",
    ]


def test_the_usual_places_include_the_configuration_home_once() -> None:
    assert roots_from([], {"XDG_CONFIG_HOME": "/x"}, "/home/u", False) == [
        "/home/u/.claude/projects",
        "/x/claude/projects",
        "/home/u/.config/claude/projects",
    ]
    assert len(roots_from([], {"XDG_CONFIG_HOME": "/home/u/.config"}, "/home/u", False)) == 2


def test_on_windows_the_profile_and_the_roaming_folder_count_too() -> None:
    env = {"USERPROFILE": "C:\\Users\\u", "APPDATA": "C:\\Users\\u\\AppData\\Roaming"}
    assert roots_from([], env, "C:\\Users\\u", True) == [
        "C:\\Users\\u\\.claude\\projects",
        "C:\\Users\\u\\.config\\claude\\projects",
        "C:\\Users\\u\\AppData\\Roaming\\Claude\\projects",
    ]


def test_a_folder_that_holds_projects_stands_for_that_one(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    assert [place.path for place in look_in([str(tmp_path)])] == [str(tmp_path / "projects")]


def test_one_directory_reached_by_two_ways_counts_once(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "projects")
    places = look_in([str(tmp_path), str(tmp_path / "projects"), str(tmp_path / "link")])
    assert [place.path for place in places] == [str(tmp_path / "projects")]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    places = look_in([str(tmp_path / "gone"), str(tmp_path)])
    assert [place.exists for place in places] == [False, True]


def test_a_file_is_no_folder_to_look_in(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert [place.exists for place in look_in([str(tmp_path / "file")])] == [False]


def test_without_roots_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "projects").mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert [place.path for place in look_in(None)] == [str(tmp_path / "projects")]
