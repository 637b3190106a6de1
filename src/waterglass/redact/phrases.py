"""Values that are tied to their name by more than a sign: by a type, an element, a call, a command, or a verb."""

from __future__ import annotations

import re
from typing import NamedTuple

QUOTE = re.compile(r"[bfru]{0,2}(\\{0,3}[\"'`])")
_LONGEST = 2_000  # characters of a quoted value
# `password: str = "…"`
_TYPED = re.compile(r"[ \t]{0,8}:[ \t]{0,4}[A-Za-z_][\w.|\[\]]{0,60}(?: \| \w{1,40}){0,3}[ \t]{0,4}=[ \t]{0,4}")
# `<password>…</password>`, `<param name="password">…</param>`
_ELEMENT = re.compile(r"(?:\\{0,3}[\"'])?>([^\s<>]{4,400})</")
# `setPassword("…")`, `.password("…")`, `setenv("API_TOKEN", "…")`
_CALLED = re.compile(r"\([ \t]{0,4}")
_ARGUMENT = re.compile(r"\\{0,3}[\"'][ \t]{0,4},[ \t]{0,4}")
_SETS = re.compile(r"(?:set|put)\w{0,40}", re.IGNORECASE)
_OF_BUILDER = re.compile(r"(?:client|api|auth|access)?_?(?:password|passphrase|secret|token|key)", re.IGNORECASE)
_SETTER = re.compile(r"(?:set|put)\w{0,40}\([ \t]{0,4}\\{0,3}[\"']\Z", re.IGNORECASE)
_IN_LIST = re.compile(r"[\[,][ \t\n]{0,30}\\{0,3}[\"']\Z")
# `ENV DB_PASSWORD …`, `config set registry:_authToken …`
_SET_BEFORE = re.compile(r"\b(?:ENV|ARG|setenv|set)[ \t]{1,4}(?:\S{1,100}[/.:])?\Z")
_AFTER = re.compile(r"[ \t]{1,4}([^\s\"'`,;&<>(){}\[\]|\\=]{1,1000})")
# `the password is …`
_SAID = re.compile(r"[ \t]{1,2}(?:is|was|ist|lautet|est|es|\u00e9|\u00e8)(?: now)?[ \t]{0,2}:?[ \t]{1,2}")
# `пароль - …`, `密码是…`, `パスワードは…`
_OTHERS_SAID = re.compile(r"[ \t]{0,2}(?:[\u662f\u4e3a\u70ba\u306f]|[-\u2013\u2014](?=[ \t]))[ \t:\uff1a]{0,3}")
_RANDOM = re.compile(r"[A-Za-z0-9!@#$%^&*_+.?~-]{7,200}(?![/(])")
_NUMBER = re.compile("[0-9]+")


class Said(NamedTuple):
    """Characters `begin` to `stop` are a value. `sure`: whatever it looks like, as it is in quotes or named loudly."""

    begin: int
    stop: int
    sure: bool


def phrase(text: str, start: int, end: int) -> Said | None:
    """Return the value that the name at `start` to `end` of a text is tied to by words, None where it is not."""
    after = text[end : end + 1]
    if after in (" ", "\t", ":"):
        typed = _TYPED.match(text, end)
        return _quoted(text, typed.end(), sure=True) if typed else _told(text, start, end)
    if after and after in ">\"'\\":
        element = _ELEMENT.match(text, end)
        if element:
            return Said(*element.span(1), False)
        argument = _ARGUMENT.match(text, end)
        if argument and (_SETTER.search(text, max(0, start - 60), start) or _is_option(text, start)):
            return _quoted(text, argument.end(), sure=False)
    elif after == "(":
        called = _CALLED.match(text, end)
        _, dot, last = text[max(0, start - 1) : end].rpartition(".")
        if called and (_SETS.match(last.lstrip()) or (dot and _OF_BUILDER.fullmatch(last))):
            return _quoted(text, called.end(), sure=False)
    return None


def _is_option(text: str, start: int) -> bool:
    """Does a name stand in a list of arguments: `["--password", "…"]`? `add_argument("--token", …)` names a name."""
    return text[start : start + 2] == "--" and _IN_LIST.search(text, max(0, start - 40), start) is not None


def _told(text: str, start: int, end: int) -> Said | None:
    said = _SAID.match(text, end)
    if said:
        quoted = _quoted(text, said.end(), sure=False)
        if quoted:
            return quoted
        return _random(text, said.end())
    if text[end] != ":" and _SET_BEFORE.search(text, max(0, start - 120), start):
        value = _AFTER.match(text, end)
        if value:
            name = text[start:end]
            return Said(*value.span(1), name == name.upper())
    return None


def told_after(text: str, end: int) -> Said | None:
    """Return the value that is told of a name that ends at `end`, in languages that tell it by a sign of their own."""
    said = _OTHERS_SAID.match(text, end)
    return _random(text, said.end()) if said else None


def _random(text: str, at: int) -> Said | None:
    value = _RANDOM.match(text, at)
    # `sha256-hashed` is a word with a number in it; digits in two places are in none.
    least = 2 if value and "-" in value[0] else 1
    if value and sum(c.isdigit() for c in value[0]) >= 2 and len(_NUMBER.findall(value[0])) >= least:
        return Said(*value.span(), False)
    return None


def _quoted(text: str, at: int, *, sure: bool) -> Said | None:
    quote = QUOTE.match(text, at)
    return Said(quote.end(), closing(text, quote.end(), quote[1]), sure) if quote else None


def closing(text: str, begin: int, quote: str) -> int:
    """Where the quoted value ends: at the same quote, with as many backslashes, on the same line.

    A quote within the value has more of them; a backslash at its end is written as twice as many as the quote's own.
    """
    line = text.find("\n", begin, begin + _LONGEST)
    stop = line if line >= 0 else min(len(text), begin + _LONGEST)
    own, mark = len(quote) - 1, quote[-1]
    end = text.find(mark, begin, stop)
    while end >= 0:
        before = 0
        while end - before > begin and text[end - before - 1] == "\\":
            before += 1
        if before >= own and (before - own) % (2 * own + 2) == 0:
            return end - own
        end = text.find(mark, end + 1, stop)
    return stop
