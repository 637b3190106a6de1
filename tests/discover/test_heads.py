"""The ends of a session's files name it and place it in a list."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.transcripts import Transcript
from waterglass.discover import Head, discover, folder_project, read_head
from waterglass.discover.peek import END, open_regular
from waterglass.session import load

ONE = "5e550001-0000-4000-8000-000000000001"
TWO = "5e550002-0000-4000-8000-000000000002"
NINE = 1_772_442_000_000  # 2026-03-02T09:00:00Z, where a transcript's clock begins


def head_of(t: Transcript, root: Path) -> Head:
    t.write(root)
    return read_head(next(ref for ref in discover([str(root)]) if ref.id == t.session_id))


def test_the_first_directory_is_the_project_and_the_newest_record_the_last_activity(tmp_path: Path) -> None:
    t = Transcript(ONE, cwd="/code/boats/.worktrees/red")
    t.prompt("Count")
    t.at("+5m").reply(text="Three.", cwd="/elsewhere")
    t.at("-1m").prompt("Thanks")
    head = head_of(t, tmp_path)
    assert (head.project, head.worktree) == ("/code/boats", "/code/boats/.worktrees/red")
    assert (head.start_ms, head.last_ms, head.talk, head.whole) == (NINE, NINE + 300_000, True, True)


@pytest.mark.parametrize(
    ("kinds", "title"),
    [
        ([], "Count the boats"),
        (["ai"], "ai 0"),
        (["ai", "ai"], "ai 1"),
        (["ai", "agent", "ai"], "agent 1"),
        (["custom", "agent", "ai"], "custom 0"),
    ],
)
def test_a_given_title_goes_before_a_made_one_and_that_before_the_prompt(
    tmp_path: Path, kinds: list[str], title: str
) -> None:
    t = Transcript(ONE)
    t.prompt("  Count\n the boats ")
    for number, kind in enumerate(kinds):
        t.title(f"{kind} {number}", kind)
    assert head_of(t, tmp_path).title == title


@pytest.mark.parametrize("levels", [1, 600])
def test_a_list_reads_of_a_line_what_reading_it_gives(tmp_path: Path, levels: int) -> None:
    t = Transcript(ONE)
    t.raw(b'{"type":"x","cwd":"/odd","x":' + b"[" * levels + b'"no UTF-8: \xff"' + b"]" * levels + b"}")
    t.prompt("Count")
    t.write(tmp_path)
    session = load(ONE, roots=[str(tmp_path)])
    assert (head_of(t, tmp_path).project, session.coverage.skipped_lines) == (session.project, levels > 512)


def test_the_titles_file_names_a_session_that_has_no_title_of_its_own(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Count")
    folder = t.write(tmp_path).parent
    (folder / "sessions-index.json").write_text(f'{{"entries":[{{"sessionId":"{ONE}","summary":"Boats"}}]}}')
    assert head_of(t, tmp_path).title == "Boats"
    t.title("Own", "ai")
    assert head_of(t, tmp_path).title == "Own"


def test_a_summary_titles_only_the_session_that_holds_its_leaf(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.summary("Of another", "00000000-0000-4000-8000-000000000000")
    t.prompt("Count")
    assert head_of(t, tmp_path).title == "Count"
    t.summary("Of this one")
    assert head_of(t, tmp_path).title == "Of this one"


def test_what_the_program_wrote_is_no_title(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("injected", isMeta=True)
    t.command("clear", stdout="done")
    t.prompt("<system-reminder>be nice</system-reminder>")
    t.prompt([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"}, {"type": "text", "text": "Typed"}])
    assert head_of(t, tmp_path).title == "Typed"


def test_of_a_long_file_only_the_ends_are_read(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("First")
    for _ in range(40):
        t.at("+1m").reply(text="x" * 10_000)
    t.title("Last", "custom")
    head = head_of(t, tmp_path)
    assert (head.whole, head.title, head.last_ms) == (False, "Last", NINE + 40 * 60_000)


def test_a_last_line_longer_than_what_is_read_leaves_the_files_time(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("First")
    t.at("+1m").reply(text="x" * (3 * END))
    path = t.write(tmp_path)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    (ref,) = discover([str(tmp_path)])
    assert read_head(ref).last_ms == 1_800_000_000_000


@pytest.mark.parametrize("lines", [[], [{"type": "file-history-snapshot", "snapshot": {}}], [b"\xff\x00 garbage"]])
def test_a_file_without_any_time_is_placed_by_its_own(tmp_path: Path, lines: list[object]) -> None:
    t = Transcript(ONE)
    t.lines = lines  # type: ignore[assignment]
    path = t.write(tmp_path)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    (ref,) = discover([str(tmp_path)])
    head = read_head(ref)
    assert (head.last_ms, head.talk, head.title, head.project) == (1_600_000_000_000, False, None, None)


def test_the_newest_record_may_be_an_agents(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Count")
    t.agent("a1").at("+9m").prompt("Look")
    head = head_of(t, tmp_path)
    assert (head.last_ms, head.title) == (NINE + 540_000, "Count")


def test_what_a_session_continues_is_named_by_its_records(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Count", sessionId=TWO)
    t.prompt("Go on")
    assert head_of(t, tmp_path).continues == TWO
    t = Transcript(ONE)
    t.prompt("Count", forkedFrom={"sessionId": TWO, "messageUuid": "x"})
    assert head_of(t, tmp_path).continues == TWO
    t = Transcript(ONE)
    t.prompt("Count")
    t.prompt("Go on", sessionId=TWO)
    assert head_of(t, tmp_path).continues is None


def test_a_session_without_a_directory_has_the_project_of_most_in_its_folder(tmp_path: Path) -> None:
    for number, cwd in enumerate(("/code/a", "/code/b", "/code/b")):
        t = Transcript(f"5e55000{number}-0000-4000-8000-000000000000", cwd=cwd, folder="-same")
        t.prompt("Count")
        t.write(tmp_path)
    (tmp_path / "-same" / "empty.jsonl").write_bytes(b"")
    found = discover([str(tmp_path)])
    empty = next(ref for ref in found if ref.id == "empty")
    assert folder_project(empty, found.sessions) == "/code/b"
    assert folder_project(empty, []) is None


def test_a_file_that_is_gone_is_named_and_nothing_raised(tmp_path: Path) -> None:
    t = Transcript(ONE)
    t.prompt("Count")
    path = t.write(tmp_path)
    (ref,) = discover([str(tmp_path)])
    path.unlink()
    assert [file.path for file in read_head(ref).unreadable] == [str(path)]


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(__file__)
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        with pytest.raises(OSError):
            open_regular(str(tmp_path / name))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)  # files
@given(
    st.lists(
        st.binary(max_size=60)
        | st.dictionaries(
            st.sampled_from(
                ["type", "timestamp", "cwd", "slug", "uuid", "sessionId", "message", "summary", "leafUuid"]
            ),
            st.none() | st.text(max_size=8) | st.integers() | st.lists(st.text(max_size=3), max_size=2),
        ),
        max_size=8,
    )
)
def test_the_head_of_any_file_is_read(tmp_path: Path, lines: list[object]) -> None:
    t = Transcript(ONE)
    t.lines = lines  # type: ignore[assignment]
    head = head_of(t, tmp_path)
    assert head.last_ms is not None
    assert head.unreadable == []
