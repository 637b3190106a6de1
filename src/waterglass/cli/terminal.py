"""What a terminal gets to see: text without control characters, and figures in words of fixed form."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TextIO

ESCAPE = "\N{SYMBOL FOR ESCAPE}"
# DEL and C1, the bidirectional controls that reorder what stands around them, the two separators that some terminals
# take for a new line, and lone surrogates, which no terminal can print.
_BEYOND_C0 = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_CONTROLS = re.compile(f"[\x00-\x1f{_BEYOND_C0}]")
_CONTROLS_OF_LINES = re.compile(f"[\x00-\x08\x0b-\x1f{_BEYOND_C0}]")


def columns(otherwise: int) -> int:
    """Return the width of the terminal: what COLUMNS says, else what stdout has, else `otherwise`.

    As `shutil` has it, whose import brings in all compressors and takes a hundredth of showing 100 MB.
    """
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:6]) > 0:
        return int(given[:6])
    try:
        return os.get_terminal_size(1).columns or otherwise
    except (OSError, ValueError):
        return otherwise


def visible(text: str, *, lines: bool = False) -> str:
    """Return `text` with each control character in a visible form: `^G`, ␛ for ESC, `U+202E` for the others.

    With `lines`, newlines and tabs stay.
    """
    return (_CONTROLS_OF_LINES if lines else _CONTROLS).sub(_shown, text)


# The same characters in UTF-8, but for C0, which JSON escapes anyway.
_CONTROLS_IN_JSON = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def visible_json(data: bytes) -> bytes:
    """Return JSON with the same value and each control character that JSON would leave as it is in the form
    `\\u202e`."""
    return data if data.isascii() and b"\x7f" not in data else _CONTROLS_IN_JSON.sub(_escaped, data)


def _escaped(match: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(match[0].decode("utf-8"))


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x1B:
        return ESCAPE
    if code < 0x20 or code == 0x7F:
        return f"^{chr(code ^ 0x40)}"  # caret notation: ^A is 1, ^? is 127
    return f"U+{code:04X}"


def wants_colour(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether to colour what goes to `stream`: a terminal, not `dumb`, and NO_COLOR empty or unset."""
    env = os.environ if environment is None else environment
    return not env.get("NO_COLOR") and env.get("TERM") != "dumb" and stream.isatty()


def duration(ms: float | None) -> str:
    """Return a duration of `ms` milliseconds as `219 ms`, `5.37 s`, `2m 04s`, `1h 05m`, `2d 3h`; "" for None."""
    if ms is None:
        return ""
    if ms < 999.5:
        return f"{round(ms)} ms"
    if ms < 59_950:
        return f"{ms / 1000:.2f} s" if ms < 9_995 else f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    if seconds < 3_600:
        return f"{seconds // 60}m {seconds % 60:02d}s"
    minutes = round(ms / 60_000)
    if minutes < 24 * 60:
        return f"{minutes // 60}h {minutes % 60:02d}m"
    hours = round(ms / 3_600_000)
    return f"{hours // 24}d {hours % 24}h"


def tokens(count: int | None) -> str:
    """Return a number of tokens as `812`, `4.2k`, `215k` or `1.2M`; "" for None."""
    return "" if count is None else _scaled(count, ("", "k", "M", "G"))


def size(count: int | None) -> str:
    """Return a number of bytes as `812 B`, `4.2 kB`, `215 kB` or `1.2 MB` (1 kB is 1,000 bytes); "" for None."""
    return "" if count is None else _scaled(count, (" B", " kB", " MB", " GB", " TB"))


def _scaled(count: int, units: tuple[str, ...]) -> str:
    """Return `count` in the largest unit that leaves at least 1, with one decimal below 10."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(units) - 1:
        value, unit = value / 1000, unit + 1
    text = f"{value:.1f}" if unit and value < 9.95 else f"{value:.0f}"
    return text + units[unit]
