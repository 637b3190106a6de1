"""The queries that are shipped answer what `stats` answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.export.exporting import export, needs_tables
from tests.house.source import CHECKOUT
from tests.transcripts import Call, Transcript
from waterglass.discover import discover
from waterglass.index import Store, update, using
from waterglass.metrics import METRICS, Settings
from waterglass.sample import sample_root
from waterglass.stats import Asked, Gathered, document, gather

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: the queries in docs/queries were not run")
QUERIES = CHECKOUT / "docs" / "queries"
SAME = (
    "sessions", "prompts", "toolCalls", "errors", "timedCalls", "toolMs", "p50Ms", "p95Ms", "compactions", "peakTokens",
    "medianPeakTokens",
)  # fmt: skip
USAGE = ("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output", "outputIsLowerBound")
COUNTS = ("ok", "warn", "alert", "unknown", "na", "valued", "median")


def add_a_fork_and_an_empty_session(root: Path) -> None:
    """A session, another that begins with a copy of it, one without a time, and one in which nothing happened."""
    first = Transcript("5e551044-0000-4000-8000-00000000000a", cwd="/code/tide").at("2026-03-01T23:50:00Z")
    first.prompt("Begin")
    first.reply("Yes", [Call("Bash", {"command": "ls"}, "toolu_1")])
    first.at("+2s").result("toolu_1", "a")
    first.write(root)
    fork = Transcript("5e551044-0000-4000-8000-00000000000b", cwd="/code/tide").at("2026-03-02T08:00:00Z")
    fork.lines = [{**line, "sessionId": fork.session_id} for line in first.lines if isinstance(line, dict)]
    fork.prompt("Go on")
    fork.reply("Done")
    fork.write(root)
    Transcript("no-time", folder="-code").raw({"type": "user", "message": {"role": "user", "content": "x"}}).write(root)
    quiet = Transcript("5e551044-0000-4000-8000-00000000000c", cwd="/code/quiet").at("2026-03-02T08:00:00Z")
    quiet.title("Nothing")
    quiet.write(root)


@pytest.fixture(params=["UTC", "Pacific/Auckland"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A time zone, for this process and the queries."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield str(request.param)
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def roots(tmp_path: Path) -> list[str]:
    """The sample, and sessions with what it has not."""
    add_a_fork_and_an_empty_session(tmp_path / "projects")
    return [str(sample_root()), str(tmp_path / "projects")]


def stats(roots: list[str], by: str | None) -> dict[str, Any]:
    discovery = discover(roots)

    def work(store: Store) -> Gathered:
        update(store, discovery, texts=False)
        return gather(store, discovery, settings=lambda project: Settings())

    gathered = using(work)
    return document(gathered, discovery.roots, Asked(by=by))


def asked(tables: Path, zone: str, name: str) -> list[dict[str, Any]]:
    with duckdb.connect() as engine:
        engine.execute(f"SET TimeZone = '{zone}'; SET VARIABLE tables = '{tables}'")
        engine.execute((QUERIES / "setup.sql").read_text(encoding="utf-8"))
        found = engine.execute((QUERIES / f"{name}.sql").read_text(encoding="utf-8"))
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def hold(line: dict[str, Any], told: dict[str, Any]) -> None:
    """Hold a line of a query against one of `stats`."""
    assert {name: line[name] for name in SAME} == {name: told[name] for name in SAME}
    assert {name: line[name] for name in USAGE} == (told["usage"] or dict.fromkeys(USAGE))
    assert line["usd"] == (told["usd"] if told["usd"] is None else pytest.approx(told["usd"], abs=1e-5))


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system sets no time zone for a process")
def test_each_query_has_the_lines_of_stats(roots: list[str], zone: str, tmp_path: Path) -> None:
    needs_tables()
    tables = export(roots, "parquet", tmp_path / "tables", "off")
    total = stats(roots, None)["total"]
    (line,) = asked(tables, zone, "total")
    hold(line, total)
    assert total["sessions"] == 8 and total["prompts"] == 11
    for by, key in (("day", "day"), ("project", "project"), ("tool", "toolName"), ("model", "model")):
        groups = stats(roots, by)["groups"]
        lines = {line[key]: line for line in asked(tables, zone, f"by_{by}")}
        assert lines.keys() == {group["key"] for group in groups} and len(groups) > 2
        for group in groups:
            hold(lines[group["key"]], group)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system sets no time zone for a process")
def test_the_scorecard_is_that_of_stats_at_all_and_by_day(roots: list[str], zone: str, tmp_path: Path) -> None:
    needs_tables()
    tables = export(roots, "parquet", tmp_path / "tables", "off")
    told = stats(roots, None)["total"]["metrics"]
    own = {metric.id for metric in METRICS}
    assert {line["id"]: {name: line[name] for name in COUNTS} for line in asked(tables, zone, "metrics")} == {
        id_: {name: told[id_][name] for name in COUNTS} for id_ in own
    }
    days = {group["key"]: group["metrics"] for group in stats(roots, "day")["groups"] if group["metrics"]}
    lines = asked(tables, zone, "metrics_by_day")
    assert {line["day"] for line in lines} == days.keys()
    for line in lines:
        assert {name: line[name] for name in COUNTS} == {name: days[line["day"]][line["id"]][name] for name in COUNTS}
