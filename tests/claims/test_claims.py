"""What closing texts claim: sentences count, not words."""

from __future__ import annotations

import re
import time

import pytest

from waterglass.claims import claim, language_of
from waterglass.claims.table import by_start, grouped


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


LONG = "\n\nHow it works:\n" + "\n".join(f"- step {number}: one more row of the table" for number in range(12))


def test_a_text_that_answers_or_asks_whether_to_do_the_work_claims_nothing() -> None:
    assert kind("No changes to commit. The build passes.") == "none"
    assert kind("Issue 7 has already been merged. The build passes.") == "none"
    assert kind("**Current status:**\n- Added the page\n- Removed the old one") == "none"
    assert kind("The branch has been pushed. Which approach do you prefer?\n- **A**: merge\n- **B**: wait") == "none"
    assert kind("The check has been written. Want me to fix these issues?") == "none"


def test_a_status_behind_a_claim_takes_nothing_back() -> None:
    assert kind("Committed the fix. Here's the current status:\n- lint: clean") == "done"
    assert kind("I've fixed the total. Want me to add a test?") == "done"


def test_a_state_in_front_of_a_long_explanation_counts_and_one_in_its_middle_does_not() -> None:
    assert kind("Now the script skips rows that it has seen." + LONG) == "done"
    assert kind("The script reads rows." + LONG + "\n\nThe index is rebuilt.\n\n" + LONG) == "none"


def test_a_description_of_parts_is_no_list_of_what_was_done() -> None:
    assert kind("**Region**: Set by the account\n**Proxy**: Configured for both hosts of the shop") == "none"
    assert kind("- Created date: 2031-04-02\n- Updated: 2031-04-05\n- Owner: you") == "none"
    assert kind("- Page: Added the field\n- Model: Removed the old one") == "done"


def test_the_name_of_a_file_is_no_end_of_a_sentence() -> None:
    assert kind("**notes.md created** (based on the wiki)" + LONG) == "done"


def test_alternatives_by_their_first_letters_match_the_same_texts() -> None:
    words = "added|add|applied|built(?! from)|set up|set|opti[sz]ed|be?at|x"
    texts = ["added", "add", "ad", "applied", "built", "built from", "set up", "set", "optised", "optized", "bat", "y"]
    assert grouped("added|applied") == "a(?:dded|pplied)"
    for text in texts:
        assert bool(re.fullmatch(grouped(words), text)) is bool(re.fullmatch(words, text)), text


def test_patterns_put_together_by_their_start_match_the_same_texts() -> None:
    patterns = [r"^a\b", r"\bb(?: \(|c)", r"^x|y$", r"q[)(|]r", r"\bz[.)]|\bw"]
    plain = "|".join(f"(?:{pattern})" for pattern in patterns)
    for text in ("a b", "b a", "b (", "bc", "x", "ay", "q|r", "q)r", "z)", "w", "bz.", "ww b", "-a", "y-"):
        assert bool(re.search(by_start(patterns), text)) is bool(re.search(plain, text)), text


def test_texts_of_usual_length_take_a_few_milliseconds_at_most() -> None:
    text = "I looked at the page and the worker. " * 20 + LONG
    kind(text)
    start = time.process_time()
    for _ in range(50):
        kind(text)
    assert (time.process_time() - start) / 50 < 0.02


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
        ("this is the text that you want: " + "updated 3 of " * 28 + "\n") * 500,
        ("this is the text that you want: " + "a.b-c.md " * 40 + "\n") * 500,
        "已经" * 100_000,
        "追加し、" * 100_000,
        "\ud800\x00done",
    ],
)
def test_any_text_is_read_in_bounded_time(text: str) -> None:
    start = time.perf_counter()
    assert kind(text) in ("done", "partial", "none", "unknown")
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        "I've added a hook that starts the server. Try running the test now to see if this works.",
        "I've changed the order of the imports. Please run it again and see if the error is gone.",
        "I've added the route. Open the page and let me know what happens!",
        "I've improved the logging. It should help us identify exactly what goes wrong. Please share the logs.",
        "I've added more output. Please send me the error details from the console.",
        "The layout is set up.\n\n- Created the types\n- Added the tools\n\nNext steps are:\n1. Implement the agent",
    ],
)
def test_a_trial_and_work_not_begun_leave_something_open(text: str) -> None:
    assert kind(text) == "partial"


@pytest.mark.parametrize(
    "text",
    [
        "I've added the parser. Let me know if it works for you.",
        "I've added the parser. If it still fails, share the logs.",
        "I've added the parser. Share the logs if the error comes back.",
        "I ran the app to see if it works, and fixed the route. Done.",
        "I've added the index.\n\n## Next steps\n1. Load the plugin\n2. Run the tests",
        "I've added the index.\n\n## Next steps\n1. Implement caching if you need it",
        "## What I did\n\n- Implemented the cache\n- Added the index\n\nImplement the plugin interface to extend it.",
        "I've added hints that help users find the right page.",
    ],
)
def test_steps_for_the_reader_leave_nothing_open(text: str) -> None:
    assert kind(text) == "done"


@pytest.mark.parametrize("text", ["Server is up. Try it again now.", "The container is running. The log looks clean."])
def test_a_service_that_runs_is_no_finished_work(text: str) -> None:
    assert kind(text) == "none"
