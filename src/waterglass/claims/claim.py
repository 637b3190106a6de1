"""The claim of one text, from its sentences."""

from __future__ import annotations

import re

import msgspec

from waterglass.claims.language import language_of
from waterglass.claims.sentences import Sentence, sentences
from waterglass.claims.table import Rules, languages

KINDS = ("done", "partial", "none", "unknown")
# A weak claim counts in so many sentences at either end.
_ENDS = 3
# A heading claims for the whole text where it is one of so many sentences at the start.
_TITLE = 2
# So many items of a list that say what was done make a claim together.
_ITEMS = 2
# A text of so many sentences needs one weak claim, a longer one more.
_SHORT = 8
_WEAK = 2


class Claim(msgspec.Struct, frozen=True):
    """What a text says of the work."""

    kind: str
    """`done`, `partial` (done, but something is left or failed), `none`, or `unknown` (no rules for its language)."""
    said: str | None
    """The sentence that says so, as written; None where nothing does."""
    language: str | None
    """The language whose rules were used; None where there are none."""


def claim(text: str) -> Claim:
    """Return what `text`, the last that an agent wrote before a person spoke, says of the work. Pure; never raises.

    Code, quotations and tables say nothing; nor do questions, plans and conditions.
    """
    found = sentences(text)
    words = " ".join(sentence.words for sentence in found)
    if not any(char.isalpha() for char in words):
        return Claim("none", None, None)
    language = language_of(words)
    known = languages()[language] if language is not None else None
    rules = known.rules if known else None
    if known is None or rules is None:
        return Claim("unknown", None, None)
    if known.same:
        found = [msgspec.structs.replace(one, words=one.words.translate(known.same)) for one in found]
    # These languages put a condition's sign behind the verb.
    said = _said(found, rules, late=known.script == "cjk")
    if said is None or _goes_on(found[-1], rules):
        return Claim("none", None, language)
    # Boxes of which none is ticked are steps for the reader; beside ticked ones they are work that is left.
    boxes = any(one.form == "ticked" for one in found)
    left = next((one for one in found if _is_left(one, rules, boxes)), None)
    if left is not None:
        return Claim("partial", left.text, language)
    return Claim("done", said.text, language)


def _says(pattern: re.Pattern[str], sentence: Sentence, rules: Rules, whole: bool = False) -> bool:
    """Return whether the sentence matches, and nothing up to there (or in the `whole` sentence) takes it back."""
    words = sentence.words
    if sentence.asks or sentence.form == "open" or rules.history.search(words):
        return False
    ends = (len(words) if whole else match.end() for match in pattern.finditer(words))
    return any(not rules.unless.search(words[:end]) for end in ends)


def _said(found: list[Sentence], rules: Rules, late: bool) -> Sentence | None:
    """The sentence that says most clearly that the work is done."""
    weak: list[tuple[int, Sentence]] = []
    items: list[Sentence] = []
    for position, sentence in enumerate(found):
        if sentence.form == "heading":
            claims = _says(rules.heading, sentence, rules, whole=True)
            if (claims and position < _TITLE) or _says(rules.title, sentence, rules):
                return sentence
            if claims:
                weak.append((position, sentence))
            continue
        if sentence.form == "text" and _says(rules.done, sentence, rules):
            return sentence
        if sentence.form in ("item", "ticked") and (
            _says(rules.item, sentence, rules) or _says(rules.done, sentence, rules)
        ):
            items.append(sentence)
        elif _says(rules.state, sentence, rules, whole=late):
            weak.append((position, sentence))
    if len(items) >= _ITEMS and not any(rules.recap.search(sentence.words) for sentence in found[:_ENDS]):
        return items[0]
    at_an_end = [one for position, one in weak if position < _ENDS or position >= len(found) - _ENDS]
    enough = 1 if len(found) <= _SHORT else _WEAK
    return at_an_end[0] if at_an_end and len(weak) >= enough else None


def _goes_on(last: Sentence, rules: Rules) -> bool:
    return last.form == "text" and not last.asks and rules.goes_on.search(last.words) is not None


def _is_left(sentence: Sentence, rules: Rules, boxes: bool) -> bool:
    if sentence.form == "open":
        return boxes
    left = not sentence.asks and rules.remains.search(sentence.words) is not None
    return left and not rules.resolved.search(sentence.words)
