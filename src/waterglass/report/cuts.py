"""Texts that were cut, and the secrets that the cut went through: half a token is found by no rule, and is most of a
token to whoever has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waterglass.redact import Redactor

MAX_BODY = 1_000_000  # characters of one input or output; what is longer is cut, and says so
_MARGIN = 8_192  # characters; a private key of 4,096 bits has 3,300
_DEPTH = 6  # levels: what tools take long texts in (`edits[0].new_string`) and what the payload cuts lie above it
_LONGEST = 256  # characters of a secret that a cut label or title can end in: both are shorter
# A text that says it was cut may end in as little as this of a secret; one that does not say so in a bit more.
_LEAST_MARKED, _LEAST = 4, 8
_MARK = "…"
_NEVER_CUT = frozenset({"columns"})  # of the table: a million ids, numbers and indexes


def cut(text: str, redactor: Redactor) -> str:
    """Return the first MAX_BODY characters of a text: redacted before the cut, with what a secret can run on for."""
    if len(text) <= MAX_BODY or redactor.level == "structure":  # there only its length is kept
        return text
    longer = text[: MAX_BODY + _MARGIN]
    return redactor.text(longer)[: MAX_BODY - len(longer)]


def cut_input(value: Any, redactor: Redactor, depth: int = _DEPTH) -> Any:
    """Return an input with each very long text cut and marked."""
    if isinstance(value, str):
        return value if len(value) <= MAX_BODY else f"{cut(value, redactor)} {_MARK} cut, {len(value):,} characters"
    if depth and isinstance(value, dict):
        return {key: cut_input(item, redactor, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, list):
        return [cut_input(item, redactor, depth - 1) for item in value]
    return value


class Beginnings:
    """The beginnings of all secrets that were found whole somewhere, to be found at the ends of what was cut."""

    def __init__(self, replaced: Mapping[str, str]) -> None:
        self._of: dict[str, str] = {}
        for secret, placeholder in replaced.items():
            for length in range(_LEAST_MARKED, min(len(secret), _LONGEST) + 1):
                self._of.setdefault(secret[:length], placeholder)
        self._ends = {beginning[-_LEAST_MARKED:] for beginning in self._of}

    def hidden(self, value: Any, depth: int = _DEPTH) -> Any:
        """Return a payload with the beginning of a secret at the end of a text replaced as the secret itself is."""
        if not self._of:
            return value
        if isinstance(value, str):
            return self._text(value)
        if depth and isinstance(value, dict):
            whole = _NEVER_CUT & value.keys()
            return {k: item if k in whole else self.hidden(item, depth - 1) for k, item in value.items()}
        if depth and isinstance(value, list):
            return [self.hidden(item, depth - 1) if isinstance(item, (str, dict, list)) else item for item in value]
        return value

    def _text(self, text: str) -> str:
        bare = text.removesuffix(_MARK)
        if bare[-_LEAST_MARKED:] not in self._ends:
            return text
        least = _LEAST if bare is text else _LEAST_MARKED
        for length in range(min(len(bare), _LONGEST), least - 1, -1):
            placeholder = self._of.get(bare[-length:])
            if placeholder is not None:
                return bare[:-length] + placeholder + text[len(bare) :]
        return text
