"""Secrets in JSON in a string of JSON, and so on: each level doubles the backslashes before a quote."""

from __future__ import annotations

import base64
import json

import pytest

from waterglass.redact import Redactor
from waterglass.redact.stream import redact_lines

LEVELS = range(7)
GITHUB = "gh" + "p_F4k3aB7xQ2F4k3aB7xQ2F4k3aB7xQ2F4k3Zz"
# What is written, and the part of it that must go.
WRITTEN = {
    "a quoted password": ('{"password": "tr0ub4dor&3x"}', "tr0ub4dor"),
    "one with spaces": ('{"db": {"client_secret": "fish and chips 7"}}', "fish and chips"),
    "one with a quote in it": (json.dumps({"password": 'ab"cd1234"ef'}), "cd1234"),
    "one with a backslash in it": (json.dumps({"password": "ab\\ncd1234\\ef"}), "cd1234"),
    "a line of a shell": ('export DB_PASSWORD="tr0ub4dor&3x"\n', "tr0ub4dor"),
    "a line of a document": ("database:\n  password: 'tr0ub4dor and more'\n", "tr0ub4dor"),
    "a setting": ('{"name": "API_KEY", "value": "q7w8e9r0zz"}', "q7w8e9r0zz"),
    "a login of a registry": ('{"auths": {"r.example": {"auth": "bWlyYTpodW50ZXIyZmFrZQ=="}}}', "bWlyYTpodW"),
    "a header": ('{"headers": {"Authorization": "Bearer abcdEFGH1234ijkl"}}', "abcdEFGH1234ijkl"),
    "a cookie": ('{"name": "sid", "value": "deadbeef01", "httpOnly": true}', "deadbeef01"),
    "a token": (f'{{"env": "T={GITHUB}"}}', GITHUB[8:]),
    "a token on two lines": (f"{GITHUB[:20]}\n{GITHUB[20:]}\n", GITHUB[24:]),
    "base64 of several lines": (
        base64.encodebytes(b"DB_PASSWORD=hunter2fake and more\n" * 5).decode().strip(),
        "VyMmZha2UgYW5kIG1vcmU",
    ),
    "a private key": ("-----BEGIN PRIVATE KEY-----\nMIIEfake1fake2fake3\n-----END PRIVATE KEY-----", "fake1fake2"),
}


def nested(text: str, levels: int) -> str:
    for _ in range(levels):
        text = json.dumps(text)
    return text


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_secret_goes_at_whatever_level_it_is_written(written: str, levels: int) -> None:
    text, secret = WRITTEN[written]
    whole = f"before {nested(text, levels)} after"
    assert secret in whole
    shown = Redactor().text(whole)
    assert secret not in shown
    assert shown.startswith("before ") and shown.endswith(" after"), "what stands around it stays"


@pytest.mark.parametrize("written", WRITTEN)
def test_it_goes_from_a_line_of_json_as_well(written: str) -> None:
    text, secret = WRITTEN[written]
    for levels in LEVELS:
        line = json.dumps({"output": nested(text, levels)}).encode() + b"\n"
        [shown] = [part for part in redact_lines(Redactor(), [line]) if part]
        assert secret.encode() not in shown
        assert "output" in json.loads(shown), "the line is JSON still"


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize(
    "text",
    [
        '{"input_tokens": 123456, "token_type": "word", "password": null}',
        "const token = process.env[\"TOKEN\"];\nif (!token) { throw new Error('no token') }\n",
        'grep -rn "PASSWORD=" . && echo "ok 1"',
        "C:\\\\new\\\\table\\\\readme.txt",
        "def login(password: str = '', token: str | None = None) -> None:\n\treturn\n",
    ],
)
def test_what_is_no_secret_stays_at_whatever_level(text: str, levels: int) -> None:
    assert Redactor().text(nested(text, levels)) == nested(text, levels)


def test_a_text_of_backslashes_alone_ends_in_time_and_stays() -> None:
    for text in ("\\" * 200_000, '\\\\\\\\"' * 40_000, "\\\\\\\\n" * 40_000, ("\\" * 127 + '"') * 1_000):
        assert Redactor().text(text) == text
