"""Who and where: home folders, the user names in them, and host names where a text says that it is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waterglass.redact.rules import Span
from waterglass.redact.tables import tables

# `/home/<user>`, `/Users/<user>`, `C:\Users\<user>` with any number of backslashes, and the folder-name form of them.
_NAME = r"([A-Za-z0-9_][A-Za-z0-9._-]{0,63})"
_HOME = re.compile(r"(?:/home|/Users|[A-Za-z]:(?:\\{1,4}|/)Users|(?:/mnt)?/[a-z]/Users)(?:\\{1,4}|/)" + _NAME)
_ENCODED = re.compile(r"(?:\b[A-Za-z]-|(?<![A-Za-z0-9]))-(?:Users|home)-([A-Za-z0-9]{1,64})(?=-|[^A-Za-z0-9]|\Z)")
_HOST = re.compile(
    r"\b[A-Za-z0-9._-]{1,64}@([A-Za-z0-9][A-Za-z0-9.-]{1,63})(?=:[~/])|\bHOST(?:NAME)?=([A-Za-z0-9.-]{2,64})"
)
_MARKS = ("/home/", "/Users/", "Users\\", ":/Users/", "-Users-", "-home-", "@", "HOST")
# Names that say nothing about a person, and would be found in every second text.
COMMON = frozenset(tables()["paths"]["common"])
_SHARED = frozenset({"Shared", "Public", "Default", "All", "Guest"})


def users_in(text: str) -> set[str]:
    """User names that home folders in `text` give away; words that everybody uses as one are left out."""
    if not any(mark in text for mark in _MARKS[:6]):
        return set()
    names = {m[1].rstrip(".") for pattern in (_HOME, _ENCODED) for m in pattern.finditer(text)}
    return {name for name in names if len(name) >= 3 and name.lower() not in COMMON and name not in _SHARED}


def find_places(text: str, users: re.Pattern[str] | None) -> Iterator[Span]:
    """Spans of user and host names in `text`; `users` matches the names known so far (see `users_pattern`)."""
    if any(mark in text for mark in _MARKS):
        for pattern in (_HOME, _ENCODED):
            for found in pattern.finditer(text):
                if found[1] not in _SHARED:
                    yield Span(*found.span(1), "user")
        for found in _HOST.finditer(text):
            group = 1 if found[1] else 2
            if found[group] not in ("github.com", "gitlab.com", "bitbucket.org", "localhost"):
                yield Span(*found.span(group), "host")
    if users is not None:
        yield from (Span(*found.span(), "user") for found in users.finditer(text))


def users_pattern(users: set[str]) -> re.Pattern[str] | None:
    """One expression for all these names, each as a word of its own."""
    if not users:
        return None
    names = "|".join(re.escape(name) for name in sorted(users, key=len, reverse=True))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{names})(?![A-Za-z0-9])")
