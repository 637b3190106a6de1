"""`waterglass classify`: JSON lines in, JSON lines out."""

import json

from click.testing import CliRunner

from waterglass.cli.classify import command


def test_each_line_is_answered_under_its_id() -> None:
    asked = [
        {"id": "a", "command": "npm test", "is_error": False, "output": ""},
        {"id": 2, "command": "cat /w/a.txt", "cwd": "/w"},
        {"id": None, "command": "Get-Content a.txt", "tool": "PowerShell"},
    ]
    result = CliRunner().invoke(command, ["--json"], input="\n".join(map(json.dumps, asked)) + "\n\n")
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"id": "a", "acts": ["verify"], "verifyKinds": ["test"], "verifyOk": None, "targets": []},
        {"id": 2, "acts": ["read"], "verifyKinds": [], "verifyOk": None, "targets": ["a.txt"]},
        {"id": None, "acts": ["read"], "verifyKinds": [], "verifyOk": None, "targets": ["a.txt"]},
    ]


def test_a_bad_line_is_named_after_the_good_ones_are_answered() -> None:
    lines = b'nonsense\n{"id": 1}\n' + b"[" * 100_000 + b'\n{"id": "\\ud800", "command": "l\xffs"}\n'
    result = CliRunner().invoke(command, input=lines)
    assert json.loads(result.stdout)["id"] == "\ud800"
    assert str(result.exception).startswith("no JSON object with a command: standard input, line 1 and 2 more")
