"""What is cut must not be cut through a secret: half a token is found by no rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.report.test_report import blocks
from tests.transcripts import Call, Transcript
from waterglass.classify.labels import MAX_LABEL
from waterglass.redact import Redactor
from waterglass.report import cuts, render_report
from waterglass.report.cuts import MAX_BODY, Beginnings, cut, cut_input
from waterglass.session import load

# Made of parts, so that no scanner of this file takes it for a real one.
SECRET = "ghp_" + "Zx81QmP7" * 4 + "Ab3d"
START = SECRET[:8]


def reported(root: Path, level: Any = "secrets") -> str:
    """Everything in the report of the newest session, unpacked."""
    return json.dumps(blocks(render_report(load("latest", [str(root / "projects")]), level)))


def test_a_label_a_title_and_the_beginning_of_a_text_hold_no_part_of_a_secret(tmp_path: Path) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("x" * 170 + f" {SECRET}")  # a title ends after 200
    t.reply(
        "w " * 990 + SECRET + " and more" * 50,
        calls=[Call("Bash", {"command": f"{'a' * (MAX_LABEL - 20)} {SECRET} b"})],
    )
    t.write(tmp_path / "projects")
    assert START in reported(tmp_path, "off")
    assert START not in reported(tmp_path)


def test_a_long_input_and_a_long_output_end_before_a_secret_or_after_it(tmp_path: Path) -> None:
    long = "y" * (MAX_BODY - 20) + f" {SECRET}" + " more" * 5_000
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.reply("", calls=[Call("MultiEdit", {"file_path": "/a", "edits": [{"new_string": long}]}, id="toolu_1")])
    t.result("toolu_1", long)
    t.write(tmp_path / "projects")
    assert START in reported(tmp_path, "off")
    assert START not in reported(tmp_path)


@pytest.mark.parametrize("level", ["secrets", "structure"])
def test_a_cut_text_is_found_by_an_id_that_was_itself_redacted(tmp_path: Path, level: Any) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("word " * 600)
    t.reply("word " * 600, id=f"msg {SECRET}")
    t.write(tmp_path / "projects")
    data = blocks(render_report(load("latest", [str(tmp_path / "projects")]), level))
    assert SECRET not in json.dumps(data)
    reply, prompt = data["wg-head"]["replies"][0], data["wg-head"]["prompts"][0]
    where = data["wg-head"]["report"]["texts"]
    assert where == {reply["id"]: 0, prompt["uuid"]: 0}
    assert [(text["reply"], text["prompt"]) for text in data["wg-texts-0"]] == [
        (reply["id"], None),
        (None, prompt["uuid"]),
    ]


def test_an_input_is_cut_wherever_a_tool_takes_long_texts_and_says_how_long_it_was() -> None:
    long = "y" * (MAX_BODY + 7)
    shown = cut_input({"a": [{"b": long}], "short": "x", "n": 1}, Redactor())
    assert shown["short"] == "x" and shown["n"] == 1
    assert shown["a"][0]["b"] == "y" * MAX_BODY + " … cut, 1,000,007 characters"


def test_an_input_nested_ever_so_deep_is_left_alone_below_what_tools_use() -> None:
    deep: Any = "x"
    for _ in range(20_000):
        deep = [deep]
    assert cut_input(deep, Redactor())[0][0][0] is not None
    assert Beginnings({SECRET: "[it]"}).hidden(deep)[0][0][0] is not None


def test_wherever_the_cut_goes_through_a_secret_nothing_of_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuts, "MAX_BODY", 100)
    for before in range(100):
        left = cut(f"{'y' * before} {SECRET} {'tail ' * 5_000}", Redactor())
        assert SECRET[:6] not in left
        assert left.startswith("y" * min(before, 100 - len(SECRET)))  # a placeholder is shorter
        assert len(left) <= 100


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"a label with {SECRET[:20]}…", "a label with [it]…"),
        (f"a label with {SECRET[:4]}…", "a label with [it]…"),
        (f"a title with {SECRET[:20]}", "a title with [it]"),
        (f"a title with {SECRET[:5]}", f"a title with {SECRET[:5]}"),
        ("nothing of the kind…", "nothing of the kind…"),
        ("…", "…"),
        ("", ""),
    ],
)
def test_the_beginning_of_a_known_secret_at_the_end_of_a_text_is_replaced(text: str, shown: str) -> None:
    assert Beginnings({SECRET: "[it]"}).hidden({"a": [text], "n": None}) == {"a": [shown], "n": None}


def test_without_any_secret_a_payload_is_left_as_it_is() -> None:
    payload = {"a": ["x…"]}
    assert Beginnings({}).hidden(payload) is payload
