"""`waterglass classify`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from waterglass.cli.classify import command
from waterglass.errors import WaterglassError


def answers(options: list[str], asked: list[dict[str, object]]) -> list[dict[str, object]]:
    result = CliRunner().invoke(command, options, input="\n".join(map(json.dumps, asked)) + "\n\n")
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_under_its_id() -> None:
    asked: list[dict[str, object]] = [
        {"id": "a", "command": "npm test", "is_error": False, "output": ""},
        {"id": 2, "command": "cat /code/a.txt", "cwd": "/code"},
        {"id": None, "command": "Get-Content a.txt", "tool": "PowerShell"},
    ]
    assert answers(["--json"], asked) == [
        {"id": "a", "acts": ["verify"], "verifyKinds": ["test"], "verifyOk": "pass", "targets": []},
        {"id": 2, "acts": ["read"], "verifyKinds": [], "verifyOk": None, "targets": ["a.txt"]},
        {"id": None, "acts": ["read"], "verifyKinds": [], "verifyOk": None, "targets": ["a.txt"]},
    ]


def test_the_verdict_comes_from_what_is_given_of_the_result() -> None:
    asked: list[dict[str, object]] = [
        {"command": "npm test", "is_error": True, "output": "Exit code 1\n"},
        {"command": "npm test", "exit_code": 1, "output": ""},
        {"command": "npm test | tail", "is_error": None, "output": "Tests:  3 passed, 3 total"},
        {"command": "npm test"},
        {"command": "npm test", "is_error": "no", "output": 7},
        {"command": "ls", "is_error": True, "output": "1 failed"},
    ]
    verdicts = [answer["verifyOk"] for answer in answers([], asked)]
    assert verdicts == ["fail", "fail", "pass", "unknown", "unknown", None]


def test_a_bad_line_is_named_after_the_good_ones_are_answered() -> None:
    lines = b'nonsense\n{"id": 1}\n' + b"[" * 100_000 + b'\n{"id": "\\ud800", "command": "l\xffs"}\n'
    result = CliRunner().invoke(command, input=lines)
    assert json.loads(result.stdout)["id"] == "\ud800"
    assert str(result.exception).startswith("no JSON object with a command: standard input, line 1 and 2 more")


def test_claims_are_read_from_texts() -> None:
    asked: list[dict[str, object]] = [
        {"id": 1, "text": "Done. All tests pass."},
        {"id": 2, "text": "I've added the parser, but two tests still fail."},
        {"id": 3, "text": "Shall I start?"},
        {"id": 4, "text": "Ho aggiunto la verifica e tutti i test passano."},
    ]
    claims = [(answer["id"], answer["claim"]) for answer in answers(["--claims"], asked)]
    assert claims == [(1, "done"), (2, "partial"), (3, "none"), (4, "unknown")]


def test_a_line_without_a_text_is_named() -> None:
    result = CliRunner().invoke(command, ["--claims"], input='{"id": 1, "command": "ls"}\n')
    assert str(result.exception).startswith("no JSON object with a text: standard input, line 1")


@pytest.mark.parametrize("name", ["1e999", "-1e999", "NaN", "Infinity", "[1, 1e999]", '{"n": -Infinity}'])
def test_an_id_that_no_json_can_hold_is_refused_and_the_other_lines_are_answered(name: str) -> None:
    lines = f'{{"id": {name}, "command": "ls"}}\n{{"id": 2, "command": "ls", "output": 1e999}}\n'
    result = CliRunner().invoke(command, [], input=lines)
    assert [json.loads(line, parse_constant=_none_such)["id"] for line in result.stdout.splitlines()] == [2]
    assert isinstance(result.exception, WaterglassError)
    assert str(result.exception).startswith("an id that JSON cannot hold: standard input, line 1.")


def _none_such(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def test_a_mark_of_the_byte_order_at_the_beginning_is_no_part_of_the_first_line() -> None:
    result = CliRunner().invoke(
        command, [], input=b'\xef\xbb\xbf{"id": 1, "command": "ls"}\r\n{"id": 2, "command": "ls"}'
    )
    assert result.exit_code == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [1, 2]


def test_an_input_that_is_closed_is_named_as_what_cannot_be_read(child_environment: dict[str, str]) -> None:
    line = 'exec "$0" -m waterglass classify <&-'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], env=child_environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("waterglass: cannot be read (Bad file descriptor): standard input")
