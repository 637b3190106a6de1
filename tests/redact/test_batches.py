"""Texts that are searched as one, and blocks that are read as one: nothing is found less, and nothing more."""

from __future__ import annotations

import base64
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.redact.test_value import TOKENS, texts, values
from waterglass.redact import Redactor
from waterglass.redact.batches import Blocks, batches, united
from waterglass.redact.scan import find_secrets
from waterglass.redact.views import BREAK, View, readings, seen

GITHUB = "gh" + "p_F4k3aB7xF4k3aB7xF4k3aB7xF4k3aB7xF4k3"


@settings(deadline=None)
@given(
    st.lists(
        texts | st.sampled_from(["Cookie: a=b", '"password": "', "-----BEGIN PRIVATE KEY-----\nMIIE" * 2]), max_size=8
    )
)
def test_what_is_found_in_a_text_alone_is_found_among_others(listed: list[str]) -> None:
    for batch in batches(listed):
        touched = batch.touched(find_secrets(batch.text))
        alone = {n for n, text in enumerate(batch.texts) if find_secrets(text)}
        assert alone <= touched


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["a", "note", "password"]), values, max_size=3), max_size=5))
def test_documents_together_come_out_as_each_alone(documents: list[Any]) -> None:
    redactor = Redactor()
    together = redactor.value(documents)
    assert together == [redactor.value(document) for document in documents]


def test_a_token_over_two_blocks_goes_from_both() -> None:
    blocks = [{"type": "text", "text": f"part1 {GITHUB[:20]}"}, {"type": "text", "text": f"{GITHUB[20:]} part2"}]
    shown = Redactor().value({"content": blocks})
    assert shown["content"] == [
        {"type": "text", "text": "part1 [REDACTED:github#1]"},
        {"type": "text", "text": " part2"},
    ]
    assert blocks[0]["text"].endswith(GITHUB[:20])


def test_two_tokens_over_three_blocks_and_a_key_over_two_go() -> None:
    other = GITHUB.replace("F4", "Q9")
    listed = [f"a {GITHUB[:20]}", f"{GITHUB[20:]} b {other[:20]}", f"{other[20:]} c"]
    assert Redactor().value({"x": listed})["x"] == ["a [REDACTED:github#2]", " b [REDACTED:github#1]", " c"]
    key = ["-----BEGIN PRIVATE KEY-----\nMIIEfake1fake2", "MIIEfake3fake4\n-----END PRIVATE KEY-----"]
    assert "MIIE" not in json.dumps(Redactor().value({"x": key}))


def test_blocks_with_something_between_them_and_words_of_a_list_are_read_apart() -> None:
    assert Blocks([{"text": GITHUB[:20]}, {"type": "image"}, {"text": GITHUB[20:]}]).follow is False
    words = ["password", "username", "token", "src/a.py", "sk-", "learn with words that go on"]
    assert Redactor().value({"fields": words}) == {"fields": words}


def test_two_fields_that_become_one_name_both_stay() -> None:
    assert united([{"a": 1}, {"a": 2}, {"b": 3}]) == {"a": 1, "a (2)": 2, "b": 3}


PIECES = ["ab", "\x1b[1m", "\u200b", "%41", "\\u0042", "&#67;", "\n", "é", "\\" * 4, '"']


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_each_place_of_a_decoded_text_is_a_place_of_the_written_one(pieces: list[str]) -> None:
    text = "".join(pieces)
    view = seen(text)
    for one in readings(view):
        for at, char in enumerate(one.text):
            start, end = one.at(at, at + 1)
            assert 0 <= start <= end <= len(text)
            assert end > start or char in BREAK
            if end - start == 1:
                assert text[start] == char


def test_a_stretch_of_a_view_goes_from_its_first_to_its_last_written_character() -> None:
    view = View()
    view.add("ab", 0, 2)
    view.add("c", 2, 8)
    view.add("d", 9, 10)
    view.done()
    assert view.text == "abcd"
    assert [view.at(0, 4), view.at(1, 3), view.at(2, 3), view.at(3, 4)] == [(0, 10), (1, 8), (2, 8), (9, 10)]


def test_the_tokens_of_the_rules_are_found_in_a_batch_of_all() -> None:
    [batch] = batches(TOKENS)
    assert batch.touched(find_secrets(batch.text)) == set(range(len(TOKENS)))


def test_what_was_proven_clean_is_looked_through_again_once_more_is_known() -> None:
    value = "q7Rz2Lm9" + "Xc4Vb8Nk"
    document = {"first": f"it says {value} here", "coded": base64.b64encode(f"it says {value} here".encode()).decode()}
    redactor = Redactor()
    assert redactor.value(document) == document
    assert redactor.value(document) == document
    redactor.value({"AUTH_SECRET": value})
    shown = redactor.value(document)
    assert value not in shown["first"] and shown["coded"] != document["coded"]


def test_one_that_inherits_what_is_known_looks_for_what_it_learns_itself() -> None:
    value = "q7Rz2Lm9" + "Xc4Vb8Nk"
    first = Redactor()
    first.value({"a": f"it says {value} here"})
    checker = first.checker()
    assert checker is not None
    checker.value({"AUTH_SECRET": value})
    assert checker.value({"a": f"it says {value} here"}) == {"a": "it says [REDACTED:secret#1] here"}
