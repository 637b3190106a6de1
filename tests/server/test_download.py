"""The report of a session for the browser to keep, and texts that are found in a session: both over HTTP."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import CODE, PORT, TestClient
from tests.transcripts import Call, Transcript
from waterglass.discover import SessionRef
from waterglass.discover.find import beside
from waterglass.server import make_app
from waterglass.server.access import Access
from waterglass.session import Session, load

ID = "5e550001-0000-4000-8000-000000000001"
ONE = f"/api/sessions/{ID}"
# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81" * 9


@dataclass
class One:
    """A list of one session."""

    ref: SessionRef

    def snapshot(self, after: int | None = None, first: int | None = None) -> dict[str, Any]:
        return {"revision": 1, "complete": True, "sessions": []}

    def find(self, session: str) -> SessionRef | None:
        return self.ref if session == ID else None

    def wait(self, *, timeout: float) -> bool:
        return True


class Gate(threading.Event):
    """Holds reading up while it is cleared; says when somebody has come to it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = threading.Event()
        self.set()


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def client(tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    t = Transcript(ID)
    t.prompt(f"Use </script><script>alert(1)</script> and {SECRET}")
    t.reply("I look.", [Call("Bash", {"command": "ls weir"}, id="toolu_1")])
    t.result("toolu_1", f"weir.py {SECRET}")
    t.reply("And on.", [Call("Read", {"file_path": "/code/gate.py"}, id="toolu_2")])
    t.result("toolu_2", "def gate():")
    one = One(beside(str(t.write(tmp_path / "projects"))))

    def read(ref: Any, before: Session | None) -> Any:
        gate.reached.set()
        assert gate.wait(20)
        return load(ref, in_sight=[], growing=True, before=before)

    app = make_app(one, read, Access(CODE, PORT))
    client = TestClient(app, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)
    client.get(f"/?code={CODE}")
    yield client
    client.close()
    app.close()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_report_is_an_attachment_that_no_browser_shows_or_runs(client: TestClient) -> None:
    answer = client.get(ONE + "/report")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    assert re.fullmatch(r'attachment; filename="waterglass-[a-z0-9-]+\.html"', answer.headers["content-disposition"])
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert answer.text.startswith("<!doctype html>") and answer.text.rstrip().endswith("</html>")


def level_of(report: str) -> Any:
    """What a report says of its own redaction."""
    from tests.report.test_report import blocks

    return blocks(report)["wg-head"]["report"]["redaction"]["level"]


def test_secrets_are_hidden_unless_something_else_is_asked_for(client: TestClient) -> None:
    from tests.report.test_report import blocks

    assert level_of(client.get(ONE + "/report").text) == "secrets"
    for level, shown in (("secrets", False), ("paths", False), ("structure", False), ("off", True)):
        told = client.get(f"{ONE}/report?redact={level}")
        assert level_of(told.text) == level
        assert (SECRET in str(blocks(told.text))) is shown
        assert SECRET not in str(told.headers)


@pytest.mark.parametrize("level", ["", "SECRETS", "none", "off%00", "secrets,off"])
def test_a_level_that_is_not_there_is_refused(client: TestClient, level: str) -> None:
    answer = client.get(f"{ONE}/report?redact={level}")
    assert (answer.status_code, answer.json()["error"]["what"]) == (400, "No such level of redaction")


def test_who_only_asks_for_the_headers_has_no_report_made(client: TestClient, gate: Gate) -> None:
    gate.clear()
    assert client.head(ONE + "/report").status_code == 200


def test_an_unknown_session_has_no_report_and_a_stranger_gets_none(client: TestClient) -> None:
    assert client.get("/api/sessions/nope/report").status_code == 404
    client.cookies.clear()
    assert client.get(ONE + "/report").status_code == 401


def test_one_report_is_made_at_a_time(client: TestClient, gate: Gate) -> None:
    gate.clear()
    codes: list[int] = []
    first = threading.Thread(target=lambda: codes.append(client.get(ONE + "/report").status_code))
    first.start()
    assert gate.reached.wait(20)
    answer = client.get(ONE + "/report")
    assert (answer.status_code, answer.json()["error"]["what"]) == (503, "Another report is being made")
    gate.set()
    first.join(30)
    assert codes == [200]


def test_texts_are_found_by_the_ids_of_their_rows(client: TestClient) -> None:
    told = client.get(ONE + "/find", params={"q": ["WEIR", "gate", "absent"]}).json()
    assert told == {
        "found": [["toolu_1"], ["toolu_2"], []],
        "searched": 2,
        "unread": 0,
        "next": None,
    }


def test_looking_goes_on_from_a_row(client: TestClient) -> None:
    told = client.get(ONE + "/find", params={"q": "e", "from": "toolu_1"}).json()
    assert (told["found"], told["searched"]) == ([["toolu_1"]], 1)


@pytest.mark.parametrize("query", ["", "?q=", "?from=x", "?q=%00", "?q=%ff", "?q=" + "x" * 2_000, "?" + "q=a&" * 16])
def test_an_odd_question_is_answered_all_the_same(client: TestClient, query: str) -> None:
    told = client.get(ONE + "/find" + query)
    assert told.status_code == 200 and told.json()["next"] is None


@pytest.mark.parametrize("query", ["?q=" + "x" * 2_001, "?" + "q=a&" * 17])
def test_a_text_is_never_cut_to_be_found_sooner(client: TestClient, query: str) -> None:
    answer = client.get(ONE + "/find" + query)
    assert (answer.status_code, answer.json()["error"]["what"]) == (400, "Too much to look for")
