"""What a shell line does: which programs it runs, and which acts they are."""

from waterglass.shell.facts import Check, LineFacts, SimpleCommand
from waterglass.shell.lines import judge_line, read_shell

__all__ = ["Check", "LineFacts", "SimpleCommand", "judge_line", "read_shell"]
