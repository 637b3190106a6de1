"""Where transcripts are looked for: the environment, several roots, links, and files that may not be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases.conftest import ONE, THREE, TWO
from tests.conftest import RunWaterglass
from tests.transcripts import Transcript

Found = Callable[..., list[str]]


def talk(session: str, root: Path) -> Path:
    t = Transcript(session)
    t.prompt(f"Hello {session[:8]}")
    t.reply("Yes.", message_id=f"msg_{session[:8]}")
    return t.write(root)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A home folder of its own."""
    folder = tmp_path / "own home"
    folder.mkdir()
    return folder


@pytest.fixture
def found(run_waterglass: RunWaterglass, own: Path) -> Found:
    """Return `found(*args, **env)`: the ids that `list --json` has, by the environment and the roots given."""

    def found(*args: str | Path, **env: str | Path) -> list[str]:
        given = {"HOME": str(own), **{name: str(value) for name, value in env.items()}}
        done = run_waterglass("list", "--json", *args, env=given)
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(done.stdout)
        return sorted(session["id"] for session in document["sessions"])

    return found


def test_the_variable_alone_counts_and_home_is_not_looked_at(found: Found, own: Path, tmp_path: Path) -> None:
    talk(ONE, own / ".claude" / "projects")
    talk(TWO, tmp_path / "my config" / "projects")
    assert found(CLAUDE_CONFIG_DIR=tmp_path / "my config") == [TWO]
    assert found(CLAUDE_CONFIG_DIR="") == [ONE]


def test_the_variable_may_name_several_folders_of_which_some_are_not_there(found: Found, tmp_path: Path) -> None:
    talk(ONE, tmp_path / "a" / "projects")
    talk(TWO, tmp_path / "b" / "projects")
    several = f" {tmp_path}/a , {tmp_path}/gone,,{tmp_path}/b/,{tmp_path}/a"
    assert found(CLAUDE_CONFIG_DIR=several) == [ONE, TWO]


def test_a_variable_that_names_nothing_gives_an_empty_list_and_not_that_of_home(
    found: Found, own: Path, tmp_path: Path
) -> None:
    talk(ONE, own / ".claude" / "projects")
    assert found(CLAUDE_CONFIG_DIR=tmp_path / "gone") == []


def test_without_the_variable_every_usual_place_is_looked_in(found: Found, own: Path, tmp_path: Path) -> None:
    talk(ONE, own / ".claude" / "projects")
    talk(TWO, own / ".config" / "claude" / "projects")
    talk(THREE, tmp_path / "xdg" / "claude" / "projects")
    assert found() == [ONE, TWO]
    assert found(XDG_CONFIG_HOME=tmp_path / "xdg") == [ONE, TWO, THREE]


def test_a_root_that_is_given_counts_alone(found: Found, own: Path, tmp_path: Path) -> None:
    talk(ONE, own / ".claude" / "projects")
    talk(TWO, tmp_path / "config" / "projects")
    talk(THREE, tmp_path / "given")
    assert found("--root", tmp_path / "given", CLAUDE_CONFIG_DIR=tmp_path / "config") == [THREE]


def test_a_session_below_two_roots_is_one_session_and_counts_once(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    talk(ONE, tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b" / "projects")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    roots = [part for name in ("a", "b", "link") for part in ("--root", str(tmp_path / name))]
    listed = json.loads(run_waterglass("list", "--json", *roots).stdout)
    assert [(s["id"], s["prompts"], s["usage"]["apiCalls"]) for s in listed["sessions"]] == [(ONE, 1, 1)]
    assert listed["roots"] == [str(tmp_path / "a"), str(tmp_path / "b" / "projects")]
    payload = json.loads(run_waterglass("show", ONE, "--json", *roots).stdout)
    assert (len(payload["prompts"]), payload["usage"]["apiCalls"]) == (1, 1)


def test_a_linked_project_folder_is_followed_and_a_link_upward_ends(found: Found, tmp_path: Path) -> None:
    path = talk(ONE, tmp_path / "store")
    root = tmp_path / "projects"
    root.mkdir()
    (root / path.parent.name).symlink_to(os.path.join("..", "store", path.parent.name))
    (path.parent / "loop").symlink_to("..")
    (root / "itself").symlink_to("itself")
    (root / "dangling").symlink_to("nowhere")
    assert found("--root", root) == [ONE]


def _without_the_right_to_read_everything() -> list[str]:
    """What to put before a command so that files forbid something: nothing, but for root, who may read everything."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no permissions of that kind")
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv to give that up")
    return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"]


def test_files_that_may_not_be_read_are_named_and_everything_else_is_there(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    before = _without_the_right_to_read_everything()
    root = tmp_path / "projects"
    talk(ONE, root)
    forbidden = talk(TWO, root)
    other = root / "-code-other"
    other.mkdir()
    talk(THREE, root).rename(other / f"{THREE}.jsonl")
    t = Transcript(ONE, agent_id="a1", is_sidechain=True)
    t.reply("Done.")
    agent = forbidden.with_name(ONE) / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(t.content())
    for path in (forbidden, agent, other):
        path.chmod(0)

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [*before, sys.executable, "-m", "waterglass", *args, "--root", str(root)]
        return subprocess.run(
            command, cwd=tmp_path, env=child_environment, capture_output=True, text=True, timeout=60, check=False
        )

    try:
        document = json.loads(run("list", "--json").stdout)
        assert [session["id"] for session in document["sessions"]] == [ONE]
        assert {Path(file["path"]) for file in document["unreadable"]} == {forbidden, agent, other}
        assert all("ermission denied" in file["reason"] for file in document["unreadable"])
        shown = run("show", ONE, "--json")
        assert shown.returncode == 0
        payload = json.loads(shown.stdout)
        assert [prompt["text"] for prompt in payload["prompts"]] == ["Hello 5e550001"]
        refused = run("show", TWO)
        assert refused.returncode == 1
        assert "permission denied" in refused.stderr.lower() and str(forbidden) in refused.stderr
        assert refused.stderr.count("\n") == 1
    finally:
        for path in (forbidden, agent, other):
            path.chmod(0o700)
