"""What a path is to a check and to a scope, and the settings that a project gives."""

from __future__ import annotations

import pytest

from waterglass.errors import WaterglassError
from waterglass.metrics import Settings, settings_of
from waterglass.metrics.files import is_loaded, kind_of, outside_scope, project_path, state_matcher


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("code", "a.py src/a.tsx lib/x.GO tool.sh spec/a_spec.rb src/state.ts status.py docs/conf.py"),
        ("markup", "index.html src/app.css package.json Makefile sub/Dockerfile pyproject.toml"),
        ("prose", "README.md docs/a.rst LICENSE LICENSE.MIT CHANGELOG notes.txt guide.adoc a.csv README.md.bak"),
        ("media", "logo.png a/b.svg font.woff2"),
        ("unchecked", ".gitignore config.yaml data.json .github/workflows/ci.yml .vscode/x.py .env ~/.bashrc n.ipynb"),
        ("unchecked", "/home/ann/.config/x.py /Users/ann/.tool.sh"),
        ("temporary", "/tmp/a.py /private/var/folders/x/a.py tmp/a.py a/temp/b.js $TMPDIR/a.sh"),
        ("temporary", "/var/tmp/q.py C:/Users/ann/AppData/Local/Temp/x.py"),
        ("own", "~/.claude/plans/a.md /home/ann/.claude/projects/p/memory/x.md PROGRESS.md"),
        ("own", "CLAUDE.md docs/TODO.md feature_list.json"),
        ("own", "plan.md task_plan.md sub/AGENTS.md"),
        ("generated", "node_modules/x/a.js dist/a.js .next/b.js __pycache__/a.pyc target/debug/x.rs"),
        ("code", "a.py.bak a.ts~ src/b.go.orig"),
    ],
)  # fmt: skip
def test_a_path_tells_what_a_check_could_say_of_the_file(kind: str, paths: str) -> None:
    assert {path: kind_of(path) for path in paths.split()} == dict.fromkeys(paths.split(), kind)


@pytest.mark.parametrize(
    ("target", "cwd", "path"),
    [
        ("src/a.py", "/code/demo", "src/a.py"),
        ("a.py", "/code/demo/src", "src/a.py"),
        ("/code/demo/src/a.py", "/code/demo", "src/a.py"),
        ("../a.py", "/code/demo/src", "a.py"),
        ("/code/other/a.py", "/code/demo", "/code/other/a.py"),
        ("a.py", "/code/other", "/code/other/a.py"),
        ("/code/demo/.claude/worktrees/w1/src/a.py", "/code/demo", "src/a.py"),
        ("src/a.py", "/code/demo/.worktrees/w1", "src/a.py"),
        ("/code/demo2/a.py", "/code/demo", "/code/demo2/a.py"),
        ("~/notes.py", "/code/demo", "~/notes.py"),
        ("a.py", None, "a.py"),
    ],
)
def test_a_target_is_seen_from_the_root_of_the_project(target: str, cwd: str | None, path: str) -> None:
    assert project_path(target, cwd, "/code/demo") == path


def test_a_project_in_a_temporary_folder_is_a_project() -> None:
    assert project_path("/private/tmp/demo/src/a.py", "/tmp/demo", "/tmp/demo") == "src/a.py"
    assert kind_of("src/a.py") == "code"


@pytest.mark.parametrize(
    ("globs", "inside", "outside"),
    [
        (("src/",), "src/a.py src/b/c.ts", "a.py src2/a.py asrc/a.py /code/other/src/a.py"),
        (("*.py",), "a.py b/c.py", "a.pyx b/c.js ../a.py"),
        (("/a.py",), "a.py", "b/a.py"),
        (("src/**/*.ts", "!src/gen/"), "src/a.ts src/b/c.ts", "src/a.js"),
        (("./src/",), "src/a.py", "a.py b/src/a.py"),
        (("/code/demo/src", "!/code/demo/src/gen"), "src/a.py", "a.py src/gen/a.py"),
        (("docs", "README.md"), "docs/a.md README.md sub/docs/x.md", "src/README"),
    ],
)
def test_a_scope_follows_the_rules_of_a_gitignore(globs: tuple[str, ...], inside: str, outside: str) -> None:
    is_out = outside_scope(globs, "/code/demo")
    assert [path for path in inside.split() if is_out(path)] == []
    assert [path for path in outside.split() if not is_out(path)] == []


def test_a_scope_may_be_written_with_backslashes_where_paths_are() -> None:
    is_out = outside_scope(("src\\", "C:\\Data\\App\\lib\\*.py"), "C:/Data/App")
    assert [is_out(path) for path in ("src/a.py", "lib/a.py", "lib/a.js")] == [False, False, True]


def test_state_files_are_known_by_name_and_kind_and_not_by_a_word_in_code() -> None:
    is_state = state_matcher(())
    states = (
        "PROGRESS.md docs/progress.md claude-progress.txt STATE.md project_state.md STATUS.md TODO.md TODO a/AGENTS.md"
    )
    others = "src/state.ts status.py progress_bar.tsx src/todo/list.js README.md stateful.md memory.py"
    assert [path for path in states.split() if not is_state(path)] == []
    assert [path for path in others.split() if is_state(path)] == []


def test_a_project_names_its_own_state_files_in_place_of_the_usual_ones() -> None:
    is_state = state_matcher(("LOG/*.md", "now.txt"))
    assert [is_state(path) for path in ("log/a.md", "x/LOG/a.md", "now.txt", "a/now.txt", "LOG/b/a.md", "TODO.md")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip


def test_some_files_are_loaded_by_the_program_itself() -> None:
    loaded = (
        "CLAUDE.md",
        "/code/CLAUDE.md",
        "~/.claude/CLAUDE.md",
        "/home/ann/.claude/projects/p/memory/topic.md",
        "src/CLAUDE.md",
    )
    assert [is_loaded(path) for path in loaded] == [True] * 5
    assert [is_loaded(path) for path in ("AGENTS.md", "PROGRESS.md")] == [False] * 2


def test_settings_come_from_a_decoded_table_and_other_keys_are_let_be() -> None:
    given = {
        "scope": "src/",
        "threshold": 4,
        "state-files": ["NOW.md"],
        "verify": ["./ci"],
        "density_warn": 5,
        "window": 1,
    }
    assert settings_of(given) == Settings(("src/",), 4, ("NOW.md",), ("./ci",), 5.0)
    assert settings_of({}) == Settings()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scope", 3), ("scope", ["a", 1]), ("verify", {}), ("state_files", None), ("threshold", 1), ("threshold", True),
        ("threshold", "3"), ("density_warn", 0), ("density_warn", "x"), ("density_warn", float("nan")),
    ],
)  # fmt: skip
def test_a_setting_of_another_type_is_named(key: str, value: object) -> None:
    with pytest.raises(WaterglassError, match=key):
        settings_of({key: value})
