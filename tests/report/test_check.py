"""The second look: a finished report is read as its reader will see it, and no secret found in it is left there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.report.test_report import blocks
from tests.transcripts import Call, Transcript
from waterglass.errors import WaterglassError
from waterglass.page import report_frame
from waterglass.redact import Redactor
from waterglass.report import document, file, render_report, write_report
from waterglass.report.blocks import BLOCK, HEAD, packed
from waterglass.report.check import find_leaks, mended
from waterglass.session import Session, load

# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81" * 9
BARE = "q7Rz2Lm9" + "Xc4Vb8Nk"
ID = "0a0a0a0a-1111-4222-8333-444444444444"


def session(root: Path, *outputs: str) -> Session:
    t = Transcript(ID)
    t.prompt("Go on")
    for n, output in enumerate(outputs):
        t.reply("", calls=[Call("Bash", {"command": f"step {n}"}, id=f"toolu_{n}")])
        t.result(f"toolu_{n}", output)
    t.write(root / "projects")
    return load("latest", [str(root / "projects")])


def line(name: str, value: Any) -> bytes:
    return packed(name, value).encode()


def head(count: int = 0) -> dict[str, Any]:
    return {"table": {"columns": {"id": [f"toolu_{n}" for n in range(count)]}}, "report": {"redaction": {}}}


def test_a_value_that_a_later_line_names_is_taken_out_of_the_lines_before_it(tmp_path: Path) -> None:
    one = session(tmp_path, f"it says {BARE} here", f"AUTH_SECRET={BARE}")
    target = tmp_path / "r.html"
    write_report(one, target)
    for html in (target.read_text(), render_report(one)):
        data = blocks(html)
        assert BARE not in json.dumps(data)
        shown = [body["output"] for body in data["wg-rows-0"]]
        assert shown == ["it says [REDACTED:secret#1] here", "AUTH_SECRET=[REDACTED:secret#1]"]
        assert data[HEAD]["report"]["redaction"]["counts"]["secret"] >= 2


def test_a_user_s_name_that_a_later_path_shows_is_taken_out_of_the_lines_before_it(tmp_path: Path) -> None:
    one = session(tmp_path, "by mirabel", "/home/mirabel/x")
    shown = [body["output"] for body in blocks(render_report(one, "paths"))["wg-rows-0"]]
    assert shown == ["by [user]", "/home/[user]/x"]


def test_a_report_that_still_holds_a_secret_is_removed_and_the_error_says_kind_and_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = session(tmp_path, "one", "two")
    target = tmp_path / "r.html"
    target.write_text("old")

    def leaking(name: str, value: Any) -> str:
        if name == "wg-rows-0":
            value[1]["output"] = f"a {SECRET}"
        return packed(name, value)

    monkeypatch.setattr(document, "packed", leaking)
    monkeypatch.setattr(file, "mended", lambda lines, *_: lines)
    with pytest.raises(WaterglassError) as caught:
        write_report(one, target)
    assert "kind: github; in row 2 (toolu_1)" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert target.read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["projects", "r.html"]
    with pytest.raises(WaterglassError, match="kind: github"):
        render_report(one)
    write_report(one, target, "off")
    assert SECRET in json.dumps(blocks(target.read_text()))


def test_what_a_block_should_not_hold_is_mended_from_the_finished_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(name: str, value: Any) -> str:
        return packed(name, [*value, {"output": SECRET}] if name == "wg-rows-0" else value)

    monkeypatch.setattr(document, "packed", leaking)
    data = blocks(render_report(session(tmp_path, "one")))
    assert data["wg-rows-0"][1] == {"output": "[REDACTED:github#1]"}


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([line("wg-rows-2", [{"output": "a"}, {"output": SECRET}]), line(HEAD, head())], f"row {2 * BLOCK + 2}"),
        ([line("wg-rows-0", [{"input": {SECRET: 1}}]), line(HEAD, head(1))], "row 1 (toolu_0)"),
        ([line("wg-texts-1", [{"text": "a"}, {"text": SECRET}])], f"text {BLOCK + 2}"),
        ([line(HEAD, {"a": 1, "title": SECRET})], "the head, field 2"),
        ([b"<title>" + SECRET.encode() + b"</title>\n"], "the page around the data"),
    ],
)
def test_a_secret_is_found_wherever_it_stands_and_its_place_is_named(lines: list[bytes], where: str) -> None:
    leaks = find_leaks(lines, Redactor())
    assert leaks is not None
    assert (leaks.kinds, leaks.where) == (("github",), where)


@pytest.mark.parametrize("level", ["secrets", "paths", "structure"])
def test_a_report_of_any_level_stands_up_to_its_own_check(tmp_path: Path, level: Any) -> None:
    one = session(tmp_path, f"{SECRET} /home/mirabel/x", "Cookie: a=b", '{"password": "x y z"}')
    redactor = Redactor(level)
    lines = "".join(document.report_parts(one, redactor)).encode().splitlines(keepends=True)
    assert find_leaks(lines, redactor) is None


def test_the_page_itself_holds_nothing_that_a_rule_takes_for_a_secret() -> None:
    frame = report_frame()
    assert find_leaks(f"{frame.before}\n{frame.after}".encode().splitlines(), Redactor()) is None


def test_only_the_blocks_that_are_named_are_looked_into_and_mended() -> None:
    lines = [line("wg-rows-0", [{"output": SECRET}]), line("wg-rows-1", [{"output": SECRET}]), line(HEAD, head())]
    leaks = find_leaks(lines, Redactor(), {"wg-rows-1"})
    assert leaks is not None and leaks.blocks == {"wg-rows-1"}
    again = list(mended(lines, Redactor(), {"wg-rows-1"}))
    assert [before == after for before, after in zip(lines, again, strict=True)] == [True, False, False]
