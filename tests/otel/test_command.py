"""`--otel` on the command line: what it says, where it fails, and what a report tells of the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.compare.test_compare_file import unpacked
from tests.conftest import RunWaterglass
from tests.core.told import OTHER, SESSION, called, started
from tests.otel.conftest import Recorder
from tests.otel.test_ledger import one_call
from waterglass.redact import Redactor
from waterglass.session import load


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The telemetry of a session that lies below `projects`."""
    t, recorder = one_call()
    t.write(tmp_path / "projects")
    return recorder.call("c1", 1, 61, wait=(1.5, 41.5), ran=(41.6, 60.9)).write(tmp_path / "telemetry.jsonl")


def test_show_takes_several_files_and_prints_one_document(
    file: str, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    (tmp_path / "logs.jsonl").write_text('{"resourceLogs":[]}\n')
    done = run_waterglass("show", "c0fe", "--root", "projects", "--json", "--otel", file, "--otel", "logs.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert [Path(one["path"]).name for one in document["telemetry"]["files"]] == ["telemetry.jsonl", "logs.jsonl"]
    assert document["rows"][0]["permissionMs"] == 40_000 and document["time"]["toolBound"] == "exact"


@pytest.mark.parametrize(
    "command", [("show", "c0fe"), ("report", "c0fe"), ("serve", "--no-open"), ("compare", "c0fe", "c0fe")]
)
@pytest.mark.parametrize(("text", "said"), [(None, "cannot read the telemetry"), ("no\n", "no OTLP/JSON in this file")])
def test_a_file_that_cannot_be_read_is_said_in_one_line(
    file: str, tmp_path: Path, run_waterglass: RunWaterglass, command: tuple[str, ...], text: str | None, said: str
) -> None:
    assert file
    if text is not None:
        (tmp_path / "odd.jsonl").write_text(text)
    done = run_waterglass(*command, "--root", "projects", "--otel", "odd.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1 and said in done.stderr and "odd.jsonl" in done.stderr


def test_a_report_carries_it(file: str, tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("report", "c0fe", "--root", "projects", "--otel", file, "-o", "r.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "r.html").stat().st_size > 100_000


def test_the_places_of_the_files_are_hidden_where_places_are(file: str, tmp_path: Path) -> None:
    home = Path("/home/mira/deep/telemetry.jsonl")
    document = load("c0fe", tmp_path / "projects", otel=file).head()
    document["telemetry"]["files"][0]["path"] = str(home)
    for level, kept in (("secrets", True), ("paths", False), ("structure", False)):
        hidden = Redactor(level).value(document)  # type: ignore[arg-type]
        shown = hidden["telemetry"]
        assert hidden["time"]["permissionBound"] == "exact"
        assert ("mira" in shown["files"][0]["path"]) == kept
        assert shown["waitMs"] == {"user": 40_000}


def test_a_comparison_tells_waits_from_tools_and_says_where_it_cannot(
    file: str, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    other = started(session_id=OTHER)
    called(other, "c2")
    other.at("+80s").result("c2", "x")
    other.write(tmp_path / "projects")
    asked = ("compare", SESSION, OTHER, "--root", "projects", "--json")
    plain = json.loads(run_waterglass(*asked).stdout)["time"]
    assert {"permissionMs", "toolOnlyMs"}.isdisjoint(one["name"] for one in plain)

    done = run_waterglass(*asked, "--otel", file)
    assert (done.returncode, done.stderr) == (0, "")
    figures = {one["name"]: one for one in json.loads(done.stdout)["time"]}
    assert figures["toolMs"]["values"] == [60_000, 80_000]
    assert figures["permissionMs"]["values"] == [40_000, 0] and figures["toolOnlyMs"]["values"] == [20_000, 80_000]
    assert figures["toolOnlyMs"]["bounds"] == ["exact", "at_least"]
    assert figures["toolOnlyMs"]["deltas"] == [{"value": 60_000, "direction": None}]
    assert figures["toolOnlyMs"]["label"] == "tools without it, about"

    recorder = Recorder(other, session=OTHER, _count=100)  # spans of two files have ids of their own
    recorder.start -= 81_000
    more = recorder.call("c2", 1, 81, wait=(1.5, 11.5), ran=(11.6, 80.9)).write(tmp_path / "more.jsonl")
    figures = {
        one["name"]: one for one in json.loads(run_waterglass(*asked, "--otel", file, "--otel", more).stdout)["time"]
    }
    assert figures["permissionMs"]["deltas"] == [{"value": -30_000, "direction": None}]
    assert figures["toolOnlyMs"]["deltas"] == [{"value": 50_000, "direction": "worse"}]
    assert figures["toolOnlyMs"]["label"] == "tools without it"
    shown = run_waterglass("compare", SESSION, OTHER, "--root", "projects", "--otel", file, "--otel", more).stdout
    assert "of tools, permission" in shown and "tools without it" in shown and "1m 10s" in shown


def test_a_file_of_a_comparison_draws_the_waits_and_names_no_place(
    file: str, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    done = run_waterglass("compare", "c0fe", "c0fe", "--root", "projects", "--otel", file, "-o", "c.html")
    assert done.returncode == 0, done.stderr
    data = unpacked((tmp_path / "c.html").read_text(encoding="utf-8"))
    assert data["payloads"][0]["table"]["columns"]["permissionMs"] == [40_000]
    assert [one["values"] for one in data["comparison"]["time"] if one["name"] == "permissionMs"] == [[40_000, 40_000]]
    assert "telemetry.jsonl" not in json.dumps(data)


@pytest.mark.parametrize(("command", "why"), [("check", "no metric is one"), ("tail", "before its telemetry")])
def test_who_has_no_telemetry_says_why(command: str, why: str, run_waterglass: RunWaterglass) -> None:
    help_text = " ".join(run_waterglass(command, "--help").stdout.split())
    assert "There is no --otel: " in help_text and why in help_text
