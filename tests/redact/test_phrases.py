"""Passwords that a type, an element, a call, a command or a verb ties to their name, and what only reads like that."""

from __future__ import annotations

import pytest

from waterglass.redact import Redactor

VALUE = "tr0ub4dor" + "3xyz"


@pytest.mark.parametrize(
    "written",
    [
        'password: str = "{}"',
        "api_token: str | None = '{}'",
        'const password: string = "{}"',
        "<password>{}</password>",
        "<db:password>{}</db:password>",
        '<entry key="db.password">{}</entry>',
        '<input type="password" value="{}">',
        '.password("{}")',
        'config.setPassword("{}")',
        'os.environ["DB_PASSWORD"] = "{}"',
        "config['client_secret']='{}'",
        'SetEnvironmentVariable("DB_PASSWORD", "{}")',
        'os.environ.setdefault("DB_PASSWORD", "{}")',
        'monkeypatch.setenv("API_TOKEN", "{}")',
        "ENV DB_PASSWORD {}",
        "setenv DB_PASSWORD {}",
        "aws configure set aws_secret_access_key {}",
        "npm config set //r.example/:_authToken {}",
        "the password is {}",
        "The new password was: {}",
        'the api token is "{}"',
        "your password is `{}`",
        '{{"user": "mira", "pass": "{}"}}',
        "auth: {{ user: 'mira', pass: '{}' }}",
        '"pwd": "{}"',
        "--from-literal=db-pass={}",
        "db.pass={}",
        'psk="{}"',
        "DD_APP_KEY={}",
        "requirepass {}",
        "echo {} | docker login --password-stdin",
        'requests.get(url, auth=("mira", "{}"))',
        "vault login {}",
        '["mysql", "--password", "{}"]',
        'args: ["-v", "--api-key", "{}"]',
    ],
)
def test_the_password_goes(written: str) -> None:
    assert VALUE not in Redactor().text(written.format(VALUE))


@pytest.mark.parametrize(
    "document", [{"pass": VALUE}, ["mysql", "-u", "root", "--password", VALUE], {"auth": {"user": "a", "Pwd": VALUE}}]
)
def test_it_goes_from_a_document(document: object) -> None:
    assert VALUE not in str(Redactor().value(document))


@pytest.mark.parametrize(
    "text",
    [
        "the password is too short, the token is 32 characters long",
        "the token is base64 of the two, the secret is sha256-hashed",
        "password: str = ''",
        "def check(password: str, token: int = 3) -> bool:",
        '<label for="password">Password</label>',
        "<token>word</token>",
        'getpass.getpass("Password 2: ")',
        'get_secret("prod/db/2")',
        'parser.add_argument("--token", "oauth2_flow")',
        "set -e; set password policy to the strict one",
        "PASS: test_login_2 (0.31s)",
        "pwd: /home",
        "pass 'a'; pass 12 of 14",
        "PWD=/home/work1/x",
        "ARG TOKEN",
        "the compass is north17east",
    ],
)
def test_what_only_reads_like_one_stays(text: str) -> None:
    assert Redactor().text(text) == text


@pytest.mark.parametrize(
    "document",
    [
        {"pass": "test_login_2 ok"},
        {"pwd": "/home/x1/code"},
        {"pass": ["test_1234"]},
        ["--password", "--host", "db1"],
        {"password": 12, "maxTokens": 9000, "token": 12345},
    ],
)
def test_results_and_folders_stay_in_a_document(document: object) -> None:
    assert Redactor().value(document) == document


def test_what_goes_on_after_a_known_token_is_part_of_it() -> None:
    token = "da" + "pi" + "0123456789abcdef" * 2
    assert Redactor().text(f"T={token}-3 ok") == "T=[REDACTED:databricks#1] ok"


def test_a_number_under_the_name_of_a_password_goes_from_a_document() -> None:
    assert Redactor().value({"password": 82930142, "dbPassword": 4711}) == {
        "password": "[REDACTED:password#1]",
        "dbPassword": "[REDACTED:password#2]",
    }
