"""Whatever a transcript holds, the facts are valid and nothing is raised."""

from hypothesis import given
from hypothesis import strategies as st

from waterglass.classify import CATEGORIES, CallFacts, classify
from waterglass.shell import judge_line, read_shell
from waterglass.shell.verdict import CHECKS

KEYS = st.sampled_from(["command", "file_path", "path", "paths", "targets", "todos", "invocations", "uri"]) | st.text()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["Bash", "PowerShell", "Read", "Batch", "TodoWrite", "Task", "mcp__acp__Bash"]) | st.text()
PIECES = st.sampled_from(
    ["npm", "test", "$(", ")", "`", "'", '"', "\\", "|", "&&", ";", "\n", "<<E", "E", ">", "2>&1", "{", "}", "bash",
     "-c", "sudo", "find", "-exec", "if", "for", "case", "python", "-m", "docker", "exec", "git", "show", "a:b", "=",
     "X=1", "ssh", "eval", "make", "--", "-", "grep", "@'", "'@", "$x", "\u2028", "\x00", "xargs", "sed", "-i"]
)  # fmt: skip
LINES = st.text(st.characters(), max_size=200) | st.lists(PIECES, max_size=30).map(" ".join)


def check(facts: CallFacts) -> None:
    assert facts.category in CATEGORIES
    assert facts.acts
    assert list(facts.acts) == sorted(set(facts.acts))
    assert set(facts.acts) <= set(CATEGORIES)
    assert set(facts.verify_kinds) <= CHECKS
    assert bool(facts.verify_kinds) <= ("verify" in facts.acts)
    assert all(target and "\n" not in target for target in facts.targets)
    assert facts.label
    assert len(facts.label) <= 200
    assert len(facts.label.splitlines()) == 1


@given(name=NAMES, tool_input=JSON, cwd=st.none() | st.sampled_from(["/", "/w", "C:\\w"]) | st.text(max_size=20))
def test_any_json_value_as_input_gives_valid_facts(name: str, tool_input: object, cwd: str | None) -> None:
    check(classify(name, tool_input, cwd))


@given(command=LINES, tool=st.sampled_from(["Bash", "PowerShell"]))
def test_any_string_as_command_gives_valid_facts(command: str, tool: str) -> None:
    facts = classify(tool, {"command": command}, "/w")
    check(facts)
    assert facts.command == command
    assert facts == classify(tool, {"command": command}, "/w")


@given(LINES)
def test_a_line_in_single_quotes_after_echo_does_nothing(line: str) -> None:
    quoted = line.replace("'", "").replace("\0", "")
    assert judge_line(f"echo '{quoted}'").acts == ()


@given(LINES)
def test_every_command_has_words_or_writes_a_file(line: str) -> None:
    assert all(command.words or command.writes for command in read_shell(line))
