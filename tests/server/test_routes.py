"""What is answered: files from memory, ids looked up, sessions read once."""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path

import pytest

from tests.server.conftest import Sessions, TestClient
from waterglass.page.served import FIRST_LIST


def test_the_page_and_its_files_are_served_with_fixed_types(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert '<script type="module" src="/static/page.js">' in page.text
    assert client.get("/static/page.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/static/page.css").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../etc/passwd",
        "/static/..%2f..%2fetc%2fpasswd",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static/%252e%252e%252fetc%252fpasswd",
        "/static/..\\..\\etc\\passwd",
        "/static//etc/passwd",
        "/static/page.js%00.css",
        "/static/page.js/",
        "/static/",
        "//evil.example/x",
        "//evil.example/%2e%2e",
        "/api/sessions/..%2f..%2fsecret",
        "/api/sessions/one/../../../etc/passwd",
        "/api/sessions/%2e%2e/rows/x",
        "/api",
        "/index.html",
    ],
)
def test_no_path_leads_out_of_what_is_served(client: TestClient, path: str) -> None:
    answer = client.request("GET", "http://127.0.0.1:8765" + path)
    assert answer.status_code == 404
    assert "location" not in answer.headers


def test_a_session_opens_by_its_address_before_the_folders_are_looked_through(
    client: TestClient, sessions: Sessions
) -> None:
    sessions.unfound.add("one")
    assert client.get("/api/sessions/one").status_code == 200


def test_a_session_opens_while_the_list_is_still_being_counted(client: TestClient) -> None:
    assert client.get("/api/sessions").json()["complete"] is False
    assert client.get("/api/sessions/one").status_code == 200


def test_a_session_is_answered_with_its_table(client: TestClient) -> None:
    answer = client.get("/api/sessions/one")
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert told.pop("event").endswith(".0")
    assert told == {"payload": 1, "table": {"count": 1}, "asked": True}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("rows/toolu_1", {"id": "toolu_1", "input": {}}),
        ("rows/a%2Fb%232", {"id": "a/b#2", "input": {}}),
        ("rows/..%2Fx", {"id": "../x", "input": {}}),
        ("replies/msg_1", {"id": "msg_1", "text": "whole"}),
        ("prompts/u-1", {"uuid": "u-1", "text": "whole"}),
    ],
)
def test_a_body_is_found_by_any_id(client: TestClient, path: str, found: dict[str, object]) -> None:
    assert client.get(f"/api/sessions/one/{path}").json() == found


@pytest.mark.parametrize("path", ["nope", "one/rows/nope", "one/replies/nope", "one/prompts/nope", "nope/rows/toolu_1"])
def test_an_unknown_id_is_said_to_be_unknown(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/sessions/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["what"]


def test_a_session_that_cannot_be_read_says_why(client: TestClient) -> None:
    answer = client.get("/api/sessions/gone")
    assert answer.status_code == 409
    assert answer.json() == {"error": {"what": "cannot read the transcript", "hint": "check that it is there"}}


def test_a_failure_tells_its_place_and_nothing_of_the_transcript(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = client.get("/api/sessions/broken")
    assert answer.status_code == 500
    assert "what a transcript holds" not in answer.text + caplog.text
    assert "ValueError at " in caplog.text


def test_the_list_is_asked_for_what_is_new(client: TestClient, sessions: Sessions) -> None:
    for query in ("", "?after=3", "?after=x", "?after=-1", "?after=99999999999999999999"):
        assert client.get(f"/api/sessions{query}").status_code == 200
    assert sessions.asked == [None, 3, None, None, None]


def test_the_newest_sessions_can_be_had_before_the_rest(client: TestClient, sessions: Sessions) -> None:
    sessions.listed = [{"id": name} for name in ("one", "two", "three")]
    newest = client.get("/api/sessions?first=2").json()
    assert [one["id"] for one in newest["sessions"]] == ["one", "two"]
    assert (newest["revision"], newest["complete"], newest["partial"]) == (None, False, True)
    assert client.get("/api/sessions?first=4").json() == client.get("/api/sessions").json()
    assert client.get("/api/sessions?first=-1").json() == client.get("/api/sessions?first=٣").json()


def test_the_start_page_alone_asks_for_the_list_ahead(client: TestClient) -> None:
    assert f'href="{FIRST_LIST}"' in client.get("/").text
    assert "preload" not in client.get("/?s=one").text


def test_a_session_is_read_once_until_its_files_change(client: TestClient, sessions: Sessions) -> None:
    for path in ("one", "one/rows/toolu_1", "one"):
        client.get(f"/api/sessions/{path}")
    assert sessions.reads == ["one"]
    with (sessions.folder / "one.jsonl").open("a") as stream:
        stream.write("{}\n")
    client.get("/api/sessions/one")
    assert sessions.reads == ["one", "one"]


def test_two_who_ask_at_once_read_a_session_once_and_hold_up_nobody_else(
    client: TestClient, sessions: Sessions
) -> None:
    sessions.gate.clear()
    codes: list[int] = []
    askers = [threading.Thread(target=lambda: codes.append(client.get("/api/sessions/one").status_code)) for _ in "ab"]
    for asker in askers:
        asker.start()
    assert client.get("/api/sessions").status_code == 200  # while both wait
    assert codes == []
    sessions.gate.set()
    for asker in askers:
        asker.join(10)
    assert codes == [200, 200]
    assert sessions.reads == ["one"]


def test_the_newest_session_is_read_while_the_list_is_looked_at(client: TestClient, sessions: Sessions) -> None:
    sessions.listed.append({"id": "one"})
    client.get("/api/sessions")
    deadline = time.monotonic() + 10
    while not sessions.reads and time.monotonic() < deadline:
        time.sleep(0.01)
    client.get("/api/sessions")
    client.get("/api/sessions/one")
    assert sessions.reads == ["one"]


def test_a_session_whose_file_is_gone_is_still_answered_from_memory_or_said(
    client: TestClient, sessions: Sessions
) -> None:
    client.get("/api/sessions/one")
    os.unlink(Path(sessions.folder) / "one.jsonl")
    assert client.get("/api/sessions/one").status_code == 200
