"""A file that is dropped on the page: who may send one, what is taken, where it goes, and that it goes away."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import CODE, PORT, Sessions, TestClient
from tests.transcripts import Call, Transcript
from waterglass.server import make_app
from waterglass.server.access import DROPPED, Access
from waterglass.server.app import App
from waterglass.server.dropped import KEPT, Dropped
from waterglass.session import Session, load

OWN = f"http://127.0.0.1:{PORT}"
PAGE = {"origin": OWN, "x-waterglass": "drop"}
MOST = 50_000


def transcript(session: str = "5e550001-0000-4000-8000-000000000001", text: str = "Mend the weir") -> bytes:
    """A short session as the bytes of its file."""
    t = Transcript(session)
    t.prompt(text)
    t.reply("I look.", [Call("Bash", {"command": "ls"}, id="toolu_1")])
    t.result("toolu_1", "weir.py")
    return t.content()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def app(sessions: Sessions, temporary: Path) -> Iterator[App]:
    def read(ref: Any, before: Session | None) -> Any:
        return load(ref, in_sight=[], growing=True, before=before) if hasattr(ref, "root") else sessions.load(ref)

    made = make_app(sessions, read, Access(CODE, PORT), dropped=Dropped(MOST))
    yield made
    made.close()


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A client with the cookie of this run."""
    client = TestClient(app, base_url=OWN, follow_redirects=False)
    client.get(f"/?code={CODE}")
    yield client
    client.close()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_dropped_file_is_a_session_of_its_own_and_none_of_the_list(client: TestClient) -> None:
    answer = client.post(DROPPED, content=transcript(), headers=PAGE)
    assert (answer.status_code, answer.headers["content-type"]) == (201, "application/json")
    session = answer.json()["id"]
    told = client.get(f"/api/sessions/{session}").json()
    assert (told["session"]["id"], told["prompts"][0]["text"]) == (session, "Mend the weir")
    assert client.get(f"/api/sessions/{session}/rows/toolu_1").json()["output"] == "weir.py"
    assert client.get(f"/api/sessions/{session}/find?q=WEIR.py").json()["found"] == [["toolu_1"]]
    assert client.get("/api/sessions").json()["sessions"] == []


def test_the_same_file_twice_is_two_sessions(client: TestClient) -> None:
    first, second = (client.post(DROPPED, content=transcript(), headers=PAGE).json()["id"] for _ in "ab")
    assert first != second
    assert [client.get(f"/api/sessions/{one}").status_code for one in (first, second)] == [200, 200]


def test_it_lies_where_nobody_else_can_look_and_goes_with_the_server(
    app: App, client: TestClient, temporary: Path
) -> None:
    client.post(DROPPED, content=transcript(), headers=PAGE)
    [path] = files(temporary)
    assert path.read_bytes() == transcript()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in list(path.parents)[:2]} == {0o700}
    app.close()
    assert list(temporary.iterdir()) == []


def test_the_oldest_goes_when_there_are_many(client: TestClient, temporary: Path) -> None:
    ids = [client.post(DROPPED, content=transcript(), headers=PAGE).json()["id"] for _ in range(KEPT + 2)]
    assert len(files(temporary)) == KEPT
    assert [client.get(f"/api/sessions/{one}").status_code for one in ids] == [404, 404, *[200] * KEPT]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "The file is empty"),
        (b"hello\n", "No conversation is in this file"),
        (b"{}\n", "No conversation is in this file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "No conversation is in this file"),
        (b'{"type":"user"' * 500, "No conversation is in this file"),
        (b"[" * 40_000, "No conversation is in this file"),
        (b"x" * (MOST + 1), "The file is too large"),
    ],
)
def test_what_is_no_session_is_refused_with_the_reason_and_not_kept(
    client: TestClient, temporary: Path, content: bytes, what: str
) -> None:
    answer = client.post(DROPPED, content=content, headers=PAGE)
    assert (answer.status_code, answer.json()["error"]["what"]) == (400, what)
    assert files(temporary) == []


def test_a_file_that_hides_its_length_is_counted_as_it_comes(client: TestClient, temporary: Path) -> None:
    taken: list[int] = []

    def pieces() -> Iterator[bytes]:
        for n in range(1_000):
            taken.append(n)
            yield b"x" * 1_000

    answer = client.post(DROPPED, content=pieces(), headers=PAGE)
    assert (answer.status_code, answer.json()["error"]["what"]) == (400, "The file is too large")
    assert files(temporary) == []


def test_damaged_lines_of_a_session_are_counted_and_the_rest_is_shown(client: TestClient) -> None:
    answer = client.post(DROPPED, content=b'{"torn\n' + transcript(), headers=PAGE)
    told = client.get(f"/api/sessions/{answer.json()['id']}").json()
    assert told["coverage"]["skippedLines"] == 1 and told["table"]["count"] == 1


MATRIX = [
    # origin, our header, cookie, status
    (OWN, "drop", True, 201),
    (OWN, "drop", False, 401),
    (OWN, None, True, 403),
    (OWN, "", True, 403),
    (OWN, "x", True, 403),
    (None, "drop", True, 403),
    ("null", "drop", True, 403),
    ("http://evil.example", "drop", True, 403),
    (f"http://localhost:{PORT}", "drop", True, 403),
    (f"http://127.0.0.1:{PORT + 1}", "drop", True, 403),
    (f"https://127.0.0.1:{PORT}", "drop", True, 403),
]


@pytest.mark.parametrize(("origin", "own", "cookie", "status"), MATRIX)
def test_only_the_page_itself_may_send_a_file(
    app: App, temporary: Path, origin: str | None, own: str | None, cookie: bool, status: int
) -> None:
    headers = {"origin": origin, "x-waterglass": own, "cookie": f"waterglass-{PORT}={CODE}" if cookie else None}
    client = TestClient(app, base_url=OWN)
    given = {name: value for name, value in headers.items() if value is not None}
    answer = client.post(DROPPED, content=transcript(), headers=given)
    client.close()
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers
    assert len(files(temporary)) == (status == 201)


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_a_form_of_another_page_sends_nothing(client: TestClient, temporary: Path, kind: str) -> None:
    answer = client.post(DROPPED, content=transcript(), headers={"origin": "http://evil.example", "content-type": kind})
    assert answer.status_code == 403 and files(temporary) == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_no_other_method_does_anything(client: TestClient, method: str) -> None:
    assert client.request(method, DROPPED, headers=PAGE).status_code == 405


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_there_is_nothing_to_get(client: TestClient, method: str) -> None:
    assert client.request(method, DROPPED, headers=PAGE).status_code == 404


@pytest.mark.parametrize(
    "path", ["/", "/api/sessions", "/api/sessions/one", DROPPED + "/", DROPPED + "/x", "/API/dropped"]
)
def test_no_other_path_takes_anything(client: TestClient, path: str) -> None:
    assert client.post(path, content=transcript(), headers=PAGE).status_code == 405


def test_a_host_that_is_not_ours_sends_nothing(client: TestClient, temporary: Path) -> None:
    headers = {**PAGE, "host": "evil.example", "origin": "http://evil.example"}
    assert client.post(DROPPED, content=transcript(), headers=headers).status_code == 403
    assert files(temporary) == []


def test_a_full_disk_is_said_and_leaves_nothing(
    client: TestClient, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, mode: int = 0o777) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "mkdir", full)
    answer = client.post(DROPPED, content=transcript(), headers=PAGE)
    assert (answer.status_code, answer.json()["error"]["what"]) == (
        409,
        "The file could not be kept (No space left on device)",
    )
    assert files(temporary) == []


def test_the_page_names_the_same_limit() -> None:
    from importlib.resources import files as of_package

    from waterglass.server.dropped import MOST_BYTES

    text = (of_package("waterglass") / "web" / "dropped.js").read_text(encoding="utf-8")
    assert f"const MOST_MB = {MOST_BYTES >> 20};" in text
