"""What only a socket shows: requests that are none, that never end, and too many of them."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tests.server.conftest import CODE, PORT, Sessions
from waterglass.errors import WaterglassError
from waterglass.server import connection, listen, make_app
from waterglass.server.access import Access
from waterglass.server.run import make_server

Connect = Callable[[bytes], socket.socket]
COOKIE = f"Cookie: waterglass-{PORT}={CODE}\r\nConnection: close\r\n\r\n".encode()
WHOLE = b"GET /api/sessions HTTP/1.1\r\nHost: localhost\r\n" + COOKIE
HALF = b"GET /api/sessions HTTP/1.1\r\nHo"


@pytest.fixture
def connect(sessions: Sessions) -> Iterator[Connect]:
    """A running server: connect to it and send bytes."""
    listener = listen(port=0)
    server = make_server(make_app(sessions, sessions.load, Access(CODE, PORT)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]})
    thread.start()
    with contextlib.ExitStack() as opened:

        def send(data: bytes) -> socket.socket:
            made = opened.enter_context(socket.create_connection(("127.0.0.1", listener.port), timeout=20))
            made.sendall(data)
            return made

        yield send
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def answer(connected: socket.socket) -> bytes:
    """Return all that comes until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connected.recv(65_536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (WHOLE, b"200"),
        (b"\x00\x01 blah\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n" + COOKIE, b"400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n" + COOKIE, b"400"),
        (b"GET / HTTP/1.0\r\n" + COOKIE, b"403"),
        (b"GET http://evil.example/api/sessions HTTP/1.1\r\nHost: localhost\r\n" + COOKIE, b"404"),
        (b"GET /static/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n" + COOKIE, b"404"),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n" + COOKIE, b"405"),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n" + COOKIE, b"405"),
    ],
)
def test_whatever_is_sent_the_answer_has_its_headers(connect: Connect, request_: bytes, status: bytes) -> None:
    head, _, body = answer(connect(request_)).partition(b"\r\n\r\n")
    assert head.split(b" ")[1] == status
    assert head.count(b"content-security-policy: default-src 'none'") == 1
    assert b"x-content-type-options: nosniff" in head
    assert b"content-type: application/json" in head
    assert status == b"200" or b'"what"' in body


def test_a_request_that_never_ends_is_dropped_however_it_trickles(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_S", 0.5)
    silent, half, trickling = connect(b""), connect(HALF), connect(HALF)
    with contextlib.suppress(ConnectionError):
        for _ in range(200):  # 20 s: without a deadline it would last
            trickling.sendall(b"x")
            time.sleep(0.1)
        pytest.fail("the connection stayed open")
    assert answer(silent) == answer(half) == b""
    assert answer(connect(WHOLE)).startswith(b"HTTP/1.1 200")


def test_a_second_request_on_a_connection_has_its_own_time(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = connect(WHOLE.replace(b"Connection: close\r\n", b""))
    assert asked.recv(65_536).startswith(b"HTTP/1.1 200")
    monkeypatch.setattr(connection, "REQUEST_S", 0.5)
    asked.sendall(HALF)
    with contextlib.suppress(ConnectionError):
        for _ in range(200):  # 20 s: without a deadline it would last
            asked.sendall(b"x")
            time.sleep(0.1)
        pytest.fail("the connection stayed open")


@pytest.mark.parametrize("path", [b"/api/sessions/one", b"/api/sessions/one/rows/toolu_1"])
def test_reading_a_session_happens_once_and_holds_up_nobody_else(
    connect: Connect, sessions: Sessions, path: bytes
) -> None:
    sessions.gate.clear()
    askers = [connect(WHOLE.replace(b"/api/sessions", path)) for _ in range(2)]
    assert answer(connect(WHOLE)).startswith(b"HTTP/1.1 200")  # while both wait
    time.sleep(0.2)
    assert sessions.reads == []
    sessions.gate.set()
    assert [answer(asker)[:12] for asker in askers] == [b"HTTP/1.1 200"] * 2
    assert sessions.reads == ["one"]


def test_an_answer_that_takes_longer_than_a_request_may_is_still_given(
    connect: Connect, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_S", 0.2)
    sessions.gate.clear()
    asked = connect(WHOLE.replace(b"/api/sessions", b"/api/sessions/one"))
    time.sleep(0.6)  # three times as long
    sessions.gate.set()
    assert answer(asked).startswith(b"HTTP/1.1 200")


def test_whoever_holds_all_connections_locks_nobody_out(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST", 3)
    held = [connect(HALF)]
    for _ in range(2):
        time.sleep(0.05)
        held.append(connect(b""))
    time.sleep(0.05)
    assert answer(connect(WHOLE)).startswith(b"HTTP/1.1 200")
    assert answer(held[0]) == b"", "the one that had waited longest made room"
    held[1].sendall(WHOLE)
    assert answer(held[1]).startswith(b"HTTP/1.1 200"), "the others go on"


def test_an_answer_on_its_way_makes_room_for_nobody(
    connect: Connect, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST", 2)
    sessions.gate.clear()
    begun = threading.Semaphore(0)
    find = sessions.find
    monkeypatch.setattr(sessions, "find", lambda session: (begun.release(), find(session))[1])
    asked = [connect(WHOLE.replace(b"/api/sessions", b"/api/sessions/one")) for _ in range(2)]
    assert all(begun.acquire(timeout=20) for _ in asked)
    assert answer(connect(WHOLE)) == b""
    sessions.gate.set()
    assert [answer(one)[:12] for one in asked] == [b"HTTP/1.1 200"] * 2


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n" + COOKIE,
        b"GET /api/sessions?q=" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n" + COOKIE,
        b"GET /api/sessions HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 5_000 + COOKIE,
    ],
    ids=["a long header", "a long address", "many headers"],
)
def test_a_request_that_is_too_long_is_refused(connect: Connect, request_: bytes) -> None:
    said = answer(connect(request_))
    assert said.split(b" ")[1] in (b"431", b"400")  # as a whole, or before it is one
    assert b"16,384 bytes" in said
    assert answer(connect(WHOLE)).startswith(b"HTTP/1.1 200")


def test_what_strangers_send_leaves_no_word_in_the_terminal(connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    upgrade = WHOLE.replace(b"Connection: close", b"Upgrade: websocket\r\nConnection: Upgrade, close")
    with caplog.at_level(logging.WARNING):
        answer(connect(b"\x00\r\n\r\n"))
        assert answer(connect(upgrade)).startswith(b"HTTP/1.1 200")
    assert caplog.text == ""


def test_a_host_that_cannot_be_listened_on_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    class Refusing(socket.socket):
        def bind(self, address: object) -> None:
            tried.append(address)
            raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(socket, "socket", Refusing)
    with pytest.raises(WaterglassError, match="another --host"):
        listen("192.0.2.1")
    assert len(tried) == 1
