"""Values that the user names: a file's lines, and what the environment holds under a secret's name."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result

from tests.transcripts import Transcript
from waterglass.cli.main import cli
from waterglass.redact import Redactor
from waterglass.redact.values import MOST, environment_values, values_of

OWN = {"Project Heron": "own", "hunter two!": "own"}


def invoke(*args: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(cli, [*args], input=stdin, env=environment)


def test_an_own_value_goes_wherever_it_stands_and_in_whatever_form_it_is_written() -> None:
    redactor = Redactor("secrets", OWN)
    forms = ["about Project Heron.", "x=" + quote("Project Heron"), base64.b64encode(b"on Project Heron ").decode()]
    for text in [*forms, "Project\\u0020Heron"]:
        shown = redactor.text(text)
        assert "[REDACTED:own#" in shown
        assert "Heron" not in shown and "SGVyb24" not in shown
    assert redactor.value({"Project Heron": ["hunter two!"]}) == {"[REDACTED:own#1]": ["[REDACTED:own#5]"]}


def test_the_longer_of_two_own_values_is_hidden_whole() -> None:
    redactor = Redactor("secrets", {"Heron": "own", "Project Heron Nest": "own"})
    assert redactor.text("Project Heron Nest, Heron") == "[REDACTED:own#1], [REDACTED:own#2]"


def test_an_own_value_over_two_texts_that_are_no_neighbours_is_none() -> None:
    assert Redactor("secrets", OWN).value(["Project ", 7, "Heron"]) == ["Project ", 7, "Heron"]


def test_a_line_of_a_file_is_a_value_with_its_spaces_and_an_empty_line_is_none() -> None:
    assert values_of(["one value\r", "", "  ", " two "]) == {"one value": "own", " two ": "own"}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [(["abcd", "abc"], "line 2 has fewer than 4"), (map(str, range(10_000, 12_000)), "more than 1,000")],
)
def test_a_value_too_short_and_too_many_values_are_errors_that_quote_none(lines: list[str], reason: str) -> None:
    assert MOST == 1_000
    with pytest.raises(ValueError, match=reason):
        values_of(lines)


def test_only_variables_with_a_secret_s_name_give_values() -> None:
    environment = {
        "API_KEY": "fish and chips",
        "HOME": "/code/home",
        "DB_PASSWORD": "short",
        "A_TOKEN": "${OTHER_TOKEN}",
    }
    assert environment_values(environment) == {"fish and chips": "environment"}


def test_the_first_value_of_a_file_is_one_behind_a_byte_order_mark_too(tmp_path: Path) -> None:
    (tmp_path / "values").write_text("Project Heron\nhunter two!\n", encoding="utf-8-sig")
    done = invoke("redact", "--redact-values", str(tmp_path / "values"), stdin=b"Project Heron, hunter two!\n")
    assert done.stdout == "[REDACTED:own#1], [REDACTED:own#2]\n"


def test_a_file_of_values_that_is_too_large_is_refused_by_its_bytes_and_never_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "values").write_bytes("éééé\nèèèè\nêêêê\n".encode())
    monkeypatch.setattr("waterglass.cli.redaction._MOST_BYTES", 17)  # the last word of 27 bytes would be cut off
    done = invoke("redact", "--redact-values", str(tmp_path / "values"), stdin="êêêê\n".encode())
    assert done.exit_code == 1 and "more than" in str(done.exception)


def test_a_file_without_a_value_is_said_to_hide_nothing(tmp_path: Path) -> None:
    (tmp_path / "values").write_text("\n\n")
    done = invoke("redact", "--redact-values", str(tmp_path / "values"), stdin=b"Project Heron\n")
    assert (done.exit_code, done.stdout) == (0, "Project Heron\n")
    assert done.stderr.startswith("waterglass: no value to hide is in the file: ")


def test_the_command_takes_a_file_of_values_and_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "values"
    file.write_text("Project Heron\n")
    done = invoke(
        "redact",
        "--redact-values",
        str(file),
        "--redact-env",
        stdin=b"Project Heron: fish and chips\n",
        environment={"API_KEY": "fish and chips"},
    )
    assert done.stdout == "[REDACTED:own#1]: [REDACTED:environment#2]\n"
    assert done.stderr == "Redacted 2 (best effort): 1 environment, 1 own\n"


@pytest.mark.parametrize(
    ("content", "reason"), [(b"abc\n", "fewer than 4"), (b"\xff\xfe\n", "no UTF-8"), (None, "cannot be read")]
)
def test_a_file_of_values_that_cannot_be_used_is_one_error_that_quotes_nothing(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "values"
    if content is not None:
        file.write_bytes(content)
    done = invoke("redact", "--redact-values", str(file))
    assert done.exit_code == 1
    assert reason in str(done.exception)
    assert "abc" not in str(done.exception)


def test_a_report_hides_own_values_and_counts_them(tmp_path: Path) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("Build Project Heron")
    t.write(tmp_path / "projects")
    file = tmp_path / "values"
    file.write_text("Project Heron\n")
    target = tmp_path / "r.html"
    done = invoke("report", "-o", str(target), "--root", str(tmp_path / "projects"), "--redact-values", str(file))
    assert done.exit_code == 0, done.output
    from tests.report.test_report import blocks

    head = blocks(target.read_text())["wg-head"]
    assert head["prompts"][0]["text"] == "Build [REDACTED:own#1]"
    assert head["report"]["redaction"]["counts"]["own"] >= 2
