"""The second opinion itself gives the right answers of the shared cases, as far as it has an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.independent.calls import calls_of, links_of, orphan_results
from tests.independent.ledger import add, ledger, owners
from tests.independent.tree import Session, sessions
from tests.independent.words import branches, chain_breaks, prompts_of, title

TOKENS = {"input": "input", "cache_creation": "cacheCreation", "cache_read": "cacheRead", "output": "output"}
LINKS_UPWARD = "C30"  # a loop of links: finding files there is the product's own test


def test_the_second_opinion_gives_the_right_answers_of_the_cases(shared: Path) -> None:
    cases = sorted(p.parent for p in shared.glob("cases/*/expected.json"))
    if not cases:
        pytest.skip("no ../shared/cases beside the checkout")
    compared, wrong = 0, []
    for case in cases:
        expected = json.loads((case / "expected.json").read_text("utf-8"))["expect"]
        if case.name == LINKS_UPWARD or not (case / "projects").is_dir():
            continue
        for what, have, want in _answers(sessions(case / "projects"), expected):
            compared += 1
            if have != want:
                wrong.append(f"{case.name} {what}: {have} want {want}")
    assert wrong == []
    assert compared > 150


def _answers(found: dict[str, Session], expected: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    owner = owners(found)
    yield from _compare(list(found.values()), expected, owner)
    for id, part in (expected.get("by_session") or {}).items():
        if id in found:
            yield from _compare([found[id]], part, owner)
    for id, texts in (expected.get("prompts_by_session") or {}).items():
        yield f"prompts of {id}", _typed([found[id]]), texts
    for id, text in (expected.get("titles") or {}).items():
        yield f"title of {id}", title(found[id])[0], text


def _typed(group: list[Session]) -> list[str]:
    return [p.text for s in group for p in prompts_of(s) if p.state != "unsent"]


def _compare(group: list[Session], expected: dict[str, Any], owner: dict[str, str]) -> Iterator[tuple[str, Any, Any]]:
    have = _counts(group)
    spent = [ledger(s, owner) for s in group]
    have["api_calls"] = add(s.total for s in spent).apiCalls
    have["prompts"] = _typed(group)
    for name, value in have.items():
        if isinstance(expected.get(name), type(value)):
            yield name, value, expected[name]
    for part, sums in (("tokens", [s.total for s in spent]), ("main_tokens", [s.main for s in spent])):
        total = add(sums).as_dict()
        for name, value in (expected.get(part) or {}).items():
            if name in TOKENS:
                yield f"{part}.{name}", total[TOKENS[name]], value
    calls = [c for s in group for c in calls_of(s)]
    if isinstance(expected.get("rows"), list):
        ids = {row["id"] for row in expected["rows"]}
        yield "rows", ids - {c.row_id for c in calls}, set()
        for row in expected["rows"]:
            answered = {c.paired for c in calls if c.row_id == row["id"]}
            if row.get("status") in ("ok", "error", "rejected", "blocked"):
                yield f"result of {row['id']}", answered, {True}
    if isinstance(expected.get("agents"), list):
        links = {link.agent.id: link.calls for s in group for link in links_of(s, calls_of(s))}
        for agent in expected["agents"]:
            if agent["agent"] in links:
                parent = agent.get("parent")
                yield f"parent of {agent['agent']}", links[agent["agent"]], (parent,) if parent else ()


def _counts(group: list[Session]) -> dict[str, Any]:
    files = [lines for s in group for lines in s.files]
    records, unique = sum(len(f.records) for f in files), sum(len(s.records) for s in group)
    return {
        "physical_lines": sum(f.physical for f in files),
        "blank_lines": sum(f.blank for f in files),
        "skipped_lines": sum(f.skipped for f in files),
        "recovered_records": sum(f.recovered for f in files),
        "partial_tail": any(f.partial_tail for f in files),
        "records": records,
        "unique_records": unique,
        "replayed_records": records - unique,
        "orphan_results": sum(map(orphan_results, group)),
        "chain_breaks": sum(map(chain_breaks, group)),
        "branches": sum(map(branches, group)),
    }
