"""`waterglass`: names the commands, loads the one that is asked for, turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

import click

from waterglass.cli.terminal import visible
from waterglass.errors import WaterglassError

DEFAULT = "serve"
# The help of the list stands here, so that showing it loads no command.
COMMANDS = {
    "serve": "Show the sessions in the browser (what `waterglass` alone does).",
    "list": "List the sessions, newest activity first.",
    "show": "Show one session in the terminal, or as JSON.",
    "tail": "Print the calls of a session as they happen.",
    "report": "Write one session as a self-contained HTML file.",
    "compare": "Compare sessions: metrics, usage, time, and where their steps part.",
    "check": "Hold sessions against gates; exit 3 where one is broken.",
    "export": "Write sessions for other programs: events, tables, traces, spans.",
    "search": "Search the texts of all sessions.",
    "stats": "Add up all sessions, by project, tool, model or day.",
    "index": "Bring the index for search and statistics up to date.",
    "archive": "Keep compressed copies of transcripts before they are deleted.",
    "metrics": "Say what the metrics are, and how often the classifiers are right.",
    "plugins": "List the metrics and exporters that other packages add.",
    "schema": "Show which records and fields the transcripts hold.",
    "classify": "Tell what shell commands do: JSON lines in, JSON lines out.",
    "redact": "Copy text with its secrets replaced.",
    "sample": "Write a small invented projects tree to try things on.",
    "completion": "Print the script by which a shell completes commands and session ids.",
}
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
_ENDING = ("SIGTERM", "SIGHUP")  # a service that is stopped, a terminal that is closed
_LONGEST = 400  # characters of an argument that are said back
# What writing to standard output can meet, and nothing that is opened by name.
_OUTPUT_ERRORS = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF") if hasattr(errno, name)
)


class LazyGroup(click.Group):
    """A group whose commands are the attribute `command` of `waterglass.cli.NAME`, imported when one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, loading its module, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"waterglass.cli.{cmd_name}").command
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `serve` before arguments that begin with none of the commands and ask for neither help nor version."""
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if ctx.resilient_parsing:  # a shell asks what may come next, and that is any command
            return super().parse_args(ctx, args)
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from waterglass.version import __version__

    click.echo(f"waterglass {__version__}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """See what a Claude Code session did: every tool call as a waterfall, sub-agents nested.

    Reads the transcripts on this machine, changes nothing and sends nothing.
    """


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (None: this process's) and return its exit code. Raises no expected error."""
    context: click.Context | None = None
    try:
        if "_WATERGLASS_COMPLETE" in os.environ:
            from waterglass.cli.completion import answer

            return answer(cli, os.environ["_WATERGLASS_COMPLETE"])
        # Not cli.main: it would answer a closed pipe and Ctrl-C with exit codes of its own.
        context = cli.make_context("waterglass", list(sys.argv[1:] if args is None else args))
        with context:
            cli.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as left:
        return left.exit_code
    except WaterglassError as error:
        return _say(str(WaterglassError(error.what, _short(error.where), error.hint)), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        path = _command_path(error.ctx or context)
        message = _short(error.format_message().rstrip("."))
        end = "" if message.endswith("?") else "."
        return _say(f"{message}{end} Try: {path} --help", error.exit_code)
    except click.ClickException as error:
        return _say(_short(error.format_message()), error.exit_code)
    except (click.Abort, KeyboardInterrupt) as stopped:
        click.echo(err=True)  # the terminal has just shown ^C
        for text in getattr(stopped, "__notes__", ()):
            _say(text, INTERRUPTED)
        return INTERRUPTED
    except _Ended as ended:
        return ended.exit_code
    except BrokenPipeError:
        return _hang_up()
    except (OSError, RuntimeError) as error:
        reason = _reason(error)
        if reason is None:
            raise
        return _say(reason, WaterglassError.exit_code)


def _command_path(context: click.Context | None) -> str:
    """Return the command that was used wrongly; some errors know the whole program alone."""
    if context is None:
        return "waterglass"
    below = context.invoked_subcommand
    return f"{context.command_path} {below}" if below in COMMANDS else context.command_path


def _reason(error: OSError | RuntimeError) -> str | None:
    """Return the line for an error of the surroundings that may meet any command, None for all others."""
    if not isinstance(error, OSError):
        if "can't start new thread" in str(error):  # so the interpreter says it, in a RuntimeError without a number
            return "no more threads can be started for this user. Try: end other programs, or a higher ulimit -u"
        return None
    if error.filename is None and error.errno in _OUTPUT_ERRORS:
        return f"cannot write the output ({error.strerror})"
    if isinstance(error, FileNotFoundError):
        try:
            os.getcwd()
        except FileNotFoundError:
            return "the current folder is no longer there. Try: cd to one that is"
        if error.filename is None and "temporary directory" in (error.strerror or ""):  # so `tempfile` says it
            return "no folder for temporary files can be written. Try: make room, or TMPDIR=DIR"
    return None


def _short(text: str) -> str:
    """Return the beginning and the end of a text that is too long to be said back whole."""
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]} … {text[-half:]}"


def _say(text: str, code: int) -> int:
    """Print one line for a person, whatever characters its parts hold."""
    with suppress(OSError):  # where nothing can be said, the exit code says it
        click.echo(f"waterglass: {visible(text)}", err=True)
    return code


def _hang_up() -> int:
    """Leave quietly when a pipe's reader is gone; the interpreter's own flush at exit must find a place to write to."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def main() -> None:
    """Run the command line of this process and exit.

    Without taking the interpreter down piece by piece: freeing the hundreds of thousands of objects of a long session
    one by one is a twentieth of the time of showing it, and the system takes them all at once.
    """
    _complete_streams()
    _end_in_order()
    code = run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # what was to be said of it is said
            code = code or _hang_up()
    os._exit(code)


class _Ended(SystemExit):
    """Another program or the system ends this one, by a signal."""

    def __init__(self, number: int) -> None:
        self.exit_code = 128 + number
        super().__init__(self.exit_code)


def _end_in_order() -> None:
    """Have what ends this process leave nothing behind: copies of transcripts may lie in temporary folders.

    A signal that is ignored stays so, as `nohup` wants it.
    """

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # what is under way is to be finished
        raise _Ended(number)

    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _complete_streams() -> None:
    """Make all three standard streams usable: one that is closed becomes one, any character can be written.

    Where input or output is closed, its use is an error as it would be for any other program, and no file that is
    opened later gets its number. A terminal that cannot show a character gets a question mark.
    """
    for name, flags, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))
        elif mode == "w":
            stream.reconfigure(errors="replace")
