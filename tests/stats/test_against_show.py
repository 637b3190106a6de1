"""Statistics against what `show --json` says of each session, added up here in the plainest way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from waterglass.discover import Discovery, discover
from waterglass.index import open_store, update
from waterglass.metrics import Settings
from waterglass.session import load
from waterglass.stats import METRICS, Asked, document, gather

SMALL = 4_000_000  # bytes of a root: some of these hold sessions that were resumed from others
USAGE = ("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output")


def rows_of(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    todo = list(payload["rows"])
    while todo:
        row = todo.pop()
        yield row
        todo += row["children"]


def slowly(durations: list[int], percent: int) -> int | None:
    """The shortest duration that so many percent of the calls do not exceed, by counting for each of them."""
    enough = [ms for ms in set(durations) if 100 * sum(other <= ms for other in durations) >= percent * len(durations)]
    return min(enough, default=None)


@pytest.fixture(scope="module")
def found(shared: Path) -> Discovery:
    roots = sorted(str(root) for root in shared.glob("corpus/*/projects"))
    return discover([root for root in roots if sum(ref.size for ref in discover([root]).sessions) < SMALL])


@pytest.fixture(scope="module")
def payloads(found: Discovery) -> list[dict[str, Any]]:
    return [load(ref, in_sight=found.sessions).payload(scores=True) for ref in found.sessions]


@pytest.fixture(scope="module")
def told(found: Discovery, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The documents by what they are grouped by."""
    store = open_store(str(tmp_path_factory.mktemp("cache")))
    update(store, found, texts=False)
    gathered = gather(store, found, settings=lambda project: Settings())
    store.close()
    return {by: document(gathered, found.roots, Asked(by=by)) for by in ("project", "tool", "model", "day")}


def test_tokens_are_those_of_all_sessions_added_up(told: dict[str, Any], payloads: list[dict[str, Any]]) -> None:
    for name in USAGE:
        assert told["day"]["total"]["usage"][name] == sum(payload["usage"][name] for payload in payloads), name


def test_each_call_counts_once_with_its_outcome_and_duration(
    told: dict[str, Any], payloads: list[dict[str, Any]]
) -> None:
    calls = {row["id"]: row for payload in payloads for row in rows_of(payload)}
    total = told["tool"]["total"]
    assert len(calls) < sum(1 for payload in payloads for _ in rows_of(payload)), "some calls are copies"
    durations = [row["duration"] for row in calls.values() if row["duration"] is not None]
    assert total["toolCalls"] == len(calls) > 100
    assert total["errors"] == sum(row["outcome"] == "error" for row in calls.values())
    assert (total["timedCalls"], total["toolMs"]) == (len(durations), sum(durations))
    assert (total["p50Ms"], total["p95Ms"]) == (slowly(durations, 50), slowly(durations, 95))


def test_each_tool_has_its_own_percentiles(told: dict[str, Any], payloads: list[dict[str, Any]]) -> None:
    calls = {row["id"]: row for payload in payloads for row in rows_of(payload)}
    by_tool: dict[str, list[int]] = {}
    for row in calls.values():
        by_tool.setdefault(row["toolName"], []).extend([row["duration"]] if row["duration"] is not None else [])
    assert {line["key"]: (line["p50Ms"], line["p95Ms"]) for line in told["tool"]["groups"]} == {
        tool: (slowly(durations, 50), slowly(durations, 95)) for tool, durations in by_tool.items()
    }


def test_verdicts_are_those_of_the_sessions(told: dict[str, Any], payloads: list[dict[str, Any]]) -> None:
    for number, metric in enumerate(METRICS):
        expected = Counter(payload["metrics"][number]["status"] for payload in payloads)
        counts = told["project"]["total"]["metrics"][metric]
        assert {name: counts[name] for name in expected} == expected, metric
        assert sum(counts[name] for name in ("ok", "warn", "alert", "unknown", "na")) == len(payloads)
        assert counts["valued"] == sum(payload["metrics"][number]["value"] is not None for payload in payloads)


def test_the_fullest_context_and_the_compactions_are_those_of_the_sessions(
    told: dict[str, Any], payloads: list[dict[str, Any]]
) -> None:
    compactions = {
        (one["ms"], one["agentId"], one["preTokens"]) for payload in payloads for one in payload["compactions"]
    }
    assert told["day"]["total"]["compactions"] == len(compactions)
    assert told["day"]["total"]["peakTokens"] == max(payload["context"]["peakTokens"] or 0 for payload in payloads)


@pytest.mark.parametrize("by", ["project", "tool", "model", "day"])
def test_the_lines_of_each_grouping_add_up_to_the_total(told: dict[str, Any], by: str) -> None:
    lines, total = told[by]["groups"], told[by]["total"]
    assert sum(line["toolCalls"] or 0 for line in lines) == total["toolCalls"]
    assert sum(line["errors"] or 0 for line in lines) == total["errors"]
    if by != "tool":
        assert sum(line["usage"]["output"] for line in lines if line["usage"] is not None) == total["usage"]["output"]
        assert max(line["peakTokens"] or 0 for line in lines) == total["peakTokens"]
    if by in ("project", "day"):
        assert sum(line["compactions"] or 0 for line in lines) == total["compactions"]
        for metric in METRICS:
            alerts = sum(line["metrics"][metric]["alert"] for line in lines if line["metrics"] is not None)
            assert alerts == total["metrics"][metric]["alert"]
