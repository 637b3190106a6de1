"""How the command line ends, whatever a command does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from waterglass.cli import main as cli_main
from waterglass.errors import UsageError, WaterglassError

Ended = Callable[[BaseException], tuple[int, str]]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ended:
    """Return `ends(error)`: the exit code and standard error of a command that raises `error`."""

    def run(error: BaseException) -> tuple[int, str]:
        @click.command("sample")
        def command() -> None:
            raise error

        monkeypatch.setattr(cli_main.LazyGroup, "get_command", lambda *_: command)
        return cli_main.run(["sample"]), capsys.readouterr().err

    return run


def test_an_error_of_ours_is_one_line_and_its_exit_code(ends: Ended) -> None:
    assert ends(WaterglassError("cannot read", "a/b.jsonl", "another")) == (
        1,
        "waterglass: cannot read: a/b.jsonl. Try: another\n",
    )
    assert ends(UsageError("two baselines")) == (2, "waterglass: two baselines\n")


def test_control_characters_of_an_error_never_reach_the_terminal(ends: Ended) -> None:
    assert ends(WaterglassError("gone", "\x1b[2J\nx")) == (1, "waterglass: gone: ␛[2J^Jx\n")


def test_ctrl_c_is_130_without_a_word(ends: Ended) -> None:
    assert ends(KeyboardInterrupt()) == (130, "\n")


def test_an_error_nobody_expected_keeps_its_traceback(ends: Ended) -> None:
    with pytest.raises(ZeroDivisionError):
        ends(ZeroDivisionError())


def test_a_closed_pipe_ends_in_silence(child_environment: dict[str, str], tmp_path: Path) -> None:
    program = "import sys, click; from waterglass.cli import main as m\n" + (
        "command = click.command('x')(lambda: [click.echo('y' * 9999) for _ in range(99)] and None)\n"
        "m.LazyGroup.get_command = lambda *_: command; sys.exit(m.run(['x']))"
    )
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=child_environment, stdout=pipe, stderr=pipe
    )
    assert child.stdout is not None and child.stderr is not None
    with child.stdout, child.stderr:
        child.stdout.read(10)
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.wait(60) == 0


@pytest.mark.parametrize(
    ("args", "name"),
    [([], "serve"), (["--no-open"], "serve"), (["--root", "x"], "serve"), (["list"], "list"), (["show", "x"], "show")],
)
def test_serve_is_what_no_command_means(args: list[str], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def command(_: click.Group, __: click.Context, name: str) -> click.Command:
        seen.append(name)
        takes_all = {"ignore_unknown_options": True, "allow_extra_args": True}
        return click.Command(name, callback=lambda: None, context_settings=takes_all)

    monkeypatch.setattr(cli_main.LazyGroup, "get_command", command)
    assert cli_main.run(args) == 0
    assert seen == [name]
