"""Lines of PowerShell and of cmd, cut into their simple commands: one pass, no expansion, nothing is ever run.

There is no grammar of either that is small enough to carry along. This reader knows quotes, escapes, here-strings,
substitutions, script blocks, pipes and redirections, and answers something sensible for any text at all.
"""

from __future__ import annotations

import re

from waterglass.shell.drafts import MAX_CHARS, MAX_DEPTH, Draft, Step

_SPACE = re.compile(r"(?:[ \t\r\f\v]|[`^]\r?\n)+")
_PLAIN = {
    "powershell": re.compile(r"[^ \t\r\n\f\v'\"$`|&;(){}<>@]+"),
    "cmd": re.compile(r"[^ \t\r\n\f\v\"^|&()<>]+"),
}
_IN_DOUBLE = {"powershell": re.compile(r"[^\"$`]+"), "cmd": re.compile(r"[^\"]+")}
_REDIRECT = re.compile(r"(\d*|&|\*)(>>|>&|>|<)")
_BRACED = re.compile(r"\$\{[^{}]*\}")
_HERE_STRING = re.compile(r"@(['\"])\r?\n")
_SEPARATORS = {"powershell": "|&;()\n{}", "cmd": "|&()\n"}
_KEYWORDS = frozenset(("if", "elseif", "else", "while", "do", "try", "catch", "finally", "@"))
_HEADS = frozenset(("foreach", "for", "switch", "function", "rem"))


def read_windows(text: str, dialect: str) -> tuple[list[Draft], Step]:
    """The commands of `text` in the order in which they end, and its outermost step; `dialect` is powershell or cmd."""
    reader = _Reader(text[:MAX_CHARS], dialect)
    return reader.commands, reader.step()


class _Reader:
    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.powershell = dialect == "powershell"
        self.depth = 0
        self.pos = 0
        self.pipes = 0
        self.commands: list[Draft] = []
        self.draft = Draft(0, False, None)
        self.plain, self.in_double = _PLAIN[dialect], _IN_DOUBLE[dialect]
        self.separators = _SEPARATORS[dialect]
        self.escape = "`" if self.powershell else "^"
        self._commands(closed_by_paren=False)

    def step(self) -> Step:
        """The exit code is followed through one pipeline alone: what a longer script answers depends on the program
        that runs it."""
        members = [Step("run", [], draft) for draft in self.commands]
        if not members or any(draft.pipe != self.commands[0].pipe or draft.outer for draft in self.commands):
            return Step("aside", members)
        # A cmdlet leaves the code of the program in front of it alone.
        return members[0] if self.powershell or len(members) == 1 else Step("pipe", members)

    def _commands(self, closed_by_paren: bool) -> None:
        text, end, parens = self.text, len(self.text), 0
        while self.pos < end:
            char = text[self.pos]
            space = _SPACE.match(text, self.pos) if char in " \t\r\f\v`^" else None
            if space:
                self.pos = space.end()
                continue
            if char in "<>&0123456789*" and self._redirect():
                continue
            if char == ")" and closed_by_paren and not parens:
                self.pos += 1
                break
            if char in self.separators:
                parens = max(parens + (char == "(") - (char == ")"), 0)
                self._separator(char)
            elif char == "#" and self.powershell:
                newline = text.find("\n", self.pos)
                self.pos = end if newline < 0 else newline
            else:
                self._add(self._word())
        self._finish(piped=False)

    def _separator(self, char: str) -> None:
        self.pos += 1
        following = self.text[self.pos : self.pos + 1]
        if char == "|" and following != "|":
            self._finish(piped=True)
            return
        if char in "|&;" and following == char:
            self.pos += 1
        self._finish(piped=False)

    def _finish(self, piped: bool) -> None:
        draft = self.draft
        if (draft.words and draft.words[0].lower() not in _HEADS) or draft.writes:
            self.commands.append(draft)
            pipe = draft.pipe
        else:
            # "(a; b) | grep x": the pipe comes from what the group ended with.
            pipe = self.commands[-1].pipe if piped and self.commands else draft.pipe
        if not piped:
            self.pipes += 1
            pipe = self.pipes
        self.draft = Draft(pipe, piped, draft.outer)

    def _add(self, word: str) -> None:
        words = self.draft.words
        if not words and word.lower() in _KEYWORDS:
            return
        if self.powershell and word in ("=", "+=") and len(words) == 1 and words[0].startswith("$"):
            words.clear()
            return
        words.append(word)

    def _redirect(self) -> bool:
        found = _REDIRECT.match(self.text, self.pos)
        if found is None:
            return False
        stream, operator = found.groups()
        self.pos = found.end()
        space = _SPACE.match(self.text, self.pos)
        if space:
            self.pos = space.end()
        target = ""
        if self.text.startswith("&", self.pos):
            self.pos += 2  # 2>&1
        else:
            target = self._word()
        if operator == "<" and target:
            self.draft.reads.append(target)
        elif operator in (">", ">>") and stream in ("", "1", "&", "*") and target:
            self.draft.writes.append(target)
        return True

    def _word(self) -> str:
        parts: list[str] = []
        start, end = self.pos, len(self.text)
        while self.pos < end:
            run = self.plain.match(self.text, self.pos)
            if run:
                parts.append(run.group())
                self.pos = run.end()
                continue
            piece = self._piece(self.text[self.pos])
            if piece is None:
                break
            parts.append(piece)
        if self.pos == start:
            self.pos += 1  # a character that fits nowhere
        return "".join(parts)

    def _piece(self, char: str) -> str | None:
        if char == '"':
            return self._double()
        if char == self.escape:
            self.pos += 2
            return self.text[self.pos - 1 : self.pos].strip("\n")
        if not self.powershell:
            return None
        if char == "'":
            return self._until("'", self.pos + 1)
        if char == "$":
            return self._dollar()
        return self._here_string() if char == "@" else None

    def _until(self, closer: str, start: int) -> str:
        close = self.text.find(closer, start)
        self.pos = len(self.text) if close < 0 else close + len(closer)
        return self.text[start : close if close >= 0 else len(self.text)]

    def _double(self) -> str:
        parts: list[str] = []
        text, end = self.text, len(self.text)
        self.pos += 1
        while self.pos < end:
            run = self.in_double.match(text, self.pos)
            if run:
                parts.append(run.group())
                self.pos = run.end()
                continue
            char = text[self.pos]
            if char == '"':
                self.pos += 1
                break
            parts.append(self._dollar() if char == "$" else text[self.pos + 1 : self.pos + 2].strip("\n"))
            self.pos += 2 if char == "`" else 0
        return "".join(parts)

    def _dollar(self) -> str:
        braced = _BRACED.match(self.text, self.pos)
        if braced:
            self.pos = braced.end()
            return braced.group()
        if self.text.startswith("$(", self.pos):
            if self.depth >= MAX_DEPTH:
                self.pos += 2
                return "$()"
            self.pos += 2
            return self._nested()
        self.pos += 1
        return "$"

    def _nested(self) -> str:
        outer = self.draft
        self.depth += 1
        self.pipes += 1
        self.draft = Draft(self.pipes, False, outer)
        self._commands(closed_by_paren=True)
        self.draft = outer
        self.depth -= 1
        return "$()"

    def _here_string(self) -> str:
        opened = _HERE_STRING.match(self.text, self.pos)
        if opened is None:
            self.pos += 1
            return "@"
        closer = "\n" + opened.group(1) + "@"
        return self._until(closer, opened.end() - 1).strip("\r\n")
