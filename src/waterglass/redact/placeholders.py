"""Values that stand where a secret would: references, fillers, words."""

from __future__ import annotations

import re
from functools import cache

from waterglass.redact.languages import is_label
from waterglass.redact.tables import tables

_REFERENCE = re.compile(
    r"\$[{(]|\$[A-Za-z_]\w*\Z|\$\Z|%[A-Za-z_]+%|\{|<|\[|os\.|process\.|env[.(\[]|secrets\.|vault:|op://|self\.|config\."
    r"|settings\."
)
_FILLER = re.compile(r"[xX*._•…#?0-]+")
_TO_FILL_IN = re.compile(
    r"(?:my|replace|insert|enter|generate|change)[-_ ].*|(?:.*[-_ ])?your[-_ ].*|.*[-_ ]here|[a-z_-]*x{3,}"
    # In tests: words alone, of which the first says that it is none.
    r"|(?:invalid|mock|fake|dummy|test|sample|example|expired|wrong|bad)(?:[-_ ][a-z]+)*"
    r"|(?:required|nullable|sometimes)\|.*",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """Is this a reference, a filler or a word instead of a secret (`${TOKEN}`, `xxxx`, `none`)?"""
    text = value.strip()
    return (
        len(text) < 3
        or _REFERENCE.match(text) is not None
        or _FILLER.fullmatch(text) is not None
        or _TO_FILL_IN.fullmatch(text) is not None
        or text.rstrip("?").lower() in _words()
        or is_label(text)
    )


@cache
def _words() -> frozenset[str]:
    return frozenset(tables()["names"]["placeholders"])
