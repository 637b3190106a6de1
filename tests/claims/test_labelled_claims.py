"""The labelled claims that ship with the program, in nine languages and in others that have no rules."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import waterglass.claims
from waterglass.claims import claim, claims
from waterglass.claims.table import languages, latin_weights

OWN = Path(waterglass.claims.__file__).parents[1] / "tables" / "labelled_claims.jsonl"
SHARED = Path(__file__).parents[3] / "shared" / "labels" / "claims.jsonl"
LANGUAGES = {"en", "es", "fr", "de", "pt", "ru", "zh", "ja", "ko"}


def read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def precision_and_recall(lines: list[dict[str, str]]) -> tuple[float, float]:
    pairs = [(claim(line["text"]).kind, line["claim"]) for line in lines]
    both = sum(found == wanted == "done" for found, wanted in pairs)
    return both / sum(found == "done" for found, _ in pairs), both / sum(wanted == "done" for _, wanted in pairs)


def test_every_language_has_twenty_lines_of_its_own() -> None:
    lines = read(OWN)
    assert len({line["text"] for line in lines}) == len(lines)
    counts = Counter(line["language"] for line in lines)
    assert set(counts) == {*LANGUAGES, "other"}
    assert min(counts.values()) >= 20


def test_our_own_labelled_claims_are_read_right_in_each_language() -> None:
    by_language = defaultdict(list)
    for line in read(OWN):
        by_language[line["language"]].append(line)
    for language, lines in by_language.items():
        found = [claim(line["text"]) for line in lines]
        right = sum(one.kind == line["claim"] for one, line in zip(found, lines, strict=True))
        assert right / len(lines) >= 0.95, language
        if language == "other":
            continue
        assert {one.language for one in found} == {language}
        assert min(precision_and_recall(lines)) >= 0.95, language


def test_other_languages_are_never_judged_by_the_rules_of_one_that_has_some() -> None:
    others = [line for line in read(OWN) if line["language"] == "other"]
    assert [line["text"] for line in others if claim(line["text"]).kind != "unknown"] == []


@pytest.mark.skipif(not SHARED.exists(), reason="the labelled claims are not there (../shared/labels)")
def test_claims_of_real_texts_are_read_right() -> None:
    lines = read(SHARED)
    precision, recall = precision_and_recall(lines)
    assert precision >= 0.95
    assert recall >= 0.9
    assert sum(claim(line["text"]).kind == "unknown" for line in lines) / len(lines) <= 0.05


@pytest.fixture
def forget() -> Iterator[Callable[[], None]]:
    """Forgets what was made of the table, as a new process has it."""

    def forgotten() -> None:
        languages.cache_clear()
        latin_weights.cache_clear()

    yield forgotten
    forgotten()


def test_rules_made_for_the_words_of_a_text_say_what_the_rules_for_all_words_say(forget: Callable[[], None]) -> None:
    texts = [line["text"] for line in read(OWN)]
    forget()
    for language in languages().values():
        assert (language.rules is not None) == language.has_rules
    whole = [claim(text) for text in texts]
    assert {one.kind for one in whole} == {"done", "partial", "none", "unknown"}
    forget()
    assert claims(texts) == whole
    forget()
    assert [claim(text) for text in texts] == whole  # the rules grow from text to text
    for text, found in list(zip(texts, whole, strict=True))[::20]:
        forget()
        assert claim(text) == found


def test_rules_hold_the_words_that_a_text_has_and_no_others(forget: Callable[[], None]) -> None:
    forget()
    assert claim("I've added the parser.").kind == "done"
    some = languages()["en"].rules_for([])
    assert some is not None and languages()["en"].rules_for(["added"]) is some
    more = languages()["en"].rules_for(["i’ve renamed it"])
    assert more is not None and len(some.done.pattern) < len(more.done.pattern)
    whole = languages()["en"].rules
    assert whole is not None and 10 * len(more.done.pattern) < 4 * len(whole.done.pattern)
    assert languages()["en"].rules_for(["i’ve rewired it"]) is whole
