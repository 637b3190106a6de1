"""Where an export may be written, and what stands there when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.export.exporting import export, needs_tables, sessions
from tests.transcripts import Transcript
from waterglass.errors import WaterglassError
from waterglass.export import FORMS, Form, Reading, Source, export_sessions
from waterglass.sample import sample_root

TEXTS = ("jsonl", "perfetto", "otlp")


@pytest.mark.parametrize("form", FORMS)
def test_a_link_is_never_written_through(form: Form, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs.txt").write_text("theirs", encoding="utf-8")
    for name, aim in (("link", "theirs"), ("link.txt", "theirs.txt"), ("nowhere", "gone")):
        (tmp_path / name).symlink_to(tmp_path / aim)
        with pytest.raises(WaterglassError, match="over a link"):
            export(sample_root(), form, tmp_path / name)
    assert list((tmp_path / "theirs").iterdir()) == []
    assert (tmp_path / "theirs.txt").read_text(encoding="utf-8") == "theirs"


@pytest.mark.parametrize("form", TEXTS)
def test_a_file_of_that_name_is_replaced_whole_and_a_hard_link_to_it_keeps_the_old(form: Form, tmp_path: Path) -> None:
    target, other = tmp_path / "out.json", tmp_path / "other"
    target.write_text("old", encoding="utf-8")
    os.link(target, other)
    export(sample_root(), form, target)
    assert target.read_text(encoding="utf-8") != "old" == other.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out.json"]


@pytest.mark.parametrize("form", TEXTS)
def test_folders_and_devices_are_refused(form: Form, tmp_path: Path) -> None:
    with pytest.raises(WaterglassError, match="over a folder"):
        export(sample_root(), form, tmp_path)
    with pytest.raises(WaterglassError, match="over something that is no file"):
        export(sample_root(), form, Path(os.devnull))


def test_a_transcript_is_not_overwritten_and_an_own_export_is(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a")
    t.prompt("Keep me")
    path = t.write(tmp_path / "projects")
    before = path.read_bytes()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(before)
    for target, why in ((copy, "what may be a transcript"), (path, "among the transcripts")):
        with pytest.raises(WaterglassError, match=why):
            export(tmp_path / "projects", "jsonl", target)
        assert target.read_bytes() == before
    for form in ("jsonl", "otlp"):
        first = export(tmp_path / "projects", form, tmp_path / f"{form}.jsonl").read_bytes()
        assert export(tmp_path / "projects", form, tmp_path / f"{form}.jsonl").read_bytes() == first != b""


def test_a_new_jsonl_among_the_transcripts_is_refused_also_by_another_way(tmp_path: Path) -> None:
    Transcript("5e551044-0000-4000-8000-00000000000a", folder="-code").write(tmp_path / "projects")
    (tmp_path / "way").symlink_to(tmp_path / "projects" / "-code")
    with pytest.raises(WaterglassError, match="among the transcripts"):
        export(tmp_path / "projects", "jsonl", tmp_path / "way" / "new.jsonl")


def test_tables_go_to_a_new_or_empty_folder_or_to_what_an_export_wrote(tmp_path: Path) -> None:
    needs_tables()
    (tmp_path / "empty").mkdir()
    assert (export(sample_root(), "parquet", tmp_path / "empty") / "calls").is_dir()
    export(sample_root(), "parquet", tmp_path / "empty")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(WaterglassError, match="not empty"):
        export(sample_root(), "parquet", tmp_path / "full")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(WaterglassError, match="over a file"):
        export(sample_root(), "parquet", tmp_path / "file")


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_that_is_not_there_is_said_and_nothing_is_made(form: Form, tmp_path: Path) -> None:
    with pytest.raises(WaterglassError, match="cannot write the export"):
        export(sample_root(), form, tmp_path / "gone" / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", FORMS)
def test_where_it_fails_half_way_nothing_is_left(form: Form, tmp_path: Path) -> None:
    if form == "parquet":
        needs_tables()
    found = sessions(sample_root())
    gone = found[1].ref
    bad = type(gone)(gone.id, gone.root, gone.folders, gone.files[:1], gone.size, gone.modified_ms)
    files = tuple(type(f)(str(tmp_path / "no.jsonl"), f.key, f.kind, f.size, None) for f in bad.files)
    lost = type(gone)(gone.id, gone.root, gone.folders, files, gone.size, gone.modified_ms)
    sources = [Source(found[0].ref, []), Source(lost, [])]
    with pytest.raises(WaterglassError):
        export_sessions(sources, form, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    done = export_sessions(sources, form, tmp_path / "out", reading=Reading(strict=False))
    assert done.sessions == 1 and [session for session, _ in done.left_out] == [gone.id]


def test_a_session_that_is_named_twice_is_exported_once(tmp_path: Path) -> None:
    one = sessions(sample_root())[0].ref
    assert export_sessions([Source(one, []), Source(one, [])], "jsonl", tmp_path / "out").sessions == 1


@pytest.mark.parametrize("form", TEXTS)
def test_progress_goes_up_to_the_bytes_of_all_transcripts(form: Form, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    sources = [Source(one.ref, []) for one in sessions(sample_root())]
    export_sessions(sources, form, tmp_path / "out", progress=lambda done, total: told.append((done, total)))
    total = sum(source.ref.size for source in sources)
    assert {whole for _, whole in told} == {total} and told[-1] == (total, total)
    assert [done for done, _ in told] == sorted(done for done, _ in told) and len(told) > len(sources)
