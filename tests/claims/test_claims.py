"""What closing texts claim: sentences count, not words."""

from __future__ import annotations

import time

import pytest

from waterglass.claims import claim, language_of


def kind(text: str) -> str:
    return claim(text).kind


def test_a_claim_names_the_sentence_that_makes_it() -> None:
    found = claim("Sure thing.\n\nI've **added** the retry to `fetch.py`. The log is unchanged.")
    assert (found.kind, found.said, found.language) == (
        "done",
        "I've **added** the retry to `fetch.py`.",
        "en",
    )


def test_code_and_addresses_end_no_sentence_and_come_back_as_written() -> None:
    found = claim("See `x. Y`. I've moved `a. B` to `c`! The address is https://example.com/a?b. C.")
    assert found.said == "I've moved `a. B` to `c`!"


def test_traditional_chinese_is_read_as_simplified() -> None:
    assert kind("已經修復登入頁面的錯誤,所有測試都通過了。") == "done"
    assert kind("要我建立新的分支嗎?") == "none"


def test_what_is_left_is_named_too() -> None:
    found = claim("I've added the parser. Two tests still fail.")
    assert (found.kind, found.said) == ("partial", "Two tests still fail.")


@pytest.mark.parametrize(
    "text",
    [
        "```\nDone. All tests pass.\n```\nThis is what the tool prints.",
        "> I've fixed the bug.\n\nThat is from the issue. Which bug do they mean?",
        "| step | state |\n|---|---|\n| Added the index | done |\n\nThis table is from the wiki.",
        'The log says "I\'ve added the index", which is odd.',
        "The command `git commit -m 'Fixed the bug'` is missing from your list.",
    ],
)
def test_code_quotations_and_tables_claim_nothing(text: str) -> None:
    assert kind(text) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "Have I added the index? Please check.",
        "If I've added the index, the query is fast.",
        "Once I've added the index, the task is complete.",
        "I'll add the index and then the migration will be complete.",
        "I haven't added the index yet.",
        "I've written a plan for the migration. Shall I start?",
        "The index was added in 2019 by another team.",
        "The module has been rewritten in 2018 and uses callbacks.",
        "Le module a été écrit en 2018.",
        "Das Modul wurde 2018 geschrieben.",
        "このモジュールは 2018 年に作成されました。",
    ],
)
def test_questions_conditions_plans_negations_and_history_claim_nothing(text: str) -> None:
    assert kind(text) == "none"


def test_a_text_that_goes_on_working_has_not_finished() -> None:
    assert kind("I've added the index. Now let me run the tests:") == "none"
    assert kind("I've added the index. Let me know if you want a test for it.") == "done"


def test_steps_for_the_reader_take_nothing_back() -> None:
    assert kind("I've added the index.\n\n### Next steps\n1. Restart the server\n2. Run the query") == "done"
    assert kind("I've added the index.\n\nTo test:\n- [ ] Restart the server") == "done"


def test_boxes_that_are_not_ticked_beside_ticked_ones_are_work_that_is_left() -> None:
    assert kind("I've started on the list:\n- [x] Added the index\n- [x] Updated the query\n- [ ] Docs") == "partial"


def test_what_is_no_trouble_of_this_work_takes_nothing_back() -> None:
    assert kind("I've added the index. The two tests that still fail are unrelated and pre-existing.") == "done"
    assert kind("Fixed the import. There are no remaining errors.") == "done"


def test_a_list_of_what_was_done_claims_as_a_whole() -> None:
    assert kind("`cart.ts` and `order.ts`:\n- Added the check to both\n- Removed the old helper of each") == "done"
    assert kind("Based on my review of the commit history:\n- Added the check\n- Removed the helper") == "none"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Committed and pushed.", "en"),
        ("Listo, ya está.", "es"),
        ("C'est fait.", "fr"),
        ("Fertig, alles läuft.", "de"),
        ("Pronto, já está.", "pt"),
        ("Готово, всё работает.", "ru"),
        ("完成了。", "zh"),
        ("完了しました。", "ja"),
        ("완료했습니다.", "ko"),
        ("Fatto, adesso funziona tutto e la pagina non si blocca.", None),
        ("Готово, тепер усе працює.", None),
        ("تم", None),
    ],
)
def test_the_language_is_told_by_scripts_and_small_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_language_without_rules_is_unknown_and_no_text_at_all_is_none() -> None:
    assert kind("Ho aggiunto la verifica e tutti i test passano.") == "unknown"
    assert [kind(text) for text in ("", "  \n", "✅", "42", "```\nx = 1\n```")] == ["none"] * 5


@pytest.mark.parametrize(
    "text",
    [
        "a " * 200_000,
        "[" * 200_000,
        "<" * 200_000,
        "i've " * 100_000,
        "- added x\n" * 50_000,
        ("now " + "x" * 390 + "\n") * 500,
        "已经" * 100_000,
        "追加し、" * 100_000,
        "\ud800\x00done",
    ],
)
def test_any_text_is_read_in_bounded_time(text: str) -> None:
    start = time.perf_counter()
    assert kind(text) in ("done", "partial", "none", "unknown")
    assert time.perf_counter() - start < 5
