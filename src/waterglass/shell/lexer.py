"""A shell line cut into its simple commands: one pass, no expansion, nothing is ever run.

This is the part that a real grammar replaces. It knows quotes, escapes, heredocs, substitutions, pipes and
redirections, and answers something sensible for any text at all.
"""

from __future__ import annotations

import re

# Longer lines exist (a whole file in a heredoc); what they do is told by their beginning.
MAX_CHARS = 20_000
# Each level of "$(...)" costs four Python frames, so 16 levels stay far from the recursion limit.
MAX_DEPTH = 16

_SPACE = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
_SPACE_POWERSHELL = re.compile(r"(?:[ \t\r\f\v]|`\r?\n)+")
_PLAIN = re.compile(r"[^ \t\r\n\f\v'\"\\$`|&;()<>]+")
_PLAIN_POWERSHELL = re.compile(r"[^ \t\r\n\f\v'\"$`|&;(){}<>@]+")
_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_REDIRECT = re.compile(r"(\d*|&|\*)(>>|>\||>&|>|<<<|<<-|<<|<>|<&|<)")
_ANSI_C = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_BRACED = re.compile(r"\$\{[^{}]*\}")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_HERE_STRING = re.compile(r"@(['\"])\r?\n")

_KEYWORDS = frozenset({"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac", "!", "{", "}"})
_HEADS = frozenset(("for", "case", "select", "function", "foreach"))


class Draft:
    """A simple command while it is read; `finish_heredoc` may still fill it after its line has ended."""

    __slots__ = ("assigned", "heredoc", "outer", "pipe", "piped", "reads", "words", "writes")

    def __init__(self, pipe: int, piped: bool, outer: Draft | None) -> None:
        self.words: list[str] = []
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.pipe = pipe
        self.piped = piped
        self.outer = outer
        self.heredoc: str | None = None
        self.assigned = False


class Lexer:
    """Reads one text; `commands` holds the drafts in the order in which they end."""

    def __init__(self, text: str, powershell: bool = False, depth: int = 0) -> None:
        self.text = text[:MAX_CHARS]
        self.powershell = powershell
        self.depth = depth
        self.pos = 0
        self.pipes = 0
        self.commands: list[Draft] = []
        self.draft = Draft(0, False, None)
        self.heredocs: list[tuple[Draft, str]] = []
        # A closer that was not found once is not looked for again: the search would be quadratic.
        self.missing: set[str] = set()
        self.space = _SPACE_POWERSHELL if powershell else _SPACE
        self.plain = _PLAIN_POWERSHELL if powershell else _PLAIN
        self.escape = "`" if powershell else "\\"

    def run(self) -> list[Draft]:
        """Read the whole text and answer its commands."""
        self._commands(closed_by_paren=False)
        return self.commands

    def _commands(self, closed_by_paren: bool) -> None:
        text, end, parens = self.text, len(self.text), 0
        while self.pos < end:
            char = text[self.pos]
            space = self.space.match(text, self.pos) if char in " \t\r\f\v\\`" else None
            if space:
                self.pos = space.end()
                continue
            if char in "<>&0123456789*" and self._redirect():
                continue
            if char == ")" and closed_by_paren and not parens:
                self.pos += 1
                break
            if char in "|&;()\n" or (self.powershell and char in "{}"):
                parens += (char == "(") - (char == ")")
                parens = max(parens, 0)
                self._separator(char)
            elif char == "#":
                newline = text.find("\n", self.pos)
                self.pos = end if newline < 0 else newline
            else:
                run = self.plain.match(text, self.pos)
                stop = run.end() if run else 0
                if run and (stop == end or text[stop] in " \n"):
                    # Nearly all words are plain: half of the time of reading is saved here.
                    self._add(run.group())
                    self.pos = stop
                else:
                    self._add(self._word())
        self._finish(piped=False)

    def _separator(self, char: str) -> None:
        self.pos += 1
        following = self.text[self.pos : self.pos + 1]
        if char == "|" and following != "|":
            self.pos += following == "&"
            self._finish(piped=True)
            return
        if char in "|&;" and following == char:
            self.pos += 1
        self._finish(piped=False)
        if char == "\n" and self.heredocs:
            self._read_heredocs()

    def _finish(self, piped: bool) -> None:
        draft = self.draft
        if (draft.words and draft.words[0] not in _HEADS) or draft.writes:
            self.commands.append(draft)
            pipe = draft.pipe
        else:
            # "done | grep x" and "(a; b) | grep x": the pipe comes from what the group ended with.
            pipe = self.commands[-1].pipe if piped and self.commands else draft.pipe
        if not piped:
            self.pipes += 1
            pipe = self.pipes
        self.draft = Draft(pipe, piped, draft.outer)

    def _add(self, word: str) -> None:
        draft = self.draft
        if not draft.words:
            if word in _KEYWORDS:
                return
            if _ASSIGNMENT.match(word):
                draft.assigned = True
                return
        elif self.powershell and word in ("=", "+=") and len(draft.words) == 1 and draft.words[0].startswith("$"):
            draft.words.clear()
            draft.assigned = True
            return
        draft.words.append(word)

    def _redirect(self) -> bool:
        found = _REDIRECT.match(self.text, self.pos)
        if found is None or self.text.startswith("(", found.end()):
            return False
        stream, operator = found.groups()
        self.pos = found.end()
        space = self.space.match(self.text, self.pos)
        if space:
            self.pos = space.end()
        draft, target = self.draft, self._word()
        if operator in ("<<", "<<-"):
            self.heredocs.append((draft, target))
        elif operator == "<" and target:
            draft.reads.append(target)
        elif operator.startswith(">") and stream in ("", "1", "&", "*") and target:
            duplicates = operator == ">&" and (target.isdigit() or target == "-")
            if not duplicates and not target.startswith("&"):
                draft.writes.append(target)
        return True

    def _read_heredocs(self) -> None:
        text, end = self.text, len(self.text)
        for draft, delimiter in self.heredocs:
            start = self.pos
            while self.pos < end:
                newline = text.find("\n", self.pos)
                stop = end if newline < 0 else newline
                line = text[self.pos : stop].strip()
                if line == delimiter or line == delimiter + ")" or line == delimiter + ')"':
                    draft.heredoc = text[start : self.pos]
                    self.pos = text.index(delimiter, self.pos) + len(delimiter) if delimiter else stop
                    break
                self.pos = min(stop + 1, end)
            else:
                draft.heredoc = text[start:]
        self.heredocs = []

    def _word(self) -> str:
        parts: list[str] = []
        text, end, plain, escape = self.text, len(self.text), self.plain, self.escape
        if text.startswith(":\\", self.pos + 1):
            escape = ""  # C:\Data\App without quotes: a shell would eat the backslashes, the writer meant them
        while self.pos < end:
            run = plain.match(text, self.pos)
            if run:
                parts.append(run.group())
                self.pos = run.end()
                continue
            char = text[self.pos]
            if char == "'":
                parts.append(self._until("'", self.pos + 1))
            elif char == '"':
                parts.append(self._double())
            elif char == "\\" and not escape:
                parts.append(char)
                self.pos += 1
            elif char == escape:
                parts.append(text[self.pos + 1 : self.pos + 2].strip("\n"))
                self.pos += 2
            elif char == "$":
                parts.append(self._dollar())
            elif char == "`":
                parts.append(self._backtick())
            elif char == "@":
                parts.append(self._here_string())
            elif char in "<>" and not parts and text.startswith("(", self.pos + 1):
                self.pos += 2
                parts.append(self._nested())
            else:
                break
        if not parts and self.pos < end and text[self.pos] in "<>":
            self.pos += 1
        return "".join(parts)

    def _until(self, closer: str, start: int) -> str:
        close = self.text.find(closer, start)
        self.pos = len(self.text) if close < 0 else close + len(closer)
        return self.text[start : close if close >= 0 else len(self.text)]

    def _double(self) -> str:
        parts: list[str] = []
        text, end = self.text, len(self.text)
        self.pos += 1
        drive = text.startswith(":\\", self.pos + 1)
        while self.pos < end:
            run = _IN_DOUBLE.match(text, self.pos)
            if run:
                parts.append(run.group())
                self.pos = run.end()
                continue
            char = text[self.pos]
            if char == '"':
                self.pos += 1
                break
            if char == "$":
                parts.append(self._dollar())
            elif char == "`" and not self.powershell:
                parts.append(self._backtick())
            elif drive and text.startswith(('\\" ', '\\"\n'), self.pos):
                # "C:\Data\" is what Windows people mean, though a shell would read on.
                self.pos += 2
                break
            else:
                parts.append(self._escaped_in_double(char))
        return "".join(parts)

    def _escaped_in_double(self, char: str) -> str:
        following = self.text[self.pos + 1 : self.pos + 2]
        if char != self.escape or (not self.powershell and following not in '"\\$`\n'):
            self.pos += 1
            return char
        self.pos += 2
        return following.strip("\n")

    def _dollar(self) -> str:
        text = self.text
        ansi = _ANSI_C.match(text, self.pos) or _BRACED.match(text, self.pos)
        if ansi:
            self.pos = ansi.end()
            return ansi.group(1) if ansi.re is _ANSI_C else ansi.group()
        if text.startswith("$((", self.pos) and "))" not in self.missing:
            close = text.find("))", self.pos)
            if close >= 0:
                self.pos = close + 2
                return "$(())"
            self.missing.add("))")
        if text.startswith("$(", self.pos) and self.depth < MAX_DEPTH:
            self.pos += 2
            return self._nested()
        self.pos += 1
        return "$"

    def _nested(self) -> str:
        outer = self.draft
        if self.depth >= MAX_DEPTH:
            return "$()"
        self.depth += 1
        self.pipes += 1
        self.draft = Draft(self.pipes, False, outer)
        self._commands(closed_by_paren=True)
        self.draft = outer
        self.depth -= 1
        return "$()"

    def _backtick(self) -> str:
        if "`" not in self.missing and self.depth < MAX_DEPTH:
            close = self.text.find("`", self.pos + 1)
            if close >= 0:
                inner = Lexer(self.text[self.pos + 1 : close], depth=self.depth + 1)
                for command in inner.run():
                    self.pipes += 1
                    command.pipe += self.pipes
                    command.outer = command.outer or self.draft
                    self.commands.append(command)
                self.pipes += inner.pipes
                self.pos = close + 1
                return "$()"
            self.missing.add("`")
        self.pos += 1
        return ""

    def _here_string(self) -> str:
        opened = _HERE_STRING.match(self.text, self.pos)
        if opened is None:
            self.pos += 1
            return "@"
        return self._until("\n" + opened.group(1) + "@", opened.end() - 1).strip("\r\n")
