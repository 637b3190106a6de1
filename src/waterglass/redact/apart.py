"""Passwords on a line of their own: below a line that names them, or as `PASS=…` of a shell or an `.env`."""

from __future__ import annotations

import re

from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.shapes import LINE_NUMBER, looks_random, may_be_password

_NUMBER = f"(?:{LINE_NUMBER})?"
_BELOW = re.compile(
    r"[*_\"']{0,3}[ \t]{0,4}[:\uff1a][*_]{0,2}[ \t]{0,4}\r?\n(?:[ \t]{0,20}\r?\n)?"
    + _NUMBER
    + r"[>+|]?[ \t]{0,20}[`\"'*]{0,2}([^\s`\"'*]{7,100})[`\"'*]{0,2}[ \t]{0,4}(?=\r?\n|\Z)"
)
_CODE = re.compile(
    r"\b(?:if|elif|while|for|else|with|case|when|unless|until|not|and|or|return|def|interface|class)\b"
    r"|[({=;$\[]|'s[ \t]"
    # What a terminal asks for is not seen on it: what follows is another program's.
    r"|\b(?:enter|confirm|repeat|retype|type|current|store|see)\b",
    re.IGNORECASE,
)
_LINE = 80  # characters before the name
_ASSIGNED = re.compile(r"=([^\s\"'`;&|<>(){}\\$=][^\s\"'`;&|<>(){}\\=]{5,200})(?=[ \t\r\n;&|]|\Z)")
_ALONE_BEFORE = re.compile(_NUMBER + r"[+]?[ \t]{0,20}(?:(?:export|set|setenv|ENV|ARG)[ \t]{1,4})?")
_ALONE_AFTER = re.compile(r"[ \t]{0,20}(?:;|#[^\n]*)?[ \t]*\r?(?:\n|\Z)")


def below(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where a password stands alone on the line below the name at `start` to `end`; None where none does."""
    if text[end : end + 3].lstrip("*_\"' \t")[:1] not in (":", "\uff1a"):
        return None
    found = _BELOW.match(text, end)
    if found is None or not looks_random(found[1]) or is_placeholder(found[1]):
        return None
    return None if _CODE.search(text[_line_start(text, start) : start]) else found.span(1)


def assigned(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the value of `PASS=…` stands, without quotes; None for a count, a result or a step.

    Alone on its line, as in an `.env` or a script, it may be a word with a number; before a command it may not.
    """
    found = _ASSIGNED.match(text, end) if text[start:end] == "PASS" else None
    if found is None or is_placeholder(found[1]):
        return None
    if _ALONE_BEFORE.fullmatch(text, _line_start(text, start), start) and _ALONE_AFTER.match(text, found.end()):
        return found.span(1) if may_be_password(found[1]) else None
    parted = not start or text[start - 1] in " \t"
    return found.span(1) if parted and looks_random(found[1]) else None


def _line_start(text: str, at: int) -> int:
    """Return where the line begins, or as far before as is looked."""
    least = max(0, at - _LINE)
    return max(text.rfind("\n", least, at) + 1, least)
