"""Statistics: what all sessions did, each reply once, whatever is asked and however sessions came and went."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import RunWaterglass
from tests.index.conftest import FIRST, SECOND, Place
from tests.transcripts import Call, Transcript, used
from waterglass.discover import Unreadable, discover
from waterglass.metrics import Settings
from waterglass.stats import Asked, document, gather
from waterglass.stats.table import day_of
from waterglass.stats.telling import Wish, tell

Told = Callable[..., dict[str, Any]]


def work(
    session: str, when: str, cwd: str = "/code/shop", tools: tuple[str, ...] = ("Bash", "Bash", "Read")
) -> Transcript:
    made = Transcript(session, cwd=cwd)
    made.at(when).prompt("Begin")
    for number, tool in enumerate(tools):
        call = f"toolu_{session[7]}_{number}"
        made.at("+1s").reply(calls=[Call(tool, {"command": "ls", "file_path": "a"}, id=call)], message_id=f"msg_{call}",
                             usage=used(10, 100, 1_000, 50))  # fmt: skip
        made.at(f"+{number + 1}s").result(call, "Exit code 1" if number == 1 else "fine", is_error=number == 1)
    return made


@pytest.fixture
def told(place: Place) -> Told:
    def ask(by: str | None = None, since_ms: int | None = None) -> dict[str, Any]:
        place.update()
        found = discover([str(place.projects)])
        return document(
            gather(place.store, found, settings=lambda project: Settings()), found.roots, Asked(since_ms, by=by)
        )

    return ask


def lines(document: dict[str, Any], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in ("key", *names)) for row in document["groups"]]


def test_a_file_that_was_never_opened_is_not_said_of_one_that_was_read(place: Place) -> None:
    made = work(FIRST, "2026-03-02T09:00:00Z")
    made.agent("a0b1").at("+1s").reply("done")
    made.write(place.projects)
    (ref,) = discover([str(place.projects)]).sessions
    assert [file.key for file in ref.files] == ["main", "a0b1"]
    closed = Unreadable("/elsewhere/agent-a0b1.jsonl", "Permission denied")  # the discovery names it
    ref = msgspec.structs.replace(ref, unread=(closed,))
    assert tell(Wish(ref, (), frozenset(), True, None, 1)).unread == ()


def test_all_sessions_are_added_up(place: Place, told: Told) -> None:
    work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    work(SECOND, "2026-03-05T09:00:00Z", tools=("Bash",)).write(place.projects)
    total = told()["total"]
    assert (total["sessions"], total["prompts"], total["toolCalls"], total["errors"]) == (2, 2, 4, 1)
    assert (total["usage"]["apiCalls"], total["usage"]["output"], total["usage"]["cacheRead"]) == (4, 400, 4_000)
    assert (total["timedCalls"], total["toolMs"]) == (4, 7_000)
    assert (total["p50Ms"], total["p95Ms"]) == (1_000, 3_000)
    assert (total["compactions"], total["peakTokens"], total["medianPeakTokens"]) == (0, 1_060, 1_060)


def test_each_grouping_has_its_lines(place: Place, told: Told) -> None:
    work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    work(SECOND, "2026-03-05T09:00:00Z", "/code/web", ("Bash",)).write(place.projects)
    assert lines(told("tool"), "toolCalls", "errors", "sessions") == [("Bash", 3, 1, 2), ("Read", 1, 0, 1)]
    assert lines(told("project"), "toolCalls", "prompts") == [("/code/shop", 3, 1), ("/code/web", 1, 1)]
    assert lines(told("day"), "toolCalls", "sessions") == [("2026-03-02", 3, 1), ("2026-03-05", 1, 1)]
    (model,) = told("model")["groups"]
    assert (model["key"], model["usage"]["apiCalls"], model["toolCalls"], model["errors"]) == ("claude-opus-5", 4, 4, 1)


def test_only_what_happened_since_then_is_counted(place: Place, told: Told) -> None:
    work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    later = work(SECOND, "2026-03-05T09:00:00Z", tools=("Bash",))
    later.at("2026-03-08T09:00:00Z").prompt("And more")
    later.write(place.projects)
    total = told(since_ms=1_772_841_600_000)["total"]  # 7 March
    assert (total["sessions"], total["prompts"], total["toolCalls"], total["usage"]["apiCalls"]) == (1, 1, 0, 0)


def test_days_are_those_of_the_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    if not hasattr(time, "tzset"):
        pytest.skip("the time zone of a process cannot be set on this system")
    quarter = 1_772_488_800_000 // 900_000  # 2026-03-02 22:00 UTC
    for zone, day in (("UTC", "2026-03-02"), ("Asia/Kathmandu", "2026-03-03")):
        with monkeypatch.context() as patch:
            patch.setenv("TZ", "NPT-5:45" if "/" in zone else "UTC0")
            time.tzset()
            assert day_of(quarter) == day
    time.tzset()


def resumed(place: Place) -> Path:
    """A session, and another that begins with a copy of it; returns the first's path."""
    old = work(FIRST, "2026-03-02T09:00:00Z")
    new = Transcript(SECOND, cwd="/code/shop")
    new.lines = [{**line, "sessionId": SECOND} for line in old.lines if isinstance(line, dict)]
    new.at("2026-03-03T09:00:00Z").prompt("Go on")
    new.reply("done", message_id="msg_new", usage=used(10, 7))
    new.write(place.projects)
    return old.write(place.projects)


def test_history_that_another_session_copied_counts_once(place: Place, told: Told) -> None:
    resumed(place)
    total = told()["total"]
    assert (total["sessions"], total["toolCalls"], total["errors"]) == (2, 3, 1)
    assert (total["usage"]["apiCalls"], total["usage"]["output"]) == (4, 307)


def test_the_figures_of_a_deleted_session_stay_and_its_copy_is_still_not_counted(place: Place, told: Told) -> None:
    path = resumed(place)
    before = told()["total"]
    path.unlink()
    after = told()
    assert after["total"] == before
    assert (after["deleted"]["sessions"], after["deleted"]["toolCalls"]) == (1, 3)
    copy = next(place.projects.rglob(f"{SECOND}.jsonl"))
    copy.write_bytes(copy.read_bytes() + b"\n")  # which has it counted anew
    assert told()["total"]["usage"] == before["usage"]


def test_a_session_is_read_again_only_when_it_has_changed(place: Place) -> None:
    path = work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    work(SECOND, "2026-03-05T09:00:00Z", tools=("Bash",)).write(place.projects)
    place.update()
    found = discover([str(place.projects)])
    assert [gather(place.store, found).counted for _ in range(2)] == [2, 0]
    work(FIRST, "2026-03-02T09:00:00Z", tools=("Bash", "Read", "Read", "Read")).write(place.projects)
    place.update()
    found = discover([str(place.projects)])
    gathered = gather(place.store, found)
    assert (gathered.counted, path.exists()) == (1, True)
    assert document(gathered, found.roots, Asked())["total"]["toolCalls"] == 5


def test_facts_that_are_damaged_are_counted_anew(place: Place, told: Told) -> None:
    work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    before = told("tool")
    place.store.db.execute("UPDATE session SET facts = x'00ff'")
    assert told("tool") == before


def test_the_totals_agree_with_the_list(run_waterglass: RunWaterglass, place: Place) -> None:
    resumed(place)
    env = {"XDG_CACHE_HOME": str(place.cache)}
    listed = json.loads(run_waterglass("list", "--root", place.projects, "--json", env=env).stdout)["sessions"]
    told = json.loads(run_waterglass("stats", "--root", place.projects, "--json", env=env).stdout)["total"]
    for name in ("prompts", "toolCalls", "errors"):
        assert told[name] == sum(session[name] - session["inherited"][name] for session in listed), name
    for name in ("apiCalls", "input", "cacheCreation", "cacheRead", "output"):
        assert told["usage"][name] == sum(session["usage"][name] for session in listed), name


def test_the_totals_agree_with_the_list_over_real_sessions(
    run_waterglass: RunWaterglass, shared: Path, tmp_path: Path
) -> None:
    roots = [word for root in sorted(shared.glob("corpus/*/projects"))[:3] for word in ("--root", str(root))]
    listed = json.loads(run_waterglass("list", *roots, "--json").stdout)["sessions"]
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    told = json.loads(run_waterglass("stats", *roots, "--json", env=env).stdout)["total"]
    assert told["toolCalls"] == sum(session["toolCalls"] - session["inherited"]["toolCalls"] for session in listed)
    assert told["usage"]["output"] == sum(session["usage"]["output"] for session in listed)


def test_the_table_has_a_line_for_each_and_one_for_all(run_waterglass: RunWaterglass, place: Place) -> None:
    work(FIRST, "2026-03-02T09:00:00Z", "/code/" + "deep/" * 34 + "shop\x1b[31m").write(place.projects)
    env = {"XDG_CACHE_HOME": str(place.cache)}
    done = run_waterglass("stats", "--root", place.projects, "--by", "project", env=env)
    assert done.returncode == 0 and "\x1b" not in done.stdout
    head, project, everything = done.stdout.partition("\n\n")[0].splitlines()
    assert "sessions" in head and "shop␛[31m" in project and everything.startswith("all")
    assert project.split()[1:5] == everything.split()[1:5] == ["1", "1", "3", "1"]
