"""Where pyarrow is not installed, one line says what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.export.exporting import sessions
from waterglass.errors import WaterglassError
from waterglass.export import Source, export_sessions, to_arrow
from waterglass.sample import sample_root


def test_tables_need_pyarrow_and_say_so_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (one, *_) = sessions(sample_root())
    with pytest.raises(WaterglassError, match=r"pip install 'waterglass\[parquet\]'"):
        to_arrow(one)
    with pytest.raises(WaterglassError, match=r"pip install 'waterglass\[parquet\]'"):
        export_sessions([Source(one.ref, [])], "parquet", tmp_path / "data")
    assert list(tmp_path.iterdir()) == []
