"""What a value looks like: random enough for a password, or one of the many things that are written with digits."""

from __future__ import annotations

import re

LINE_NUMBER = r"[ \t]{0,8}\d{1,7}(?:\u2192|\t)"  # before each line of a file that a tool has read
_CHARACTERS = re.compile(r"[^\s()\[\]{}<>\"'`|\\/]{6,200}")
_GROUPS = re.compile("[0-9]+")
_SIGN = re.compile(r"[!@#$%^&*+?~=.:-]")
_NO_PASSWORD = re.compile(
    r"v?\d+(?:\.\d+)+(?:[-+.]?\w{1,20}){0,4}"  # a version
    r"|\d{4}-\d\d-\d\d.*"  # a date
    r"|[\d.,_]+(?:[A-Za-z%]{1,8})?|\d+(?:of|out|[-:x])\d+[A-Za-z]{0,8}|\d+e[+-]?\d+|0x[0-9A-Fa-f]+"  # amounts
    r"|(?:hmac[-_]?)?(?:sha|md|aes|rsa|des|pbkdf|argon|bcrypt|scrypt|base|utf|crc|ed|blake|ripemd)[-_]?\d{1,5}[a-z]{0,3}"
    r"|.*\.(?:py|js|jsx|mjs|ts|tsx|go|rs|c|h|cc|cpp|java|rb|php|sh|txt|md|rst|json|jsonl|log|ya?ml|toml|cfg|ini|csv|html?"
    r"|css|xml|sql|tar|t?gz|zip|png|jpe?g|svg|pdf|lock)"
    r"|(?:.*[-_])?tests?(?:[-_].*)?|\w+@[\w.-]+\.\w+|\$.*|.*[;,:]",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def may_be_password(value: str) -> bool:
    """Has it letters and digits, and is it no amount, date, version, file, algorithm or variable?"""
    return (
        _CHARACTERS.fullmatch(value) is not None
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and _NO_PASSWORD.fullmatch(value) is None
        and _VARIABLE.fullmatch(value) is None
    )


def looks_random(value: str) -> bool:
    """May it be a password, and is it no word with a number in it, as `phase2` and `step-3` are?"""
    if len(value) < 7 or not may_be_password(value):
        return False
    bare = value.strip(".:!?*")
    mixed = bare != bare.lower() and bare[1:] != bare[1:].lower()
    return len(_GROUPS.findall(bare)) >= 2 or mixed or (_SIGN.search(bare) is not None and "-" not in bare)


def is_east_asian(value: str) -> bool:
    """Is there a character of a script that writes sentences without spaces?"""
    return any(c >= "\u2e80" for c in value)
