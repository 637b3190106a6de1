"""Redaction of documents: every string, every key, any depth; and the level that keeps the structure alone."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from waterglass.redact import Redactor
from waterglass.redact.rules import load_rules

GITHUB = "gh" + "p_F4k3aB7xF4k3aB7xF4k3aB7xF4k3aB7xF4k3"
TOKENS = [rule.examples_true[0] for rule in load_rules() if not (rule.back or rule.anywhere or rule.needs_letter)]
WORDS = [
    "alpha",
    "/src/app.py",
    "token",
    "42",
    "user=",
    "password",
    "[x]",
    "{y}",
    "\n",
    "\\n",
    ":",
    "=",
    "'",
    '"',
    "Bearer",
]
WORDS += ["sk-", "eyJ", "ghp_", "AKIA", "://", "@", "Cookie:", "secret=", "=>", "--token", "token:", "Token=", "$", "<"]

texts = st.lists(st.sampled_from([*WORDS, *TOKENS, "hunter22", "[REDACTED:key#1]"]) | st.text(max_size=8)).map(" ".join)
keys = st.sampled_from(["a", "password", "token", "input_tokens", "Authorization", GITHUB]) | st.text(max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def test_values_under_a_secret_s_name_go_whatever_they_look_like() -> None:
    document = {
        "password": "correct horse",
        "headers": {"X-Api-Key": "abc def", "Cookie": "a=b", "Accept": "text/html"},
        "clientSecret": ["one two", {"note": "kept"}],
        "AWS_SECRET_ACCESS_KEY": "zzz zzz zz",
        "token": None,
        "secret": True,
    }
    shown = Redactor().value(document)
    gone = [shown["password"], shown["headers"]["X-Api-Key"], shown["headers"]["Cookie"], shown["clientSecret"][0]]
    gone.append(shown["AWS_SECRET_ACCESS_KEY"])
    assert [text.partition("#")[0] for text in gone] == [
        "[REDACTED:password",
        "[REDACTED:key",
        "[REDACTED:cookie",
        "[REDACTED:secret",
        "[REDACTED:secret",
    ]
    assert (shown["headers"]["Accept"], shown["clientSecret"][1]) == ("text/html", {"note": "kept"})
    assert (shown["token"], shown["secret"]) == (None, True)


def test_counts_types_and_references_under_such_names_stay() -> None:
    document = {"max_tokens": 4096, "token": 12, "tokens": "many", "token_type": "Bearer", "password": "${DB_PASSWORD}"}
    document |= {"secret": "none", "api_key": "os.environ['X']", "cookie_name": "sid", "tokenCount": "12"}
    assert Redactor().value(document) == document


def test_keys_are_redacted_too_and_their_order_stays() -> None:
    result = Redactor().value({"a": 1, f"/x/{GITHUB}": {"v": 1}, "z": 2})
    assert list(result) == ["a", "/x/[REDACTED:github#1]", "z"]


def test_two_keys_that_become_one_both_stay() -> None:
    document = {"/home/anna/x": 1, "/home/otto/x": 2}
    assert Redactor("paths").value(document) == {"/home/[user]/x": 1, "/home/[user]/x (2)": 2}


def test_names_found_late_in_a_document_are_hidden_early_in_it() -> None:
    assert Redactor("paths").value(["by mirabel", {"cwd": "/home/mirabel/x"}]) == [
        "by [user]",
        {"cwd": "/home/[user]/x"},
    ]


def test_a_document_of_any_depth_is_walked() -> None:
    document: Any = GITHUB
    for _ in range(5_000):
        document = [document] if isinstance(document, dict) else {"d": document}
    result = Redactor().value(document)
    while isinstance(result, (dict, list)):
        result = result["d"] if isinstance(result, dict) else result[0]
    assert result == "[REDACTED:github#1]"


def test_the_document_given_is_not_changed() -> None:
    document = {"password": "hunter2", "list": [GITHUB]}
    Redactor().value(document)
    assert document == {"password": "hunter2", "list": [GITHUB]}


@settings(deadline=None)
@given(values)
def test_no_planted_token_is_left_at_any_place(value: Any) -> None:
    shown = json.dumps(Redactor().value(value), ensure_ascii=False)
    assert [token for token in TOKENS if json.dumps(f" {token} ")[1:-1] in shown] == []
    assert GITHUB not in shown


@settings(deadline=None)
@given(st.sampled_from(TOKENS), st.lists(st.sampled_from(["list", "value", "key", "json"]), max_size=12))
def test_a_token_is_found_however_it_is_wrapped(token: str, wraps: list[str]) -> None:
    value: Any = f"see {token}"
    for wrap in wraps:
        match wrap:
            case "list":
                value = [1, value]
            case "value":
                value = {"note": value}
            case "key":
                value = {value if isinstance(value, str) else "k": value}
            case _:
                value = json.dumps(value)
    assert token not in json.dumps(Redactor().value(value)).replace("\\", "")


@settings(deadline=None)
@given(values, st.sampled_from(["secrets", "paths", "structure"]))
def test_redacting_twice_is_redacting_once(value: Any, level: Any) -> None:
    once = Redactor(level).value(value)
    assert Redactor(level).value(once) == once


@settings(deadline=None)
@given(texts)
def test_redacting_a_text_twice_is_redacting_it_once(text: str) -> None:
    once = Redactor().text(text)
    assert Redactor().text(once) == once


CLEAN = st.text(alphabet="abcdefghij KLMNOP 012345 .,;/(){}\n", max_size=200)


@given(st.recursive(CLEAN | st.integers(), lambda v: st.lists(v, max_size=4) | st.dictionaries(CLEAN, v, max_size=4)))
def test_a_clean_document_is_unchanged(value: Any) -> None:
    redactor = Redactor()
    assert redactor.value(value) == value
    assert redactor.counts == {}


def payload() -> dict[str, Any]:
    return {
        "payload": 1,
        "session": {
            "id": "5e55",
            "title": "Fix the tides",
            "project": "/home/mira/tidepool",
            "state": "idle",
            "startMs": 7,
        },
        "prompts": [{"text": "Please fix it", "ms": 7, "uuid": "u-1", "state": "sent"}],
        "rows": [
            {
                "id": "toolu_1",
                "toolName": "Bash",
                "label": "Bash: npm test",
                "outcome": "error",
                "startTime": 7,
                "input": {"command": "npm test", "name": "kept?"},
                "output": "1 failed",
                "targets": ["src/a.py"],
                "children": [],
            }
        ],
        "usage": {"output": 12},
    }


def test_level_structure_keeps_names_times_and_outcomes_and_no_words() -> None:
    shown = Redactor("structure").value(payload())
    [row] = shown["rows"]
    assert row == {
        "id": "toolu_1",
        "toolName": "Bash",
        "label": "Bash: [8 chars]",
        "outcome": "error",
        "startTime": 7,
        "input": {"command": "[8 chars]", "name": "[5 chars]"},
        "output": "[8 chars]",
        "targets": ["[8 chars]"],
        "children": [],
    }
    assert shown["session"]["title"] == "[13 chars]"
    assert shown["prompts"] == [{"text": "[13 chars]", "ms": 7, "uuid": "u-1", "state": "sent"}]
    assert shown["usage"] == {"output": 12}


def test_level_structure_masks_the_strings_of_a_table_by_the_column_that_uses_them() -> None:
    strings = ["Bash", "Bash: npm test", "src/a.py", "error", "never used"]
    table = {
        "count": 1,
        "strings": strings,
        "columns": {"id": ["toolu_1"], "toolName": [0], "label": [1], "targets": [[2]], "outcome": [3], "startMs": [4]},
    }
    shown = Redactor("structure").value({"table": table})["table"]
    assert shown["strings"] == ["Bash", "Bash: [8 chars]", "[8 chars]", "error", "[10 chars]"]
    assert shown["columns"] == table["columns"]


def test_level_structure_keeps_no_label_that_is_no_tool_s_and_no_name_that_somebody_gave() -> None:
    document = {"marks": [{"kind": "prompt", "label": "Fix: it"}], "agents": [{"id": "a1", "name": "Find the leak"}]}
    document["generator"] = {"name": "waterglass", "version": "1"}  # type: ignore[assignment]
    assert Redactor("structure").value(document) == {
        "marks": [{"kind": "prompt", "label": "[7 chars]"}],
        "agents": [{"id": "a1", "name": "[13 chars]"}],
        "generator": {"name": "waterglass", "version": "1"},
    }


def test_level_structure_of_a_text_is_its_length() -> None:
    assert Redactor("structure").text("four words of text") == "[18 chars]"


def test_what_was_too_long_for_a_name_is_none_once_its_secret_is_hidden() -> None:
    token = "sk-ant-" + "api03-" + "aB3_xYz9-" * 10 + "zEbdAA"
    value: object
    for value in ([f"{token} token", f"alpha {token}"], {f"{token} token": "alpha1 beta2"}):
        once = Redactor().value(value)
        assert token not in str(once) and "alpha" in str(once)
        assert Redactor().value(once) == once
