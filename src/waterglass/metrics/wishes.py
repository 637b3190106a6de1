"""What a prompt says of checks: a person who wants none is not to read later that none ran."""

from __future__ import annotations

import re
from functools import cache

from waterglass.metrics.table import table

_CHECKS = r"(?:tests?|testing|test suites?|checks?|builds?|linters?|lint|linting|type-?checks?|typechecking)\b"
_KINDS = r"(?:(?:the|any|all|your|those|these|more|unit|e2e|integration|full|whole|it's|its)\s+){0,3}"
# "in watch mode", "until the server is up": the way is ruled out, not the check.
_NOT_A_WAY = r"(?!\s+(?:in|with|twice|unless|until|before|against|on|after|while)\b)"
_NONE = (
    r"\b(?:do\s?n[o']?t|do not|don’t|never|no need to|need\s?n['’]t|should\s?n['’]t|must\s?n['’]t|must not)\s+"
    r"(?:(?:even|just|actually|try to|bother to|need to|have to|want you to)\s+)?"
    rf"(?:run|re-?run|execute|launch|perform|do|start)\s+{_KINDS}{_CHECKS}{_NOT_A_WAY}",
    rf"\b(?:without|avoid|stop)\s+(?:running|executing|doing)\s+{_KINDS}{_CHECKS}",
    rf"(?<!n't )(?<!n’t )(?<!not )(?<!never )(?<!to )\bskip\s+(?:running\s+)?{_KINDS}{_CHECKS}",
    r"\bI(?:'ll|’ll| will| can| want to)\s+(?:run|do|test|check|build|verify|try)\b[^.\n]{0,40}\bmyself\b",
)
_WANTED = rf"\b(?:run|re-?run|execute)\s+{_KINDS}{_CHECKS}"

_REPEATS = (
    r"\b\d{1,4}\s*(?:x|times)\b|\btwice\b"
    r"|\b(?:two|three|four|five|six|ten|several|multiple|many|a few|a couple of|some)\s+times\b"
    r"|\b(?:repeatedly|over and over|again and again|in a loop)\b"
    r"|\bkeep\s+(?:running|checking|polling|trying|watching)\b"
    r"|\bevery\s+(?:\d+|few|couple of|other)?\s*(?:s|sec|seconds?|min|minutes?|hours?)\b"
)

_repeats = re.compile(_REPEATS, re.IGNORECASE)
# Most prompts hold none of these, and looking for a word is quick.
_TELLS = ("test", "check", "build", "lint", "myself", "prueba", "тест", "测试", "測試", "テスト", "테스트")

_wanted = re.compile(_WANTED, re.IGNORECASE)


@cache
def _none() -> re.Pattern[str]:
    return re.compile("|".join((*_NONE, *table().no_checks)), re.IGNORECASE)


def wants_no_checks(prompt: str) -> bool:
    """Whether a person asks for no checks, or says to run them alone."""
    lowered = prompt.lower()
    return any(word in lowered for word in _TELLS) and _none().search(prompt) is not None


def wants_checks(prompt: str) -> bool:
    """Whether a person asks for checks, which ends an earlier wish for none."""
    return _wanted.search(prompt) is not None and not wants_no_checks(prompt)


def wants_repeats(prompt: str) -> bool:
    """Whether a person asks for the same thing more than once: what looks like a loop is then the work."""
    return _repeats.search(prompt) is not None
