"""What one call did to files: changed, deleted, put back, or only looked at or given a mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metrics.story import Story
from waterglass.metrics.actions import Action


def action(story: Story, root: Path, command: str, error: bool = False) -> Action:
    return story.asks().run(command, "x", error=error).trace(root).actions[0]


@pytest.mark.parametrize(
    ("command", "changed", "removed", "undone"),
    [
        ("sed -i s/a/b/ src/a.py", "src/a.py", "", ""),
        ("cat > src/a.py <<'E'\nx\nE", "src/a.py", "", ""),
        ("echo x >> notes.txt && chmod +x tool.sh", "notes.txt", "", ""),
        ("cat > tool.sh <<'E'\nx\nE\nchmod +x tool.sh", "tool.sh", "", ""),
        ("rm old.py && sed -i s/a/b/ new.py", "new.py", "old.py", ""),
        ("git rm -f lib/old.py", "", "lib/old.py", ""),
        ("git checkout -- a.py b/c.py", "", "", "a.py b/c.py"),
        ("git restore src/a.py", "", "", "src/a.py"),
        ("cd src && rm a.py && touch b.py", "", "src/a.py", ""),
        ("mkdir -p src/x/y", "", "", ""),
        ("chmod +x /code/demo/run.sh && source /code/demo/run.sh", "", "", ""),
        ("mv a.py b.py", "a.py b.py", "", ""),
        ("cp src/a.py src/b.py", "src/b.py", "", ""),
        ("black src", "", "", ""),
        ("prettier --write src/a.ts", "src/a.ts", "", ""),
    ],
)
def test_a_line_tells_what_it_did_to_each_file(
    command: str, changed: str, removed: str, undone: str, story: Story, tmp_path: Path
) -> None:
    found = action(story, tmp_path, command)
    assert [" ".join(paths) for paths in (found.changed, found.removed, found.undone)] == [changed, removed, undone]


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p x",
        "chmod +x *.sh",
        "black .",
        "mise run fmt",
        "ruff check --fix .",
        "git checkout -- a.py",
        "git status",
    ],
)
def test_some_lines_edit_nothing(command: str, story: Story, tmp_path: Path) -> None:
    assert not action(story, tmp_path, command).edits


@pytest.mark.parametrize(
    "command", ["git apply fix.patch", "patch -p1 < x.diff", "unzip x.zip", "rm a.py", "sed -i s/a/b/ *.py"]
)
def test_some_lines_edit_though_the_files_are_not_known(command: str, story: Story, tmp_path: Path) -> None:
    found = action(story, tmp_path, command)
    assert found.edits and not found.changed


@pytest.mark.parametrize("command", ["git stash", "git reset --hard HEAD", "git -C sub reset --hard", "git clean -fd"])
def test_git_may_put_everything_back(command: str, story: Story, tmp_path: Path) -> None:
    assert action(story, tmp_path, command).undoes_all


@pytest.mark.parametrize("command", ["git log --grep=reset", "echo git stash", "git status; echo reset"])
def test_a_word_puts_nothing_back(command: str, story: Story, tmp_path: Path) -> None:
    assert not action(story, tmp_path, command).undoes_all


def test_a_line_that_failed_may_have_edited_and_is_counted_as_no_edit(story: Story, tmp_path: Path) -> None:
    found = action(story, tmp_path, "sed -i s/a/b/ a.py && npm test", error=True)
    assert (found.edits, found.may_edit, found.changed) == (False, True, ())


def test_an_edit_by_a_tool_that_failed_is_none(story: Story, tmp_path: Path) -> None:
    found = story.asks().edit(error=True).trace(tmp_path).actions[0]
    assert (found.edits, found.may_edit) == (False, False)


def test_calls_stand_in_the_order_of_time_whoever_made_them(story: Story, tmp_path: Path) -> None:
    story.asks().read("a.py").agent().read("b.py").back().read("c.py").ends().asks("more").read("d.py")
    trace = story.trace(tmp_path)
    orders = [one.order for one in trace.actions]
    assert orders == sorted(orders)
    assert [one.facts.targets for one in trace.actions if one.facts.targets] == [
        ("a.py",),
        ("b.py",),
        ("c.py",),
        ("d.py",),
    ]
    assert [len(task.actions) for task in trace.tasks] == [0, 4, 1]
