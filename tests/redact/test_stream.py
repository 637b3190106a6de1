"""`waterglass redact`: lines in, the same lines without secrets out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from waterglass.cli.main import cli
from waterglass.redact import Redactor
from waterglass.redact.stream import redact_lines

GITHUB = "gh" + "p_F4k3aB7xF4k3aB7xF4k3aB7xF4k3aB7xF4k3"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEfakefakefakefake\n" * 30 + "-----END PRIVATE KEY-----\n"


def redacted(data: bytes, level: str = "secrets") -> bytes:
    return b"".join(redact_lines(Redactor(level), data.splitlines(keepends=True)))  # type: ignore[arg-type]


def invoke(*args: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["redact", *args], input=stdin)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no newline at the end",
        b'{"a" : 1,  "b":"x"}\r\nplain\r\n\r\n',
        b"\xff\xfe not UTF-8 \x00\n",
        b'{"half": "\\ud83d"}\n',
        b'{"torn": \n[1, 2]\n',
        "Öl \u2028 \u0085 {}\n".encode(),
    ],
)
def test_lines_without_a_secret_come_out_byte_for_byte(data: bytes) -> None:
    assert redacted(data) == data


def test_a_json_line_is_redacted_as_a_document_and_stays_one() -> None:
    line = json.dumps({"type": "user", "headers": {"Cookie": "a b"}, "text": f"x {GITHUB}", "half": "\ud83d"})
    shown = json.loads(redacted(line.encode() + b"\n"))
    assert shown == {
        "type": "user",
        "headers": {"Cookie": shown["headers"]["Cookie"]},
        "text": shown["text"],
        "half": "\ud83d",
    }
    assert "[REDACTED:cookie#" in shown["headers"]["Cookie"]
    assert GITHUB not in shown["text"]


def test_the_first_of_two_equal_keys_is_redacted_too() -> None:
    shown = redacted(b'{"a": "' + GITHUB.encode() + b'", "a": "shown"}\n')
    assert GITHUB.encode() not in shown
    assert json.loads(shown) == {"a": "shown"}


def test_a_private_key_over_the_end_of_a_block_is_found_whole() -> None:
    filler = ("x" * 99 + "\n") * 2_621  # to just before the end of the first block
    assert b"MIIE" not in redacted((filler + KEY + filler).encode())


def test_the_command_reads_a_pipe_and_counts_on_stderr() -> None:
    result = invoke(stdin=b"DB_PASSWORD=hunter2\n")
    assert (result.exit_code, result.stdout) == (0, "DB_PASSWORD=[REDACTED:password#1]\n")
    assert result.stderr == "Redacted 1 (best effort): 1 password\n"


def test_the_command_reads_a_file_and_knows_its_user_from_the_start(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("by mirabel\n/home/mirabel/x\n")
    assert invoke(str(file), "--level", "paths").stdout == "by [user]\n/home/[user]/x\n"


def test_a_clean_input_says_so() -> None:
    assert invoke(stdin=b"hello\n").stderr == "Nothing redacted (best effort).\n"


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    result = invoke(str(tmp_path / "nowhere"))
    assert result.exit_code == 1
    assert "nowhere" in str(result.exception)


def test_a_terminal_gets_control_characters_in_a_visible_form_and_a_file_gets_every_byte() -> None:
    from waterglass.cli.redact import terminal_bytes

    assert terminal_bytes(b"a\x1b[2Jb\rc\n\td") == "a␛[2Jb^Mc\n\td".encode()
    assert invoke(stdin=b"a\x1b[2Jb\rc\n").stdout_bytes == b"a\x1b[2Jb\rc\n"
