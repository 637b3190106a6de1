"""The claim of one text, from its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from waterglass.claims.language import language_of
from waterglass.claims.sentences import Sentence, sentences
from waterglass.claims.table import Rules, languages

KINDS = ("done", "partial", "none", "unknown")
# A weak claim counts in so many sentences at either end.
_ENDS = 3
# A question whether to do the work stands in one of so many sentences at the end; its answers may follow it.
_ASKED = 6
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
    return claims([text])[0]


def claims(texts: Sequence[str]) -> list[Claim]:
    """Return the claim of each text. For many, at once: the rules are then made once, for the words of all of them."""
    read = [_read(text) for text in texts]
    words: dict[str, list[str]] = {}
    for one in read:
        if one.language is not None:
            words.setdefault(one.language, []).extend(sentence.words for sentence in one.sentences)
    rules = {name: languages()[name].rules_for(found) for name, found in words.items()}
    return [_claim(one, rules.get(one.language) if one.language else None) for one in read]


class _Text(msgspec.Struct, frozen=True):
    sentences: list[Sentence]
    says: bool
    """Whether there is a word at all."""
    language: str | None


def _read(text: str) -> _Text:
    found = sentences(text)
    words = " ".join(sentence.words for sentence in found)
    if not any(char.isalpha() for char in words):
        return _Text(found, False, None)
    language = language_of(words)
    same = languages()[language].same if language is not None else None
    if same:
        found = [msgspec.structs.replace(one, words=one.words.translate(same)) for one in found]
    return _Text(found, True, language)


def _claim(text: _Text, rules: Rules | None) -> Claim:
    found, language = text.sentences, text.language
    if not text.says:
        return Claim("none", None, None)
    if language is None or rules is None:
        return Claim("unknown", None, None)
    if not found or _goes_on(found[-1], rules) or _not_begun(found, rules):
        return Claim("none", None, language)
    # These languages put a condition's sign behind the verb.
    said = _said(found, rules, late=languages()[language].script == "cjk")
    if said is None:
        return Claim("none", None, language)
    # Boxes of which none is ticked are steps for the reader; beside ticked ones they are work that is left.
    boxes = any(one.form == "ticked" for one in found)
    left = next((one for one in found if _is_left(one, rules, boxes)), None) or _unbuilt(found, rules)
    if left is not None:
        return Claim("partial", left.text, language)
    return Claim("done", said.text, language)


def _says(pattern: re.Pattern[str], sentence: Sentence, rules: Rules, whole: bool = False) -> bool:
    """Return whether the sentence matches, and nothing up to there (or in the `whole` sentence) takes it back."""
    words = sentence.words
    if sentence.asks or sentence.form == "open":
        return False
    ends = (len(words) if whole else match.end() for match in pattern.finditer(words))
    return any(not rules.unless.search(words[:end]) for end in ends) and not rules.history.search(words)


def _said(found: list[Sentence], rules: Rules, late: bool) -> Sentence | None:
    """The sentence that says most clearly that the work is done."""
    strong = next((one for position, one in enumerate(found) if _is_strong(position, one, rules)), None)
    if strong is not None or any(rules.recap.search(sentence.words) for sentence in found[:_ENDS]):
        return strong
    items = [position for position, one in enumerate(found) if _is_item(one, rules)]
    if len(items) >= _ITEMS:
        return found[items[0]]
    if any(_goes_on(sentence, rules) for sentence in found[-_ENDS:]):
        return None
    return _weakly_said(found, rules, late, set(items))


def _is_strong(position: int, sentence: Sentence, rules: Rules) -> bool:
    if sentence.form == "heading":
        title = position < _TITLE and _says(rules.heading, sentence, rules, whole=True)
        return title or _says(rules.title, sentence, rules)
    return sentence.form == "text" and _says(rules.done, sentence, rules)


def _is_item(sentence: Sentence, rules: Rules) -> bool:
    return sentence.form in ("item", "ticked") and (
        _says(rules.item, sentence, rules) or _says(rules.done, sentence, rules)
    )


def _weakly_said(found: list[Sentence], rules: Rules, late: bool, items: set[int]) -> Sentence | None:
    def is_weak(position: int) -> bool:
        sentence = found[position]
        if sentence.form == "heading":
            return _says(rules.heading, sentence, rules, whole=True)
        return position not in items and _says(rules.state, sentence, rules, whole=late)

    # The middle of a text is looked at only where an end says something.
    middle = range(_ENDS, max(len(found) - _ENDS, _ENDS))
    ends = [position for position in range(len(found)) if position not in middle and is_weak(position)]
    if not ends:
        return None
    # "Now the script ...:" in front of a long explanation says so of the whole text.
    enough = len(found) <= _SHORT or ends[0] < _TITLE or len(ends) >= _WEAK
    return found[ends[0]] if enough or any(is_weak(position) for position in middle) else None


def _goes_on(last: Sentence, rules: Rules) -> bool:
    return last.form == "text" and not last.asks and rules.goes_on.search(last.words) is not None


def _not_begun(found: list[Sentence], rules: Rules) -> bool:
    """Return whether the text answers or asks, so that what it says was done is not the work asked for."""
    if any(rules.undecided.search(sentence.words) for sentence in found[-_ASKED:]):
        return True
    denied = next((at for at, sentence in enumerate(found[:_ENDS]) if rules.denies.search(sentence.words)), None)
    if denied is None:
        return False
    return not any(one.form == "text" and _says(rules.done, one, rules) for one in found[:denied])


def _is_left(sentence: Sentence, rules: Rules, boxes: bool) -> bool:
    if sentence.form == "open":
        return boxes
    left = not sentence.asks and rules.remains.search(sentence.words) is not None
    return left and not rules.resolved.search(sentence.words)


def _unbuilt(found: list[Sentence], rules: Rules) -> Sentence | None:
    """The first item under "Next steps" that is a part of the work not begun."""
    below = False
    for sentence in found:
        if sentence.form == "item":
            if below and rules.unbuilt.search(sentence.words):
                return sentence
        else:
            below = rules.ahead.search(sentence.words) is not None
    return None
