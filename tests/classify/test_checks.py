"""What the exit code of a line says about the checks in it."""

import subprocess
import sys

import pytest

from waterglass.shell import judge_line

# Each check as its program, then: P the line's success proves its success, F the line's failure comes from checks
# alone, S it ran whenever the line succeeds.
CHECKS = [
    ("pytest", "pytest:PFS"),
    ("cd x && source venv/bin/activate && pytest", "pytest:PFS"),
    ("pytest && mypy .", "pytest:PFS mypy:PFS"),
    ("pytest; mypy .", "pytest:S mypy:PFS"),
    ("pytest\nmypy .", "pytest:S mypy:PFS"),
    ("ls x && pytest", "pytest:PS"),
    ("pytest && ls x", "pytest:PS"),
    # Pipes.
    ("pytest | tail -5", "pytest:S"),
    ("cat a | npx eslint --stdin", "eslint:PFS"),
    ("set -o pipefail; pytest | tail -5", "pytest:PFS"),
    ("set -euo pipefail\npytest | tee out.txt", "pytest:PFS"),
    ("set -o pipefail; pytest | head -5", "pytest:PS"),
    ("npm run build && npm test 2>&1 | tail -20", "npm:PFS npm:S"),
    ("npm run build && npm test | tail -20", "npm:PFS npm:S"),
    # What hides a code, and what hands it on.
    ("pytest || true", "pytest:S"),
    ("pytest || echo failed", "pytest:S"),
    ("pytest || exit 1", "pytest:PFS"),
    ("pytest || { echo bad; exit 1; }", "pytest:PFS"),
    ("pytest || exit 0", "pytest:S"),
    ("pytest || exit 1; mypy .", "pytest:PFS mypy:PFS"),
    ("pytest && echo PASS || echo FAIL", "pytest:S"),
    ("ls x || pytest", "pytest:F"),
    ("! pytest", "pytest:"),
    ("if pytest; then echo ok; fi", "pytest:S"),
    ("if [ -f a ]; then pytest; fi", "pytest:F"),
    ("for d in a b; do npm test; done", "npm:F"),
    ("while true; do pytest && break; done", "pytest:"),
    ("case $x in a) pytest;; esac", "pytest:F"),
    ("f() { pytest; }", "pytest:"),
    ("[ -f x ] || exit 0; npm test", "npm:F"),
    ("set -e; pytest; mypy .", "pytest:PFS mypy:PFS"),
    ("set -e; pytest; ls x", "pytest:PS"),
    ("set -e; set +e; pytest; ls x", "pytest:S"),
    ("pytest > o.log 2>&1; rc=$?; tail -5 o.log; exit $rc", "pytest:PFS"),
    ("npm test 2>&1 | tee out.txt; exit ${PIPESTATUS[0]}", "npm:PFS"),
    ("pytest; exit 0", "pytest:S"),
    # Jobs.
    ("pytest &", "pytest:"),
    ("npm start & npm test", "npm:PFS"),
    ("docker exec -d x pytest", "pytest:"),
    # Other shells.
    ("(cd a && npm test) && (cd b && npm test)", "npm:PFS npm:PFS"),
    ("bash -c 'pytest && mypy .'", "pytest:PFS mypy:PFS"),
    ("bash -c 'pytest; ls'", "pytest:S"),
    ("bash -ec 'pytest; true'", "pytest:PFS"),
    ("bash <<'E'\npytest\nE", "pytest:PFS"),
    ("docker exec x sh -c 'pytest'", "pytest:PFS"),
    ("ssh host pytest", "pytest:PS"),
    ("x=$(npm test)", "npm:PFS"),
    ("x=$(npm test); echo $x", "npm:S"),
    ("echo $(npm test)", "npm:"),
    ("git ls-files | xargs ruff check", "ruff:PFS"),
    ("git ls-files | xargs -r ruff check", "ruff:"),
    ("find . -name '*.sh' -exec shellcheck {} +", "find:"),
    ("echo pytest", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), CHECKS)
def test_the_exit_code_of_a_line_is_that_of_its_checks_only_where_the_shell_says_so(line: str, expected: str) -> None:
    found = [
        f"{check.program}:{'P' * check.passes_with_line}{'F' * check.fails_with_line}{'S' * check.runs_surely}"
        for check in judge_line(line).checks
    ]
    assert " ".join(found) == expected


PRINTED = [
    ('pytest; echo "exit=$?"', "exit=", ["exit="]),
    ("pytest; echo EXIT CODE: $?", "EXIT CODE: ", ["EXIT CODE: "]),
    ("pytest; echo $?", "", [""]),
    ('cd x && pytest; echo "rc $?"', "rc ", ["rc "]),
    ("pytest; printf 'code:%d\\n' $?", "code:", ["code:"]),
    ('pytest | tail -3; echo "exit=$?"', "exit=", [None]),
    ('pytest | tail -3; echo "exit=${PIPESTATUS[0]}"', "exit=", ["exit="]),
    ('set -o pipefail; pytest | tail -3; echo "exit=$?"', "exit=", ["exit="]),
    ('pytest; rc=$?; ls; echo "done: $rc"', "done: ", ["done: "]),
    ('pytest; echo "a=$?"; mypy .; echo "b=$?"', "a=", ["a=", "b="]),
    ('pytest; echo "in $PWD rc=$?"', " rc=", [" rc="]),
    ('pytest; ls; echo "exit=$?"', "exit=", [None]),
    ("pytest; echo done", None, [None]),
    ("bash -c 'pytest; echo \"rc=$?\"'", "rc=", ["rc="]),
]


@pytest.mark.parametrize(("line", "first", "each"), PRINTED)
def test_a_code_that_the_line_prints_is_told_with_the_text_in_front_of_it(
    line: str, first: str | None, each: list[str | None]
) -> None:
    facts = judge_line(line)
    assert (facts.prints_status, facts.status_prefix) == (first is not None, first)
    assert [check.status_prefix for check in facts.checks] == each


@pytest.mark.parametrize(
    ("line", "background"),
    [
        ("npm start &", True),
        ("nohup npm test > x.log 2>&1 & disown", True),
        ("setsid ./serve", True),
        ("tmux new-session -d -s a 'npm test'", True),
        ("bash -c 'npm start &'", True),
        ("npm test & wait", False),
        ("npm start & sleep 1; npm test; kill $!", False),
        ("npm test 2>&1", False),
        ("a && b", False),
    ],
)
def test_a_line_tells_whether_it_leaves_something_running(line: str, background: bool) -> None:
    assert judge_line(line).background is background


def test_a_check_has_its_words_without_wrappers_and_its_kinds() -> None:
    (check,) = judge_line("cd a && timeout 60 uv run /opt/bin/pytest -q tests").checks
    assert (check.program, check.words, check.kinds) == ("pytest", ("/opt/bin/pytest", "-q", "tests"), ("test",))


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("npm test", "PFS"),
        ("npm test | Select-Object -Last 5", "PFS"),
        ("npm test; Get-Date", ""),
        ("npm test && ls", ""),
    ],
)
def test_in_powershell_only_a_single_pipeline_is_followed(line: str, flags: str) -> None:
    (check,) = judge_line(line, powershell=True).checks
    assert "P" * check.passes_with_line + "F" * check.fails_with_line + "S" * check.runs_surely == flags


def test_the_grammar_is_loaded_only_when_a_shell_line_is_judged() -> None:
    code = (
        "import sys, waterglass.cli.main, waterglass.classify, waterglass.shell\n"
        "assert not [name for name in sys.modules if name.startswith('tree_sitter')]\n"
        "assert waterglass.shell.judge_line('npm test').acts == ('verify',)\n"
        "assert 'tree_sitter' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
