"""A shell text made safe for the grammar: its time and memory stay bounded, whatever the text holds.

The grammar is native code: what it cannot bear must not reach it. Lines of real sessions pass unchanged, save for the
backslashes in Windows paths.
"""

from __future__ import annotations

import re

from waterglass.shell.drafts import MAX_CHARS

# The grammar's time is quadratic in the number of these; at 600 it stays below 50 ms.
_COSTLY = re.compile(r"[|<>]|\)\)|\$[\[{(]|=\(|[?@+*!(]\(")
MAX_COSTLY = 600
# The grammar keeps its open heredocs in a buffer of 1,024 bytes, each with 7 bytes and its delimiter.
_HEREDOC = re.compile(
    r"<<-?(?P<delimiter>[ \t]*(?:'[^'\n]{1,40}'|\"[^\"\n]{1,40}\"|\\?[^\s'\"\\|&;<>()$`]{1,40}(?![^\s|&;<>()])))?"
)
MAX_HEREDOC_BYTES = 900
# C:\Data\App: a shell would eat the backslashes, the writer meant them; "C:\Data\" would not even end.
_DRIVE = re.compile(r"(?<![A-Za-z0-9])(?:\"[A-Za-z]:\\[^\"\n]*\"|'[A-Za-z]:\\[^'\n]*'|[A-Za-z]:\\[^\s\"'|&;<>()]*)")

# Letters beyond ASCII, byte by byte, as a character that is a part of words and of nothing else.
_PLAIN = bytes(range(0x80)) + b"." * 0x80


def plain(source: bytes) -> bytes:
    """The text as the grammar gets it: of the same length, with a dot for each byte beyond ASCII.

    The grammar (0.25.1) looks up characters beyond the end of a table of the C library: `{` before a character above
    U+A0000 ends the process, lower ones read what happens to lie there. To a shell they all are plain parts of a word.
    """
    return source if source.isascii() else source.translate(_PLAIN)


def tamed(text: str) -> bytes:
    """The beginning of `text` as the grammar may have it, in UTF-8."""
    text = text[:MAX_CHARS]
    if "\0" in text:
        text = text.replace("\0", " ")
    if len(text) > MAX_COSTLY:
        for number, costly in enumerate(_COSTLY.finditer(text)):
            if number == MAX_COSTLY:
                text = text[: costly.start()]
                break
    if "<<" in text:
        text = _without_odd_heredocs(text)
    if ":\\" in text:
        text = _DRIVE.sub(lambda found: found.group().replace("\\", "/"), text)
    return text.encode("utf-8", "replace")


def _without_odd_heredocs(text: str) -> str:
    left = MAX_HEREDOC_BYTES

    def kept(found: re.Match[str]) -> str:
        nonlocal left
        delimiter = found.group("delimiter")
        left -= 7 + len(delimiter.encode("utf-8", "replace")) if delimiter else 0
        if not delimiter or left < 0:
            return "  " + found.group()[2:]
        return found.group()

    return _HEREDOC.sub(kept, text.replace("<<<", "\0")).replace("\0", "<<<")
