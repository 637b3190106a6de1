"""What somebody types who has not read everything: one folder for several, a path for a text."""

from __future__ import annotations

from pathlib import Path

import pytest

import waterglass
from waterglass.sample import sample_root

ID = "5a3b1e00"


@pytest.mark.parametrize(
    "roots", [str(sample_root()), Path(sample_root()), [Path(sample_root())], (str(sample_root()),)]
)
def test_a_folder_is_a_text_or_a_path_one_or_several(roots: object) -> None:
    assert len(waterglass.discover(roots).sessions) == 4  # type: ignore[arg-type]
    assert waterglass.load(ID, roots).id.startswith(ID)  # type: ignore[arg-type]


def test_a_session_is_named_by_a_path_too(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(waterglass.load(ID, sample_root()).ref.path)
    assert waterglass.load(file).id == file.stem
    monkeypatch.chdir(file.parent)
    assert waterglass.load(Path(file.name)).id == file.stem
    with pytest.raises(waterglass.WaterglassError, match="folder"):
        waterglass.load(file.parent)


def test_a_file_of_telemetry_is_a_text_or_a_path(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text('{"resourceSpans":[]}\n')
    for otel in (file, str(file), [file]):
        told = waterglass.load(ID, sample_root(), otel=otel).head()["telemetry"]
        assert (told["calls"], told["files"][0]["lines"]) == (0, 1)


def test_a_session_says_in_a_prompt_what_it_is() -> None:
    session = waterglass.load(ID, sample_root())
    assert repr(session) == f"<Session {session.id}, 81 calls>"
