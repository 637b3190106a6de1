"""An exporter of another package: redacted sessions in, lines out, and the file safe as any export is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.conftest import Installed
from tests.transcripts import Call, Transcript
from waterglass.discover import discover
from waterglass.errors import WaterglassError
from waterglass.export import Done, all_sources, export_sessions

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"[:36]
CODE = """
from waterglass import Exporter

def lines(sessions):
    {body}

EXPORTER = Exporter(description="Lines.", lines=lines)
"""
ROWS = """for session in sessions:
        yield f"# {session.id} {session.payload['session']['title']} {len(session.payload['metrics'])}"
        for row in session.rows:
            yield f"- {row['label']}"
        for event in session.events():
            if event["type"] == "tool_result":
                yield event["result"]["text"]"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in (1, 2):
        t = Transcript(f"5e551044-0000-4000-8000-00000000000{number}")
        t.prompt(f"Go {number}")
        t.at("+1s").reply(calls=[Call("Bash", {"command": f"echo {TOKEN}"}, "c1")])
        t.at("+1s").result("c1", f"{TOKEN} ok")
        t.at("+1s").reply("Done.")
        t.write(tmp_path / "projects")
    return tmp_path / "projects"


def export(root: Path, target: Path, form: str = "plain", level: str = "secrets") -> Done:
    return export_sessions(all_sources(discover([str(root)])), form, target, level)  # type: ignore[arg-type]


def test_it_gets_the_sessions_one_by_one_and_redacted(install: Installed, root: Path, tmp_path: Path) -> None:
    install("plain", CODE.format(body=ROWS), exporters={"plain": "EXPORTER"})
    done = export(root, tmp_path / "out.md")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert TOKEN not in text and "REDACTED" in text and " ok\n" in text
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == [f"# 5e551044-0000-4000-8000-00000000000{n} Go {n} 7" for n in (1, 2)] or len(heads) == 2
    assert (done.sessions, done.bytes) == (2, len(text.encode()))
    assert export(root, tmp_path / "all.md", level="off").counts == {}
    assert TOKEN in (tmp_path / "all.md").read_text(encoding="utf-8")


def test_a_secret_that_it_puts_together_is_taken_out_in_the_end(install: Installed, root: Path, tmp_path: Path) -> None:
    body = f"yield 'x'; yield '{TOKEN[:9]}' + '{TOKEN[9:]}'; list(sessions)"
    install("plain", CODE.format(body=body), exporters={"plain": "EXPORTER"})
    export(root, tmp_path / "out.md")
    assert TOKEN not in (tmp_path / "out.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("yield 'a'; raise ValueError(next(sessions).rows[0]['label'])", r"the exporter failed \(ValueError\)"),
        ("yield 42", "the exporter yielded int and not text"),
        ("return None", r"the exporter failed \(TypeError\)"),
        ("raise SystemExit(1)", r"the exporter failed \(SystemExit\)"),
    ],
)
def test_one_that_fails_leaves_what_was_there(
    install: Installed, root: Path, tmp_path: Path, body: str, said: str
) -> None:
    install("plain", CODE.format(body=body), exporters={"plain": "EXPORTER"})
    (tmp_path / "out.md").write_text("before")
    with pytest.raises(WaterglassError, match=said) as caught:
        export(root, tmp_path / "out.md")
    assert "echo" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["out.md"]
    assert (tmp_path / "out.md").read_text() == "before"


def test_the_command_writes_by_it_and_refuses_names_that_are_none(
    install: Installed, root: Path, tmp_path: Path, run_waterglass: object
) -> None:
    from tests.conftest import CHECKOUT, GUARD

    site = install("plain", CODE.format(body=ROWS), exporters={"plain": "EXPORTER", "otlp": "EXPORTER", "odd": "lines"})
    more = {"PYTHONPATH": f"{site}:{GUARD}:{CHECKOUT / 'src'}"}
    start = ("export", "--all", "--root", root, "--to")
    run = run_waterglass
    assert callable(run)
    done = run(*start, "plain", "-o", "-", env=more)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# 5e55") and TOKEN not in done.stdout
    assert run(*start, "odd", "-o", "-", env=more).returncode == 1
    for name, switch in (("nothing", ()), ("plain", ("--no-plugins",))):
        done = run(*start, name, "-o", "-", *switch, env=more)
        assert (done.returncode, done.stdout) == (2, "") and "no such form of export" in done.stderr
    assert '"resourceSpans"' in run(*start, "otlp", "-o", "-", env=more).stdout
