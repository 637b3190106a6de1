"""Who gets an answer: by host, origin, method and code."""

from __future__ import annotations

import pytest

from tests.server.conftest import CODE, PORT, TestClient
from waterglass.server.access import Access

ROUTES = [
    "/",
    "/api/sessions",
    "/api/sessions/one",
    "/api/sessions/one/rows/toolu_1",
    "/api/search?q=apple",
    "/api/stats",
    "/static/page.js",
    "/nowhere",
]
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@pytest.mark.parametrize("route", ROUTES)
def test_without_the_code_every_route_answers_401_whether_it_is_there_or_not(stranger: TestClient, route: str) -> None:
    assert stranger.get(route).status_code == 401


def test_the_page_of_a_stranger_says_where_the_address_is_printed(stranger: TestClient) -> None:
    answer = stranger.get("/")
    assert answer.headers["content-type"].startswith("text/html")
    assert "waterglass serve" in answer.text


def test_the_code_becomes_a_cookie_and_leaves_the_address(stranger: TestClient) -> None:
    answer = stranger.get(f"/?code={CODE}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"waterglass-{PORT}=")
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert stranger.get("/api/sessions").status_code == 200


def test_the_address_opens_as_often_as_it_is_used(stranger: TestClient) -> None:
    assert [stranger.get(f"/?code={CODE}").status_code for _ in range(3)] == [303, 303, 303]


@pytest.mark.parametrize("code", ["", "wrong", CODE[:-1], CODE + "x", "é", "%00"])
def test_a_wrong_code_opens_nothing(stranger: TestClient, code: str) -> None:
    answer = stranger.get(f"/?code={code}")
    assert answer.status_code == 401 and "set-cookie" not in answer.headers


def test_the_code_opens_the_start_page_alone(stranger: TestClient) -> None:
    assert stranger.get(f"/api/sessions?code={CODE}").status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:1", 200),
        ("LOCALHOST:8765", 200),
        ("127.0.0.1:9", 200),
        ("[::1]:8765", 200),
        ("box.example:80", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("localhost@evil.example", 403),
        ("127.0.0.1.nip.io", 403),
        ("localhost.", 403),
        ("0.0.0.0:8765", 403),
        ("127.1", 403),
        ("[::]", 403),
        ("", 403),
        ("localhost:8765/x", 403),
        ("localhost:x", 403),
    ],
)
def test_only_names_of_our_own_are_answered(client: TestClient, host: str, status: int) -> None:
    cookie = {"cookie": f"waterglass-{PORT}={CODE}"}
    assert client.get("/api/sessions", headers={"host": host, **cookie}).status_code == status


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8765", "http://127.0.0.1:8765", 200),
        ("box.example", "https://box.example", 200),
        ("127.0.0.1:8765", "https://127.0.0.1:8765", 403),
        ("127.0.0.1:8765", "http://127.0.0.1:8766", 403),
        ("127.0.0.1:8765", "http://localhost:8765", 403),
        ("127.0.0.1:8765", "http://evil.example", 403),
        ("127.0.0.1:8765", "null", 403),
        ("127.0.0.1:8765", "", 403),
    ],
)
def test_an_origin_that_is_sent_must_be_our_own(client: TestClient, host: str, origin: str, status: int) -> None:
    headers = {"host": host, "origin": origin, "cookie": f"waterglass-{PORT}={CODE}"}
    answer = client.get("/api/sessions", headers=headers)
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("route", ["/", "/api/sessions", "/static/page.js"])
def test_nothing_can_be_changed(client: TestClient, method: str, route: str) -> None:
    assert client.request(method, route).status_code == 405


@pytest.mark.parametrize("route", ROUTES)
def test_head_answers_as_get_without_a_body(client: TestClient, route: str) -> None:
    answer = client.head(route)
    assert answer.status_code == client.get(route).status_code
    assert answer.content == b""


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("route", [*ROUTES, "/api/sessions/nope", "/api/sessions/broken"])
def test_every_answer_carries_the_headers(stranger: TestClient, route: str, known: bool) -> None:
    if known:
        stranger.get(f"/?code={CODE}")
    answer = stranger.get(route)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    policy = answer.headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"):
        assert part in policy.split("; ")


def test_the_cookie_of_another_run_opens_nothing() -> None:
    access = Access("a" * 24, 8766)
    assert access.cookie == "waterglass-8766"
    assert access.is_code("a" * 24) and not access.is_code("b" * 24)
