"""What the tests of reported faults share: a tree, its list, its sessions, and the program that serves it."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import msgspec
import pytest

from waterglass.catalog import Catalog
from waterglass.session import load

LONG_AFTER = 1_790_000_000_000  # Unix milliseconds; 203 days after the clock of the builder starts
ONE = "5e550001-0000-4000-8000-000000000001"
TWO = "5e550002-0000-4000-8000-000000000002"
THREE = "5e550003-0000-4000-8000-000000000003"
FOLDER = "-code-demo"

Shown = Callable[..., dict[str, Any]]
Listed = Callable[..., list[dict[str, Any]]]
Put = Callable[..., Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A projects folder of its own."""
    folder = tmp_path / "projects"
    folder.mkdir()
    return folder


@pytest.fixture
def put(root: Path) -> Put:
    """Return `put(data, session=, folder=)`: write the bytes of a main transcript."""

    def put(data: bytes, session: str = ONE, folder: str = FOLDER) -> Path:
        path = root / folder / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return put


@pytest.fixture
def shown(root: Path) -> Shown:
    """Return `shown(session=, now=)`: the payload, as `show --json` prints it."""

    def shown(session: str = ONE, now: int = LONG_AFTER) -> dict[str, Any]:
        parts = list[bytes]()
        load(session, [str(root)], now_ms=now).write_json(parts.append)
        payload: dict[str, Any] = msgspec.json.decode(b"".join(parts))
        return payload

    return shown


@pytest.fixture
def listed(root: Path) -> Listed:
    """Return `listed(now=)`: the sessions of the list, all counted."""

    def listed(now: int = LONG_AFTER) -> list[dict[str, Any]]:
        catalog = Catalog([str(root)], now=lambda: now)
        catalog.start()
        try:
            catalog.wait(timeout=60)
            ids = [session["id"] for session in catalog.snapshot()["sessions"]]
            assert catalog.wait(ids, timeout=60)
            return list(catalog.snapshot()["sessions"])
        finally:
            catalog.close()

    return listed


def flat(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nested rows in pre-order."""
    return [found for row in rows for found in (row, *flat(row["children"]))]


def outcomes(payload: dict[str, Any]) -> dict[str, str]:
    """The outcome of each row by its id."""
    return {row["id"]: row["outcome"] for row in flat(payload["rows"])}


def typed(payload: dict[str, Any]) -> list[str]:
    """The texts of the prompts."""
    return [prompt["text"] for prompt in payload["prompts"]]


def counted(payload: dict[str, Any]) -> dict[str, Any]:
    """What the coverage counts, without zeros, sizes and problems."""
    return {name: n for name, n in payload["coverage"].items() if n and name not in ("bytes", "problems")}


@pytest.fixture
def serve(root: Path, child_environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Return `serve()`: start `waterglass serve` over the tree; gives the address that it prints."""
    started: list[subprocess.Popen[str]] = []

    def serve() -> str:
        process = subprocess.Popen(
            [sys.executable, "-m", "waterglass", "serve", "--no-open", "--port", "0", "--root", str(root)],
            cwd=tmp_path,
            env={**child_environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(process)
        assert process.stdout is not None
        printed = re.search(r"http://\S+", process.stdout.readline())
        assert printed, process.communicate(timeout=20)
        return printed.group()

    yield serve
    for process in started:
        process.terminate()
        _, said = process.communicate(timeout=20)
        assert "Traceback" not in said


def asking(address: str) -> Callable[[str], Any]:
    """Open the printed address; return how to ask for JSON."""
    cookies = urllib.request.HTTPCookieProcessor(CookieJar())
    opener = urllib.request.build_opener(cookies, urllib.request.ProxyHandler({}))
    opener.open(address, timeout=20).close()

    def ask(path: str) -> Any:
        with opener.open(address.partition("/?")[0] + path, timeout=20) as answer:
            return msgspec.json.decode(answer.read())

    return ask
