"""Secrets planted in every place of a session, plain and coded, and looked for in all that the program writes to be
given away: as a stranger would, with nothing but the command line and what it wrote."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.conftest import RunWaterglass
from tests.redact.made import FORMATS, filled
from tests.transcripts import Call, Transcript

SESSION = "5e551044-0000-4000-8000-0000000000c1"
KINDS = ("github personal", "anthropic oauth access", "slack bot", "stripe", "openai project", "npm", "gitlab personal")
PASSWORD = "tr0ub4" + "dor-9xyz"


def numbers(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" for char in text)


def in_json(text: str) -> str:
    return json.dumps(json.dumps(json.dumps({"a": {"password": text, "note": f"it is {text}"}})))


# How a secret is planted, each in a text around it.
PLANTED: dict[str, Callable[[str], str]] = {
    "plain": lambda value: f"use {value} for it",
    "numbers": lambda value: f"use {numbers(value)} for it",
    "percent": lambda value: f"https://a.example/?q={''.join(f'%{ord(c):02x}' for c in value)}&x=1",
    "base64": lambda value: base64.b64encode(f"it is {value} for now".encode()).decode(),
    "hexadecimal": lambda value: f"it is {value} for now".encode().hex(),
    "json in json": in_json,
}


def looked_for(value: str) -> dict[str, str]:
    """A value in each form in which it must not be left, without what depends on its neighbours."""
    raw = value.encode()
    shifted = (base64.b64encode(b"x" * shift + raw).decode()[4 if shift else 0 : -4] for shift in range(3))
    return {
        "plain": value,
        "escaped": json.dumps(value)[1:-1],
        "numbers": numbers(value),
        "percent": quote(value, safe=""),
        "percent, all of it": "".join(f"%{ord(char):02x}" for char in value),
        "hexadecimal": raw.hex(),
        **{f"base64, shifted by {shift}": text for shift, text in enumerate(shifted)},
    }


@pytest.fixture(scope="module")
def secrets() -> list[str]:
    chance = random.Random(6)
    return [filled(FORMATS[kind], chance) for kind in KINDS] + [PASSWORD]


@pytest.fixture(scope="module")
def root(secrets: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    first = secrets[0]
    t = Transcript(SESSION, cwd=f"/code/{secrets[1]}", version="2.1.220").at("2026-03-02T09:00:00Z")
    t.title(f"Deploy with {first}")
    t.prompt(f"The password is {PASSWORD}. " + " ".join(secrets[:3]))
    number = 0
    for secret in secrets:
        for way, plant in PLANTED.items():
            named = secret == PASSWORD and way != "json in json"  # nothing but a name gives a password away
            text = plant(f"DB_PASSWORD={secret}" if named else secret)
            number += 1
            name = f"toolu_{number}"
            t.at("+2s").reply(text=f"{way}: {text}", calls=[Call("Bash", {"command": f"echo '{text}'"}, name)])
            t.at("+1s").result(name, f"{text}\n", is_error=number % 3 == 0)
    for extra, given in {
        "toolu_key": {secrets[2]: "under a key"},
        "toolu_list": {"edits": [{"old_string": secrets[3], "new_string": [secrets[4], {"deep": secrets[5]}]}]},
        "toolu_env": {"env": {"DB_PASSWORD": PASSWORD}, "headers": {"Cookie": f"sid={PASSWORD}"}},
    }.items():
        t.at("+2s").reply(calls=[Call(f"mcp__box__{secrets[0]}", given, extra)])
        t.at("+1s").result(
            extra, [{"type": "text", "text": secrets[4][:60]}, {"type": "text", "text": secrets[4][60:]}]
        )
    t.write(folder / "projects")
    return folder / "projects"


def readable(path: Path) -> str:
    """All that a reader of a file gets to see: data blocks unpacked, tables as their values."""
    if path.is_dir():
        parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
        return json.dumps([parquet.ParquetFile(part).read().to_pylist() for part in sorted(path.rglob("*.parquet"))])
    text = path.read_text(encoding="utf-8")
    packed = re.findall(r'<script type="text/plain" id="[^"]*">([A-Za-z0-9+/=]+)</script>', text)
    return text + "".join(zlib.decompress(base64.b64decode(one), 31).decode() for one in packed)


WRITTEN = {
    **{
        f"report {level}": ["report", SESSION, "--redact", level, "-o", "out"]
        for level in ("secrets", "paths", "structure")
    },
    "report": ["report", SESSION, "-o", "out"],
    "compare": ["compare", SESSION, SESSION, "-o", "out"],
    **{
        f"export {form}": ["export", SESSION, "--to", form, "-o", "out"]
        for form in ("jsonl", "perfetto", "otlp", "parquet")
    },
}
PRINTED = [["check", SESSION, "--format", form] for form in ("text", "json", "junit", "sarif", "github")]


def still_there(text: str, secrets: list[str]) -> list[tuple[str, str]]:
    return [(secret[:9], form) for secret in secrets for form, coded in looked_for(secret).items() if coded in text]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_holds_no_secret_in_any_form(
    name: str, root: Path, secrets: list[str], run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    if name == "export parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    done = run_waterglass(*WRITTEN[name], "--root", root)
    assert done.returncode == 0, done.stderr
    text = readable(tmp_path / "out")
    assert "Bash" in text
    assert still_there(text + done.stdout + done.stderr, secrets) == []


@pytest.mark.parametrize("args", PRINTED, ids=lambda args: args[-1])
def test_what_a_build_prints_holds_no_secret(
    args: list[str], root: Path, secrets: list[str], run_waterglass: RunWaterglass
) -> None:
    done = run_waterglass(*args, "--max", "earlyVictory=0", "--max", "errorRate=0", "--root", root)
    assert done.returncode in (0, 2, 3), done.stderr
    assert still_there(done.stdout + done.stderr, secrets) == []


def test_the_transcript_itself_holds_no_secret_once_it_went_through_redact(
    root: Path, secrets: list[str], run_waterglass: RunWaterglass
) -> None:
    [transcript] = root.rglob("*.jsonl")
    assert still_there(transcript.read_text(), secrets) != []
    done = run_waterglass("redact", transcript)
    assert done.returncode == 0
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == len(transcript.read_text().splitlines())
    assert still_there(done.stdout + done.stderr + json.dumps(records), secrets) == []


def test_the_index_of_the_words_is_for_nobody_elses_eyes(
    root: Path, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    done = run_waterglass("index", "--root", root, env={"XDG_CACHE_HOME": str(cache)})
    assert done.returncode == 0, done.stderr
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []
    assert cache.joinpath("waterglass").stat().st_mode & 0o077 == 0
