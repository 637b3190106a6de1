"""An edit of comments alone wants no check; what a tool reads, or may be code, is no comment."""

from __future__ import annotations

import pytest

from tests.metrics.conftest import Score
from tests.metrics.story import Story
from waterglass.metrics.comments import only_comments


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "x = 1", "# the start\nx = 1"),
        ("a.py", "# old\nx = 1\n", "# new\n\nx = 1\n"),
        ("src/a.ts", "// todo\nf();", "f();"),
        ("a.go", "f()", "/* says\n * what it does */\nf()"),
        ("a.lua", "-- a\nx()", "-- b\nx()"),
        ("shop/__init__.py", '__version__ = "1.2.3"', '__version__ = "1.3.0"'),
        ("shop/__manifest__.py", '    "version": "18.0.1.2",', '    "version": "18.0.1.3",'),
        ("a.ts", "export const VERSION = '1.0';", "export const VERSION = '1.1';"),
    ],
)
def test_comments_and_blank_lines_are_no_code(path: str, old: str, new: str) -> None:
    assert only_comments(path, {"old_string": old, "new_string": new})


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "x = 1", "x = 2"),
        ("a.py", "x = 1", "# x = 1"),
        ("a.py", "    x = 1", "# a\nx = 1"),
        ("a.py", "x = 1", "# type: ignore\nx = 1"),
        ("a.py", "#!/usr/bin/python\nx", "#!/usr/bin/env python\nx"),
        ("a.c", "#define A 1\nf();", "#define A 2\nf();"),
        ("a.js", "f();", "// eslint-disable-next-line\nf();"),
        ("a.js", "f();", "/* @ts-ignore */\nf();"),
        ("a.go", "package a", "//go:build linux\npackage a"),
        ("a.unknown", "# a\nx", "# b\nx"),
        ("a.py", "x", "x"),
        ("a.py", 'python_version = "3.9"', 'python_version = "3.12"'),
        ("a.py", 'version = "1.2"\nx = 1', 'version = "1.3"\nx = 2'),
        ("a.py", 'version = "1.2"', "version = read()"),
        ("a.py", "version = 1.2", "version = 1.3"),
        ("a.c", "a\n * b;", "a\n * c;"),
    ],
)
def test_anything_else_is_code(path: str, old: str, new: str) -> None:
    assert not only_comments(path, {"old_string": old, "new_string": new})


def test_without_the_texts_it_cannot_be_told() -> None:
    assert not only_comments("a.py", {})
    assert not only_comments("a.py", {"old_string": "x", "new_string": 7})
    assert not only_comments("a.py", {"edits": []})
    assert not only_comments("a.py", {"edits": [{"old_string": "# a", "new_string": "# b"}, {"old_string": "x"}]})
    assert only_comments("a.py", {"edits": [{"old_string": "# a", "new_string": "# b"}]})


def test_a_comment_after_the_last_check_is_no_early_victory(story: Story, score: Score) -> None:
    story.asks().edit().check()
    path = "/code/demo/src/parser.py"
    story.call("Edit", "updated", file_path=path, old_string="x = 1", new_string="# the start\nx = 1")
    assert score(story.ends())["earlyVictory"].status == "ok"
