"""What the scorecard says of each session is kept, and judged anew only when something behind it has changed."""

from __future__ import annotations

import os
import sqlite3
import time
from importlib import import_module
from multiprocessing import parent_process

import pytest

from tests.index.conftest import FIRST, SECOND, Place
from tests.stats.test_sums import work
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.metrics import Settings
from waterglass.stats import METRICS, Asked, Gathered, Judge, SettingsOf, document, figures, gather

GATHER = import_module("waterglass.stats.gather")  # the package has a function of that name


def usual(project: str | None) -> Settings:
    return Settings()


def gathered(place: Place, settings: SettingsOf | None = usual) -> Gathered:
    place.update()
    return gather(place.store, discover([str(place.projects)]), settings=settings)


def verdicts(told: Gathered) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = document(told, [], Asked())["total"]["metrics"]
    return {
        metric: {name: n for name, n in one.items() if n and name not in ("valued", "median")}
        for metric, one in counts.items()
    }


@pytest.fixture
def two(place: Place) -> Place:
    work(FIRST, "2026-03-02T09:00:00Z").write(place.projects)
    work(SECOND, "2026-03-05T09:00:00Z", "/code/web", ("Bash",)).write(place.projects)
    return place


def test_the_metrics_are_those_of_the_program_in_its_order() -> None:
    from waterglass.metrics import METRICS as metrics

    assert tuple(metric.id for metric in metrics) == METRICS


def test_a_session_is_judged_once_while_nothing_changes(two: Place) -> None:
    assert [gathered(two).counted for _ in range(2)] == [2, 0]
    assert all(
        one.scores is not None
        for one in figures(two.store, discover([str(two.projects)]), Judge(usual, time.time_ns() // 1_000_000)).sessions
    )


def test_other_settings_judge_anew_those_for_which_they_hold(two: Place) -> None:
    gathered(two)

    def stricter(project: str | None) -> Settings:
        return Settings(threshold=2) if project == "/code/web" else Settings()

    assert [gathered(two, stricter).counted for _ in range(2)] == [1, 0]


def test_a_session_that_grew_and_another_version_are_judged_anew(two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    gathered(two)
    work(SECOND, "2026-03-05T09:00:00Z", "/code/web", ("Bash", "Bash")).write(two.projects)
    assert gathered(two).counted == 1
    monkeypatch.setattr("waterglass.stats.scores.__version__", "99.0")
    assert gathered(two).counted == 2


def test_a_session_that_was_live_is_judged_anew_when_it_is_not(two: Place) -> None:
    now = time.time()
    for session, age_s in ((FIRST, 0), (SECOND, 7_200)):
        os.utime(next(two.projects.rglob(f"{session}.jsonl")), (now - age_s, now - age_s))
    gathered(two)
    refs = discover([str(two.projects)])
    waiting = [
        sum(one.scores is None for one in figures(two.store, refs, Judge(usual, int(at * 1000))).sessions)
        for at in (now, now + 3_600)
    ]
    assert waiting == [0, 1]


def test_what_is_not_judged_counts_as_waiting_and_not_as_good(two: Place) -> None:
    assert set(map(str, verdicts(gathered(two, None)).values())) == {"{'waiting': 2}"}


def test_what_cannot_be_judged_cannot_be_told_is_said_and_not_tried_again(
    two: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("odd")

    monkeypatch.setattr("waterglass.stats.telling.scores_of", fail)
    told = gathered(two)
    assert {file.reason for file in told.unread} == {"could not be judged (KeyError)"}
    assert set(map(str, verdicts(told).values())) == {"{'unknown': 2}"}
    assert gathered(two).counted == 0


def test_a_deleted_session_keeps_its_verdicts_and_without_any_cannot_be_told(two: Place) -> None:
    before = verdicts(gathered(two))
    for path in two.projects.rglob("*.jsonl"):
        path.unlink()
    assert verdicts(gathered(two)) == before
    two.store.db.execute("DELETE FROM judged")
    assert set(map(str, verdicts(gathered(two)).values())) == {"{'unknown': 2}"}


def test_scores_that_are_damaged_are_judged_anew(two: Place) -> None:
    before = verdicts(gathered(two))
    two.store.db.execute("UPDATE judged SET scores = x'00ff'")
    assert verdicts(gathered(two)) == before


def test_what_was_counted_before_it_was_stopped_stays(two: Place) -> None:
    two.update()
    found, asked = discover([str(two.projects)]), iter([False, False, True])
    told = gather(two.store, found, settings=usual, stop=lambda: next(asked))
    assert (told.counted, told.uncounted) == (1, 1)
    assert gathered(two).counted == 1


def test_a_full_disk_is_a_fault_of_the_index_and_of_no_session(two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    two.update()

    class Full(sqlite3.OperationalError):
        sqlite_errorcode = 13

    def full(*_: object) -> None:
        raise Full("database or disk is full")

    monkeypatch.setattr(GATHER._Counting, "_keep_it", full)
    with pytest.raises(WaterglassError, match="the disk is full"):
        gather(two.store, discover([str(two.projects)]), settings=usual)


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has even the smallest sessions read by two processes."""
    monkeypatch.setattr(GATHER, "_WORTH", 0)
    monkeypatch.setattr(GATHER, "processors", lambda: 2)


def deadly(project: str | None) -> Settings:
    """Ends the process that judges work on the web, unless it is that of the test."""
    if project == "/code/web" and parent_process() is not None:
        os._exit(9)
    return Settings()


@pytest.mark.usefixtures("several")
def test_several_processes_tell_what_one_tells(two: Place) -> None:
    told = gathered(two)
    found = discover([str(two.projects)])
    two.store.db.execute("UPDATE session SET facts = NULL")
    two.store.db.execute("DELETE FROM judged")
    again = gather(two.store, found, settings=lambda project: Settings())  # which no other process can be sent
    assert (told.counted, again.counted) == (2, 2)
    assert document(told, [], Asked()) == document(again, [], Asked())
    assert gathered(two).counted == 0


@pytest.mark.usefixtures("several")
def test_a_process_that_ends_costs_the_session_that_ended_it_and_no_other(two: Place) -> None:
    told = gathered(two, deadly)
    assert told.counted == 1
    assert [(file.reason, SECOND in file.path) for file in told.unread] == [
        ("the process that read this session ended", True)
    ]
