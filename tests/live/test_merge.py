"""What the page makes of the messages of a growing session is what it would be given if it asked for the whole."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.live.stories import SESSION, add, cold, files, story, told
from waterglass.payload import rows_from_table
from waterglass.payload.changes import ChangeLog

NOW = 1_772_442_060_000
WEB = Path(__file__).resolve().parents[2] / "src" / "waterglass" / "web"
MERGE = """
import { readFileSync } from 'node:fs';
import { applyChanges } from %r;
const { payload, messages } = JSON.parse(readFileSync(0, 'utf8'));
const made = [];
let now = payload;
for (const message of messages) {
  now = applyChanges(now, message);
  made.push(now);
  if (!now) break;
}
process.stdout.write(JSON.stringify(made));
"""


def merged(payload: dict[str, Any], messages: list[dict[str, Any]]) -> list[Any]:
    """The payload after each message, as the page puts it together."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine: the page's modules are tested in the browser alone")
    done = subprocess.run(
        [node, "--input-type=module", "-e", MERGE % (WEB / "livemerge.js").as_uri()],
        input=json.dumps({"payload": payload, "messages": messages}),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return list(json.loads(done.stdout))


def states(root: Path) -> list[Any]:
    """A session at many moments, each read from scratch."""
    left = files(story(), root)
    made = []
    order = sorted(left, key=lambda path: path.name != f"{SESSION}.jsonl")
    for size in (700, 2_500, 1_200, 4_000, 300, 100_000):
        for path in order:
            if left[path]:
                add(path, left[path][:size])
                left[path] = left[path][size:]
            made.append(cold(root, now_ms=NOW))
    return made


def test_message_by_message_the_page_has_what_the_server_would_give(tmp_path: Path) -> None:
    sessions = states(tmp_path)
    log = ChangeLog(0, sessions[0].row_states(NOW), sessions[0].head(NOW))
    messages = []
    for event, session in enumerate(sessions[1:], 1):
        log.take(event, session.row_states(NOW), session.head(NOW))
        messages.append(json.loads(log.since(event - 1, tails=True)))
    wanted = [{**told(session, NOW), "metrics": None, "health": None, "cost": None} for session in sessions]
    found = merged(wanted[0], messages)
    assert len(found) == len(messages) and sum(bool(m["rows"]) for m in messages) >= 4
    for have, want in zip(found, wanted[1:], strict=True):
        tables = have.pop("table"), want.pop("table")
        assert rows_from_table(tables[0]) == rows_from_table(tables[1])
        for column in ("parent", "subtreeEnd", "depth"):
            assert tables[0]["columns"][column] == tables[1]["columns"][column]
        assert have == want


def test_the_page_asks_for_the_whole_where_a_message_does_not_fit(tmp_path: Path) -> None:
    first, *_, last = states(tmp_path)
    log = ChangeLog(0, first.row_states(NOW), first.head(NOW))
    log.take(1, last.row_states(NOW), last.head(NOW))
    message = json.loads(log.since(0, tails=True))
    payload = told(first, NOW)
    for wrong in (
        {**message, "count": message["count"] + 1},
        {**message, "rows": message["rows"][1:]},
        {**message, "rows": [message["rows"][0], *message["rows"]]},
        {**message, "reset": True},
        {**message, "lists": {"replies": {"from": 99, "items": []}}},
    ):
        assert merged(payload, [wrong]) == [None]


def test_files_that_are_gone_change_nothing_that_is_shown(tmp_path: Path) -> None:
    first = states(tmp_path)[0]
    log = ChangeLog(0, first.row_states(NOW), first.head(NOW))
    log.lose(1)
    payload = told(first, NOW)
    assert merged(payload, [json.loads(log.since(0, tails=True))]) == [payload]
