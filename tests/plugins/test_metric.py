"""A metric of another package: measured like the six, held to its form, and never able to break the card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.library.test_json_schema import PAYLOAD, faults
from tests.plugins.conftest import COUNTS, METRIC, Installed
from tests.transcripts import Call, Transcript
from waterglass.metrics import METRICS, Settings
from waterglass.payload import encode
from waterglass.plugins import metrics
from waterglass.session import Session, load

SESSION = "5e551044-0000-4000-8000-00000000000d"
SECRET = "a word that stands in the transcript alone"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    t = Transcript(SESSION)
    t.prompt(SECRET)
    t.at("+3s").reply(
        text="Looking.", calls=[Call("Bash", {"command": "ls"}, "c1"), Call("Bash", {"command": "pwd"}, "c2")]
    )
    t.at("+1s").result("c1", "a\nb")
    t.result("c2", "/code")
    t.at("+1s").reply(text="Done.")
    t.write(tmp_path / "projects")
    return load(SESSION, [str(tmp_path / "projects")])


def further(session: Session) -> list[dict[str, Any]]:
    """The metrics beyond the six, which are there as always."""
    assert [metric["id"] for metric in session.metrics[:6]] == [metric.id for metric in METRICS]
    return session.metrics[6:]


def only(session: Session) -> dict[str, Any]:
    (metric,) = further(session)
    return metric


def measured(install: Installed, session: Session, body: str) -> dict[str, Any]:
    install("demo", METRIC.format(body=body), metrics={"demo": "METRIC"})
    return only(session)


def cannot_tell(metric: dict[str, Any], reason: str) -> None:
    assert (metric["status"], metric["value"], metric["display"]) == ("unknown", None, "cannot be told")
    assert metric["notes"] == [reason]
    assert SECRET not in json.dumps(metric)


def test_it_stands_after_the_six_in_the_form_of_the_payload(install: Installed, session: Session) -> None:
    metric = measured(install, session, COUNTS)
    assert (metric["id"], metric["status"], metric["value"], metric["display"]) == ("demo", "ok", 2, "2 calls")
    assert (metric["label"], metric["unit"], metric["better"]) == ("Calls", "calls", "lower")
    document = session.payload()
    assert document["metrics"][6] == metric
    assert faults(PAYLOAD, json.loads(encode(document))) == []


def test_it_sees_rows_texts_events_and_settings(install: Installed, session: Session) -> None:
    body = """
    first = session.rows[0]
    said = [session.text_of(reply["id"]) for reply in session.payload["replies"]]
    told = [session.input_of(first["id"]), session.output_of(first["id"]), said, session.settings.threshold]
    assert session.payload["metrics"] is None and len(session.events) > 5
    assert (session.input_of("no"), session.output_of("no"), session.text_of("no")) == (None, "", "")
    return Finding("ok", 1, "seen", detail={"told": told}, evidence=[Evidence(row_id=first["id"], why="first")])
    """
    session.settings = Settings(threshold=7)
    metric = measured(install, session, body.strip())
    assert metric["detail"] == {"told": [{"command": "ls"}, "a\nb", ["Looking.", "Done."], 7]}
    assert metric["evidence"] == [{"eventId": None, "rowId": "c1", "replyId": None, "why": "first"}]


def test_what_it_changes_in_its_copies_is_seen_by_nobody_else(install: Installed, session: Session) -> None:
    session.settings = Settings(plugins=False)
    before = session.payload()
    session.settings = None
    body = "session.rows.clear(); session.payload.clear(); return Finding('ok', 0, 'x')"
    install("one", METRIC.format(body=body), metrics={"a": "METRIC"})
    install("two", METRIC.format(body=COUNTS), metrics={"b": "METRIC"})
    after = session.payload()
    assert [metric["value"] for metric in after["metrics"][6:]] == [0, 2]
    assert {**after, "metrics": after["metrics"][:6]} == before


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("raise ValueError(session.payload['prompts'][0]['text'])", "ValueError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("return session.nothing", "AttributeError"),
        ("return measure(session)", "RecursionError"),
        ("return 1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_it_raises_is_named_by_its_kind_and_nothing_else(
    install: Installed, session: Session, body: str, kind: str
) -> None:
    cannot_tell(measured(install, session, body), f"the metric raised {kind}")


@pytest.mark.parametrize(
    "told",
    [
        "None",
        "42",
        "Finding('great', 1, 'x')",
        "Finding('ok', float('nan'), 'x')",
        "Finding('ok', 'many', 'x')",
        "Finding('ok', 1, session.payload['prompts'])",
        "Finding('ok', 1, 'x', detail={'a': object()})",
        "Finding('ok', 1, 'x', notes='abc')",
        "Finding('ok', 1, 'x', evidence=['c1'])",
        "Finding('ok', 1, 'x', evidence=[Evidence(row_id=7)])",
        "Finding('ok', 1, 'x', detail=[1])",
    ],
)
def test_what_is_no_finding_is_not_taken_for_one(install: Installed, session: Session, told: str) -> None:
    metric = measured(install, session, f"return {told}")
    cannot_tell(metric, "what the metric returned is no waterglass.Finding of the documented form")


def test_evidence_that_names_nothing_is_dropped_and_counted(install: Installed, session: Session) -> None:
    body = (
        "return Finding('ok', 1, 'x', evidence=[Evidence(why='none'), Evidence(row_id='c1', why='y' * 900), "
        "Evidence(row_id='c9'), Evidence(row_id='c1', reply_id='no'), Evidence(event_id=session.events[0].id)])"
    )
    metric = measured(install, session, body)
    assert [place["rowId"] for place in metric["evidence"]] == ["c1", None]
    assert len(metric["evidence"][0]["why"]) == 400
    assert metric["notes"] == ["3 pieces of evidence name nothing in this session"]


def test_figures_and_words_without_end_are_cut(install: Installed, session: Session) -> None:
    body = "return Finding('ok', 1, 'x' * 9999, detail={'a': 'b' * 99999}, notes=['n' * 999] * 99)"
    metric = measured(install, session, body)
    assert metric["detail"] == {} and len(metric["display"]) == 400 and len(metric["notes"]) == 20
    assert max(map(len, metric["notes"])) == 400


def test_what_it_prints_does_not_stand_in_the_document(
    install: Installed, session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(install, session, "print('HELLO'); " + COUNTS)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "HELLO\n")


def test_one_that_cannot_be_loaded_is_unknown_and_the_others_stand(install: Installed, session: Session) -> None:
    install("broken", "import nothing_of_this_name", metrics={"broken": "METRIC"})
    install("odd", "METRIC = 42", metrics={"odd": "METRIC"})
    install("good", METRIC.format(body=COUNTS), metrics={"good": "METRIC"})
    broken, good, odd = further(session)
    cannot_tell(broken, "it cannot be loaded (ModuleNotFoundError)")
    cannot_tell(odd, "it is no waterglass.MetricPlugin")
    assert good["value"] == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("earlyVictory", "the name is that of a built-in metric"),
        ("LOOPDETECTION", "the name is that of a built-in metric"),
        ("a.b", "a name is letters, digits, - and _, at most 40"),
        ("x" * 41, "a name is letters, digits, - and _, at most 40"),
    ],
)
def test_a_name_that_is_built_in_or_odd_is_refused(
    install: Installed, session: Session, name: str, reason: str
) -> None:
    install("demo", METRIC.format(body=COUNTS), metrics={name: "METRIC"})
    assert further(session) == []
    assert [(one.state, one.reason) for one in metrics()] == [("refused", reason)]


def test_a_name_that_two_packages_use_is_refused_for_both(install: Installed, session: Session) -> None:
    install("one", METRIC.format(body=COUNTS), metrics={"same": "METRIC"})
    install("two", METRIC.format(body=COUNTS), metrics={"Same": "METRIC"})
    assert further(session) == []
    assert {one.reason for one in metrics()} == {"several packages have a plugin of this name"}


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ('label=""', "label and unit have 60 characters at most"),
        ('label="x" * 61', "label and unit have 60 characters at most"),
        ("label=7", "its fields are not of the documented types"),
        ('better="more"', "better is lower, higher or None"),
        ("measure=None", "its fields are not of the documented types"),
    ],
)
def test_fields_that_are_not_as_documented_are_told(
    install: Installed, session: Session, field: str, reason: str
) -> None:
    given = {"label": 'label="L"', "explanation": 'explanation="E"', "measure": "measure=print"}
    given[field.partition("=")[0]] = field
    code = f"from waterglass import MetricPlugin\nMETRIC = MetricPlugin({', '.join(given.values())})"
    install("demo", code, metrics={"demo": "METRIC"})
    assert only(session)["notes"][0].startswith(reason)


@pytest.mark.parametrize("how", ["settings", "environment"])
def test_plugins_are_left_out_where_they_are_switched_off(
    install: Installed, session: Session, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("demo", METRIC.format(body=COUNTS), metrics={"demo": "METRIC"})
    if how == "environment":
        monkeypatch.setenv("WATERGLASS_NO_PLUGINS", "1")
    else:
        session.settings = Settings(plugins=False)
    assert further(session) == []


def test_a_scorecard_is_measured_once_for_one_view(install: Installed, session: Session, tmp_path: Path) -> None:
    body = f"import pathlib; file = pathlib.Path({str(tmp_path / 'runs')!r}); "
    body += "file.write_text((file.read_text() if file.exists() else '') + 'x'); " + COUNTS
    measured(install, session, body)
    session.payload()
    session.head(scores=True)
    assert (tmp_path / "runs").read_text() == "x"


def test_a_list_and_a_summary_without_scorecard_load_no_plugin(
    install: Installed, session: Session, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    site = install("demo", "raise SystemExit('loaded')", metrics={"demo": "METRIC"})
    more = {"PYTHONPATH": f"{site}:{_path()}"}
    root = ("--root", tmp_path / "projects")
    for args in (["--help"], ["show", SESSION, *root, "--no-scorecard"], ["list", *root]):
        done = run_waterglass(*args, env=more)
        assert (done.returncode, done.stderr) == (0, "")


def _path() -> str:
    from tests.conftest import CHECKOUT, GUARD

    return f"{GUARD}:{CHECKOUT / 'src'}"


def test_the_commands_show_gate_and_list_it(
    install: Installed, session: Session, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    site = install("demo-pack", METRIC.format(body=COUNTS), metrics={"demo": "METRIC", "earlyVictory": "METRIC"})
    more = {"PYTHONPATH": f"{site}:{_path()}"}
    root = ("--root", tmp_path / "projects")
    assert "✓ Calls                          2 calls" in run_waterglass("show", SESSION, *root, env=more).stdout
    assert "✓ Calls" not in run_waterglass("show", SESSION, *root, "--no-plugins", env=more).stdout
    listed = run_waterglass("metrics", env=more).stdout
    assert "demo  Calls  (of the package demo-pack 1.0)" in listed
    told = json.loads(run_waterglass("metrics", "--json", env=more).stdout)["metrics"]
    assert (len(told), told[6]["from"]) == (7, "demo-pack 1.0")
    for limit, code in (("2", 0), ("1", 3)):
        done = run_waterglass("check", SESSION, *root, "--max", f"DEMO={limit}", env=more)
        assert done.returncode == code, done.stderr
    assert "Calls: 2 calls  (2, and the gate is at most 1)" in done.stdout
    done = run_waterglass("check", SESSION, *root, "--max", "demo=1", "--no-plugins", env=more)
    assert (done.returncode, "no such metric" in done.stderr) == (2, True)
    listed = run_waterglass("plugins", env=more).stdout
    assert "refused  the name is that of a built-in metric" in listed and "loaded   Calls" in listed
    document = json.loads(run_waterglass("plugins", "--json", env=more).stdout)
    assert [(p["kind"], p["name"], p["from"], p["state"]) for p in document["plugins"]] == [
        ("metric", "demo", "demo-pack", "loaded"),
        ("metric", "earlyVictory", "demo-pack", "refused"),
    ]


def test_a_baseline_holds_it_too(
    install: Installed, session: Session, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    site = install("demo", METRIC.format(body=COUNTS), metrics={"demo": "METRIC"})
    more, root = {"PYTHONPATH": f"{site}:{_path()}"}, ("--root", tmp_path / "projects")
    written = run_waterglass("check", SESSION, *root, "--format", "json", env=more).stdout
    (tmp_path / "base.json").write_text(written)
    assert run_waterglass("check", SESSION, *root, "--baseline", tmp_path / "base.json", env=more).returncode == 0
    (tmp_path / "base.json").write_text(written.replace('"value":2', '"value":1'))
    assert '"value":2' in written
    assert run_waterglass("check", SESSION, *root, "--baseline", tmp_path / "base.json", env=more).returncode == 3
