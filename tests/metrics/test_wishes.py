"""A person may ask for no checks; most prompts that speak of tests do not."""

from __future__ import annotations

import pytest

from waterglass.metrics.wishes import wants_checks, wants_no_checks, wants_repeats


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix it, but don't run the tests.",
        "Please do not run any tests",
        "dont run the build, it takes an hour",
        "Don’t run the linter",
        "No need to run the test suite.",
        "You needn't run the checks",
        "do it without running the unit tests",
        "Skip the tests for now",
        "avoid running tests",
        "I'll run the tests myself",
        "I will check it myself later",
        "Bitte keine Tests",
        "No ejecutes las pruebas",
        "Ne lance pas les tests",
        "Não rode os testes",
        "Не запускай тесты",
        "不要运行测试",
        "テストは実行しない",
        "테스트는 실행하지 마",
    ],
)
def test_a_wish_for_no_checks_is_understood(prompt: str) -> None:
    assert wants_no_checks(prompt) and wants_no_checks(prompt.upper())
    assert not wants_checks(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Don't forget to run the tests",
        "Don't break existing tests",
        "Do not stop until the tests pass",
        "Never skip the tests",
        "Don't skip tests",
        "Make sure to not skip the tests",
        "Do not run tests in watch mode",
        "Don't run the build with the cache",
        "Refactor it without breaking the tests",
        "There are no tests for the parser",
        "The build fails, fix it",
        "I don't know why the tests fail",
        "Add a check to the form",
        "I ran it myself",
    ],
)
def test_talk_of_tests_is_no_such_wish(prompt: str) -> None:
    assert not wants_no_checks(prompt)


def test_a_later_wish_for_checks_counts() -> None:
    assert wants_checks("Now run all the unit tests")
    assert wants_checks("Don't forget to run the tests")


@pytest.mark.parametrize(
    "prompt",
    [
        "Run it 5 times",
        "Run the test a few times",
        "check every 30 seconds",
        "do it twice",
        "keep checking the build",
        "run 10x",
    ],
)
def test_a_wish_to_repeat_is_understood(prompt: str) -> None:
    assert wants_repeats(prompt)


@pytest.mark.parametrize(
    "prompt", ["It sometimes fails", "Fix the timer", "Use times new roman", "Keep the file", "every test fails"]
)
def test_other_words_ask_for_no_repeat(prompt: str) -> None:
    assert not wants_repeats(prompt)
