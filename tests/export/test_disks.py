"""Tables on another disk than that of temporary files, and on one that is full."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.export.exporting import needs_tables
from waterglass.cli.main import run
from waterglass.export import dataset, jobs
from waterglass.sample import sample_root

replace = os.replace


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    needs_tables()
    return ["export", "--all", "--root", str(sample_root()), "--to", "parquet", "-o", str(tmp_path / "data")]


def test_no_file_is_moved_to_the_tables_from_another_disk(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def within(source: Any, target: Any) -> None:
        if not Path(source).is_relative_to(tmp_path / "data"):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        replace(source, target)

    monkeypatch.setattr(os, "replace", within)
    assert run(asked) == 0
    assert len(list((tmp_path / "data").rglob("*.parquet"))) == 24


def test_tables_that_cannot_be_begun_leave_nothing_in_the_way(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(source: Any, target: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert run(asked) == 1
    assert "cannot write the export (No space left on device)" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
    assert run(asked) == 0
    assert dataset.HEAD in os.listdir(tmp_path / "data")


def test_a_full_disk_is_named_where_a_session_is_left_out(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(jobs, "write_tables", full)
    assert run([*asked, "--workers", "1"]) == 1
    said = capsys.readouterr().err
    assert "0 sessions" in said and said.count("this session cannot be exported (No space left on device)") == 4
