"""A query is text: nothing in it is refused, and nothing in it means anything but itself."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.index.conftest import FIRST, SECOND, Place
from waterglass.index import parse
from waterglass.index.query import FOLD_TO_ASCII, words
from waterglass.schema.texts import program_text

_ODD = ['"', "AND", "OR", "NOT", "NEAR(", "*", "^", "-", ":", "{prompt}", "(", ")", "\0", "'", "%", "_", ";"]
_KNOWN = ["foo", "bar", "评审", "ß", "İ", "K"]
_TEXT = st.lists(st.one_of(st.sampled_from(_ODD), st.text(max_size=12), st.sampled_from(_KNOWN)), max_size=6)
TEXT = (
    'Foo/bar: 100% of c++ (see "NEAR", C#: i++;#3) — 明天下午开项目评审会议, straße, İstanbul; '
    "pre-fix_x_ emoji \U0001f600 end"
)


@pytest.mark.parametrize("text", ['"', "%", "_x_", "->", "", " ", '""', "\0", "()", "\U0001f600"])
def test_what_has_no_word_or_only_one_letter_asks_the_index_nothing_or_for_that_letter(text: str) -> None:
    assert (parse(text).expression or '("x" ').startswith('("x" ')


def test_words_in_quotes_are_one_term_and_a_quote_alone_is_text() -> None:
    assert [term.pieces for term in parse('"foo  Bar" baz').terms] == [("foo", "bar"), ("baz",)]
    assert [term.pieces for term in parse('say "foo').terms] == [("say",), ('"foo',)]


def test_a_letter_whose_folded_form_is_its_capital_is_cut_as_the_text_is() -> None:
    assert parse("Ꭰꭰ").expression == '"ᎠᎠ" *'


def test_characters_of_scripts_without_spaces_are_words_of_their_own() -> None:
    assert words("gen重跑itgc") == ["gen", "重", "跑", "itgc"]
    assert parse("评审").expression == '"评 审"'


def test_plus_signs_and_a_hash_are_part_of_the_word_that_they_end(indexed: Place) -> None:
    assert len(words("C++ c# i++; page#two")) == 5 and words("++i # x") == ["i", "x"]
    assert words("c++")[0] not in words("a c, C+ and C#")
    for text in ("c++", "C#", "c", "c+", "of c", "of c++ (see", "i++;#3", "i", "+;#3"):
        assert (FIRST, "main@0.0") in indexed.places(text), text


def test_only_the_parts_that_are_asked_for_are_asked_of_the_index() -> None:
    assert parse("foo bar", ("input", "prompt")).expression == '{prompt input} : ("foo" * AND "bar" *)'


def test_places_are_those_of_the_text_where_folding_makes_it_longer() -> None:
    text = "İİ straße x"
    spans = parse("STRASSE").spans(text)
    assert spans is not None and [text[start:end] for start, end in spans] == ["straße"]


def test_all_letters_that_fold_to_ascii_are_known_to_the_quick_look() -> None:
    every = map(chr, range(0x80, 0x110000))
    assert {c for c in every if any(part.isascii() for part in c.casefold())} == set(FOLD_TO_ASCII)
    assert parse("kelvin").may_hold("270 \N{KELVIN SIGN}elvin".encode())
    assert parse("kelvin").may_hold(b"270 \\u212aelvin") and not parse("kelvin").may_hold("kelv\u00edn".encode())


@given(_TEXT.map(" ".join))
@settings(max_examples=300, deadline=None)
def test_any_query_is_answered_and_each_term_of_it_stands_where_it_is_said_to(text: str) -> None:
    query = parse(text)
    spans = query.spans(TEXT)
    if spans is not None:
        for term, (start, end) in zip(query.terms, spans, strict=True):
            assert term.find(TEXT[start:end].casefold()) is not None


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(Path(tmp_path_factory.mktemp("queries")))
    place.write(FIRST, TEXT, "another foo, another bar")
    place.update()
    return place


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(Path(tmp_path_factory.mktemp("texts")))


@given(_TEXT.map(" ".join))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_query_on_an_index_gives_hits_that_hold_every_term_and_no_error(indexed: Place, text: str) -> None:
    found = indexed.find(text)
    for hit in found.hits:
        whole = TEXT if hit.event_id == "main@0.0" else "another foo, another bar answer 0 answer 1"
        assert all(term.find(whole.casefold()) is not None for term in parse(text).terms)
        assert hit.matches and all(0 <= start < end <= len(hit.snippet) for start, end in hit.matches)


@given(st.integers(0, len(TEXT)), st.integers(1, 30))
@settings(max_examples=300, deadline=None)
def test_any_piece_of_a_text_that_begins_with_a_word_finds_it(indexed: Place, start: int, length: int) -> None:
    begins = start == 0 or not (TEXT[start - 1].isalnum() and TEXT[start : start + 1].isalnum())
    piece = TEXT[start : start + length]
    ends = start + length >= len(TEXT) or not (TEXT[start + length - 1].isalnum() and TEXT[start + length].isalnum())
    if piece.strip() and begins and ends:
        assert (FIRST, "main@0.0") in indexed.places(piece)


@pytest.mark.parametrize("begin", ["x" * 1998 + " ", "word " * 600, "y" * 40_000 + " "])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_query_of_any_length_is_looked_for_to_its_end(rewritten: Place, begin: str, quote: str) -> None:
    rewritten.write(SECOND, begin + "hello", begin + "other")
    rewritten.update()
    assert rewritten.places(f"{quote}{begin}hello{quote}") == [(SECOND, "main@0.0")]
    assert rewritten.places(f"{quote}{begin}none{quote}") == []


@pytest.mark.parametrize("text", ['"' + "a " * 60_000, '"' + " " * 120_000, '" ' * 60_000, '"a"' * 40_000])
def test_quotes_that_nothing_closes_are_read_in_one_pass(text: str) -> None:
    begun = time.process_time()
    assert parse(text).text == text
    assert time.process_time() - begun < 5


def test_letters_that_are_nearly_wildcards_are_none(indexed: Place) -> None:
    assert indexed.places("f_o") == [] and indexed.places("f%o") == [] and indexed.places("fo*") == []
    assert indexed.places("10%") == [] and len(indexed.places("100%")) == 1


@given(st.text(min_size=1, max_size=80), st.data())
@settings(max_examples=150, deadline=None)
def test_any_text_at_all_is_found_by_itself_and_by_any_run_of_its_letters(
    rewritten: Place, text: str, data: st.DataObject
) -> None:
    text = text.encode("utf-8", "replace").decode()
    if program_text(text) is not None or not text.strip():
        return
    rewritten.write(SECOND, text)
    rewritten.update()
    assert (SECOND, "main@0.0") in rewritten.places(text)
    runs = re.findall(r"[^\W_]{2,}", text)
    if runs:
        assert (SECOND, "main@0.0") in rewritten.places(data.draw(st.sampled_from(runs)))
