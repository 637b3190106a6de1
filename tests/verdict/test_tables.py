"""The patterns of runners and claims cost no more than the text is long."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import waterglass.verdict
from waterglass.claims.table import languages

TABLES = Path(waterglass.verdict.__file__).parents[1] / "tables"


def patterns(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("starts", "within", "words", "parts", "others"):
                yield from patterns(inner)
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def repeats_a_repeat(parsed: object, inside: bool = False) -> bool:
    """Whether something that repeats without a bound holds something that repeats."""
    if isinstance(parsed, tuple) and len(parsed) == 2 and str(parsed[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
        _, most, body = parsed[1]
        return (inside and most > 1) or repeats_a_repeat(body, inside or most > 1)
    parts = getattr(parsed, "data", parsed)
    return isinstance(parts, list | tuple) and any(repeats_a_repeat(part, inside) for part in parts)


@pytest.mark.parametrize("name", ["runners.toml", "claims.toml"])
def test_no_pattern_repeats_a_repeat(name: str) -> None:
    parser = re._parser  # type: ignore[attr-defined]
    texts = list(patterns(tomllib.loads((TABLES / name).read_text(encoding="utf-8"))))
    assert len(texts) > 100
    assert [text for text in texts if repeats_a_repeat(parser.parse(text))] == []
    assert repeats_a_repeat(parser.parse("(?:a+b?)*"))


def test_every_language_with_rules_has_those_that_matter() -> None:
    with_rules = {name: language.rules for name, language in languages().items() if language.rules}
    assert set(with_rules) == {"en", "es", "fr", "de", "pt", "ru", "zh", "ja", "ko"}
    for name, rules in with_rules.items():
        for field in ("done", "state", "item", "unless", "remains", "resolved", "goes_on"):
            assert getattr(rules, field).pattern != "(?!)", f"{name}: {field}"


def test_the_words_that_let_a_line_through_are_in_lower_case_as_the_line_is() -> None:
    words = tomllib.loads((TABLES / "runners.toml").read_text(encoding="utf-8"))["tells"]["words"]
    assert words == [word.lower() for word in words]
