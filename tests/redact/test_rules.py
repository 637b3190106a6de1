"""The token rules: each finds its examples, leaves the others, and keeps to what both engines run alike."""

from __future__ import annotations

import itertools
import re

import pytest

from waterglass.redact import Redactor
from waterglass.redact.engine import Engine, PythonEngine, Re2Engine, re2
from waterglass.redact.names import NAME_WORDS
from waterglass.redact.rules import Rule, RuleIndex, load_rules, places_of, rules_for
from waterglass.redact.scan import find_secrets

RULES = load_rules()
BY_ID = [pytest.param(rule, id=rule.id) for rule in RULES]
NO_RE2 = "google-re2 is not installed here: only Python's engine is tried"
ENGINES = [
    pytest.param(PythonEngine(), id="re"),
    pytest.param(Re2Engine(), id="re2", marks=pytest.mark.skipif(re2 is None, reason=NO_RE2)),
]
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
    found = (span for word in rule.keywords for span in rule.find(text, places_of(searched, word)))
    return [text[span.start : span.end] for span in found]


@pytest.mark.parametrize("one", ENGINES)
def test_each_rule_finds_its_examples_and_leaves_what_only_looks_like_one(one: Engine) -> None:
    rules = rules_for(one)
    assert [r.id for r in rules if len(r.examples_true) < 3 or len(r.examples_false) < 3] == []
    assert [(r.id, e) for r in rules for e in r.examples_true if not found_by(r, e)] == []
    assert [(r.id, e) for r in rules for e in r.examples_false if found_by(r, e)] == []


@pytest.mark.skipif(re2 is None, reason=NO_RE2)
def test_both_engines_find_the_same_stretches() -> None:
    company = ["{}", "é {} ü", "x={}&y", "\\n{}\\n", "%3D{}", "“{}”"]
    for one, other in zip(rules_for(PythonEngine()), rules_for(Re2Engine()), strict=True):
        for example, around in itertools.product((*one.examples_true, *one.examples_false), company):
            assert found_by(one, around.format(example)) == found_by(other, around.format(example)), one.id


@pytest.mark.parametrize("one", ENGINES)
def test_the_index_names_each_keyword_that_announces_a_token_and_none_that_is_not_there(one: Engine) -> None:
    index = RuleIndex(one, RULES, NAME_WORDS)
    samples = [example for rule in RULES for example in rule.examples_true]
    for text in [*samples, *("a word before it: " * 20 + sample for sample in samples), "PASSWORD Cookie x", ""]:
        low = text.lower()
        hits, words = index.found(text, low)
        named = {(word, rule.id) for word, rules in hits for rule in rules}
        there = {(w, r.id): r for r in RULES for w in r.keywords if w in (low if r.fold else text)}
        assert named <= there.keys()
        missed = [there[key] for key in there.keys() - named]
        assert [rule.id for rule in missed if found_by(rule, text)] == []
        assert set(words) == {word for word in NAME_WORDS if word in low}


@pytest.mark.parametrize("rule", [p for p in BY_ID if not p.values[0].needs_letter])
def test_an_example_is_gone_in_any_company(rule: Rule) -> None:
    for example, context in itertools.product(rule.examples_true, CONTEXTS):
        [secret] = found_by(rule, example)[:1]
        shown = Redactor().text(context.format(example))
        assert secret not in shown
        assert "[REDACTED:" in shown


@pytest.mark.parametrize("rule", BY_ID)
def test_a_rule_stays_within_re2_and_cannot_run_away(rule: Rule) -> None:
    source = re.sub(r"\\[^dwsbDWSB0-9]", "e", rule.source)  # an escaped character is only itself
    assert not re.search(r"\\[dwsDWSB]|\(\?[^:i]", source), "these differ between the engines"
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

    sheets = [sheet.read_text("utf-8") for sheet in files("waterglass.redact").joinpath("rules").iterdir()]
    assert len(sheets) > 5
    assert [e for rule in RULES for e in rule.examples_true for text in sheets if e in text] == []


def test_the_kinds_are_words_that_a_placeholder_can_hold() -> None:
    assert all(re.fullmatch("[a-z][a-z0-9_]*", rule.kind) for rule in RULES)
    assert len({rule.id for rule in RULES}) == len(RULES)


def test_more_than_a_hundred_and_twenty_kinds_are_known() -> None:
    kinds = {rule.kind for rule in RULES}
    assert len(kinds) > 120
    assert {"anthropic", "openai", "github", "gitlab", "aws_id", "slack", "stripe", "jwt", "npm", "cookie"} <= kinds


@pytest.mark.parametrize("middle", ["oat01", "ort01", "sid01", "api03", "admin01"])
def test_every_kind_of_key_of_claude_itself_is_known(middle: str) -> None:
    key = "sk-" + f"ant-{middle}-" + "aB3-_xYz9" * 11
    assert Redactor().text(f"key {key}.") == "key [REDACTED:anthropic#1]."


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
    for long in (text, text * 4):
        found = find_secrets(long)
        assert all(0 <= span.start < span.end <= len(long) for span in found)
