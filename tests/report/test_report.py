"""The report: whole, redacted, written safely."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts import Call, Transcript
from waterglass.errors import WaterglassError
from waterglass.report import default_name, document, render_report, write_report
from waterglass.report.document import BLOCK, LEFT_OUT, MAX_BODY
from waterglass.session import Session, load

# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81" * 9


def blocks(html: str) -> dict[str, Any]:
    """The data blocks of a report by name."""
    found = re.findall(r'<script type="text/plain" id="(wg-[a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>', html)
    return {name: json.loads(gzip.decompress(base64.b64decode(data))) for name, data in found}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt(f"Use the token {SECRET}")
    t.reply("word " * 600, calls=[Call("Bash", {"command": f"curl -H 'X: {SECRET}' x", SECRET: 1}, id="toolu_1")])
    t.result("toolu_1", f"</script><img src=x onerror=alert(1)> {SECRET}")
    t.reply("long", calls=[Call("Read", {"file_path": "/a"}, id="toolu_2")])
    t.result("toolu_2", "y" * (MAX_BODY + 5))
    t.write(tmp_path / "projects")
    return load("latest", [str(tmp_path / "projects")])


def test_every_row_has_its_body_in_the_block_of_its_index(session: Session) -> None:
    data = blocks(render_report(session))
    rows = [body for number in range(1) for body in data[f"wg-rows-{number}"]]
    assert data["wg-head"]["table"]["count"] == len(rows) == 2 <= BLOCK
    assert rows[0]["input"]["command"].startswith("curl")


def test_a_planted_secret_is_nowhere_in_the_report_and_counted_in_its_head(session: Session) -> None:
    html = render_report(session)
    unpacked = html + json.dumps(blocks(html))
    assert SECRET not in unpacked
    note = blocks(html)["wg-head"]["report"]["redaction"]
    assert note["level"] == "secrets" and note["bestEffort"] is True
    assert sum(note["counts"].values()) >= 4


def test_the_secret_stays_when_redaction_is_off_and_the_head_says_so(session: Session) -> None:
    data = blocks(render_report(session, "off"))
    assert SECRET in json.dumps(data)
    assert data["wg-head"]["report"]["redaction"]["level"] == "off"


def test_a_text_that_the_payload_cuts_is_whole_in_its_block(session: Session) -> None:
    data = blocks(render_report(session))
    reply = next(r for r in data["wg-head"]["replies"] if "textChars" in r)
    number = data["wg-head"]["report"]["texts"][reply["id"]]
    whole = next(t for t in data[f"wg-texts-{number}"] if t["reply"] == reply["id"])
    assert len(whole["text"]) == reply["textChars"]


def test_a_body_beyond_the_limit_is_cut_and_says_so(session: Session) -> None:
    body = blocks(render_report(session))["wg-rows-0"][1]
    assert len(body["output"]) == MAX_BODY
    assert body["truncated"] is True and body["outputBytes"] == MAX_BODY + 5


def test_a_reply_beyond_the_limit_is_cut_and_says_so(tmp_path: Path) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("Go on")
    t.reply("z" * (MAX_BODY + 9))
    t.write(tmp_path / "projects")
    [text] = blocks(render_report(load("latest", [str(tmp_path / "projects")])))["wg-texts-0"]
    assert text["text"] == "z" * MAX_BODY + " … cut, 1,000,009 characters"


def test_bodies_beyond_the_size_of_a_report_are_left_out_with_a_note_and_counted(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "BLOCK", 1)
    monkeypatch.setattr(document, "MAX_BODIES", 10)
    data = blocks(render_report(session))
    [first], [second] = data["wg-rows-0"], data["wg-rows-1"]
    assert first["input"]["command"].startswith("curl")
    assert second["output"] == LEFT_OUT and second["truncated"] is True
    assert second["outputBytes"] == MAX_BODY + 5
    assert data["wg-head"]["report"]["bodiesLeftOut"] == 1


def test_nothing_of_a_transcript_stands_in_the_html_outside_the_packed_data(session: Session) -> None:
    html = render_report(session, "off")
    bare = re.sub(r'<script type="text/plain"[^<]*</script>', "", html)
    assert "onerror=alert" not in bare and "word word" not in bare
    assert len(re.findall(r"<script\b", bare)) == 1


def test_the_file_is_whole_and_nothing_is_left_beside_it(session: Session, tmp_path: Path) -> None:
    target = tmp_path / "out" / "r.html"
    target.parent.mkdir()
    target.write_text("old")
    size = write_report(session, target)
    assert target.stat().st_size == size
    assert [entry.name for entry in target.parent.iterdir()] == ["r.html"]
    assert stat.S_IMODE(target.stat().st_mode) & 0o700 == 0o600


def test_a_link_is_never_written_through(session: Session, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    link = tmp_path / "r.html"
    link.symlink_to(victim)
    with pytest.raises(WaterglassError, match="link"):
        write_report(session, link)
    assert victim.read_text() == "mine"


def test_a_transcript_is_never_written_over(session: Session, tmp_path: Path) -> None:
    (transcript,) = (tmp_path / "projects").rglob("*.jsonl")
    before = transcript.read_bytes()
    with pytest.raises(WaterglassError, match="over a transcript"):
        write_report(session, transcript)
    assert transcript.read_bytes() == before


def test_a_folder_of_that_name_and_a_missing_folder_are_one_clear_error(session: Session, tmp_path: Path) -> None:
    with pytest.raises(WaterglassError, match="folder"):
        write_report(session, tmp_path)
    with pytest.raises(WaterglassError, match="cannot write"):
        write_report(session, tmp_path / "nowhere" / "r.html")


def test_a_failure_in_the_middle_leaves_what_was_there(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "r.html"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WaterglassError, match="No space left"):
        write_report(session, target)
    assert target.read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["projects", "r.html"]


@pytest.mark.parametrize(
    ("session_id", "title", "name"),
    [
        ("0a0a0a0a-1111", "Fix: the ../../etc/passwd!", "waterglass-fix-the-etc-passwd-0a0a0a0a.html"),
        ("../../x", None, "waterglass-x.html"),
        ("abc", "日本語", "waterglass-abc.html"),
    ],
)
def test_a_file_name_holds_nothing_but_letters_digits_and_dashes(session_id: str, title: str | None, name: str) -> None:
    assert default_name(session_id, title) == name


def changed(tmp_path: Path, lines: list[str]) -> Session:
    """A session whose one edit has a result that wrote these lines down, all of them new."""
    hunk = {"oldStart": 0, "oldLines": 0, "newStart": 1, "newLines": len(lines), "lines": lines}
    t = Transcript("0a0a0a0a-1111-4222-8333-555555555555")
    t.prompt("Change it")
    t.reply("", calls=[Call("Edit", {"file_path": "/a", "old_string": "", "new_string": "see"}, id="toolu_1")])
    t.result("toolu_1", "updated", tool_use_result={"structuredPatch": [hunk]})
    t.write(tmp_path / "projects")
    return load("latest", [str(tmp_path / "projects")])


def test_a_change_keeps_its_line_numbers_and_hides_a_secret_of_one_line(tmp_path: Path) -> None:
    [body] = blocks(render_report(changed(tmp_path, ["+one", f"+token {SECRET}", "+three"])))["wg-rows-0"]
    assert body["patch"] == [{"oldStart": 0, "newStart": 1, "lines": ["+one", "+token [REDACTED:github#1]", "+three"]}]


def test_a_key_over_several_lines_of_a_change_is_hidden_whole(tmp_path: Path) -> None:
    secret = [base64.b64encode(bytes([n] * 47 + [n + 90])).decode() for n in range(24)]
    frame = "-----{} RSA PRIVATE KEY-----".format
    lines = [f"+{line}" for line in (frame("BEGIN"), *secret, frame("END"))]
    html = render_report(changed(tmp_path, lines))
    told = json.dumps(blocks(html)["wg-rows-0"])
    assert [line for line in secret if line in told] == []


def test_a_very_long_change_is_left_to_the_input(tmp_path: Path) -> None:
    [body] = blocks(render_report(changed(tmp_path, ["+" + "y" * MAX_BODY])))["wg-rows-0"]
    assert body["patch"] is None and body["input"]["new_string"] == "see"


def test_of_a_change_at_level_structure_only_lengths_are_left(tmp_path: Path) -> None:
    [body] = blocks(render_report(changed(tmp_path, ["+one", "+of mine"]), "structure"))["wg-rows-0"]
    assert body["patch"] == [{"oldStart": 0, "newStart": 1, "lines": ["[4 chars]", "[8 chars]"]}]


TOKEN = "ghp_" + "Zx81" * 9


@pytest.mark.parametrize(
    ("level", "title", "name"),
    [
        ("secrets", f"Use {TOKEN} now", "waterglass-use-now-5e551044.html"),
        ("secrets", "DB_PASSWORD=tr0ub4dor3 fails", "waterglass-db-password-fails-5e551044.html"),
        ("secrets", "Ask mirabel", "waterglass-ask-5e551044.html"),
        ("paths", "Move /home/nora/x", "waterglass-move-home-x-5e551044.html"),
        ("structure", "Anything at all", "waterglass-5e551044.html"),
        ("off", "Ask mirabel", "waterglass-ask-mirabel-5e551044.html"),
    ],
)
def test_a_file_name_holds_nothing_that_the_report_hides(level: Any, title: str, name: str) -> None:
    assert default_name("5e551044-0000", title, level, {"mirabel": "own"}) == name
