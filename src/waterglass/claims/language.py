"""In which language a text is written, by scripts and small words."""

from __future__ import annotations

import re
from collections import Counter
from math import fsum

from waterglass.claims.table import languages, latin_weights

_LOOKED_AT = 6_000
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_WORD = re.compile("[a-z]+")
_ASCII = re.compile("[\x00-\x7f]+")
_SCRIPTS = {
    "hangul": re.compile(r"[\uac00-\ud7a3\u1100-\u11ff]+"),
    "kana": re.compile(r"[\u3041-\u30ff]+"),
    "han": re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]+"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]+"),
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+"),
    "other": re.compile(r"[\u0370-\u03ff\u0530-\u10ff\u1200-\u1cff\u1f00-\u1fff]+"),
}
# One of these says as much as so many letters.
_WEIGHT = {"hangul": 2, "kana": 3, "han": 3}
_NOT_RUSSIAN = re.compile(r"[іїєґўјљњћђџѓќѕқңғүұһө]")
_RUSSIAN = re.compile("[ыэё]")  # Bulgarian has none of these, and many hard signs
_FEW_WORDS = 8
# A text of some length uses several small words of three letters and more; words of two letters are of any language.
_LONG_TEXT = 30
_SMALL_WORDS = 3


def language_of(text: str) -> str | None:
    """The language of `text` (`en`, `es`, ...); None for a language that has no rules or a text too strange to tell."""
    text = text[:_LOOKED_AT].lower()
    # Most texts have a few signs beside plain letters, and need no look at the scripts.
    if not any(map(str.isalpha, _ASCII.sub("", text))):
        return _by_words(_PLAIN_WORD.findall(text))
    counts = {name: _letters(pattern, text) * _WEIGHT.get(name, 1) for name, pattern in _SCRIPTS.items()}
    script = max(counts, key=lambda name: counts[name])
    if not counts[script]:
        return None
    if script == "hangul":
        return "ko"
    if script in ("han", "kana"):
        return "ja" if counts["kana"] * 12 >= counts["han"] else "zh"
    if script == "cyrillic":
        return None if _NOT_RUSSIAN.search(text) or ("ъ" in text and not _RUSSIAN.search(text)) else "ru"
    return _by_words(_WORD.findall(text)) if script == "latin" else None


def _by_words(words: list[str], default: str = "en") -> str | None:
    if not words:
        return None
    seen = Counter(words)
    scores = _scores(seen)
    best = max(scores, key=lambda name: scores[name])
    few = len(words) <= _FEW_WORDS
    if not scores[best]:
        # "Committed": nothing speaks for any language. A short text without foreign letters is taken as English.
        return default if few and "".join(words).isascii() else None
    rivals = [name for name, score in scores.items() if score == scores[best]]
    best = default if default in rivals else best
    long_ones = sum(len(word) > 2 for word in languages()[best].words if word in seen)
    if len(words) > _LONG_TEXT and long_ones < _SMALL_WORDS:
        return None
    if not languages()[best].has_rules or (not few and scores[best] < len(words) * 0.03):
        return None
    return best


def _letters(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def _scores(seen: Counter[str]) -> dict[str, float]:
    """How much the words `seen` speak for each language in Latin letters."""
    # Words that only this language has weigh most; no word counts more than five times. `fsum`, since languages are
    # compared for equality and a plain sum depends on the order of the words.
    found: dict[str, list[float]] = {name: [] for name, language in languages().items() if language.script == "latin"}
    weights = latin_weights()
    for word in weights.keys() & seen.keys():
        for name, weight in weights[word]:
            found[name].append(min(seen[word], 5) * weight)
    return {name: fsum(parts) for name, parts in found.items()}
