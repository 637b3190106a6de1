"""A project's settings: from the command line, from `--config`, or from the folder that is the session's project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript

SESSION = "5e551044-0000-4000-8000-000000000001"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project; its session changed `src/a.py` and `docs/b.py`."""
    project = tmp_path / "demo"
    (project / "inner").mkdir(parents=True)
    t = Transcript(SESSION, cwd=str(project), version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt("Change it")
    for number, name in enumerate(("src/a.py", "docs/b.py")):
        given = {"file_path": f"{project}/{name}", "content": "x = 1"}
        t.at("+1s").reply(calls=[Call("Write", given, f"c{number}")])
        t.at("+1s").result(f"c{number}", "File created")
    t.write(tmp_path / "projects")
    return project


def outside(run: RunWaterglass, project: Path, *args: str | Path, cwd: Path | None = None) -> float | None:
    """The value of overreach: files outside the scope, or files a task where there is none."""
    done = run("show", SESSION, "--json", "--root", project.parent / "projects", *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    (metric,) = [m for m in json.loads(done.stdout)["metrics"] if m["id"] == "overreach"]
    return metric["value"] if metric["status"] == "alert" else None


def test_a_scope_on_the_command_line_counts_what_lies_outside(project: Path, run_waterglass: RunWaterglass) -> None:
    assert outside(run_waterglass, project, "--scope", "src/") == 1
    assert outside(run_waterglass, project, "--scope", "src/", "--scope", "docs/") is None


def test_a_settings_file_that_is_named_holds_for_any_project(project: Path, run_waterglass: RunWaterglass) -> None:
    config = project.parent / "pyproject.toml"
    config.write_text('[tool.waterglass]\nscope = ["src/"]\n')
    assert outside(run_waterglass, project, "--config", config) == 1


def test_the_settings_of_the_folder_one_stands_in_hold_for_its_own_sessions(
    project: Path, run_waterglass: RunWaterglass
) -> None:
    (project / "waterglass.toml").write_text('scope = ["src/"]\n')
    assert outside(run_waterglass, project, cwd=project) == 1
    assert outside(run_waterglass, project, cwd=project / "inner") == 1
    assert outside(run_waterglass, project, "--scope", "*.py", cwd=project) is None


def test_the_settings_of_another_project_judge_nothing(project: Path, run_waterglass: RunWaterglass) -> None:
    other = project.parent / "other"
    other.mkdir()
    (other / "waterglass.toml").write_text('scope = ["src/"]\n')
    assert outside(run_waterglass, project, cwd=other) is None


@pytest.mark.parametrize("text", ["threshold = 1", "scope = 3", "threshold = [", "density_warn = -1"])
def test_a_setting_of_another_form_is_said_with_its_file(
    project: Path, text: str, run_waterglass: RunWaterglass
) -> None:
    config = project / "bad.toml"
    config.write_text(text)
    done = run_waterglass("show", SESSION, "--root", project.parent / "projects", "--config", config)
    assert (done.returncode, "bad.toml" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_key_that_is_no_setting_is_named_and_changes_nothing(project: Path, run_waterglass: RunWaterglass) -> None:
    (project / "waterglass.toml").write_text('scope = ["src/"]\ntreshold = 2\n"\\u001b[2J" = 1\n')
    done = run_waterglass("show", SESSION, "--json", "--root", project.parent / "projects", cwd=project)
    (told,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert told.startswith("waterglass: no such setting: ␛[2J, treshold (")
    assert "Known: density_warn, keep_text" in told
    assert outside(run_waterglass, project, cwd=project) == 1
