"""The token rules: each finds its examples, leaves the others, and keeps to what a linear engine could run."""

from __future__ import annotations

import itertools
import re

import pytest

from waterglass.redact import Redactor
from waterglass.redact.rules import Rule, load_rules
from waterglass.redact.scan import find_secrets

RULES = load_rules()
BY_ID = [pytest.param(rule, id=rule.id) for rule in RULES]
CONTEXTS = [
    "{}",
    "before {} after",
    'x = "{}"',
    "(see '{}')",
    "A=1\\nKEY={}\\nB=2",
    "q%3D{}%26z",
    "https://h.example/?k={}&x=1",
]


def found_by(rule: Rule, text: str) -> list[str]:
    searched = text.lower() if rule.fold else text
    return [text[span.start : span.end] for word in rule.keywords for span in rule.find(text, searched, word)]


@pytest.mark.parametrize("rule", BY_ID)
def test_a_rule_finds_its_examples(rule: Rule) -> None:
    assert len(rule.examples_true) >= 3
    assert all(found_by(rule, example) for example in rule.examples_true)


@pytest.mark.parametrize("rule", BY_ID)
def test_a_rule_leaves_what_only_looks_like_one(rule: Rule) -> None:
    assert len(rule.examples_false) >= 3
    assert [example for example in rule.examples_false if found_by(rule, example)] == []


@pytest.mark.parametrize("rule", [p for p in BY_ID if not p.values[0].needs_letter])
def test_an_example_is_gone_in_any_company(rule: Rule) -> None:
    for example, context in itertools.product(rule.examples_true, CONTEXTS):
        [secret] = found_by(rule, example)[:1]
        shown = Redactor().text(context.format(example))
        assert secret not in shown
        assert "[REDACTED:" in shown


@pytest.mark.parametrize("rule", BY_ID)
def test_a_rule_stays_within_re2_and_cannot_run_away(rule: Rule) -> None:
    source = rule.regex.pattern
    assert not re.search(r"\(\?(?:=|!|<=|<!|>|P=|\()|\\[1-9]|[*+?}]\+", source), "no look-around, no back reference"
    assert not re.search(r"[*+](?!\?)|[^\\]\{\d+,\}", source.replace("[A-Za-z0-9+/]", "")) or all(
        char in "+*" and _in_class(source, at) for at, char in enumerate(source) if char in "+*"
    ), "every repeat has an end"
    assert not re.search(r"\)(?:[*+]|\{)", source), "no repeat of a group that repeats"
    assert all(int(n) <= 1000 for n in re.findall(r"[{,](\d+)\}", source))


def _in_class(source: str, at: int) -> bool:
    return source.rfind("[", 0, at) > source.rfind("]", 0, at)


def test_the_stored_examples_are_cut_so_that_no_scanner_finds_them() -> None:
    from importlib.resources import files

    text = files("waterglass.redact").joinpath("rules.toml").read_text("utf-8")
    whole = [example for rule in RULES for example in rule.examples_true if example in text]
    assert whole == []


def test_the_kinds_are_words_that_a_placeholder_can_hold() -> None:
    assert all(re.fullmatch("[a-z_]+", rule.kind) for rule in RULES)
    assert len({rule.id for rule in RULES}) == len(RULES)


def test_more_than_twenty_five_makers_of_tokens_are_known() -> None:
    assert len({rule.kind for rule in RULES}) > 25
    assert {"anthropic", "openai", "github", "gitlab", "aws_id", "slack", "stripe", "jwt"} <= {r.kind for r in RULES}


@pytest.mark.parametrize(
    "text",
    [
        "a" * 60_000,
        "key=" * 15_000,
        "://" + "a:" * 20_000,
        "eyJ" * 20_000,
        "-----BEGIN PRIVATE KEY-----" + "A" * 60_000,
        "password" * 8_000 + "=",
        "password=" * 8_000,
        "sk-" * 20_000,
        "x@" * 20_000,
        "\\" * 60_000,
        "curl -u " * 8_000,
        "://a:b" * 10_000,
        "-----BEGIN RSA PRIVATE KEY-----" * 2_000,
        "eyJaaaaaaaa." * 6_000,
        ".G" * 30_000,
        "\x1b[" + "1;" * 30_000,
        '"token":"' * 7_000,
        "Cookie: " * 8_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_text_made_to_be_slow_ends_in_time(text: str) -> None:
    # No clock: quadratic work on these sizes takes minutes and so meets the limit that every test has.
    find_secrets(text)
    find_secrets(text * 4)
