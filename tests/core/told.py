"""Sessions told as compact text: a line a row, indented, with outcome and duration; and goldens of such text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.transcripts import Call, Transcript
from waterglass.link import Source, link
from waterglass.model import Coverage, Facts
from waterglass.normalize import Normalizer
from waterglass.rows import Row
from waterglass.schema.decode import decode_line
from waterglass.session import Session
from waterglass.view import View, make_view

SESSION = "c0fe0000-0000-4000-8000-00000000000a"
OTHER = "c0fe0000-0000-4000-8000-00000000000b"
GOLDENS = Path(__file__).parent / "goldens"


def started(version: str = "2.1.220", session_id: str = SESSION, prompt: str = "Go", **fields: Any) -> Transcript:
    """A transcript that begins with a prompt."""
    t = Transcript(session_id, version=version, **fields)
    t.prompt(prompt)
    return t


def called(t: Transcript, *names: str, delay: str = "+1s", **fields: Any) -> None:
    """A reply in `t` that calls Bash once for each name; the names are the calls' ids."""
    t.at(delay).reply(calls=[Call("Bash", {"command": f"echo {name}"}, name) for name in names], step_ms=0, **fields)


def spawned(
    t: Transcript,
    call_id: str,
    prompt: str,
    tool: str = "Agent",
    delay: str = "+1s",
    usage: dict[str, Any] | None = None,
    **given: Any,
) -> None:
    """A reply in `t` that starts a sub-agent; `given` is more input of the call."""
    call = Call(tool, {"description": "Look", "prompt": prompt, **given}, call_id)
    t.at(delay).reply(calls=[call], usage=usage)


def by_id(session: Session) -> dict[str, Row]:
    """The rows by their ids; an id that stands twice fails."""
    rows = {row.id: row for row in session.rows}
    assert len(rows) == len(session.rows)
    return rows


def outcomes(session: Session) -> dict[str, str]:
    """The outcome of each row."""
    return {id: row.outcome for id, row in by_id(session).items()}


def codes(session: Session) -> list[str]:
    """The codes of all problems, sorted."""
    return sorted(problem.code for problem in session.problems)


def agents(session: Session) -> dict[str, dict[str, Any]]:
    """The payload's agents by id."""
    return {agent["id"]: agent for agent in session.head()["agents"]}


def parents(session: Session) -> dict[str, str | None]:
    """Of each row the row whose agent made it."""
    return {row.id: row.parent_row_id for row in session.rows}


def written(session: Session, events: bool = False) -> bytes:
    """The payload as it is written, row by row."""
    parts: list[bytes] = []
    session.write_json(parts.append, events=events)
    return b"".join(parts)


def outline(session: Session) -> str:
    """The waterfall as text: one line a row with its start after the first record, outcome and duration in seconds."""
    first = session.head()["session"]["startMs"] or 0
    return "".join(line + "\n" for line in _outline(session, first))


def _outline(session: Session, first: int) -> Iterator[str]:
    for row in session.rows:
        start = "?" if row.start_ms is None else f"+{(row.start_ms - first) / 1000:g}s"
        spent = "open" if row.duration is None else f"{row.duration / 1000:g}s"
        extra = f" ack {row.ack_ms / 1000:g}s" if row.ack_ms is not None else ""
        starts = f" -> {row.starts_agent_id}" if row.starts_agent_id else ""
        yield f"{'  ' * row.depth}{row.facts.label}  {start}  {row.outcome} {spent}{extra}{starts}"


def golden(name: str, actual: str) -> None:
    """Compare with `goldens/<name>.txt`; where they differ the actual text is left beside it in `actual/`."""
    path, beside = GOLDENS / f"{name}.txt", GOLDENS / "actual" / f"{name}.txt"
    expected = path.read_text("utf-8") if path.exists() else ""
    if actual != expected:
        beside.parent.mkdir(exist_ok=True)
        beside.write_text(actual, "utf-8")
    else:
        beside.unlink(missing_ok=True)
    assert actual == expected


def view_of(lines: list[bytes]) -> tuple[View, Coverage]:
    """Everything derived from the lines of one main file, without a file; offsets are line numbers from 0."""
    facts, coverage, normalizer, events = Facts(), Coverage(), Normalizer("main", None), []
    for number, line in enumerate(lines):
        for found in decode_line(line).found:
            coverage.records += 1
            coverage.degraded_records += found.degraded
            events += normalizer.events(found.record, number, len(line), number + 1, facts, coverage)
    linked = link([Source("main", None, "main", False, events, facts)])
    return make_view(linked, 1_800_000_000_000), coverage
