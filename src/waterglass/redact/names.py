"""Secrets that only their name gives away: `DB_PASSWORD=…`, `"client_secret": "…"`, `Authorization: Bearer …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from waterglass.redact.apart import assigned, below
from waterglass.redact.columns import column
from waterglass.redact.languages import begins_here, names_password, password_words
from waterglass.redact.phrases import QUOTE, closing, phrase, told_after
from waterglass.redact.placeholders import is_placeholder
from waterglass.redact.rules import Span, places_of
from waterglass.redact.shapes import is_east_asian
from waterglass.redact.tables import tables

_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_NAME_RIGHT = re.compile(r"[A-Za-z0-9_-]{0,40}")
_ASSIGN = re.compile(r"(?:\\{0,3}[\"'`])?\]?[ \t]{0,8}(=>|:=|==?|[:\uff1a\uff1d]| )[ \t]{0,8}")
_BARE = re.compile(r"[^\s\"'`,;&<>(){}\[\]|\\]{1,1000}")
_LINE = re.compile(r"[^\n\"'`\\<>{}\[\]]{1,1000}")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_PAIR = re.compile(r"\w=[^\s=]")
_SCHEME = re.compile(
    r"(?:Bearer|Basic|Token|Digest|Bot|ApiKey|Negotiate|Splunk|SSWS|GenieKey|Zoho-oauthtoken)[ \t]{1,4}", re.IGNORECASE
)
_BEARER = re.compile(r"[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,1000})")
_WORDS = re.compile(r"[A-Za-z_][A-Za-z_. ]*")
# A value that begins so is what stands between two quotes: `grep "TOKEN=" x "y"`, `log("token:", error, "!")`.
_NO_BEGIN = tuple(" \t,;)]}|&")
_PATH = re.compile(r"[~.]{0,2}/[\w.-]+(?:/[\w.-]*)*")
# `"name": "API_KEY", "value": "…"` and `- name: API_KEY` above `value: …`, with quotes below any number of backslashes.
_PAIR_NAME = re.compile(
    r"\b(?:name|key)(?:\\{0,3}[\"'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,3}[\"'])?([A-Za-z0-9_.-]{2,80})"
    r"(?:\\{0,3}[\"'])?[\s,0-9→|\\nrt-]{0,80}(?:\\{0,3}[\"'])?\Z",
    re.IGNORECASE,
)
_OF_COOKIE = re.compile("httponly|samesite", re.IGNORECASE)
_COOKIE_FIELDS = ("httpOnly", "sameSite", "http_only", "same_site", "hostOnly")
_COOKIE_REACH = 400  # characters in which the other fields of a cookie follow its value
_SHORT_NAMES = ("pass", "pwd")
_LEAST_PIN = 1_000  # a smaller number is a length or a switch
_MIXED = re.compile(r"[^\s/\\()\[\]{}:,]{7,200}")
_KINDS = ("authorization", "cookie", "passphrase", "password", "token", "secret")
NAMED_KINDS = frozenset({*_KINDS, "key", "bearer", "url_password", "database_password"})
# Words, in lower case, without which a text has no named secret.
NAME_WORDS: tuple[str, ...] = (
    *tables()["names"]["keywords"],
    *(word for word in password_words() if " " in word or "pass" not in word),  # `pass` is looked for anyway
    "httponly",
    "samesite",
)


@lru_cache(maxsize=10_000)
def may_give_away(name: str) -> bool:
    """Is there a value that is a secret under this key? A document has few keys, each many times."""
    return name.lower() in _SHORT_NAMES or is_secret_name(name)


def gives_away(name: str, value: object) -> bool:
    """Is a value under this key of a document a secret? Under `pass` and `pwd` stand also results and folders."""
    if isinstance(value, int):
        return value >= _LEAST_PIN and is_secret_name(name) and kind_of(name) in ("password", "passphrase")
    if name.lower() in _SHORT_NAMES:
        return isinstance(value, str) and _MIXED.fullmatch(value) is not None and any(c.isdigit() for c in value)
    return is_secret_name(name)


@lru_cache(maxsize=10_000)
def is_secret_name(name: str) -> bool:
    """Does a value under this name tend to be a secret? `max_tokens` and `token_type` are not such names."""
    if "[REDACTED:" in name:
        return False  # what was too long for a name before does not become one
    if names_password(name):
        return True
    words, table = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower(), tables()["names"]
    flat = re.sub(r"[\s_.\-]", "", words).rstrip("0123456789")
    if flat in table["harmless"] or len(flat) > 80:
        return False
    for suffix in ("", *table["suffixes"]):
        stem = flat.removesuffix(suffix)
        if (suffix and stem == flat) or not stem:
            continue
        if stem.endswith(tuple(table["endings"])):
            return True
        parted = words.rstrip("0123456789").removesuffix(suffix).rstrip("_-. ")
        if any(re.search(rf"[_.-]{ending}$", parted) for ending in table["parted_endings"]):
            return True
    return False


def secret_of_pair(node: Mapping[Any, Any]) -> str | None:
    """The name of what the `value` of `{"name": …, "value": …}` is, if that is a secret: a setting, header, cookie."""
    for key in ("name", "key", "Name", "Key"):
        name = node.get(key)
        if isinstance(name, str):
            if is_secret_name(name):
                return name
            return "cookie" if any(field in node for field in _COOKIE_FIELDS) else None
    return None


def secret_of_entry(entry: Sequence[Any]) -> str | None:
    """The name in `["Authorization", "…"]`, if what follows it can be its value and is no other name."""
    if len(entry) != 2 or not all(isinstance(part, str) for part in entry) or not is_secret_name(entry[0]):
        return None
    return entry[0] if len(entry[1]) >= 8 and any(c.isdigit() for c in entry[1]) else None


def option_before(listed: Sequence[Any], n: int) -> str | None:
    """The name of the option whose value is entry `n` of a command's arguments: `["--password", "…"]`."""
    name = listed[n - 1] if n else None
    if not isinstance(name, str) or not name.startswith("-") or not is_secret_name(name.lstrip("-")):
        return None
    return None if listed[n].startswith("-") else name


def kind_of(name: str) -> str:
    """The kind under which a secret of this name is counted."""
    flat = re.sub(r"[\s_.\-]", "", name).lower()
    for kind in _KINDS:
        if kind in flat:
            return kind
    return "password" if "pass" in flat or "pwd" in flat or names_password(name) else "key"


def _names_password(name: str) -> bool:
    """Is this the name of a password, and of no other secret? Tables and lines hold much else."""
    return is_secret_name(name) and kind_of(name) in ("password", "passphrase")


def find_named(text: str, low: str, words: Iterable[str]) -> Iterator[Span]:
    """Spans of values that stand beside a secret's name in `text`.

    `low` is the text in lower case, of equal length; `words` are those of NAME_WORDS that occur in it.
    """
    yield from _pairs(text, low)
    seen = table = -1
    for at, word in sorted((at, said) for said in words for at in places_of(low, said)):
        if at < seen or not (word.isascii() or begins_here(low, at, word)):
            continue
        before = text[max(0, at - 64) : at]
        start = at - len(before) + len(before.rstrip(_NAME))
        end = _NAME_RIGHT.match(text, at if " " not in word and word.isascii() else at + len(word)).end()  # type: ignore[union-attr]
        seen = max(seen, end)
        name = text[start:end]
        if name.lower() == "bearer":
            yield from _bearer(text, end)
        elif name.lower() in _SHORT_NAMES:
            yield from _quoted_after(text, end, name)
            if place := assigned(text, start, end):
                yield Span(*place, "password")
        elif is_secret_name(name):
            yield from _value_after(text, start, end, name)
            if _names_password(name):
                if place := below(text, start, end):
                    yield Span(*place, kind_of(name))
                if start >= table:
                    found, table = column(text, start, end, _names_password)
                    yield from found


def _pairs(text: str, low: str) -> Iterator[Span]:
    """Values of `name` and `value` side by side, where the name is a secret's or the pair is a browser's cookie."""
    for at in places_of(low, "value"):
        found = _PAIR_NAME.search(text, max(0, at - 200), at)
        # `endpos` ends the text for the expression, but a name must end before its own value begins.
        if found is None:
            continue
        after = _NAME_RIGHT.match(text, at).end()  # type: ignore[union-attr]
        if is_secret_name(found[1]):
            yield from _value_after(text, at, after, found[1])
        elif _OF_COOKIE.search(text, after, after + _COOKIE_REACH):
            yield from _value_after(text, at, after, "cookie")


def _bearer(text: str, end: int) -> Iterator[Span]:
    found = _BEARER.match(text, end)
    if found and any(c.isdigit() for c in found[1]) and not is_placeholder(found[1]):
        yield Span(*found.span(1), "bearer")


def _quoted_after(text: str, end: int, name: str) -> Iterator[Span]:
    assign = _ASSIGN.match(text, end)
    quote = QUOTE.match(text, assign.end()) if assign and assign[1] != " " else None
    if quote:
        begin, stop = quote.end(), closing(text, quote.end(), quote[1])
        if gives_away(name, text[begin:stop]):
            yield from _judge(text, begin, stop, "password", name, False, False)


def _value_after(text: str, start: int, end: int, name: str) -> Iterator[Span]:
    said = phrase(text, start, end) or (told_after(text, end) if names_password(name) else None)
    if said is not None:
        yield from _judge(text, said.begin, said.stop, kind_of(name), name, said.sure, False)
        return
    assign = _ASSIGN.match(text, end)
    if assign is None or (assign[1] == " " and not text.startswith("--", start)):
        return
    kind, at = kind_of(name), assign.end()
    direct = assign[0] == "="
    quote = QUOTE.match(text, at)
    if quote:
        begin, stop = quote.end(), closing(text, quote.end(), quote[1])
        sure = True
    elif kind == "cookie" and ":" in assign[0]:  # a header: all of its line
        line = _LINE.match(text, at)
        begin, stop, sure = (*line.span(), _PAIR.search(line[0]) is not None) if line else (at, at, False)
    else:
        scheme = _SCHEME.match(text, at)
        at = scheme.end() if scheme else at
        bare = _BARE.match(text, at)
        begin, stop = bare.span() if bare else (at, at)
        if text[stop : stop + 1] in ("(", "[", "{"):
            return  # a call or a look-up: code, not a value
        sure = (direct and name.isascii() and name.upper() == name) or scheme is not None
    if assign[1] == "==" and not any(c.isdigit() for c in text[begin:stop]):
        return  # `if token == "lambda"`: a word of a language
    yield from _judge(text, begin, stop, kind, name, sure, direct)


def _judge(text: str, begin: int, stop: int, kind: str, name: str, sure: bool, direct: bool) -> Iterator[Span]:
    scheme = _SCHEME.match(text, begin, stop)
    if scheme:
        begin = scheme.end()
    value = text[begin:stop].rstrip(" \t.:!")
    if is_placeholder(value) or value == name or value[:1] in _NO_BEGIN:
        return
    if text[begin:stop].endswith(("...", "…")) and len(value) < 16:  # shown in part on purpose
        return
    if kind == "key" and _ADDRESS.fullmatch(value):  # of credentials, the part that is none
        return
    if not sure and is_east_asian(value):  # a sentence
        return
    if kind == "token" and _COLOUR.fullmatch(value):  # of a design, or of a language's words
        return
    has_digit = any(c.isdigit() for c in value)
    if value.isdigit():  # a count, unless it is a password
        keep = len(value) < 20 and (kind != "password" or len(value) < 4)
    elif sure:  # quoted, or NAME=value of an environment
        words = _WORDS.fullmatch(value) and re.sub(r"\W|_", "", name).lower() in value.lower().replace("_", "")
        keep = bool(words) or (_PATH.fullmatch(value) is not None and not has_digit)
    else:  # text or code: only what looks like no word
        keep = len(value) < (6 if direct else 7) or not has_digit or value.replace(".", "").isdigit() or "://" in value
    if not keep:
        yield Span(begin, begin + len(value), kind)
