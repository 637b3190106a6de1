"""The command: where it listens, what it prints, what it shows when there is nothing."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import RunWaterglass, hearing
from tests.transcripts import Transcript
from waterglass.errors import WaterglassError
from waterglass.sample import sample_root
from waterglass.server import listen
from waterglass.server.access import DROPPED

Serve = Callable[..., tuple[str, subprocess.Popen[str]]]


@pytest.fixture
def serve(child_environment: dict[str, str], tmp_path: Path) -> Iterator[Serve]:
    """Start `waterglass serve --no-open` and return the address that it prints."""
    started: list[subprocess.Popen[str]] = []

    def start(*args: str, ignored: Sequence[str] = ()) -> tuple[str, subprocess.Popen[str]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "waterglass", "serve", "--no-open", *args],
            cwd=tmp_path,
            env={**child_environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=hearing(ignored),
        )
        started.append(process)
        assert process.stdout is not None
        match = re.search(r"http://\S+", process.stdout.readline())
        assert match, process.communicate(timeout=10)
        return match.group(), process

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=20)


def asked(address: str) -> Callable[[str], Any]:
    """Open the printed address; return how to ask for JSON."""
    opener = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.ProxyHandler({})
    )
    opener.open(address, timeout=20).close()
    base = address.partition("/?")[0]

    def ask(path: str) -> Any:
        with opener.open(base + path, timeout=20) as answer:
            return msgspec.json.decode(answer.read())

    return ask


def test_a_person_without_sessions_sees_the_sample_and_where_was_looked(serve: Serve) -> None:
    address, process = serve()
    ask = asked(address)
    listing = ask("/api/sessions")
    assert listing["sample"] is True
    assert any(place["path"].endswith("/.claude/projects") for place in listing["lookedIn"])
    process.terminate()
    assert "showing the sample" in process.communicate(timeout=20)[1]


def test_beside_the_sample_is_told_when_a_session_of_ones_own_has_begun(serve: Serve, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    ask = asked(serve("--root", str(own))[0])
    assert ask("/api/sessions")["begun"] is False
    made = Transcript("1a2b0009-0000-4000-8000-000000000009")
    made.at("2026-03-02T09:00:00Z").prompt("the first of all")
    made.write(own)
    end = time.monotonic() + 20
    while not ask("/api/sessions")["begun"] and time.monotonic() < end:
        time.sleep(0.2)
    listing = ask("/api/sessions")
    assert listing["begun"] is True and listing["sample"] is True


def test_every_session_of_the_sample_opens_with_its_rows_and_bodies(serve: Serve) -> None:
    ask = asked(serve()[0])
    end = time.monotonic() + 60
    while not (listing := ask("/api/sessions"))["complete"] and time.monotonic() < end:
        time.sleep(0.05)
    assert len(listing["sessions"]) == 4
    for session in listing["sessions"]:
        payload = ask(f"/api/sessions/{session['id']}")
        assert payload["table"]["count"] > 0
        first = payload["table"]["columns"]["id"][0]
        assert ask(f"/api/sessions/{session['id']}/rows/{first}")["id"] == first


def test_the_next_free_port_is_taken_where_none_is_asked_for() -> None:
    first, second = listen(), listen()
    try:
        assert first.port != second.port
        assert first.socket.getsockname()[0] == "127.0.0.1"
    finally:
        first.socket.close()
        second.socket.close()


def test_a_port_asked_for_and_taken_is_one_clear_line(run_waterglass: RunWaterglass) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(WaterglassError, match="cannot listen"):
            listen(port=port)
        done = run_waterglass("serve", "--no-open", "--port", str(port))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 or "showing the sample" in done.stderr
    assert f"127.0.0.1:{port}" in done.stderr


def test_an_open_address_is_refused_without_a_name_to_answer_under(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("serve", "--no-open", "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "--allow-host" in done.stderr


def test_a_root_that_is_missing_is_one_clear_line(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("serve", "--no-open", "--root", str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert "no such folder" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(("name", "ignored"), [("SIGTERM", ()), ("SIGHUP", ()), ("SIGHUP", ("SIGINT",))])
def test_a_dropped_file_is_gone_also_when_a_signal_ends_the_server(
    serve: Serve,
    tmp_path: Path,
    child_environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    ignored: tuple[str, ...],
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setitem(child_environment, "TMPDIR", str(temporary))
    number = getattr(signal, name)
    address, process = serve("--port", "0", ignored=ignored)
    base = address.partition("/?")[0]
    opener = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.ProxyHandler({})
    )
    opener.open(address, timeout=20).close()
    body = next(sample_root().rglob("5a3b*.jsonl")).read_bytes()
    given = urllib.request.Request(base + DROPPED, body, {"Origin": base, "X-Waterglass": "drop"})
    opener.open(given, timeout=20).close()
    assert list(temporary.rglob("*.jsonl"))
    process.send_signal(number)
    assert process.wait(20) == 128 + number
    assert list(temporary.iterdir()) == []


SIGNALLED = """
import signal, sys
from waterglass.cli.main import _end_in_order
from waterglass.server import listen, run

async def app(scope, receive, send):
    signal.raise_signal(getattr(signal, sys.argv[1]))
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})

_end_in_order()
listener = listen(port=0)
print(listener.address(""), flush=True)
run(app, listener)
print("left in order", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_that_comes_while_a_request_is_answered_ends_the_server_after_the_answer(name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SIGNALLED, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=hearing(),
    )
    try:
        assert process.stdout is not None
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(process.stdout.readline().strip(), timeout=20) as answer:
            assert answer.status == 204
        assert process.wait(20) != 0
        assert "left in order" not in process.stdout.read()
    finally:
        process.kill()
        process.communicate(timeout=20)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_signal_that_whoever_started_the_server_has_it_ignore_leaves_it_running(serve: Serve, name: str) -> None:
    address, process = serve("--port", "0", ignored=(name,))
    ask = asked(address)
    process.send_signal(getattr(signal, name))
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    assert ask("/api/sessions")["sample"] is True
