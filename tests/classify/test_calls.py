"""What calls do, by the names of their tools and by their arguments."""

import pytest

from waterglass.classify import classify
from waterglass.classify.table import split_name

CATEGORIES = [
    ("Read", "read"),
    ("LS", "read"),
    ("NotebookRead", "read"),
    ("Grep", "search"),
    ("Glob", "search"),
    ("Edit", "edit"),
    ("Write", "edit"),
    ("MultiEdit", "edit"),
    ("NotebookEdit", "edit"),
    ("LSP", "semantic"),
    ("WebSearch", "other"),
    ("Task", "other"),
    ("TodoWrite", "other"),
    ("mcp__acp__Read", "read"),
    ("mcp__filesystem__read_text_file", "read"),
    ("mcp__filesystem__write_file", "edit"),
    ("mcp__serena__find_symbol", "semantic"),
    ("mcp__plugin_serena_serena__search_for_pattern", "search"),
    ("mcp__serena__replace_symbol_body", "edit"),
    ("mcp__ide__getDiagnostics", "semantic"),
    ("mcp__linear-server__search_files", "other"),
    ("mcp__new_server__get_definition", "semantic"),
    ("mcp__new_server__search_code", "search"),
    ("mcp__new_server__dance", "unknown"),
    ("listCodeUsages", "semantic"),
    ("workspaceSymbol", "semantic"),
    ("textDocument/hover", "semantic"),
    ("replace_string_in_file", "edit"),
    ("grep_search", "search"),
    ("Gash", "unknown"),
    ('Task" >\n<parameter name="description', "unknown"),
    ("", "unknown"),
]


@pytest.mark.parametrize(("name", "category"), CATEGORIES)
def test_the_name_of_a_tool_gives_its_category(name: str, category: str) -> None:
    facts = classify(name, {}, None)
    assert (facts.category, facts.acts) == (category, (category,))


@pytest.mark.parametrize("name", ["Bash", "bash", "mcp__acp__Bash", "run_in_terminal", "mcp__desktop__execute_command"])
def test_a_shell_tool_does_what_its_command_does(name: str) -> None:
    facts = classify(name, {"command": "sed -i s/a/b/ /w/x.py && pytest", "run_in_background": True}, "/w")
    assert facts.category == "verify"
    assert facts.acts == ("edit", "verify")
    assert facts.verify_kinds == ("test",)
    assert facts.targets == ("x.py",)
    assert facts.command == "sed -i s/a/b/ /w/x.py && pytest"
    assert facts.background


def test_powershell_is_read_by_its_own_rules() -> None:
    assert classify("PowerShell", {"command": "Get-Content C:\\w\\a.txt"}, "c:\\w").targets == ("a.txt",)


def test_the_server_of_a_tool_ends_at_the_second_double_underscore() -> None:
    assert split_name("mcp__plugin_a_b-c__x__y") == ("plugin_a_b-c", "x__y")
    assert split_name("puppeteer__navigate") == ("", "puppeteer__navigate")


def test_only_tools_that_start_an_agent_spawn() -> None:
    names = ["Task", "Agent", "TaskCreate", "TaskOutput", "SendMessage", "ListAgents", "mcp__x__Task"]
    assert [name for name in names if classify(name, {}, None).spawns] == ["Task", "Agent"]


def test_a_batch_has_the_acts_of_its_calls() -> None:
    calls = [{"tool_name": "Read", "input": {}}, {"tool_name": "Bash", "input": {"command": "rm a"}}, 5]
    assert classify("Batch", {"invocations": calls}, None).acts == ("edit", "read")


TARGETS = [
    ({"file_path": "/w/app/src/a.py"}, "/w/app", ("src/a.py",)),
    ({"filePath": "/w/application/a.py"}, "/w/app", ("/w/application/a.py",)),
    ({"notebook_path": "/w/app/n.ipynb"}, "/w/app/", ("n.ipynb",)),
    ({"path": "/w/app"}, "/w/app", (".",)),
    ({"path": "./src/../b//c"}, "/w", ("b/c",)),
    ({"file_path": "/w/app/a.py"}, None, ("/w/app/a.py",)),
    ({"file_path": "/a"}, "/", ("a",)),
    ({"targets": ["/w/a", {"path": "/w/b"}, 7], "files": ["c"]}, "/w", ("a", "b", "c")),
    ({"relative_path": "src/a.py", "name_path": "Class/method"}, "/w", ("src/a.py",)),
    ({"uri": "file:///w/a%20b.ts"}, "/w", ("a b.ts",)),
    ({"uri": "file:///c%3A/w/a.ts"}, "C:\\w", ("a.ts",)),
    ({"path": "https://example.org/x"}, "/w", ()),
    ({"file_path": "C:\\Data\\App\\a.cs"}, "c:\\data\\app", ("a.cs",)),
    ({"file_path": "c:\\Data\\b.cs"}, "C:\\Data\\App", ("C:/Data/b.cs",)),
    ({"file_path": "/c/Data/App/a.cs"}, "C:\\Data\\App", ("a.cs",)),
    ({"file_path": "src\\a.cs"}, "C:\\Data", ("src/a.cs",)),
    ({"file_path": "\\\\host\\share\\a"}, "C:\\Data", ("//host/share/a",)),
    ({"file_path": ["a", "a"], "path": None, 3: "x", "url_path": 5}, "/w", ("a",)),
    ({"file_path": "x" * 5000, "path": "a\0b"}, "/w", ()),
]


@pytest.mark.parametrize(("arguments", "cwd", "targets"), TARGETS)
def test_targets_are_posix_paths_relative_to_the_folder(
    arguments: dict[object, object], cwd: str | None, targets: tuple[str, ...]
) -> None:
    assert classify("Read", arguments, cwd).targets == targets


LABELS = [
    ("Bash", {"command": "npm  test\n"}, "Bash: npm test"),
    ("Read", {"file_path": "/w/src/app.py", "limit": 5}, "Read: src/app.py"),
    ("Agent", {"subagent_type": "Explore", "description": "find the parser"}, "Agent: Explore, find the parser"),
    ("Task", {"description": "tidy up", "prompt": "p"}, "Task: tidy up"),
    ("Grep", {"pattern": "def x", "path": "/w/src"}, "Grep: def x, src"),
    ("TodoWrite", {"todos": [{"status": "completed"}, {}]}, "TodoWrite: 1 of 2 done"),
    ("TaskUpdate", {"taskId": 3, "status": "completed"}, "TaskUpdate: 3, completed"),
    ("mcp__serena__find_symbol", {"name_path": "A/b"}, "serena find_symbol: A/b"),
    ("mcp__x__dance", {"title": "waltz"}, "x dance: waltz"),
    ("mcp__x__click", {"selector": "#go"}, "x click: #go"),
    ("mcp__ide__getDiagnostics", {"uri": "file:///w/a.ts"}, "ide getDiagnostics: a.ts"),
    ("mcp__filesystem__read_multiple_files", {"paths": ["/w/a", "/w/b"]}, "filesystem read_multiple_files: a …"),
    ("ExitPlanMode", {"plan": "…"}, "ExitPlanMode"),
    ("Read", "no mapping", "Read"),
    ("", {}, "(no name)"),
]


@pytest.mark.parametrize(("name", "arguments", "label"), LABELS)
def test_a_label_is_the_tool_and_its_main_argument(name: str, arguments: object, label: str) -> None:
    assert classify(name, arguments, "/w").label == label


def test_a_long_label_is_cut_to_200_characters() -> None:
    label = classify("Bash", {"command": "x " * 5000}, None).label
    assert len(label) <= 200
    assert label.endswith("…")
