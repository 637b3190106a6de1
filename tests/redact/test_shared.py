"""Redaction over the shared material: what must go, what must stay, what must not take for ever."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from waterglass.redact import Redactor


@pytest.fixture(scope="module")
def hostile(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([sys.executable, str(shared / "hostile" / "make_hostile.py"), str(folder)], check=True, timeout=120)
    return folder


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def expected(folder: Path, name: str) -> dict[str, Any]:
    table = json.loads((folder / "expected.json").read_text())
    found: dict[str, Any] = table.get("files", table)[name]
    return found


def test_no_plain_secret_of_the_hostile_set_is_left(hostile: Path) -> None:
    redactor = Redactor()
    shown = json.dumps(
        [redactor.value(record) for record in records(hostile / "f01_secrets.jsonl")], ensure_ascii=False
    )
    secrets = expected(hostile, "f01_secrets.jsonl")["secrets"]
    assert len(secrets) > 10
    assert [secret["kind"] for secret in secrets if secret["value"] in shown] == []


def test_nothing_of_the_hostile_set_is_hidden_without_need(hostile: Path) -> None:
    for record in records(hostile / "f02_not_secrets.jsonl"):
        assert Redactor().value(record) == record


def test_the_hostile_texts_against_slow_expressions_end(hostile: Path) -> None:
    for level in ("secrets", "paths"):
        redactor = Redactor(level)  # type: ignore[arg-type]
        assert [redactor.value(record)["type"] for record in records(hostile / "f03_redos.jsonl")] == ["user"] * 12


def test_the_reported_leak_is_closed_and_what_must_stay_stays(shared: Path) -> None:
    case = shared / "cases" / "C82"
    expect = json.loads((case / "expected.json").read_text())["expect"]
    redactor = Redactor()
    raw = [record for path in sorted(case.rglob("*.jsonl")) for record in records(path)]
    shown = json.dumps([redactor.value(record) for record in raw], ensure_ascii=False)
    assert [secret for secret in expect["must_not_occur_in_report"] if secret in shown] == []
    assert [text for text in expect["must_stay"] if text not in shown] == []
