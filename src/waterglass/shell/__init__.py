"""What a shell line does: which programs it runs, and which acts they are."""

from waterglass.shell.lines import LineFacts, SimpleCommand, judge_line, read_shell

__all__ = ["LineFacts", "SimpleCommand", "judge_line", "read_shell"]
