"""The token rules of `rules.toml`: loaded once, searched by keyword, then tried at the place that the keyword names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from waterglass.redact.placeholders import is_placeholder

# Longer than any token that a rule takes (counted repeats end at 1,000, RE2's own limit), so a window never cuts one.
WINDOW = 4_096
# No rule takes less (`a://:abc@b`), and no token has white space in it.
_SHORTEST = 10


class Span(NamedTuple):
    """Characters `start` to `end` of a text hold a secret of this kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Rule:
    """One token format. `back`: how many characters before its keyword the expression may begin."""

    id: str
    kind: str
    keywords: tuple[str, ...]
    regex: re.Pattern[str]
    back: int = 0
    fold: bool = False
    anywhere: bool = False
    needs_digit: bool = False
    needs_letter: bool = False
    examples_true: tuple[str, ...] = ()
    examples_false: tuple[str, ...] = ()

    def find(self, text: str, searched: str, keyword: str) -> Iterator[Span]:
        """Spans of this rule in `text`. `searched` is the text in which the keyword is looked for (folded or not)."""
        group = min(1, self.regex.groups)
        at, done = searched.find(keyword), 0
        while at >= 0:
            begin, end = max(done, at - self.back), at + WINDOW
            look = self.regex.search if self.back else self.regex.match
            # A token glued to the word before it is the tail of something else: one look back spares most attempts.
            free = self.back or self.anywhere or is_boundary(text, at)
            found = look(text, begin, end) if free else None
            if found and self._is_token(text, found, group):
                yield Span(*found.span(group), self.kind)
                done = found.end()
            at = searched.find(keyword, max(at + len(keyword), done))

    def _is_token(self, text: str, found: re.Match[str], group: int) -> bool:
        if self.back and not is_boundary(text, found.start()):
            return False
        body = found[group]
        if len(set(body[-12:])) < 3:  # ghp_xxxx…: nobody's token
            return False
        if "password" in self.kind and is_placeholder(body):
            return False
        if self.needs_digit and not any(c.isdigit() for c in body):
            return False
        return not (self.needs_letter and not any(c.isalpha() for c in body))


def is_boundary(text: str, at: int) -> bool:
    """May a token begin here? Not within a word; but an escape (`\\n`, `%3D`, `\\u003d`) before it is no word."""
    if at <= 0 or not text[at - 1].isalnum():
        return True
    before = text[max(0, at - 6) : at]
    if before[-2:-1] == "\\" or before[-3:-2] == "%":
        return True
    return len(before) == 6 and before.startswith("\\u")


@cache
def load_rules() -> tuple[Rule, ...]:
    """All token rules in the order of the file, their examples joined."""
    table = tomllib.loads(files(__package__).joinpath("rules.toml").read_text("utf-8"))
    return tuple(_rule(**entry) for entry in table["rule"])


def _rule(keywords: list[str], regex: str, examples_true: list[str], examples_false: list[str], **rest: object) -> Rule:
    return Rule(
        keywords=tuple(keywords),
        regex=re.compile(regex),
        examples_true=tuple(example.replace("<+>", "") for example in examples_true),
        examples_false=tuple(example.replace("<+>", "") for example in examples_false),
        **rest,  # type: ignore[arg-type]
    )


@cache
def by_keyword() -> tuple[tuple[str, tuple[Rule, ...]], ...]:
    """The rules under each keyword that is searched in the text as it stands."""
    table: dict[str, list[Rule]] = {}
    for rule in load_rules():
        for keyword in rule.keywords:
            if not rule.fold:
                table.setdefault(keyword, []).append(rule)
    return tuple((keyword, tuple(rules)) for keyword, rules in table.items())


@cache
def by_folded_keyword() -> tuple[tuple[str, tuple[Rule, ...]], ...]:
    """The rules under each keyword that is searched in lower case."""
    return tuple((keyword, (rule,)) for rule in load_rules() if rule.fold for keyword in rule.keywords)


def find_tokens(text: str, low: str) -> Iterator[Span]:
    """Spans of every rule in `text`; `low` is the text in lower case, of the same length."""
    words = _long_words(text)
    for keyword, rules in by_keyword():
        if keyword in (text if " " in keyword else words):
            for rule in rules:
                yield from rule.find(text, text, keyword)
    for keyword, rules in by_folded_keyword():
        if keyword in low:
            for rule in rules:
                yield from rule.find(text, low, keyword)


def _long_words(text: str) -> str:
    """What of a text can hold a token: a third of it. Over a hundred searches then cost a third, too."""
    return text if len(text) < 200 else " ".join({word for word in text.split() if len(word) >= _SHORTEST})
