"""What folder and file names mean."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waterglass.schema.brief import owner
from waterglass.schema.layout import agent_id, is_internal, project_of, session_id, sidecar_name, titles, written


@pytest.mark.parametrize(
    ("name", "session", "agent"),
    [
        ("5e55.jsonl", "5e55", None),
        ("agent-a1.jsonl", None, "a1"),
        ("agent-.jsonl", None, None),
        (".jsonl", None, None),
        ("5e55.jsonl.bak", None, None),
        ("5e55.JSONL", None, None),
        ("agent-a1.meta.json", None, None),
        ("MEMORY.md", None, None),
        ("-rf.jsonl", "-rf", None),
        ("a\nb.jsonl", "a\nb", None),
        ("caf\udce9.jsonl", "caf\\xe9", None),
    ],
)
def test_a_file_name_says_whether_it_is_a_session_an_agent_or_neither(
    name: str, session: str | None, agent: str | None
) -> None:
    assert (session_id(name), agent_id(name)) == (session, agent)


def test_a_sidecar_stands_beside_its_transcript() -> None:
    assert sidecar_name("agent-a1.jsonl") == "agent-a1.meta.json"


@pytest.mark.parametrize("agent", ["acompact", "acompact-0a1b2c", "aprompt_suggestion-3e8f41", "aside_question-0f"])
def test_files_that_the_program_wrote_for_itself_are_internal(agent: str) -> None:
    assert is_internal(agent)


@pytest.mark.parametrize("agent", ["a24", "acompact-the-log-0123456789abcdef", "compact-0a1b2c", "xacompact"])
def test_other_agents_are_not_internal(agent: str) -> None:
    assert not is_internal(agent)


@pytest.mark.parametrize(
    ("cwd", "project", "worktree"),
    [
        ("/code/demo", "/code/demo", None),
        ("/code/demo/", "/code/demo/", None),
        ("/code/demo/.claude/worktrees/red", "/code/demo", "/code/demo/.claude/worktrees/red"),
        ("/code/demo/.claude/worktrees/red/src", "/code/demo", "/code/demo/.claude/worktrees/red"),
        ("/code/demo/.worktrees/blue", "/code/demo", "/code/demo/.worktrees/blue"),
        ("/code/demo/.worktrees", "/code/demo/.worktrees", None),
        ("/code/a/.worktrees/b/.worktrees/c", "/code/a", "/code/a/.worktrees/b"),
        ("c:/Data/App/", "C:\\Data\\App", None),
        ("C:\\Data\\App\\", "C:\\Data\\App", None),
        ("d:\\", "D:\\", None),
        ("C:\\Data\\App\\.claude\\worktrees\\x\\y", "C:\\Data\\App", "C:\\Data\\App\\.claude\\worktrees\\x"),
        ("\\\\server\\share\\app", "\\\\server\\share\\app", None),
        ("/code/Проект/資料.v2 (new)", "/code/Проект/資料.v2 (new)", None),
    ],
)
def test_the_project_is_the_directory_with_worktrees_counted_to_their_repository(
    cwd: str, project: str, worktree: str | None
) -> None:
    assert project_of(cwd) == (project, worktree)


@given(st.text())
def test_a_project_is_its_own_project(cwd: str) -> None:
    project, worktree = project_of(cwd)
    assert project_of(project)[0] == project or worktree is not None


@given(st.binary())
def test_a_titles_file_of_any_bytes_gives_titles_or_none(data: bytes) -> None:
    assert isinstance(titles(data), dict)


def test_one_bad_entry_of_a_titles_file_does_not_hide_the_others() -> None:
    entries = [{"sessionId": 7}, None, {"sessionId": "a", "summary": "Old"}, {"sessionId": "b", "customTitle": "Mine"}]
    more = [{"sessionId": "b2", "summary": "Sum", "customTitle": "Mine"}, {"sessionId": "c"}]
    assert titles(json.dumps({"version": 1, "entries": entries + more}).encode()) == {
        "a": "Old",
        "b": "Mine",
        "b2": "Mine",
    }


def test_a_path_that_is_no_utf8_is_written_with_its_bytes_named() -> None:
    assert written("/code/caf\udce9") == "/code/caf\\xe9"
    written("/code/caf\udce9").encode()


@pytest.mark.parametrize(
    ("head", "whole", "expected"),
    [
        (b'{"type":"x"}\n{"sessionId":"s1"}\n{"sessionId":"s2"}\n', True, "s1"),
        (b'{"sessionId":"s1"}', True, "s1"),
        (b'not json\n{"sessionId":5}\n{"sessionId":"s1"}\n', True, "s1"),
        (b'{"sessionId":"torn","cwd":"/x","message":{"content":"aaaa', False, "torn"),
        (b'{"cwd":"/x","message":{"content":"\\"sessionId\\":\\"no\\" \\u0022', False, None),
        (b'{"message":{"content":"x","sessionId":"no', False, None),
        (b"", True, None),
        (b"\x00\xff\n[]\n", True, None),
    ],
)
def test_the_owner_of_an_agents_file_is_the_first_session_id_in_it(
    head: bytes, whole: bool, expected: str | None
) -> None:
    assert owner(head, whole) == expected
