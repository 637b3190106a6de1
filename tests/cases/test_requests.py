"""Requests to the running program that a strange page or a strange path would make."""

from __future__ import annotations

import http.client
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cases.conftest import ONE
from tests.transcripts import Transcript

SECRET = "what lies outside of the projects folder"


@pytest.fixture
def address(root: Path, serve: Callable[[], str]) -> str:
    t = Transcript(ONE)
    t.prompt("Hello")
    t.write(root)
    (root.parent / "secret.txt").write_text(SECRET)
    (root.parent / "secret.jsonl").write_text(SECRET)
    return serve()


def cookie_of(address: str) -> str:
    """The cookie that the printed address gives."""
    url = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", url.port, timeout=20)
    try:
        connection.request("GET", f"/?{url.query}")
        return connection.getresponse().headers["Set-Cookie"].partition(";")[0]
    finally:
        connection.close()


def asked(address: str, path: str, host: str | None = "", version: str = "1.1", **headers: str) -> tuple[int, str]:
    """Status and whole answer to one request as it stands; `host` None sends none."""
    port = urlsplit(address).port
    lines = [f"GET {path} HTTP/{version}", f"Cookie: {cookie_of(address)}", "Connection: close"]
    if host is not None:
        lines.append(f"Host: {host or f'127.0.0.1:{port}'}")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b"")).decode("utf-8", "replace")
    status = re.match(r"HTTP/1\.\d (\d+)", answer)
    assert status, answer[:200]
    return int(status[1]), answer


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "[::1]:{}", "LOCALHOST:{}"])
def test_our_own_names_are_answered(address: str, host: str) -> None:
    assert asked(address, "/", host.format(urlsplit(address).port))[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example:{}", "127.0.0.1.evil.example", "localhost.evil.example:{}", "127.0.0.1@evil.example", "."]
)
def test_no_other_name_is_answered_with_the_cookie_too(address: str, host: str) -> None:
    status, answer = asked(address, "/api/sessions", host.format(urlsplit(address).port))
    assert status in (400, 403, 421)
    assert ONE not in answer


def test_a_request_without_a_host_is_refused(address: str) -> None:
    for version in ("1.0", "1.1"):
        status, answer = asked(address, "/api/sessions", None, version)
        assert status in (400, 403)
        assert ONE not in answer


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"])
def test_a_page_of_another_origin_gets_nothing_and_no_leave_to_read(address: str, origin: str) -> None:
    status, answer = asked(address, "/api/sessions", Origin=origin)
    assert status == 403
    assert "access-control-allow-origin" not in answer.lower() and ONE not in answer


@pytest.mark.parametrize(
    "path",
    [
        "/api/sessions/..%2f..%2fsecret.txt",
        "/api/sessions/..%2fsecret",
        "/api/sessions/%2e%2e/%2e%2e/secret.txt",
        "/api/sessions/..\\..\\secret.txt",
        "/api/sessions/%00",
        f"/api/sessions/{ONE}%00",
        f"/api/sessions/{ONE}/rows/..%2f..%2fsecret.txt",
        f"/api/sessions/{ONE}/../../secret.txt",
        "/static/..%2f..%2fsecret.txt",
        "/static/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "//secret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/etc/hostname",
    ],
)
def test_no_path_leads_out_of_what_was_found(address: str, path: str) -> None:
    status, answer = asked(address, path)
    assert status in (301, 400, 403, 404)
    assert SECRET not in answer and "Traceback" not in answer


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="this system does not list its open ports in /proc")
def test_it_listens_on_loopback_alone(address: str) -> None:
    port = f":{urlsplit(address).port:04X}"
    listening = "0A"
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if os.path.exists(table):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            found += [row[1] for row in rows if row[1].endswith(port) and row[3] == listening]
    assert found == [f"0100007F{port}"]
