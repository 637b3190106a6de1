"""What the list does when files come, grow, go or cannot be read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import modes
from tests.conftest import RunWaterglass
from tests.transcripts import Transcript
from waterglass.catalog import Catalog
from waterglass.catalog import catalog as module
from waterglass.catalog.counting import Counted, Job
from waterglass.discover import discover

ONE = "5e550001-0000-4000-8000-000000000001"
TWO = "5e550002-0000-4000-8000-000000000002"
NINE = 1_772_442_000_000


def talk(session: str, **fields: object) -> Transcript:
    t = Transcript(session, **fields)  # type: ignore[arg-type]
    t.prompt(f"Question of {session[:8]}")
    t.at("+1m").reply("Yes.", message_id=f"msg_{session[:8]}")
    return t


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    monkeypatch.setattr(module, "_FRESH_S", 0.0)
    talk(ONE).write(tmp_path)
    made = Catalog([str(tmp_path)], now=lambda: NINE + 120_000)
    made.start()
    assert made.wait([ONE], timeout=30)
    yield made
    made.close()


def asked_until(catalog: Catalog, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask as the page does until it is there; long before the time limit of a test it is, or never."""
    for _ in range(3_000):
        document = catalog.snapshot()
        if wanted(document):
            return document
        time.sleep(0.01)
    pytest.fail(f"never came; last: {document}")


def test_a_session_that_comes_is_seen_when_the_list_is_opened_again(catalog: Catalog, tmp_path: Path) -> None:
    talk(TWO).write(tmp_path)
    document = asked_until(catalog, lambda d: len(d["sessions"]) == 2 and all(s["counted"] for s in d["sessions"]))
    assert {session["id"] for session in document["sessions"]} == {ONE, TWO}


def test_a_session_that_grows_is_counted_again(catalog: Catalog, tmp_path: Path) -> None:
    before = catalog.snapshot()["revision"]
    t = talk(ONE)
    t.at("+1m").prompt("More")
    t.write(tmp_path)
    document = asked_until(catalog, lambda d: d["sessions"][0]["prompts"] == 2)
    assert document["revision"] > before


def test_a_session_with_flat_agents_that_stays_as_it_is_is_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FRESH_S", 0.0)
    t = talk(ONE, version="2.0.60")
    t.agent("a0ffee1").prompt("Look")
    t.write(tmp_path)
    made = Catalog([str(tmp_path)], now=lambda: NINE + 120_000)
    made.start()
    try:
        assert made.wait([ONE], timeout=30)
        revision = made.snapshot()["revision"]
        scanned = made._scanned_s
        asked_until(made, lambda document: made._scanned_s > scanned)
        assert made.snapshot()["revision"] == revision
    finally:
        made.close()


def test_a_session_that_is_gone_is_removed_by_name(catalog: Catalog, tmp_path: Path) -> None:
    revision = catalog.snapshot()["revision"]
    for path in tmp_path.rglob("*.jsonl"):
        path.unlink()
    asked_until(catalog, lambda d: d["sessions"] == [])
    assert catalog.snapshot(revision)["removed"] == [ONE]
    assert catalog.find(ONE) is None


def test_a_live_session_becomes_idle_by_itself(tmp_path: Path) -> None:
    talk(ONE).write(tmp_path)
    clock = [NINE + 120_000]
    made = Catalog([str(tmp_path)], now=lambda: clock[0])
    made.start()
    try:
        assert made.wait([ONE], timeout=30)
        document = made.snapshot()
        assert [session["state"] for session in document["sessions"]] == ["live"]
        clock[0] += 600_000
        later = made.snapshot(document["revision"])
        assert [(session["id"], session["state"]) for session in later["sessions"]] == [(ONE, "idle")]
    finally:
        made.close()


def test_a_session_that_cannot_be_counted_stays_listed_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: Job, now_ms: int) -> Counted:
        return Counted(failure="could not be counted (KeyError)")

    monkeypatch.setattr(module, "count", fail)
    path = talk(ONE).write(tmp_path)
    made = Catalog([str(tmp_path)])
    made.start()
    try:
        assert made.wait([ONE], timeout=30)
        document = made.snapshot()
    finally:
        made.close()
    assert [(session["title"], session["counted"]) for session in document["sessions"]] == [
        ("Question of 5e550001", False)
    ]
    assert document["unreadable"] == [{"path": str(path), "reason": "could not be counted (KeyError)"}]


@modes.that_hold()
def test_a_file_that_may_not_be_read_is_named_and_no_session(tmp_path: Path) -> None:
    talk(ONE).write(tmp_path)
    path = talk(TWO).write(tmp_path)
    path.chmod(0)
    made = Catalog([str(tmp_path)])
    made.start()
    try:
        assert made.wait([ONE], timeout=30)
        document = made.snapshot()
    finally:
        made.close()
    assert [session["id"] for session in document["sessions"]] == [ONE]
    assert document["unreadable"] == [{"path": str(path), "reason": "permission denied"}]


def test_the_sessions_in_sight_of_one_are_those_that_share_its_beginning(tmp_path: Path) -> None:
    one = talk(ONE)
    one.write(tmp_path)
    copy = Transcript(TWO, folder=one.folder)
    for line in one.lines:
        assert isinstance(line, dict)
        copy.raw({**line, "sessionId": TWO})
    copy.write(tmp_path)
    talk("5e550003").write(tmp_path)
    made = Catalog([str(tmp_path)])
    made.start()
    try:
        assert made.wait([ONE, TWO, "5e550003"], timeout=30)
        seen = {id_: [ref.id for ref in made.in_sight(id_)] for id_ in (ONE, TWO, "5e550003")}
    finally:
        made.close()
    assert seen == {ONE: [TWO], TWO: [ONE], "5e550003": []}


def test_until_all_are_named_the_sessions_of_the_folder_are_in_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_NAMING_S", 0.0)
    for number, folder in enumerate(("-a", "-a", "-b")):
        talk(f"5e55000{number}", folder=folder).write(tmp_path)
    made = Catalog([str(tmp_path)])
    assert made.in_sight("5e550000") == []
    made._name(discover([str(tmp_path)]).sessions)
    assert {ref.id for ref in made.in_sight("5e550000")} == {"5e550000", "5e550001"}


def test_many_bytes_are_counted_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH", 0)
    monkeypatch.setattr(module, "count", lambda job, now_ms: pytest.fail("counted in this process"))
    talk(ONE).write(tmp_path)
    made = Catalog([str(tmp_path)])
    made.start()
    try:
        assert made.wait([ONE], timeout=30)
        assert made.snapshot()["sessions"][0]["prompts"] == 1
        assert made.counted_bytes([ONE, "gone"]) == made.snapshot()["sessions"][0]["bytes"]
    finally:
        made.close()


def test_closing_in_the_middle_ends_what_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH", 0)
    for number in range(40):
        talk(f"5e55{number:04}").write(tmp_path)
    made = Catalog([str(tmp_path)])
    made.start()
    assert made.wait(timeout=30)
    made.close()
    assert not any(thread.is_alive() for thread in made._threads)
    assert not any(child.runs for child in made._children)
    assert made.wait(["5e550000"]) is True


# -- the command ------------------------------------------------------------------------------------------------------


def listed(run: RunWaterglass, *args: str | Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run("list", "--json", *args).stdout)
    return document


def test_a_list_can_be_cut_by_project_time_and_number(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    now = time.time_ns() // 1_000_000
    talk(ONE, cwd="/code/Boats", now=now - 2 * 86_400_000).write(tmp_path)
    talk(TWO, cwd="/code/trains", now=now - 3_600_000).write(tmp_path)

    def ids(*args: str) -> list[str]:
        return [session["id"] for session in listed(run_waterglass, "--root", tmp_path, *args)["sessions"]]

    assert ids() == [TWO, ONE]
    assert ids("--project", "boats") == [ONE]
    assert ids("--since", "1d") == [TWO]
    assert ids("--since", "1w", "--limit", "1") == [TWO]
    assert ids("--project", "planes") == []


def test_a_span_that_is_none_is_wrong_usage(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("list", "--root", tmp_path, "--since", "soon")
    assert (done.returncode, "30m, 12h, 7d or 2w" in done.stderr) == (2, True)


def test_the_document_has_the_fields_of_the_contract(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    talk(ONE).write(tmp_path)
    document = listed(run_waterglass, "--root", tmp_path)
    assert set(document) == {"roots", "sessions", "unreadable", "deleted", "going"}
    fields = {
        "id", "project", "title", "state", "path", "bytes", "startMs", "endMs", "lastActivityMs", "prompts",
        "toolCalls", "errors", "agents", "models", "usage", "worktree", "slug", "continues",
        "continuedBy", "group", "counted",
    }  # fmt: skip
    assert fields <= set(document["sessions"][0])


def test_what_a_transcript_says_never_steers_the_terminal(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    t = talk(ONE, cwd="/code/\x1b[31m\u202ex", folder="-odd")
    t.title("\x1b]0;owned\x07 [bold]x[/bold] :boat:", "custom")
    t.write(tmp_path)
    done = run_waterglass("list", "--root", tmp_path)
    assert done.returncode == 0
    assert not any(character in done.stdout for character in "\x1b\x07\u202e")
    assert "[bold]x[/bold] :boat:" in done.stdout


def test_a_chain_is_one_line_above_its_sessions_with_what_was_copied_counted_once(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    one = talk(ONE)
    one.write(tmp_path)
    copy = Transcript(TWO, folder=one.folder, now=one.now)
    for line in one.lines:
        assert isinstance(line, dict)
        copy.raw({**line, "sessionId": TWO})
    copy.at("+1m").prompt("More")
    copy.reply("Yes.", message_id="msg_more")
    copy.write(tmp_path)
    lines = run_waterglass("list", "--root", tmp_path).stdout.splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:4]] == ["chain of 2", "└ 5e550002", "└ 5e550001"]
    prompts = [line.split()[-6] for line in lines[1:4]]
    assert [int(count) for count in prompts] == [2, 2, 1]


def test_one_of_several_folders_that_is_missing_is_said(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    talk(ONE).write(tmp_path)
    done = run_waterglass("list", "--root", tmp_path / "gone", "--root", tmp_path, "--json")
    assert (done.returncode, len(json.loads(done.stdout)["sessions"])) == (0, 1)
    assert f"no such folder: {tmp_path / 'gone'}" in done.stderr
    done = run_waterglass("list", "--root", tmp_path / "gone", "--json")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_home_without_transcripts_is_an_empty_document_or_a_line(
    run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = run_waterglass("list", env=env)
    assert (done.returncode, ".claude/projects" in done.stderr) == (1, True)
    assert json.loads(run_waterglass("list", "--json", env=env).stdout) == {
        "roots": [],
        "sessions": [],
        "unreadable": [],
        "deleted": 0,
        "going": {"sessions": 0, "days": 7, "nextMs": None},
    }
