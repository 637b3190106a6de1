"""Redaction over the shared material: what must go, what must stay, what must not take for ever."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.report.test_report import blocks
from waterglass.redact import Redactor
from waterglass.redact.stream import redact_lines
from waterglass.report import render_report
from waterglass.session import load


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


def forms(value: str) -> dict[str, str]:
    """A value in every form in which it must not be left, each without what depends on its neighbours."""
    raw = value.encode()
    shifted = (base64.b64encode(b"x" * shift + raw).decode()[4 if shift else 0 : -4] for shift in range(3))
    return {
        "plain": value,
        "escaped": json.dumps(value)[1:-1],
        "numbers": "".join(f"\\u{ord(char):04x}" for char in value),
        "percent": quote(value, safe=""),
        "hexadecimal": raw.hex(),
        **{f"base64, shifted by {shift}": text for shift, text in enumerate(shifted)},
    }


def test_no_secret_of_the_hostile_set_is_left_in_any_form(hostile: Path, tmp_path: Path) -> None:
    redactor = Redactor()
    raw = (hostile / "f01_secrets.jsonl").read_bytes()
    walked = json.dumps([redactor.value(record) for record in records(hostile / "f01_secrets.jsonl")])
    streamed = b"".join(redact_lines(Redactor(), raw.splitlines(keepends=True))).decode()
    folder = tmp_path / "projects" / "-code-x"
    folder.mkdir(parents=True)
    shutil.copy(hostile / "f01_secrets.jsonl", folder / "0a0a0a0a-1111-4222-8333-444444444444.jsonl")
    html = render_report(load("latest", [str(tmp_path / "projects")]))
    reported = json.dumps(blocks(html), ensure_ascii=False)
    for secret in expected(hostile, "f01_secrets.jsonl")["secrets"]:
        for form, text in forms(secret["value"]).items():
            places = [
                name
                for name, shown in (("walked", walked), ("streamed", streamed), ("report", reported))
                if text in shown
            ]
            assert places == [], (secret["kind"], form)
    halves = [
        secret["value"] for secret in expected(hostile, "f01_secrets.jsonl")["secrets"] if secret["kind"] == "github"
    ]
    assert [half for value in halves for half in (value[:20], value[20:]) if half in walked + reported] == []


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
