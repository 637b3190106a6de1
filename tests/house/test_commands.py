"""The command line as a whole: cheap to ask, told in the docs, and never a traceback."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tests.conftest import RunWaterglass, run_python
from tests.house.source import CHECKOUT, PACKAGE
from waterglass.cli.main import COMMANDS, cli
from waterglass.version import __version__

HEAVY = ("rich", "starlette", "uvicorn", "anyio", "msgspec", "asyncio", "waterglass.session", "waterglass.cli.serve")


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def docs() -> str:
    pages = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("asked", [["--help"], ["-h"], ["--version"]])
def test_help_and_version_load_nothing_heavy(
    asked: list[str], child_environment: dict[str, str], tmp_path: Path
) -> None:
    program = (
        "import sys; from waterglass.cli.main import run\n"
        f"code = run({asked!r}); print('LOADED', *(m for m in {HEAVY!r} if m in sys.modules)); sys.exit(code)"
    )
    done = run_python(["-c", program], cwd=tmp_path, env=child_environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().splitlines()[-1] == "LOADED"


def test_the_help_lists_each_command_that_has_a_file_and_no_other(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("--help")
    listed = re.findall(r"^  ([a-z]+) {2,}\S", done.stdout.partition("Commands:")[2], re.M)
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (PACKAGE / "cli").glob("*.py")}
    assert listed == list(COMMANDS)
    assert set(listed) == {name for name, text in sources.items() if "\ndef command(" in text}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_explains_itself(name: str) -> None:
    found = command(name)
    assert found.help
    assert [p.name for p in found.params if isinstance(p, click.Option) and not p.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_docs_tell_of_the_command_and_each_of_its_options(name: str) -> None:
    text = docs()
    assert re.search(rf"waterglass {name}\b", text)
    options = {o for p in command(name).params if isinstance(p, click.Option) for o in p.opts if o.startswith("--")}
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert sorted(o for o in options if f"`{o}" not in section) == []


def test_the_version_is_the_packages(run_waterglass: RunWaterglass) -> None:
    assert run_waterglass("-V").stdout == f"waterglass {__version__}\n"


@pytest.mark.parametrize("args", [["frobnicate"], ["show", "--frobnicate"], ["list", "--limit", "many"]])
def test_wrong_usage_is_one_line_and_exit_code_2(args: list[str], run_waterglass: RunWaterglass) -> None:
    done = run_waterglass(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"waterglass: .*\. Try: waterglass.* --help\n", done.stderr)


def test_what_cannot_be_done_is_one_line_that_says_what_where_and_what_to_try(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("show", "/nowhere/\x1b[31mred\x07.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"waterglass: [^\n\x1b\x07]*/nowhere/␛\[31mred\^G\.jsonl[^\n]*Try: [^\n]+\n", done.stderr)
