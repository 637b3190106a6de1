"""A comparison as one HTML file: what is in it, what is not, and where it may be written."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.transcripts import Call, Transcript
from waterglass.compare import comparison_parts
from waterglass.errors import WaterglassError
from waterglass.page import write_whole
from waterglass.redact import Level, Redactor
from waterglass.report.cuts import Beginnings
from waterglass.session import Session, load

NOW = 1_780_000_000_000
ONE, TWO = "5e551044-0000-4000-8000-000000000001", "5e551044-0000-4000-8000-000000000002"
# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81" * 9


def written(root: Path, session_id: str, *commands: str, output: str = "fine", said: str = "Work") -> Session:
    t = Transcript(session_id, cwd="/code/demo", version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt(said)
    for number, command in enumerate(commands):
        t.at("+1s").reply("Looking", calls=[Call("Bash", {"command": command}, f"c{number}")])
        t.at("+1s").result(f"c{number}", output)
    t.write(root)
    return load(session_id, roots=[str(root)], now_ms=NOW)


def html(*sessions: Session, level: Level = "secrets") -> str:
    return "".join(comparison_parts(sessions, Redactor(level), Beginnings, NOW))


def unpacked(text: str) -> dict[str, Any]:
    found = re.findall(r'<script type="text/plain" id="wg-head">([A-Za-z0-9+/=]*)</script>', text)
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[0])))
    return data


def test_the_file_holds_the_document_and_what_each_waterfall_needs_but_no_body(tmp_path: Path) -> None:
    one = written(tmp_path, ONE, "ls", output="the whole output")
    two = written(tmp_path, TWO, "ls", "pwd", output="another output")
    data = unpacked(html(one, two))
    assert [session["id"] for session in data["comparison"]["sessions"]] == [ONE, TWO]
    assert [payload["table"]["count"] for payload in data["payloads"]] == [1, 2]
    assert data["report"]["createdMs"] == NOW
    assert "the whole output" not in json.dumps(data) and "another output" not in json.dumps(data)
    assert str(tmp_path) not in json.dumps(data)


def test_the_same_session_twice_is_in_the_file_once(tmp_path: Path) -> None:
    one = written(tmp_path, ONE, "ls")
    data = unpacked(html(one, one))
    assert (len(data["payloads"]), data["shown"]) == (1, [0, 0])


def test_nothing_of_a_transcript_stands_outside_the_packed_data_and_the_policy_lets_nothing_else_run(
    tmp_path: Path,
) -> None:
    one = written(tmp_path, ONE, "echo UNUSUAL</script>", said="UNUSUAL<script>")
    text = html(one, one)
    assert "UNUSUAL" not in text
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1] and "connect-src" not in policy[1]
    assert re.findall(r'(?:src|href)="(?!data:)', text) == []


def test_a_secret_is_nowhere_in_the_file_and_counted_in_its_head(tmp_path: Path) -> None:
    one = written(tmp_path, ONE, f"curl -H 'X: {SECRET}' x", output=SECRET, said=f"Use {SECRET}")
    data = unpacked(html(one, written(tmp_path, TWO, "ls")))
    assert SECRET not in json.dumps(data)
    note = data["report"]["redaction"]
    assert note["level"] == "secrets" and note["bestEffort"] is True and sum(note["counts"].values()) >= 3


def test_a_secret_that_only_an_output_names_is_hidden_in_the_label_that_uses_it(tmp_path: Path) -> None:
    password = "kestrel-" + "94-lantern"
    one = written(tmp_path, ONE, f"login {password}", output=f"DB_PASSWORD={password}\n")
    data = unpacked(html(one, one))
    assert password not in json.dumps(data)


def test_a_label_that_is_cut_within_a_secret_keeps_none_of_it(tmp_path: Path) -> None:
    for before in range(150, 190, 6):
        root = tmp_path / str(before)
        one = written(root, ONE, f"echo {'x' * before} {SECRET}")
        data = unpacked(html(one, one))
        assert SECRET[:8] not in json.dumps(data), before


def test_counts_are_those_of_the_file_and_not_of_the_bodies_that_are_left_out(tmp_path: Path) -> None:
    one = written(tmp_path, ONE, "cat keys", output=f"{SECRET}\n" * 20)
    assert unpacked(html(one, one))["report"]["redaction"]["counts"] == {}


@pytest.mark.parametrize("level", ["secrets", "paths", "structure", "off"])
def test_each_level_keeps_what_the_page_is_drawn_by(tmp_path: Path, level: Level) -> None:
    one, two = written(tmp_path, ONE, "ls", "cat a.py"), written(tmp_path, TWO, "ls", "cat b.py", "make")
    comparison = unpacked(html(one, two, level=level))["comparison"]
    assert [run["op"] for run in comparison["steps"][0]["runs"]] == ["equal", "replaced"]
    assert {metric["statuses"][0] for metric in comparison["metrics"]} <= {"ok", "warn", "alert", "unknown", "na"}
    assert [figure["name"] for figure in comparison["work"]][:2] == ["prompts", "calls"]
    label = comparison["steps"][0]["partAt"]["a"]["label"]
    assert label == ("Bash: [8 chars]" if level == "structure" else "Bash: cat a.py")
    assert ("Work" in json.dumps(comparison)) is (level != "structure")


def test_level_paths_takes_user_names_out_of_the_document_too(tmp_path: Path) -> None:
    one = written(tmp_path, ONE, "cat /home/wilhelmina/notes.txt")
    other = written(tmp_path, TWO, "ls")
    assert "wilhelmina" not in json.dumps(unpacked(html(one, other, level="paths")))
    assert "wilhelmina" in json.dumps(unpacked(html(one, other)))


def test_the_command_writes_the_file_and_says_so_on_stderr(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    written(tmp_path, ONE, "ls"), written(tmp_path, TWO, "pwd")
    target = tmp_path / "out.html"
    done = run_waterglass("compare", ONE, TWO, "--root", tmp_path, "-o", target)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"Wrote {target}, ")
    assert unpacked(target.read_text())["report"]["redaction"]["level"] == "secrets"
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_the_command_writes_to_standard_output_what_it_writes_to_a_file(
    tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    written(tmp_path, ONE, "ls"), written(tmp_path, TWO, "pwd")
    done = run_waterglass("compare", ONE, TWO, "--root", tmp_path, "-o", "-", "--redact", "off")
    assert len(unpacked(done.stdout)["payloads"]) == 2
    assert "Nothing was taken out of it" in done.stderr


def test_json_and_a_file_can_be_had_at_once(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    written(tmp_path, ONE, "ls"), written(tmp_path, TWO, "pwd")
    done = run_waterglass("compare", ONE, TWO, "--root", tmp_path, "--json", "-o", tmp_path / "out.html")
    assert json.loads(done.stdout)["version"] == 1 and (tmp_path / "out.html").exists()


@pytest.mark.parametrize("other", ["--json", "--open"])
def test_standard_output_holds_one_thing(tmp_path: Path, run_waterglass: RunWaterglass, other: str) -> None:
    written(tmp_path, ONE, "ls")
    done = run_waterglass("compare", ONE, ONE, "--root", tmp_path, "-o", "-", other)
    assert (done.returncode, done.stdout) == (2, "")


def test_what_is_printed_is_redacted_only_when_asked(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    written(tmp_path, ONE, f"echo {SECRET}"), written(tmp_path, TWO, "ls")
    asked = ("compare", ONE, TWO, "--root", tmp_path)
    assert SECRET in run_waterglass(*asked).stdout
    for extra in ([], ["--json"]):
        done = run_waterglass(*asked, "--redact", "secrets", *extra)
        assert SECRET not in done.stdout and "REDACTED:" in done.stdout


def test_values_of_the_users_own_are_hidden_in_a_file_and_in_what_is_printed(
    tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    written(tmp_path, ONE, "echo heronwater"), written(tmp_path, TWO, "ls")
    (tmp_path / "own.txt").write_text("heronwater\n")
    asked = ("compare", ONE, TWO, "--root", tmp_path, "--redact-values", tmp_path / "own.txt")
    assert "heronwater" not in run_waterglass(*asked).stdout
    assert "heronwater" not in json.dumps(unpacked(run_waterglass(*asked, "-o", "-").stdout))


def test_open_without_a_name_writes_a_temporary_file(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    written(tmp_path, ONE, "ls")
    done = run_waterglass("compare", ONE, ONE, "--root", tmp_path, "--open", cwd=tmp_path)
    name = done.stderr.removeprefix("Wrote ").rpartition(", ")[0]
    file = Path(name)
    try:
        assert file.is_file() and tmp_path not in file.parents
        assert file.parent.stat().st_mode & 0o077 == 0
    finally:
        file.unlink()
        file.parent.rmdir()


def test_a_link_a_folder_a_pipe_and_a_transcript_are_not_written_over(tmp_path: Path) -> None:
    real = tmp_path / "real.html"
    real.write_text("mine")
    (tmp_path / "link.html").symlink_to(real)
    (tmp_path / "folder.html").mkdir()
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "a.jsonl").write_text("{}\n")
    for name, what in (("link", "a link"), ("folder", "a folder"), ("pipe", "no file"), ("a", "a transcript")):
        target = next(tmp_path.glob(f"{name}.*"))
        with pytest.raises(WaterglassError, match=what):
            write_whole(target, ["new"], "comparison")
    assert (real.read_text(), (tmp_path / "a.jsonl").read_text()) == ("mine", "{}\n")


def test_a_file_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "old.html"
    target.write_text("old")

    def parts() -> Any:
        yield "new"
        raise OSError(28, "No space left on device")

    with pytest.raises(WaterglassError, match="No space left"):
        write_whole(target, parts(), "comparison")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.html", "old")]


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path, run_waterglass: RunWaterglass) -> None:
    written(tmp_path, ONE, "ls")
    done = run_waterglass("compare", ONE, ONE, "--root", tmp_path, "-o", tmp_path / "none" / "out.html")
    assert done.returncode == 1
    assert re.fullmatch(r"waterglass: cannot write the comparison \(.*\): .*\. Try: -o FILE.*\n", done.stderr)
