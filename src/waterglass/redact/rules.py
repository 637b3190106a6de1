"""The token rules of `rules/*.toml`: loaded once, found by keyword, then tried at the place that the keyword names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from waterglass.redact.engine import Engine, Keyword, Keywords, Pattern, engine
from waterglass.redact.placeholders import is_placeholder

# Longer than any token that a rule takes (counted repeats end at 1,000, RE2's own limit), so a window never cuts one.
WINDOW = 4_096
_TAIL = re.compile("[A-Za-z0-9_-]{0,512}")


class Span(NamedTuple):
    """Characters `start` to `end` of a text hold a secret of this kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Rule:
    """One token format. `back`: how many characters before its keyword the expression may begin.

    `anywhere`: may follow a letter or digit. `fold`: keywords in any case. `needs_…`: the token holds such a
    character. `skip_placeholder`: a word, a filler or a reference is no secret.
    """

    id: str
    kind: str
    keywords: tuple[str, ...]
    source: str
    engine: Engine
    back: int = 0
    fold: bool = False
    anywhere: bool = False
    needs_digit: bool = False
    needs_letter: bool = False
    needs_upper: bool = False
    skip_placeholder: bool = False
    examples_true: tuple[str, ...] = ()
    examples_false: tuple[str, ...] = ()

    @cached_property
    def regex(self) -> Pattern:
        """The compiled expression. Few rules are ever needed, and compiling all of them takes a second."""
        return self.engine.compile(self.source)

    @property
    def has_white_space(self) -> bool:
        """May white space stand in what it takes?"""
        return " " in self.source or "\\t" in self.source or "\\n" in self.source

    def find(self, text: str, places: Iterable[int]) -> Iterator[Span]:
        """Spans of this rule in `text`, where one of its keywords stands at each of `places`, in order."""
        group = min(1, self.regex.groups)
        done = 0
        for at in places:
            if at < done:
                continue
            found, begin = self._try(text, at, done)
            if found is not None:
                start, end = found.span(group)
                # Issuers lengthen their tokens: what goes on without a break belongs to this one.
                end = begin + end if group else _TAIL.match(text, begin + end).end()  # type: ignore[union-attr]
                yield Span(begin + start, end, self.kind)
                done = max(begin + found.end(), end)

    def begins(self, text: str) -> Span | None:
        """The token that `text` begins with."""
        found = self.regex.match(text)
        if not found or not self._is_token(text, found, 0):
            return None
        start, end = found.span(min(1, self.regex.groups))
        return Span(start, end, self.kind)

    def _try(self, text: str, at: int, done: int) -> tuple[Any, int]:
        """The match for a keyword at `at`, and where the window begins that its places count from."""
        begin = max(done, at - self.back)
        # A token glued to the word before it is the tail of something else: one look back spares most attempts.
        if not (self.back or self.anywhere or is_boundary(text, at)):
            return None, begin
        window = text[begin : at + WINDOW]
        found = self.regex.search(window) if self.back else self.regex.match(window)
        return (found, begin) if found and self._is_token(text, found, begin) else (None, begin)

    def _is_token(self, text: str, found: Any, begin: int) -> bool:
        if self.back and not self.anywhere and not is_boundary(text, begin + found.start()):
            return False
        body: str = found[min(1, self.regex.groups)]
        if len(set(body[-12:])) < 3:  # ghp_xxxx…: nobody's token
            return False
        if self.skip_placeholder and is_placeholder(body):
            return False
        if self.needs_digit and not any(c.isdigit() for c in body):
            return False
        if self.needs_upper and not any(c.isupper() for c in body):
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
    """All token rules, file by file in the order of their names, with their examples joined."""
    return rules_for(engine())


def rules_for(one: Engine) -> tuple[Rule, ...]:
    """All token rules, compiled by this engine."""
    sheets = sorted(files(__package__).joinpath("rules").iterdir(), key=lambda sheet: sheet.name)
    tables = (tomllib.loads(sheet.read_text("utf-8")) for sheet in sheets if sheet.name.endswith(".toml"))
    return tuple(_rule(one, **entry) for table in tables for entry in table["rule"])


def _rule(
    one: Engine, keywords: list[str], regex: str, examples_true: list[str], examples_false: list[str], **rest: Any
) -> Rule:
    return Rule(
        keywords=tuple(keywords),
        source=regex,
        engine=one,
        examples_true=tuple(example.replace("<+>", "") for example in examples_true),
        examples_false=tuple(example.replace("<+>", "") for example in examples_false),
        **rest,
    )


class RuleIndex:
    """The rules under their keywords, together with words that others look for in the same pass."""

    def __init__(self, one: Engine, rules: tuple[Rule, ...], others: tuple[str, ...] = ()) -> None:
        table: dict[tuple[str, bool], list[Rule]] = {}
        for rule in rules:
            for keyword in rule.keywords:
                table.setdefault((keyword, rule.fold), []).append(rule)
        self._table = tuple((keyword, tuple(found)) for (keyword, _), found in table.items())
        self._others = others
        words = [
            Keyword(word, fold, alone=any(rule.has_white_space for rule in under))
            for (word, fold), under in table.items()
        ]
        self._words: Keywords = one.keywords([*words, *(Keyword(word, fold=True) for word in others)])

    def found(self, text: str, low: str) -> tuple[list[tuple[str, tuple[Rule, ...]]], list[str]]:
        """The keywords with their rules that occur in `text`, and the other words that occur in it in any case."""
        rules, others = [], []
        for index in sorted(self._words.found(text, low)):
            if index < len(self._table):
                rules.append(self._table[index])
            else:
                others.append(self._others[index - len(self._table)])
        return rules, others


def places_of(text: str, word: str) -> Iterator[int]:
    """Where `word` stands in `text`."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))
