"""A session that is read on says at every step what a session read from scratch says."""

from __future__ import annotations

import importlib
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.live.stories import FOLDER, SESSION, add, cold, files, ref_of, story, told
from tests.transcripts import Call, Transcript
from waterglass.read import RecordReader
from waterglass.session import Session, load

NOW = 1_772_442_060_000
LATER = NOW + 3_600_000


def grown(root: Path, before: Session | None, now_ms: int = NOW) -> Session:
    """The session read on."""
    ref = ref_of(root)
    assert ref is not None
    return load(ref, in_sight=[], now_ms=now_ms, growing=True, before=before)


def agree(root: Path, before: Session | None) -> Session:
    """Read on, and hold it against a reading from scratch, while it is live and after."""
    session = grown(root, before)
    scratch = cold(root)
    for now_ms in (NOW, LATER):
        assert told(session, now_ms) == told(scratch, now_ms)
    assert [e.id for e in session.events] == [e.id for e in scratch.events]
    return session


def main(root: Path) -> Path:
    return root / FOLDER / f"{SESSION}.jsonl"


@given(data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_however_the_bytes_of_a_session_come_it_reads_as_from_scratch(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        left = files(story(), root)
        first = main(root)
        add(first, left[first][:500])
        left[first] = left[first][500:]
        session: Session | None = None
        while left:
            path = data.draw(st.sampled_from(sorted(left)))
            size = data.draw(st.one_of(st.integers(1, 40), st.integers(400, 4_000)))
            add(path, left[path][:size])
            left[path] = left[path][size:]
            if not left[path]:
                del left[path]
            if data.draw(st.booleans()) or not left:
                session = agree(root, session)


def test_only_what_was_appended_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = story().content()
    add(main(tmp_path), whole[: whole.index(b"\n", 1_500) + 20])
    starts: list[int] = []

    class Noting(RecordReader):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            starts.append(self.position.offset)

    monkeypatch.setattr(importlib.import_module("waterglass.load"), "RecordReader", Noting)
    session = grown(tmp_path, None)
    read = session.transcripts[0].position.offset
    again = grown(tmp_path, session)
    assert starts == [0]  # nothing was appended
    add(main(tmp_path), whole[whole.index(b"\n", 1_500) + 20 :])
    grown(tmp_path, again)
    assert starts == [0, read] and read > 1_000


def test_what_is_known_of_a_call_is_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import waterglass.rows

    asked: list[str] = []
    real = waterglass.rows.classify_call

    def noting(name: str, *args: Any) -> Any:
        asked.append(name)
        return real(name, *args)

    whole = story().content()
    cut = whole.index(b"\n", whole.index(b"toolu_read")) + 1
    add(main(tmp_path), whole[:cut])
    monkeypatch.setattr(waterglass.rows, "classify_call", noting)
    session = grown(tmp_path, None)
    session.payload(NOW, table=True)
    assert asked == ["Agent", "Bash", "Read"]
    add(main(tmp_path), whole[cut:])
    grown(tmp_path, session).payload(NOW, table=True)
    assert asked == ["Agent", "Bash", "Read"]


def lines() -> list[bytes]:
    t = Transcript(SESSION)
    t.at("2026-03-02T09:00:00Z").prompt("Go")
    for n in range(30):
        t.at("+1s").reply(None, [Call("Bash", {"command": f"echo {n}"}, id=f"toolu_{n}")])
        t.at("+1s").result(f"toolu_{n}", str(n))
    return t.content().splitlines(keepends=True)


def replace(path: Path, data: bytes) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(data)
    os.replace(new, path)


def overwrite(path: Path, offset: int, data: bytes) -> None:
    status = path.stat()
    with path.open("r+b") as stream:
        stream.seek(offset)
        stream.write(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 50_000_000))


def test_a_file_that_was_cut_and_grew_past_where_it_was_is_read_anew(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:9]))
    session = agree(tmp_path, None)
    main(tmp_path).write_bytes(b"".join(all_[20:60]))
    session = agree(tmp_path, session)
    assert session.started_over


def test_a_file_that_was_cut_in_the_middle_is_read_anew(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:9]))
    session = agree(tmp_path, None)
    os.truncate(main(tmp_path), len(all_[0]) + 10)
    session = agree(tmp_path, session)
    add(main(tmp_path), b"\n" + all_[6])
    assert agree(tmp_path, session).coverage.skipped_lines == 1


@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_another_took_the_place_of_is_read_anew(tmp_path: Path, same: bool) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:9]))
    session = agree(tmp_path, None)
    replace(main(tmp_path), b"".join(all_[:20] if same else all_[20:50]))
    assert agree(tmp_path, session).started_over


def test_a_file_that_was_deleted_and_made_again_is_read_anew(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:9]))
    session = agree(tmp_path, None)
    main(tmp_path).unlink()
    add(main(tmp_path), b"".join(all_[30:40]))
    assert agree(tmp_path, session).started_over


def test_a_line_that_was_changed_in_place_is_read_anew(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:9]))
    session = agree(tmp_path, None)
    overwrite(main(tmp_path), len(all_[0]), all_[1].replace(b"echo 0", b"echo 7"))
    session = agree(tmp_path, session)
    assert session.rows[0].facts.label == "Bash: echo 7"


def test_room_that_was_made_before_it_is_written_is_no_line(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), all_[0] + all_[1])
    add(main(tmp_path), b"\0" * 4096)
    session = agree(tmp_path, None)
    assert session.coverage.skipped_lines == 0
    overwrite(main(tmp_path), len(all_[0] + all_[1]), all_[2])
    session = agree(tmp_path, session)
    assert session.rows[0].outcome == "ok"


def test_two_writers_in_one_line_cost_that_line_and_no_other(tmp_path: Path) -> None:
    all_ = lines()
    for piece in (all_[0], all_[1][:50], all_[2], all_[1][50:], all_[3]):
        add(main(tmp_path), piece)
    session = None
    for piece in (all_[4], all_[5]):
        session = agree(tmp_path, session)
        add(main(tmp_path), piece)
    session = agree(tmp_path, session)
    assert {row.id: row.outcome for row in session.view(NOW).rows} == {"toolu_1": "ok", "toolu_2": "running"}


@pytest.mark.parametrize("when", [1, 4_102_444_800])
def test_the_time_of_a_file_does_not_matter(tmp_path: Path, when: int) -> None:
    all_ = lines()
    add(main(tmp_path), b"".join(all_[:3]))
    session = agree(tmp_path, None)
    add(main(tmp_path), all_[3])
    os.utime(main(tmp_path), (when, when))
    assert len(agree(tmp_path, session).rows) == 2


def test_an_agent_that_comes_later_is_attached_and_one_that_goes_is_let_go(tmp_path: Path) -> None:
    made = files(story(), tmp_path)
    add(main(tmp_path), made.pop(main(tmp_path)))
    session = agree(tmp_path, None)
    assert len(session.rows) == 3
    for path, data in made.items():
        add(path, data)
        session = agree(tmp_path, session)
    assert [row.depth for row in session.rows] == [0, 1, 2, 0, 0]
    for path in made:
        path.unlink()
    assert len(agree(tmp_path, session).rows) == 3


def test_a_transcript_that_goes_leaves_its_agents(tmp_path: Path) -> None:
    for path, data in files(story(), tmp_path).items():
        add(path, data)
    session = agree(tmp_path, None)
    main(tmp_path).unlink()
    session = agree(tmp_path, session)
    assert session.view(NOW).state == "orphan"


def test_a_session_read_without_growing_is_not_read_on(tmp_path: Path) -> None:
    all_ = lines()
    add(main(tmp_path), all_[0] + all_[1])
    ref = ref_of(tmp_path)
    assert ref is not None
    once = load(ref, in_sight=[], now_ms=NOW)
    add(main(tmp_path), all_[2])
    assert grown(tmp_path, once).rows[0].outcome == "ok"
    assert once.rows[0].outcome == "running"
