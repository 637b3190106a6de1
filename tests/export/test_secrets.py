"""What is exported is redacted, whole places and cut ones, and looked through once more."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.export.exporting import export, lines
from tests.transcripts import Call, Transcript
from waterglass.errors import WaterglassError
from waterglass.export import FORMS, Form
from waterglass.export.hiding import Hider

# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81" * 9
PASSWORD = "q7Rz2Lm9" + "Xc4Vb8Nk"
FIELDS: dict[Form, tuple[str, ...]] = {
    "jsonl": ("session", "tool", "text", "agentId", "tool_result", "Read"),
    "perfetto": ("traceEvents", "args", "ts", "outcome", "error", "Read"),
    "otlp": ("resourceSpans", "spans", "attributes", "waterglass", "outcome", "error"),
    "parquet": ("session", "outcome", "error", "acts", "Read"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A session with a token in every place, and a password that stands bare before a later line names it."""
    t = Transcript("5e551044-0000-4000-8000-00000000000a", cwd="/home/mirabel/code").at("2026-03-02T09:00:00Z")
    t.title(f"Use {SECRET}")
    t.prompt(f"{'x' * 60} {SECRET}")
    t.reply(
        f"I see {SECRET} and {PASSWORD}",
        [Call("Bash", {"command": f"cat /home/mirabel/{PASSWORD} {SECRET}"}, "toolu_1")],
    )
    t.result("toolu_1", f"out {SECRET}\nAUTH_SECRET={PASSWORD}", is_error=True)
    t.reply(calls=[Call("Agent", {"description": f"{'y' * 70} {SECRET}", "prompt": SECRET}, "toolu_2")])
    t.write(tmp_path / "projects")
    return tmp_path / "projects"


def content(path: Path) -> str:
    """All texts of an export, those of tables read as such."""
    if path.is_file():
        return path.read_text(encoding="utf-8")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    return json.dumps([parquet.ParquetFile(part).read().to_pylist() for part in sorted(path.rglob("*.parquet"))])


@pytest.mark.parametrize("level", ["secrets", "paths", "structure"])
@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_in_no_export_at_any_level_but_off(form: Form, level: Any, root: Path, tmp_path: Path) -> None:
    text = content(export(root, form, tmp_path / "out", level))
    for secret in (SECRET, PASSWORD):
        assert secret[:12] not in text
    assert SECRET in content(export(root, form, tmp_path / "raw", "off"))


@pytest.mark.parametrize("form", FORMS)
def test_paths_takes_the_users_name_out_and_structure_every_word(form: Form, root: Path, tmp_path: Path) -> None:
    assert "mirabel" in content(export(root, form, tmp_path / "secrets"))
    assert "mirabel" not in content(export(root, form, tmp_path / "paths", "paths"))
    structure = content(export(root, form, tmp_path / "structure", "structure"))
    assert "xxxx" not in structure and "/home" not in structure and "Bash" in structure and "toolu_1" in structure


@pytest.mark.parametrize("form", FORMS)
def test_values_of_ones_own_are_hidden_too(form: Form, root: Path, tmp_path: Path) -> None:
    text = content(export(root, form, tmp_path / "out", own={"Bash": "own"}))
    assert "Bash" not in text


def test_the_tail_of_a_perfetto_file_counts_what_was_hidden(root: Path, tmp_path: Path) -> None:
    note = json.loads(export(root, "perfetto", tmp_path / "out").read_bytes())["otherData"]["redaction"]
    assert note["level"] == "secrets" and note["bestEffort"] is True and sum(note["counts"].values()) > 0


@pytest.mark.parametrize("form", FORMS)
def test_an_export_in_which_a_secret_is_still_found_is_not_there(
    form: Form, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def passed_on(self: Hider, value: Any) -> Any:
        return value

    monkeypatch.setattr(Hider, "value", passed_on)
    monkeypatch.setattr(Hider, "again", passed_on)
    with pytest.raises(WaterglassError, match="a secret was still found in the export, so it was removed") as raised:
        export(root, form, tmp_path / "out")
    assert SECRET not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["projects"]


def test_very_many_secrets_take_no_more_than_their_share_of_time() -> None:
    hider = Hider("secrets")
    begun = time.process_time()
    for n in range(3_000):
        token = hashlib.sha256(str(n).encode()).hexdigest()[:36]
        assert "ghp_" not in str(hider.value({"text": f"ghp_{token}"}))
    assert time.process_time() - begun < 30


@pytest.mark.parametrize("form", FORMS)
def test_a_label_that_was_cut_through_a_secret_shows_no_part_of_it(form: Form, tmp_path: Path) -> None:
    parts = []
    for length in range(1, 120):
        t = Transcript(f"5e551044-0000-4000-8000-{length:012d}").at("2026-03-02T09:00:00Z")
        t.prompt(f"{'x' * length} {SECRET}")
        t.reply(calls=[Call("Bash", {"command": f"{'y' * length}; {SECRET}"}, "toolu_1")])
        parts.append(t)
    for t in parts:
        t.write(tmp_path / "projects")
    text = content(export(tmp_path / "projects", form, tmp_path / "out"))
    assert "REDACTED" in text and SECRET[:8] not in text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["agents", "args", "outcome", "error", "spans", "text", "bash"])
def test_a_user_who_is_called_like_a_field_breaks_no_format(form: Form, name: str, tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a", cwd=f"/home/{name}/code").at("2026-03-02T09:00:00Z")
    t.prompt(f"See /home/{name}/code")
    t.reply(calls=[Call("Read", {"file_path": f"/home/{name}/a"}, "toolu_1")])
    t.result("toolu_1", "no", is_error=True)
    t.write(tmp_path / "projects")
    for level in ("paths", "structure"):
        text = content(export(tmp_path / "projects", form, tmp_path / level, level))
        assert f"/home/{name}" not in text
        assert set(FIELDS[form]) <= set(re.findall(r"\w+", text))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def test_events_at_level_structure_keep_names_and_outcomes_and_no_text(root: Path, tmp_path: Path) -> None:
    found = lines(export(root, "jsonl", tmp_path / "out.jsonl", "structure"))
    tools = [event["tool"] for event in found if event["tool"]]
    assert [tool["name"] for tool in tools] == ["Bash", "Agent"] and tools[0]["acts"] == ["read"]
    assert all(text.endswith(" chars]") for tool in tools for text in strings(tool["input"]))
    assert [event["result"]["ok"] for event in found if event["result"]] == [False]
