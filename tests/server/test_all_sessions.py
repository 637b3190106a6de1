"""Search and statistics from the server: right as far as the index has got, which is said."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from tests.index.conftest import FIRST, SECOND
from tests.server.conftest import TestClient
from tests.transcripts import Call, Transcript, used
from waterglass.discover import Discovery, discover
from waterglass.errors import UsageError
from waterglass.index import open_store, update
from waterglass.metrics import Settings
from waterglass.server import Upkeep
from waterglass.server.answers import Busy, Few
from waterglass.server.statistics import range_of
from waterglass.server.upkeep import FIGURES, TEXTS

PATIENCE_S = 20.0


def write(projects: Path, session: str, word: str, when: str = "2026-03-02T09:00:00Z", cwd: str = "/code/shop") -> Path:
    made = Transcript(session, cwd=cwd)
    made.at(when).prompt(f"Please look for the {word}")
    call = Call("Bash", {"command": "ls"}, id="toolu_1")
    made.at("+1s").reply("Off I go.", calls=[call], message_id=f"msg_{session[:8]}", usage=used(10, 100, 1_000, 50))
    made.at("+2s").result("toolu_1", f"one {word}")
    return made.write(projects)


@pytest.fixture
def projects(tmp_path: Path, upkeep: Upkeep) -> Path:
    return tmp_path / "projects"


@pytest.fixture
def settled(client: TestClient) -> Callable[[str], dict[str, Any]]:
    """Ask again and again until the index is up to date, as the page does."""

    def ask(path: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_S
        while True:
            told: dict[str, Any] = client.get(path).json()
            if told["index"]["complete"] or time.monotonic() > end:
                assert told["index"]["complete"]
                return told
            time.sleep(0.02)

    return ask


def test_what_is_found_leads_to_its_line(projects: Path, settled: Callable[[str], dict[str, Any]]) -> None:
    write(projects, FIRST, "heron")
    told = settled("/api/search?q=heron")
    assert [(hit["part"], hit["rowId"] or hit["promptId"] is not None) for hit in told["hits"]] == [
        ("output", "toolu_1"),
        ("prompt", True),
    ]
    start, end = told["hits"][0]["matches"][0]
    assert told["hits"][0]["snippet"][start:end] == "heron"
    assert told["complete"] and told["index"]["failed"] is None


def test_the_answer_comes_at_once_and_says_that_the_index_is_still_made(
    client: TestClient, projects: Path, upkeep: Upkeep, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(projects, FIRST, "heron")
    answered = threading.Event()
    monkeypatch.setattr(upkeep, "_before", lambda discovery: [str(answered.wait(PATIENCE_S))])
    told = client.get("/api/search?q=heron").json()
    answered.set()
    assert not told["index"]["complete"]
    assert "still being brought up to date" in told["notSearched"][0]


def test_a_search_is_narrowed_by_parts_project_time_and_number(
    projects: Path, client: TestClient, settled: Callable[[str], dict[str, Any]]
) -> None:
    write(projects, FIRST, "heron")
    write(projects, SECOND, "heron", cwd="/code/web")
    assert len(settled("/api/search?q=heron")["hits"]) == 4
    for narrowed, found in (
        ("in=prompt", 2),
        ("in=prompt,output&project=WEB", 2),
        ("days=1", 0),
        ("limit=1", 1),
        ("in=reply", 0),
    ):
        assert len(client.get(f"/api/search?q=heron&{narrowed}").json()["hits"]) == found, narrowed


@pytest.mark.parametrize("query", ["in=prompt,nothing", "limit=0", "limit=x", "limit=501", "days=-1", "days=%C2%B2"])
def test_a_search_that_there_is_not_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/api/search?q=heron&{query}")
    assert answer.status_code == 400
    assert answer.json()["error"]["what"]


@pytest.mark.parametrize(
    "query", ["", "%20", '"', '""', "*", "NEAR(a b)", "a OR", "%00", "%ED%A0%80", "<script>", "x" * 5_000]
)
def test_no_query_is_an_error(client: TestClient, query: str) -> None:
    assert client.get(f"/api/search?q={query}").status_code == 200


def test_what_is_written_later_is_found_later(
    projects: Path, upkeep: Upkeep, settled: Callable[[str], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waterglass.server.upkeep._PAUSE_S", 0.0)
    monkeypatch.setattr("waterglass.server.upkeep._COST", 0.0)
    monkeypatch.setattr("waterglass.server.upkeep._FRESH_S", 0.0)
    write(projects, FIRST, "heron")
    assert settled("/api/search?q=bittern")["hits"] == []
    write(projects, SECOND, "bittern")
    end = time.monotonic() + PATIENCE_S
    while not (told := settled("/api/search?q=bittern"))["hits"] and time.monotonic() < end:
        time.sleep(0.02)
    assert {hit["session"] for hit in told["hits"]} == {SECOND}


def test_statistics_are_added_up_by_days_and_judged(
    projects: Path, client: TestClient, settled: Callable[[str], dict[str, Any]]
) -> None:
    write(projects, FIRST, "heron")
    write(projects, SECOND, "heron", "2026-03-05T09:00:00Z", "/code/web")
    told = settled("/api/stats?by=tool")
    assert (told["total"]["sessions"], told["total"]["toolCalls"], told["uncounted"]) == (2, 2, 0)
    assert [line["key"] for line in told["groups"]] == ["Bash"]
    assert [line["key"] for line in told["days"]] == ["2026-03-02", "2026-03-05"]
    assert told["projects"] == ["/code/shop", "/code/web"]
    assert [metric["id"] for metric in told["scorecard"]] == list(told["total"]["metrics"])
    for counts in told["total"]["metrics"].values():
        assert counts["waiting"] == 0
        assert sum(counts[status] for status in ("ok", "warn", "alert", "unknown", "na")) == 2
    some = client.get("/api/stats?days=2026-03-03..2026-03-05").json()
    assert (some["total"]["sessions"], some["range"]) == (1, ["2026-03-03", "2026-03-05"])
    assert client.get("/api/stats?project=/code/web").json()["total"]["toolCalls"] == 1
    assert client.get("/api/stats?project=/code").json()["total"]["sessions"] == 0


def test_what_is_not_judged_yet_is_counted_as_that(
    projects: Path, client: TestClient, settled: Callable[[str], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waterglass.stats.known.has_scores", lambda *_: False)
    write(projects, FIRST, "heron")
    told = settled("/api/stats")["total"]["metrics"]
    assert [counts["waiting"] for counts in told.values()] == [1] * 6


@pytest.mark.parametrize(
    "query", ["by=hour", "days=x", "days=0", "days=2026-03-09..2026-03-01", "days=2026-02-30..2026-03-01"]
)
def test_statistics_that_there_are_not_are_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/api/stats?{query}").status_code == 400


def test_days_end_today_and_are_as_many_as_named() -> None:
    today = date(2026, 3, 2)
    assert range_of("7", today) == (date(2026, 2, 24), today)
    assert range_of("1", today) == (today, today)
    assert range_of(None, today) == range_of("", today) == (None, None)
    with pytest.raises(UsageError):
        range_of("0001-01-01", today)


def test_without_a_folder_for_the_index_both_work_and_say_so(
    tmp_path: Path, projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(projects, FIRST, "heron")
    (tmp_path / "taken").write_text("a file where the folder would be")
    made = Upkeep(lambda: discover([str(projects)]), lambda project: Settings(), str(tmp_path / "taken"))
    try:
        for what in (TEXTS, FIGURES):
            made.want(what)
            wait_for(lambda what=what: made.state(what)["complete"])
        assert [len(made.figures().sessions), len(made.state(TEXTS)["notes"])] == [1, 2]
        assert made.read(lambda store: store.db.execute("SELECT count(*) FROM record").fetchone()) != (0,)
    finally:
        made.close()
    assert (tmp_path / "taken").read_text().startswith("a file")


def wait_for(there: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_is_asked_for_last_comes_first_and_the_other_goes_on_after_it(
    projects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        write(projects, f"1a2b{number:04d}-0000-4000-8000-000000000001", "heron")
    made = Upkeep(lambda: discover([str(projects)]), lambda project: Settings(), str(tmp_path / "cache"))
    begun, go_on = threading.Event(), threading.Event()
    show, order = made._show, []

    def slow(done: int, total: int) -> None:
        show(done, total)
        order.append(made._doing)
        if not go_on.is_set():
            begun.set()
            go_on.wait(PATIENCE_S)

    monkeypatch.setattr(made, "_show", slow)
    made.want(TEXTS)
    assert begun.wait(PATIENCE_S)
    made.want(FIGURES)
    go_on.set()
    wait_for(lambda: made.state(TEXTS)["complete"] and made.state(FIGURES)["complete"])
    made.close()
    assert order.index("figures") < len(order) - 1 - order[::-1].index("texts")
    left_and_gone_on, at_once = open_store(str(tmp_path / "cache")), open_store(str(tmp_path / "other"))
    update(at_once, discover([str(projects)]))
    rows = "SELECT offset, length FROM record ORDER BY offset, length"
    assert left_and_gone_on.db.execute(rows).fetchall() == at_once.db.execute(rows).fetchall() != []
    left_and_gone_on.close()
    at_once.close()


def test_another_process_that_writes_the_index_is_said_and_waited_for(
    projects: Path, upkeep: Upkeep, tmp_path: Path
) -> None:
    write(projects, FIRST, "heron")
    other = open_store(str(tmp_path / "cache"))
    assert other.may_write(0)
    upkeep.want(TEXTS)
    wait_for(lambda: upkeep.state(TEXTS)["failed"] is not None)
    assert "another process" in upkeep.state(TEXTS)["failed"]
    other.close()


def test_few_answer_at_once_and_too_many_are_refused() -> None:
    async def run() -> list[str]:
        few, gate, running = Few(at_once=1, waiting=1), threading.Event(), threading.Event()

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(PATIENCE_S)
            return {"type": "http.disconnect"}

        def work(stop: Callable[[], bool]) -> bytes:
            running.set()
            gate.wait(PATIENCE_S)
            return b"{}"

        request = Request({"type": "http", "method": "GET", "headers": [], "client": None}, receive)
        first, second = (asyncio.create_task(few.answer(request, work)) for _ in range(2))
        while not running.is_set():
            await asyncio.sleep(0.01)
        refused = "no"
        try:
            await few.answer(request, work)
        except Busy as busy:
            refused = str(busy.args[0])
        gate.set()
        return [refused, str((await first).status_code), str((await second).status_code)]

    assert asyncio.run(run()) == ["Too many questions at once", "200", "200"]


def test_whoever_leaves_stops_his_own_question() -> None:
    async def run() -> bool:
        few, begun, stopped = Few(), threading.Event(), threading.Event()

        async def receive() -> dict[str, Any]:
            while not begun.is_set():
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        def work(stop: Callable[[], bool]) -> bytes:
            begun.set()
            end = time.monotonic() + PATIENCE_S
            while not stop() and time.monotonic() < end:
                time.sleep(0.01)
            if stop():
                stopped.set()
            return b"{}"

        await few.answer(Request({"type": "http", "method": "GET", "headers": [], "client": None}, receive), work)
        return stopped.is_set()

    assert asyncio.run(run())


def test_texts_are_kept_before_the_index_forgets_those_that_are_deleted(projects: Path, tmp_path: Path) -> None:
    path = write(projects, FIRST, "heron")
    seen: list[tuple[int, int]] = []

    def keep(discovery: Discovery) -> list[str]:
        (records,) = made.read(lambda store: store.db.execute("SELECT count(*) FROM record").fetchone())
        seen.append((len(discovery.sessions), records))
        return ["one was not kept"]

    made = Upkeep(lambda: discover([str(projects)]), lambda project: Settings(), str(tmp_path / "cache"), keep)
    for _ in range(2):
        made.want(TEXTS)
        wait_for(lambda: made.state(TEXTS)["complete"])
        made._due.clear()
        made._found = None
        path.unlink(missing_ok=True)
    assert seen == [(1, 0), (0, 4)]
    assert made.state(TEXTS)["notes"] == ["one was not kept"]
    made.close()
