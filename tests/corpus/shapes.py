"""The payload by itself: its table, exchanges and references fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.corpus.faults import Held


def flat(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Nested rows in pre-order."""
    todo = list(reversed(rows))
    while todo:
        row = todo.pop()
        yield row
        todo.extend(reversed(row["children"]))


def hold_table(held: Held, table: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    columns = table["columns"]
    if {len(c) for c in columns.values()} != {table["count"]} or table["count"] != len(rows):
        held.fault("table", "columns differ in length")
        return
    at = {row["id"]: n for n, row in enumerate(rows)}
    parents = [-1] * len(rows)
    for n, row in enumerate(rows):
        for child in row["children"]:
            parents[at[child["id"]]] = n
    want = {
        "id": [r["id"] for r in rows],
        "parent": parents,
        "startMs": [r["startTime"] for r in rows],
        "endMs": [r["endTime"] for r in rows],
    }
    for name, values in want.items():
        if columns[name] != values:
            held.fault("table", f"column {name} differs")
    for n, end in enumerate(columns["subtreeEnd"]):
        if end != n + 1 + sum(1 for _ in flat(rows[n]["children"])):
            held.fault("table", f"subtreeEnd of {n}")


def hold_exchanges(held: Held, payload: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    at = 0
    for number, exchange in enumerate(payload["exchanges"]):
        own = rows[exchange["rowStart"] : exchange["rowEnd"]]
        counts = (len(own), sum(row["outcome"] == "error" for row in own))
        if exchange["rowStart"] != at or (exchange["calls"], exchange["errors"]) != counts:
            held.fault("exchange", f"{number}: {exchange} want rows from {at} with {counts}")
        at = exchange["rowEnd"]
    if at != len(rows):
        held.fault("exchange", f"rows end at {at} of {len(rows)}")
    prompts = [n for n, p in enumerate(payload["prompts"]) if p["state"] != "unsent"]
    heads = [e["prompt"] for e in payload["exchanges"] if e["prompt"] is not None]
    if heads != prompts:
        held.fault("exchange", f"prompts {heads[:20]} want {prompts[:20]}")


def hold_references(held: Held, payload: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """What names a row, a reply or an agent names one that is there; each stands once."""
    replies, agents = [r["id"] for r in payload["replies"]], [a["id"] for a in payload["agents"]]
    for name, ids in (("reply", replies), ("agent", agents)):
        if len(ids) != len(set(ids)):
            held.fault("reference", f"{name} twice")
    ids = [row["id"] for row in rows]
    told = [id for reply in payload["replies"] for id in reply["rowIds"]]
    if sorted(told) != sorted(ids):
        held.fault("reference", f"rowIds of replies: {len(told)} want {len(ids)}")
    for reply in payload["replies"]:
        if [ids[n] for n in reply["rowIndexes"]] != reply["rowIds"]:
            held.fault("reference", f"rowIndexes of {reply['id']}")
    known = {None, *agents}
    for row in rows:
        if row["agentId"] not in known or row["startsAgentId"] not in known:
            held.fault("reference", f"{row['id']} names an agent that is not there")
    starters = {row["id"]: row["startsAgentId"] for row in rows}
    for agent in payload["agents"]:
        if agent["parent"] is not None and starters.get(agent["parent"]) is None:
            held.fault("reference", f"{agent['parent']} does not say that it starts {agent['id']}")
    sums = [sum(r["usage"][name] for r in payload["replies"]) for name in ("input", "cacheRead")]
    if any(s > payload["usage"][name] for s, name in zip(sums, ("input", "cacheRead"), strict=True)):
        held.fault("reference", "the replies spent more than the session")
