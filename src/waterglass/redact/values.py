"""Values that somebody named or that were found to be secret: hidden wherever they stand, whatever they look like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from waterglass.redact.names import is_secret_name
from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.rules import Span

LEAST = 4  # characters; a shorter value stands in every second word
MOST = 1_000  # values: each is looked for in each text
_LEAST_OF_ENVIRONMENT = 8
# A value found beside a name is looked for elsewhere only if it can be nothing but that value.
_STRONG = re.compile(r"[A-Za-z0-9+/_=.~!@#$%^&*-]{12,400}")
_MOST_LEARNED = 300


class Values:
    """A set of exact values with their kinds."""

    def __init__(self, kinds: Mapping[str, str] | None = None) -> None:
        self._kinds = dict(sorted((kinds or {}).items(), key=lambda item: -len(item[0])))
        self._learned = 0

    def find(self, text: str) -> Iterator[Span]:
        """Spans of each value in `text`, the longest values first."""
        for value, kind in self._kinds.items():
            at = text.find(value)
            while at >= 0:
                yield Span(at, at + len(value), kind)
                at = text.find(value, at + len(value))

    def learn(self, value: str, kind: str) -> bool:
        """Take a value that stood beside a secret's name; False if it is known, weak or one too many."""
        if value in self._kinds or self._learned >= _MOST_LEARNED or not is_strong(value):
            return False
        self._kinds[value] = kind
        self._learned += 1
        return True

    def copy(self) -> Values:
        """Return the same values, to be added to apart from these."""
        return Values(self._kinds)


def is_strong(value: str) -> bool:
    """Is this long and mixed enough to be nobody's word, path or number?"""
    return (
        _STRONG.fullmatch(value) is not None
        and sum(c.isdigit() for c in value) >= 3
        and sum(c.isalpha() for c in value) >= 3
        and len(set(value)) >= 8
        and "//" not in value
    )


def values_of(lines: Iterable[str]) -> dict[str, str]:
    """The values of a file, one a line, as {value: "own"}. Raises ValueError for one too short and for too many."""
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        value = line.strip("\r\n")
        if not value.strip():
            continue
        if len(value) < LEAST:
            raise ValueError(f"line {number} has fewer than {LEAST} characters")
        found[value] = "own"
        if len(found) > MOST:
            raise ValueError(f"more than {MOST:,} values")
    return found


def environment_values(environment: Mapping[str, str]) -> dict[str, str]:
    """The values of variables with a secret's name, as {value: "environment"}; words and short values are left out."""
    return {
        value: "environment"
        for name, value in environment.items()
        if len(value) >= _LEAST_OF_ENVIRONMENT and is_secret_name(name) and not is_placeholder(value)
    }
