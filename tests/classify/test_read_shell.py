"""Which simple commands a shell line holds."""

import re
from pathlib import Path

import pytest

from tests.conftest import run_python
from waterglass.shell import read_shell
from waterglass.shell.drafts import MAX_CHARS
from waterglass.shell.tame import tamed

WORDS = [
    ("a 'b c' \"d e\" f\\ g", [("a", "b c", "d e", "f g")]),
    ("a | b |& c; d && e || f & g\nh", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",), ("g",), ("h",)]),
    ("a \\\n  b", [("a", "b")]),
    ("a <<E | b\n;x | y\nE\nc", [("a",), ("b",), ("c",)]),
    ("a <<-'E' > f\n\tx\n\tE\nb", [("a",), ("b",)]),
    ('a "$(b "c")" d', [("b", "c"), ("a", "$()", "d")]),
    ("a `b c`", [("b", "c"), ("a", "$()")]),
    ("diff <(a x) <(b y)", [("a", "x"), ("b", "y"), ("diff", "$()", "$()")]),
    ("if a; then b; else c; fi", [("a",), ("b",), ("c",)]),
    ("while a; do b; done < f", [("a",), ("b",)]),
    ("a 2>&1 >f 2>g", [("a",)]),
    ("a ${x:-b; c} $((1 + 2))", [("a", "${x:-b; c}", "$(())")]),
    ("a $'b\\'c' #d", [("a", "b\\'c")]),
    ("a#b", [("a#b",)]),
    ("X=1 Y=$(a) b", [("a",), ("b",)]),
    ("env A=1 timeout 5 a b", [("a", "b")]),
    ("a 'never closed; b", [("a", "never closed; b")]),
]


@pytest.mark.parametrize(("line", "expected"), WORDS)
def test_a_line_is_cut_into_the_words_of_its_commands(line: str, expected: list[tuple[str, ...]]) -> None:
    assert [command.words for command in read_shell(line)] == expected


WINDOWS = [
    ('a \'b c\' "d `"e"; f | g', [("a", "b c", 'd "e'), ("f",), ("g",)]),
    ("$x = a b\nc $(d e)", [("a", "b"), ("d", "e"), ("c", "$()")]),
    ("if (a) { b } else { c }", [("a",), ("b",), ("c",)]),
    ("a | ForEach-Object { b $_ }", [("a",), ("ForEach-Object",), ("b", "$_")]),
    ("a `\n  b # c", [("a", "b")]),
    ("@'\na; b\n'@ | c", [("a; b",), ("c",)]),
    ("a > f 2>&1", [("a",)]),
]


@pytest.mark.parametrize(("line", "expected"), WINDOWS)
def test_a_powershell_line_is_cut_into_the_words_of_its_commands(line: str, expected: list[tuple[str, ...]]) -> None:
    assert [command.words for command in read_shell(line, powershell=True)] == expected


CMD = [
    ('cmd /c "a b && c"', [("a", "b"), ("c",)]),
    ("cmd /c \"a 'b c' ^& d\"", [("a", "'b", "c'", "&", "d")]),
    ('cmd.exe /C "dir /b | findstr x > f"', [("dir", "/b"), ("findstr", "x")]),
]


@pytest.mark.parametrize(("line", "expected"), CMD)
def test_a_line_for_cmd_is_read_by_the_rules_of_cmd(line: str, expected: list[tuple[str, ...]]) -> None:
    assert [command.words for command in read_shell(line)] == expected


BROKEN = [
    ("pytest ) && ls", [("pytest",), ("ls",)]),
    ("if a; then b", [("a",), ("b",)]),
    ('git commit -m "never closed && npm test', [("git", "commit", "-m", "never closed && npm test")]),
    ("a && b &&", [("a",), ("b",)]),
    ("a | | b", [("a",), ("b",)]),
    (r'cd "C:\Data\" && ls', [("cd", "C:/Data/"), ("ls",)]),
]


@pytest.mark.parametrize(("line", "expected"), BROKEN)
def test_of_a_line_with_errors_the_commands_around_them_are_read(line: str, expected: list[tuple[str, ...]]) -> None:
    assert [command.words for command in read_shell(line)] == expected


@pytest.mark.parametrize("delimiter", ["E", "'E'", "x" * 500, '"' + "x" * 500 + '"', "", "'", "$X"])
def test_heredocs_past_what_the_grammar_can_hold_never_reach_it(delimiter: str) -> None:
    kept = tamed(f"cat <<{delimiter}\n" * 500)
    assert kept.count(b"<<") * 8 <= 1000
    assert max(map(len, re.findall(rb"<<(\S*)", kept)), default=0) <= 42


# In a process of its own: where this fails, the process is ended from outside of Python.
EVERY_PLANE = """
from waterglass.shell import read_shell
for number in range(0x80, 0x110000, 0x400):
    if not 0xd800 <= number < 0xe000:
        for line in ("{", "x{", "${", "$", "<<", "[[ ", "a=("):
            read_shell(line + chr(number))
print("read")
"""


def test_no_character_of_any_plane_ends_the_process(tmp_path: Path, child_environment: dict[str, str]) -> None:
    done = run_python(["-c", EVERY_PLANE], cwd=tmp_path, env=child_environment)
    assert (done.stdout, done.returncode) == ("read\n", 0)


def test_words_keep_their_letters_whatever_their_script() -> None:
    (echo, _), (cat, writes) = [(c.words, c.writes) for c in read_shell('echo é && cat "naïve file" > "пристань 埠頭"')]
    assert echo == ("echo", "é")
    assert cat == ("cat", "naïve file")
    assert writes == ("пристань 埠頭",)


def test_a_usual_line_reaches_the_grammar_unchanged() -> None:
    line = "cat <<'EOF' > a.txt && wc <<< \"$x\"\n1 << 2\nEOF\n"
    assert tamed(line) == line.encode()


def test_a_heredoc_belongs_to_the_command_before_it() -> None:
    first, second = read_shell("cat > a <<EOF && b\none\ntwo\nEOF\n")
    assert (first.heredoc, first.writes) == ("one\ntwo\n", ("a",))
    assert second.heredoc is None


def test_commands_of_one_pipeline_share_its_number() -> None:
    a, b, c = read_shell("a | b; c")
    assert a.pipe == b.pipe != c.pipe
    assert [a.piped, b.piped, c.piped] == [False, True, False]


def test_pipelines_of_an_inner_line_have_numbers_of_their_own() -> None:
    numbers = [command.pipe for command in read_shell("bash -c 'a; b; c'; d; e")]
    assert len(set(numbers)) == 5


def test_a_command_in_a_substitution_tells_who_takes_its_output() -> None:
    assert [command.inside for command in read_shell('echo "$(a)"; X=$(b)')] == ["echo", None, "="]


def test_wrappers_are_named_outermost_first() -> None:
    (command,) = read_shell("sudo xargs -n 1 rm")
    assert (command.words, command.through) == (("rm",), ("sudo", "xargs"))


def test_only_the_beginning_of_a_huge_line_is_read() -> None:
    assert [command.words for command in read_shell(":" + " " * MAX_CHARS + "; npm test")] == [(":",)]


@pytest.mark.parametrize(
    "piece",
    ["$(", "$((", "`", "'", '"', "<<a\n", "<<a ", "${a", "$'\\'", "<(", "(", "a|", "sudo ", "bash -c '", "eval ",
     "find . -exec ", "python -m ", "ls | ", "\u2028", ">", "\\", "{", "@'", "if ", "case a in "],
)  # fmt: skip
def test_a_hostile_line_is_read_with_work_in_proportion_to_its_length(piece: str) -> None:
    # Not by the clock: each command found must stand for at least one character of the line.
    line = piece * (MAX_CHARS // len(piece))
    for powershell in (False, True):
        assert len(read_shell(line, powershell)) <= len(line)
