"""Who and where: home folders, the user names in them, and host names where a text says that it is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from waterglass.redact.rules import Span
from waterglass.redact.tables import tables

_NAME = r"([A-Za-z0-9_][A-Za-z0-9._-]{0,63})"
# `/home/<user>`, `/Users/<user>` (`C:/Users/<user>` too), `C:\\Users\\<user>` with any number of backslashes, and the
# names of folders made from them. Each begins with its own literal: that makes the search ten times faster.
_HOMES = tuple(
    re.compile(prefix + _NAME) for prefix in ("/home/", "/Users/", "/home\\\\/", "/Users\\\\/", r"\\Users\\{1,4}")
)
_FOLDERS = tuple(re.compile(prefix + r"([A-Za-z0-9]{1,64})(?![A-Za-z0-9])") for prefix in ("-Users-", "-home-"))
_AT_HOST = re.compile(r"@([A-Za-z0-9][A-Za-z0-9.-]{1,63})(?=:[~/])")
_HOST_IS = re.compile(r"HOST(?:NAME)?=([A-Za-z0-9.-]{2,64})")
_OPEN_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "localhost", "127.0.0.1", "0.0.0.0"})
_COMMON = frozenset(tables()["paths"]["common"])
_SHARED = frozenset({"Shared", "Public", "Default", "All", "Guest"})


def users_in(text: str) -> set[str]:
    """User names that home folders in `text` give away; words that everybody uses as one are left out."""
    names = set()
    for found in _homes(text):
        name, after = found[1].rstrip("."), text[found.end() : found.end() + 1]
        # Only a home with something in it names a user for sure: `/home/index` may be a page.
        if after in ("/", "\\", "-") and len(name) >= 3 and name.lower() not in _COMMON:
            names.add(name)
    return names


def _homes(text: str) -> Iterator[re.Match[str]]:
    if "home" not in text and "Users" not in text:
        return
    for pattern in _HOMES:
        for found in pattern.finditer(text):
            if found[1] not in _SHARED and _begins(text, found.start()):
                yield found
    for pattern in _FOLDERS:
        for found in pattern.finditer(text):
            if not text[max(0, found.start() - 2) : found.start()].replace("-", "").isalnum() or _drive(text, found):
                yield found


def _begins(text: str, at: int) -> bool:
    """Does a path begin here: after no letter, after an escape (`\\n`), or after a mounted drive (`/c/Users`)?"""
    before = text[max(0, at - 2) : at]
    return not before[-1:].isalnum() or (len(before) == 2 and before[0] in "\\/")


def _drive(text: str, found: re.Match[str]) -> bool:
    """`C--Users-mira`: one letter and two hyphens."""
    at = found.start()
    return text[at - 1 : at] == "-" and text[at - 2 : at - 1].isalpha() and not text[at - 3 : at - 2].isalnum()


def find_places(text: str, users: Iterable[str]) -> Iterator[Span]:
    """Spans of user and host names in `text`; `users` are the names known so far, each found as a word of its own."""
    for found in _homes(text):
        yield Span(*found.span(1), "user")
    if "@" in text:
        for found in _AT_HOST.finditer(text):
            if text[max(0, found.start() - 1) : found.start()].isalnum() and found[1] not in _OPEN_HOSTS:
                yield Span(*found.span(1), "host")
    if "HOST" in text:
        for found in _HOST_IS.finditer(text):
            if found[1] not in _OPEN_HOSTS:
                yield Span(*found.span(1), "host")
    for name in users:
        if name in text:
            yield from (Span(*found.span(), "user") for found in _word(name).finditer(text))


@lru_cache(maxsize=1_000)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
