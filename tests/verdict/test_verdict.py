"""Whether a check passed: what is trusted first, and what says nothing."""

from __future__ import annotations

import time

import pytest

from waterglass.shell import judge_line
from waterglass.verdict import verify_ok


def verdict(command: str, output: str = "", is_error: bool | None = False, code: int | None = None) -> str | None:
    return verify_ok(judge_line(command), is_error, code, output, command)


def test_a_line_without_a_check_has_no_verdict() -> None:
    assert verdict("cat report.txt", "3 failed") is None


def test_a_code_that_is_shown_is_trusted_before_any_word() -> None:
    assert verdict("pytest -q") == "pass"
    assert verdict("pytest -q", code=0, is_error=None) == "pass"
    assert verdict("pytest -q", "Exit code 1\nall is well", is_error=True) == "fail"
    assert verdict("pytest -q", code=2, is_error=None) == "fail"
    assert verdict("cargo build", "warning: unused\nerror: not the compiler's") == "pass"


def test_a_hidden_code_leaves_the_summary_to_tell() -> None:
    for command in ("pytest -q | tail -3", "pytest -q || true", "pytest -q; date"):
        assert verdict(command, "3 passed in 0.1s") == "pass"
        assert verdict(command, "1 failed, 2 passed in 0.1s") == "fail"
        assert verdict(command, "nothing that tells") == "unknown"


def test_a_failed_line_says_nothing_of_a_check_that_something_else_can_have_failed() -> None:
    assert verdict("pytest -q && ./publish", "Exit code 1\n3 passed in 0.1s\nno network", is_error=True) == "pass"
    assert verdict("./fetch && pytest -q", "Exit code 1\nno network", is_error=True) == "unknown"


@pytest.mark.parametrize(
    ("output", "is_error"),
    [
        ("Command running in background with ID: b1. Output is being written to: /code/o", False),
        ("Command timed out after 2m 0.0s\n3 passed in 0.1s", True),
        ("[Request interrupted by user for tool use]", True),
        ("The user doesn't want to proceed with this tool use.", True),
        ("Exit code 143\n3 passed", True),
        ("Permission to use Bash has been denied.", True),
    ],
)
def test_a_check_that_did_not_end_is_unknown(output: str, is_error: bool) -> None:
    assert verdict("pytest -q", output, is_error) == "unknown"


def test_a_check_in_the_background_is_unknown() -> None:
    assert verdict("pytest -q &") == "unknown"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -k x", "Exit code 5\nno tests ran in 0.01s"),
        ("npx jest x", "Exit code 1\nNo tests found, exiting with code 1"),
        ("npx vitest run x", "Exit code 1\nNo test files found, exiting with code 1"),
    ],
)
def test_a_runner_that_found_no_test_is_no_failure(command: str, output: str) -> None:
    assert verdict(command, output, is_error=True) == "unknown"


def test_no_test_is_no_pass_either() -> None:
    assert verdict("go test ./cmd", "?   \texample.com/shop/cmd\t[no test files]") == "unknown"
    assert verdict("python -m unittest", "Ran 0 tests in 0.000s\n\nOK") == "unknown"
    assert verdict("npm test", "# pass 0\n# fail 0") == "unknown"


def test_one_failure_among_several_checks_is_a_failure() -> None:
    output = "All checks passed!\nFound 2 errors in 1 file (checked 9 source files)\n5 passed in 0.2s"
    assert verdict("ruff check .; mypy .; pytest -q | tail -1", output) == "fail"


def test_colours_boxes_and_names_of_tasks_hide_no_summary() -> None:
    assert verdict("npm test | tail -1", "\x1b[1m\x1b[31mTests:\x1b[0m  \x1b[31m1 failed\x1b[0m, 2 passed") == "fail"
    assert verdict("mise run test | tail", "[test] ok  \texample.com/shop\t0.1s") == "pass"
    assert verdict("npx turbo test | tail", "web:test: Tests:       4 passed, 4 total") == "pass"
    assert verdict("flutter test | cat", "00:01 +0: a\r00:02 +1: b\r00:03 +2: All tests passed!") == "pass"


@pytest.mark.parametrize(
    "near_miss",
    [
        "  ✔ says 1 failed in the summary (2 ms)",
        "tests/test_cart.py::test_3_failed_logins PASSED",
        "error handling tests passed",
        "reading failed.txt",
        "2025-01-01 INFO retry after 3 errors",
    ],
)
def test_words_of_failure_elsewhere_in_a_line_are_no_summary(near_miss: str) -> None:
    assert verdict("npm test | cat", near_miss) == "unknown"
    assert verdict("npm test | cat", f"{near_miss}\nfailed: 0\npassed: 4") == "pass"


def test_what_the_line_itself_prints_says_nothing() -> None:
    command = 'pytest -q 2>/dev/null | grep x; echo "All tests passed"'
    assert verdict(command, "All tests passed") == "unknown"


def test_a_code_that_the_line_prints_is_read_behind_its_words() -> None:
    command = 'pytest -q > log.txt 2>&1; echo "exit=$?"'
    assert verdict(command, "exit=0") == "pass"
    assert verdict(command, "exit=1") == "fail"
    assert verdict(command, "exit=124") == "unknown"
    assert verdict("make test > log.txt; echo $?", "2") == "fail"


def test_the_words_for_both_ways_tell_which_was_taken() -> None:
    command = "node --check app.js 2>/dev/null && echo fine || echo broken"
    assert verdict(command, "fine") == "pass"
    assert verdict(command, "broken") == "fail"
    assert verdict("node --check app.js | head && echo fine || echo broken", "fine") == "unknown"


def test_silence_is_a_pass_only_of_what_would_speak() -> None:
    assert verdict("npx tsc --noEmit 2>&1 | head -20") == "pass"
    assert verdict("npx tsc --noEmit 2>&1 | head -20", "(Bash completed with no output)") == "pass"
    assert verdict("npm run lint 2>&1 | tail", "> shop@1.0.0 lint\n> eslint src") == "pass"
    assert verdict("npm run lint 2>&1 | tail", "> shop@1.0.0 lint\n> ./lint-all") == "unknown"
    assert verdict("npx tsc --noEmit 2>&1 | grep cart.ts") == "unknown"
    assert verdict("npx tsc --noEmit 2>/dev/null | head") == "unknown"
    assert verdict("pytest -q | tail -3") == "unknown"


def test_a_script_that_counts_failures_and_ends_well_contradicts_itself() -> None:
    assert verdict("node tests/all.test.js", "Passed: 8\nFailed: 2") == "unknown"
    assert verdict("node tests/all.test.js", "✗ Error: TypeError: rate is not a function") == "unknown"
    assert verdict("node tests/all.test.js", "✓ three rates\nok 1 an empty cart") == "pass"


def test_without_any_note_of_success_a_summary_of_failure_counts() -> None:
    assert verdict("npm test", "Tests:  1 failed, 2 passed, 3 total", is_error=None) == "fail"


def test_a_cut_or_long_output_still_has_its_ends() -> None:
    assert verdict("pytest | cat", "collected 9\n... [900 lines truncated] ...\n9 passed in 1s") == "pass"
    assert verdict("pytest | cat", "x\n" * 500_000 + "9 passed in 1s") == "pass"


def test_a_test_script_that_does_not_compile_has_failed() -> None:
    assert verdict("npx ts-node tests/a.test.ts | head", "Report: ⨯ Unable to compile TypeScript:") == "fail"


@pytest.mark.parametrize(
    "text",
    [
        "e:1\n" * 100_000,
        ("x" + "." * 290 + " fail\n") * 2_000,
        "1 of " * 100_000,
        "\x1b[" * 200_000,
        ("a." * 140 + "Error\n") * 2_000,
        " " * 500_000 + "fail",
        "\x00\ud800error\n" * 50_000,
    ],
)
def test_any_output_is_read_in_bounded_time(text: str) -> None:
    start = time.perf_counter()
    assert verdict("pytest | cat", text) in ("fail", "unknown")
    assert time.perf_counter() - start < 10
