"""What holds for every session, whatever happened in it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.corpus.faults import NOW_MS, Held
from tests.corpus.held import hold_session
from tests.corpus.shapes import flat
from tests.independent.ledger import owners, replies_of
from tests.independent.tree import sessions
from tests.properties.worlds import SESSION, continued, worlds
from tests.transcripts import Transcript
from waterglass.discover import discover
from waterglass.load import Transcript as ReadTranscript
from waterglass.load import link_transcripts, open_transcript, read_on
from waterglass.payload import payload_head, row_fields, table_from_rows
from waterglass.payload.table import rows_from_table
from waterglass.session import Session, load
from waterglass.view import make_view

Payload = dict[str, Any]
EVENT_TYPES = {"user", "assistant", "tool_call", "tool_result", "system", "unknown"}

property_of = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@contextmanager
def written(*transcripts: Transcript) -> Iterator[Path]:
    """A root of its own with the sessions in it; Hypothesis runs many examples in one test, so no fixture serves."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "projects"
        for t in transcripts:
            t.write(root)
        yield root


def read(root: Path, id: str = SESSION) -> Session:
    return load(id, roots=[str(root)], now_ms=NOW_MS)


@given(worlds())
@property_of
def test_the_second_opinion_agrees(t: Transcript) -> None:
    with written(t) as root:
        found, held = sessions(root), Held()
        hold_session(held, found[SESSION], owners(found), str(root))
        assert held.faults == []


@given(continued())
@property_of
def test_shared_history_is_counted_once_over_all_sessions_of_a_root(pair: tuple[Transcript, Transcript]) -> None:
    with written(*pair) as root:
        found, held = sessions(root), Held()
        owner = owners(found)
        for session in found.values():
            hold_session(held, session, owner, str(root))
        assert held.faults == []
        # A reply without a message id has nothing that another session could know it by: it counts in both.
        calls = {
            (reply.id, "@" in reply.id and id): len(reply.spent) for id, s in found.items() for reply in replies_of(s)
        }
        assert sum(read(root, id).usage["apiCalls"] for id in found) == sum(calls.values())


@given(worlds())
@property_of
def test_a_table_turned_back_equals_the_rows(t: Transcript) -> None:
    with written(t) as root:
        session = read(root)
        whole, slim = session.payload(), session.payload(table=True)
        bare = [
            {k: v for k, v in row.items() if k not in ("input", "output", "children")} for row in flat(whole["rows"])
        ]
        back = list(flat(rows_from_table(slim["table"])))
        assert [row["id"] for row in back] == [row["id"] for row in bare]
        for mine, theirs in zip(bare, back, strict=True):
            assert {k: theirs.get(k) for k in mine} == mine


@given(worlds())
@property_of
def test_json_written_row_by_row_is_the_payload_with_its_events(t: Transcript) -> None:
    with written(t) as root:
        session = read(root)
        pieces: list[bytes] = []
        session.write_json(pieces.append, events=True)
        document = json.loads(b"".join(pieces))
        events = document.pop("events")
        assert document == json.loads(json.dumps(session.payload()))
        assert [event["seq"] for event in events] == sorted({event["seq"] for event in events})
        assert len({event["id"] for event in events}) == len(events)
        assert {event["type"] for event in events} <= EVENT_TYPES


@given(worlds(), st.data())
@property_of
def test_reading_in_two_parts_at_any_byte_equals_reading_whole(t: Transcript, data: st.DataObject) -> None:
    with written(t) as root:
        ref = read(root).ref
        whole = derive([resumed(file, []) for file in ref.files])
        for file in ref.files:
            size = Path(file.path).stat().st_size
            cut = data.draw(st.integers(0, size))
            assert derive([resumed(f, [cut] if f.key == file.key else []) for f in ref.files]) == whole


@given(worlds())
@settings(property_of, max_examples=15)
def test_reading_in_two_parts_at_every_line_equals_reading_whole(t: Transcript) -> None:
    with written(t) as root:
        ref = read(root).ref
        whole = derive([resumed(file, []) for file in ref.files])
        for file in ref.files:
            content = Path(file.path).read_bytes()
            ends = [n + 1 for n, byte in enumerate(content) if byte == 10]
            for end in ends:
                assert derive([resumed(f, [end] if f.key == file.key else []) for f in ref.files]) == whole
            assert derive([resumed(f, ends if f.key == file.key else []) for f in ref.files]) == whole


def resumed(file: Any, cuts: list[int]) -> ReadTranscript:
    """Read a file that grows: first up to each cut, in bytes, at last all of it."""
    path = Path(file.path)
    content = path.read_bytes()
    transcript = open_transcript(file)
    try:
        for cut in cuts:
            path.write_bytes(content[:cut])
            read_on(transcript)
    finally:
        path.write_bytes(content)
    read_on(transcript)
    return transcript


def derive(transcripts: list[ReadTranscript]) -> Payload:
    """Everything of the payload that follows from what was read, without bodies."""
    linked, coverage = link_transcripts(transcripts)
    view = make_view(linked, NOW_MS)
    rows = [row.parent for row in view.rows], [row.subtree_end for row in view.rows]
    return payload_head(view, SESSION, [], coverage, None) | {"table": table_from_rows(row_fields(view), *rows)}


@given(worlds())
@property_of
def test_a_copy_of_a_file_changes_no_total(t: Transcript) -> None:
    with written(t) as root:
        before = totals(read(root).payload())
        folder = next(p for p in root.iterdir() if p.is_dir())
        shutil.copytree(folder, root / "-code-elsewhere")
        assert len(discover([str(root)]).sessions) == 1
        assert totals(read(root).payload()) == before


def totals(payload: Payload) -> Payload:
    """What a copy must not change: all but the counts of what was read."""
    return {k: v for k, v in payload.items() if k not in ("coverage", "session")} | {
        "orphans": payload["coverage"]["orphanResults"],
        "span": (payload["session"]["startMs"], payload["session"]["endMs"]),
        "title": payload["session"]["title"],
    }


@given(worlds())
@property_of
def test_the_name_of_the_file_and_of_its_folder_do_not_matter(t: Transcript) -> None:
    with written(t) as root:
        before = read(root).payload()
        folder = next(p for p in root.iterdir() if p.is_dir())
        if t.layout == "flat":  # such agents belong to the session id in their records, so only the folder may change
            folder.rename(root / "-other")
            after = read(root).payload()
        else:
            other = "5e551044-0000-4000-8000-00000000000b"
            for path in (folder / f"{SESSION}.jsonl", folder / SESSION):
                if path.exists():
                    path.rename(folder / path.name.replace(SESSION, other))
            folder.rename(root / "-other")
            after = read(root, other).payload()
        for payload in (before, after):
            for part in ("id", "files", "continues"):
                del payload["session"][part]
        assert after == before


@given(worlds())
@property_of
def test_a_session_reads_the_same_twice(t: Transcript) -> None:
    with written(t) as root:
        assert read(root).payload() == read(root).payload()


@given(worlds(), st.sampled_from([None, 1, 150_000]))
@property_of
def test_no_figure_is_out_of_its_range(t: Transcript, window: int | None) -> None:
    with written(t) as root:
        payload = load(SESSION, roots=[str(root)], window=window, now_ms=NOW_MS).payload()
        for row in flat(payload["rows"]):
            fill = row["contextFillPercent"]
            assert fill is None or 0 <= fill <= 100
            assert row["duration"] is None or row["duration"] == row["endTime"] - row["startTime"] >= 0
            assert row["status"] == {"ok": "success", "running": "running", "no_result": "running"}.get(
                row["outcome"], "error"
            )
            assert (row["endTime"] is None) == (row["status"] == "running")
        assert all(payload["time"][part] >= 0 for part in ("modelMs", "toolMs", "userMs", "idleMs"))
