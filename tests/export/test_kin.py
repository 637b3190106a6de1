"""Of many sessions in one folder each is held against its kin alone, and what comes of it is what all would tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Transcript
from waterglass import inherit
from waterglass.discover import discover
from waterglass.export import all_sources
from waterglass.export.sources import around
from waterglass.inherit import history_of


def session(n: int, **fields: Any) -> Transcript:
    """One with a prompt and three replies, at the hour `n`."""
    t = Transcript(f"5e55{n:04x}-0000-4000-8000-0000000000c1", **fields)
    t.at("2026-03-02T00:00:00Z").at(f"+{n}h").prompt(f"number {n}")
    for _ in range(3):
        t.at("+5s").reply(text="Looking.")
    return t


def resumed(n: int, source: Transcript, **fields: Any) -> Transcript:
    """One that begins with a copy of another's records, and goes on."""
    t = Transcript(f"5e55{n:04x}-0000-4000-8000-0000000000c1", **fields)
    for line in source.lines:
        t.raw({**line, "sessionId": t.session_id} if isinstance(line, dict) else line)
    t.at(source).at("+1h").prompt("and on")
    t.at("+5s").reply(text="On.")
    return t


@pytest.fixture
def root(tmp_path: Path) -> str:
    """Strangers, a chain of three, a pair with one slug, and sessions that name no directory, in two folders."""
    first = session(10)
    second = resumed(11, first)
    written = [*(session(n) for n in range(4)), first, second, resumed(12, second)]
    written += [session(n, slug="calm-blue-otter") for n in (20, 30)]
    for n in (40, 41):
        placeless = session(n, cwd="/code/demo")
        for line in placeless.lines:
            del line["cwd"]  # type: ignore[arg-type]
        written.append(placeless)
    written += [session(n, cwd="/code/other") for n in (50, 51)]
    for t in written:
        t.write(tmp_path / "projects")
    return str(tmp_path / "projects")


def test_what_a_session_has_from_its_kin_is_what_it_has_from_all(root: str) -> None:
    found = discover(root)
    told = {}
    for source in all_sources(found):
        of_all = history_of(source.ref, found.sessions)
        of_kin = history_of(source.ref, source.in_sight)
        project = around(source).folder_project
        assert (of_kin.inherited, of_kin.continues, project) == (
            of_all.inherited,
            of_all.continues,
            of_all.folder_project,
        )
        told[source.ref.id[4:8]] = (len(of_kin.inherited), (of_kin.continues or "")[4:8], project)
    assert told["000b"] == (3, "000a", None) and told["000c"] == (4, "000b", None)
    assert told["001e"] == (0, "0014", None)
    assert told["0028"] == told["0029"] == (0, "", "/code/demo")
    assert told["0032"] == (0, "", None)


def test_strangers_in_one_folder_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    begin = inherit.open_transcript

    def counted(path: str) -> Any:
        opened.append(path)
        return begin(path)

    monkeypatch.setattr(inherit, "open_transcript", counted)
    looks = []
    for many in (20, 40):
        for n in range(many):
            session(n).write(tmp_path / "projects")
        opened.clear()
        for source in all_sources(discover(str(tmp_path / "projects"))):
            around(source)
        looks.append(len(opened))
    assert looks[0] > 0 and looks[1] == 2 * looks[0]
