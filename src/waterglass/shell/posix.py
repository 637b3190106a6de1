"""Lines of a POSIX shell, read by the grammar of bash: which commands they hold, and how these hang together.

Nothing is expanded and nothing is run. Where the grammar finds an error, what it recognised around it is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from waterglass.shell.drafts import MAX_COMMANDS, MAX_DEPTH, Draft, Kind, Step, joined, last_command
from waterglass.shell.tame import plain, tamed
from waterglass.shell.words import WORDS, Words

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

# "a && b || c && d ...": deeper than that no exit code is followed.
MAX_CHAIN = 50

_GROUPS = frozenset(("subshell", "compound_statement", "do_group"))
# Tokens between statements.
_SKIPPED = frozenset(
    (";", "\n", "&", ";;", "&&", "||", "|", "|&", "(", ")", "{", "}", "!", "if", "then", "elif", "else", "fi", "while",
     "until", "in", "do", "done", "esac")
)  # fmt: skip


@cache
def _maker() -> Callable[[], Parser]:
    import tree_sitter  # late: only what asks for the acts of a call pays for the grammar
    import tree_sitter_bash

    return partial(tree_sitter.Parser, tree_sitter.Language(tree_sitter_bash.language()))


def _parsed(source: bytes) -> Tree:
    # A parser of its own for each line: parsers may not be shared by threads, and one costs a microsecond.
    return _maker()().parse(plain(source))


def read_posix(text: str) -> tuple[list[Draft], Step]:
    """The commands of `text` in the order in which they end, and its outermost step. Never raises."""
    reader = _Reader(tamed(text))
    return reader.commands, reader.step


class _Reader(Words):
    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.shell: tuple[int, ...] = ()
        self.subshells = 0
        self.step = self._sequence(_parsed(source).root_node.children, 0, False, None)

    # Statements. `pipe` is the number that the last command of the statement gets, and the first one when `piped`.

    def _sequence(self, nodes: list[Node], pipe: int, piped: bool, outer: Draft | None) -> Step:
        """Statements one after the other; words that the grammar could not place make commands of their own."""
        parts: list[Step] = []
        loose: Draft | None = None
        last = next((node for node in reversed(nodes) if node.type not in _SKIPPED), None) if pipe else None
        for node in nodes:
            kind = node.type
            if kind == "&" and parts:
                parts[-1] = Step("job", [parts[-1]])
            if kind in _SKIPPED:
                loose = None
                continue
            if kind == "comment":
                if loose and loose.words and not self.source[node.start_byte - 1 : node.start_byte].isspace():
                    loose.words[-1] += self._raw(node).split()[0]  # "a#b" is one word
                continue
            first = not parts
            number = pipe if node is last or (first and piped) else self._next_pipe()
            if kind == "ERROR" or kind in WORDS or kind == "command_name":
                loose = self._loose(node, loose, parts, number, piped and first, outer)
                continue
            step = self._statement(node, number, piped and first, outer)
            if step is not None:
                parts.append(step)
                # `a "never closed; b` is a command and an error behind it, which holds its last argument.
                loose = step.draft
            if len(self.commands) >= MAX_COMMANDS:
                break
        return parts[0] if len(parts) == 1 else Step("seq", parts)

    def _loose(
        self, node: Node, loose: Draft | None, parts: list[Step], pipe: int, piped: bool, outer: Draft | None
    ) -> Draft | None:
        if node.type == "ERROR" and any(child.type not in WORDS and child.child_count for child in node.children):
            parts.append(Step("aside", [self._deeper(node.children, pipe, piped, outer)]))
            return None
        children = [child for child in node.children if child.is_named] if node.type == "ERROR" else [node]
        if loose is None:
            loose = Draft(pipe, piped, outer)
            parts.append(Step("aside", [Step("run", [], loose)]))
        for child in children:
            word = self._word(child, loose)
            loose.words.append(word.lstrip("'\"") if child.type == "ERROR" else word)
        if loose.words and loose not in self.commands[-8:]:
            self._emit(loose)
        return loose

    def _deeper(self, nodes: list[Node], pipe: int, piped: bool, outer: Draft | None) -> Step:
        if self.depth >= MAX_DEPTH:
            return Step("aside", [])
        self.depth += 1
        step = self._sequence(nodes, pipe, piped, outer)
        self.depth -= 1
        return step

    def _statement(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step | None:
        kind = node.type
        if kind == "command":
            return self._command(node, pipe, piped, outer)
        if kind == "list":
            return self._list(node, pipe, piped, outer)
        if kind == "pipeline":
            return self._pipeline(node, pipe, piped, outer)
        if kind == "redirected_statement":
            return self._redirected(node, pipe, piped, outer)
        if kind in ("variable_assignment", "variable_assignments"):
            return self._assignments(node, outer)
        if kind in ("declaration_command", "unset_command"):
            draft = Draft(pipe, piped, outer)
            draft.words = [self._word(child, draft) for child in node.children]
            return self._run(draft)
        if kind == "test_command":
            draft = Draft(pipe, piped, outer)
            draft.words = ["["]
            self._substitutions(node, draft)
            return self._run(draft)
        if kind == "heredoc_body":
            return None
        return self._compound(node, kind, pipe, piped, outer)

    def _compound(self, node: Node, kind: str, pipe: int, piped: bool, outer: Draft | None) -> Step | None:
        children = node.children
        if kind == "subshell":
            outside = self.shell
            self.subshells += 1
            self.shell = (*outside, self.subshells) if len(outside) < MAX_DEPTH else outside
            step = self._deeper(children, pipe, piped, outer)
            self.shell = outside
            return step
        if kind in _GROUPS:
            return self._deeper(children, pipe, piped, outer)
        if kind == "negated_command":
            return Step("not", [self._deeper(children, pipe, piped, outer)])
        if kind == "function_definition":
            return Step("aside", [self._deeper(node.named_children[1:], pipe, piped, outer)])
        if kind in ("if_statement", "elif_clause", "else_clause"):
            return self._branch(children, pipe, piped, outer)
        if kind == "while_statement":
            before, body = children[:-1], children[-1:]
            head = Step("aside", [self._deeper(before, pipe if piped else 0, piped, outer)])
            return Step("loop", [head, self._deeper(body, pipe, False, outer)])
        if kind in ("for_statement", "c_style_for_statement", "case_statement"):
            taker = Draft(pipe, False, outer)
            taker.words = ["for"]
            for child in children:
                if child.type in WORDS:
                    self._word(child, taker)
            if kind == "case_statement":
                items = [child for child in children if child.type == "case_item"]
                bodies = [self._deeper(item.children[2:], pipe, False, outer) for item in items]
                return Step("branch", [Step("aside", []), *bodies])
            bodies = [self._deeper([child], pipe, False, outer) for child in children if child.type in _GROUPS]
            return Step("loop", [Step("aside", []), *bodies])
        return self._deeper(children, pipe, piped, outer) if children else None

    def _branch(self, children: list[Node], pipe: int, piped: bool, outer: Draft | None) -> Step:
        condition: list[Node] = []
        body: list[Node] = []
        others: list[Node] = []
        into = condition if children[0].type in ("if", "elif") else body
        for child in children:
            if child.type == "then":
                into = body
            elif child.type in ("elif_clause", "else_clause"):
                others.append(child)
            else:
                into.append(child)
        head = self._deeper(condition, pipe if piped else 0, piped, outer) if condition else Step("aside", [])
        parts = [head, self._deeper(body, pipe, False, outer)]
        return Step("branch", parts + [self._deeper([child], pipe, False, outer) for child in others])

    def _list(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step:
        # The grammar nests to the left: a chain of thousands must not recurse.
        chain: list[tuple[str, Node]] = []
        while node.type == "list" and len(node.children) >= 3:
            left, *middle, right = node.children
            operator = next((child.type for child in middle if child.type in ("&&", "||")), "&&")
            chain.append((operator, right))
            node = left
        step = self._single(node, pipe if not chain else pipe if piped else self._next_pipe(), piped, outer)
        depth = 0
        for number, (operator, right) in enumerate(reversed(chain), 1):
            kind: Kind = "and" if operator == "&&" else "or"
            following = self._single(right, pipe if number == len(chain) else self._next_pipe(), False, outer)
            if step.kind == kind:
                step.parts.append(following)
                continue
            depth += 1
            step = Step(kind, [step, following]) if depth < MAX_CHAIN else Step("aside", [step, following])
        return step

    def _single(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step:
        if node.type == "command":
            return self._command(node, pipe, piped, outer)
        return self._deeper([node], pipe, piped, outer)

    def _pipeline(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step:
        members = [child for child in node.children if child.type not in ("|", "|&")]
        # A heredoc's pipeline begins with its pipe: `cat <<E | grep x`.
        parts = [
            self._single(child, pipe, piped or number > 0 or child is not node.children[0], outer)
            for number, child in enumerate(members)
        ]
        if parts and parts[0].kind == "not":  # "! a | b" negates the whole
            return Step("not", [Step("pipe", [parts[0].parts[0], *parts[1:]])])
        if len(parts) == 1 and members[0] is node.children[0]:
            return parts[0]
        chain = parts[0] if parts and parts[0].kind in ("and", "or") else None
        if chain is not None and members[0].type in ("list", "redirected_statement"):
            # The grammar reads `a && b 2>&1 | c` as if it were `(a && b) | c`.
            chain.parts[-1] = Step("pipe", [chain.parts[-1], *parts[1:]])
            return chain
        return Step("pipe", parts)

    # Commands.

    def _emit(self, draft: Draft) -> None:
        if draft.words == [""]:
            draft.words.clear()  # what is missing behind "a &&"
        if draft.words or draft.writes:
            draft.shell = self.shell
            self.commands.append(draft)

    def _run(self, draft: Draft) -> Step:
        self._emit(draft)
        return Step("run", [], draft)

    def _command(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step:
        draft = self._filled(node, pipe, piped, outer)
        return draft if isinstance(draft, Step) else self._run(draft)

    def _filled(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Draft | Step:
        draft = Draft(pipe, piped, outer)
        words = draft.words
        for child in node.children:
            kind = child.type
            if kind == "word":
                words.append(self._plain(child))
            elif kind == "command_name":
                words.append(self._word(child.children[0] if child.children else child, draft))
            elif kind == "variable_assignment":
                self._assign(child, draft, outer)
            elif kind in _GROUPS:
                return self._deeper([child], pipe, piped, outer)  # "time (a; b)"
            elif kind == "file_redirect":
                self._file(child, draft)
            elif kind == "herestring_redirect":
                self._substitutions(child, draft)
            elif kind == "ERROR":
                words.extend(self._word(part, draft) for part in child.named_children if part.type in WORDS)
            elif kind in WORDS:
                words.append(self._word(child, draft))
            elif kind not in ("(", ")", "$", "comment"):
                words.append(self._raw(child))
        return draft

    def _redirected(self, node: Node, pipe: int, piped: bool, outer: Draft | None) -> Step | None:
        body: Node | None = None
        redirects: list[Node] = []
        for child in node.children:
            if child.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
                redirects.append(child)
            elif body is None and child.type != "ERROR":
                body = child
        start = len(self.commands)
        draft: Draft | None = None
        step: Step | None = None
        if body is not None and body.type == "command":
            filled = self._filled(body, pipe, piped, outer)
            draft, step = (None, filled) if isinstance(filled, Step) else (filled, None)
        elif body is not None:
            step = self._deeper([body], pipe, piped, outer)
            if body.type in ("list", "pipeline"):
                draft = last_command(step)  # the grammar hangs "> f" of `a && b > f` on the whole
        target = draft or Draft(pipe, piped, outer)
        rest: list[tuple[str, Step]] = []
        # Emitted before what its heredoc line goes on with: "cat <<E && b".
        for redirect in redirects:
            if redirect.type == "file_redirect":
                self._file(redirect, target)
        if draft is not None and step is None:
            step = self._run(draft)
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                self._heredoc(redirect, target, rest, outer)
            elif redirect.type == "herestring_redirect":
                self._substitutions(redirect, target)
        if draft is None:
            step = self._spread(step, target, start, outer)
        return joined(step, rest)

    def _spread(self, step: Step | None, target: Draft, start: int, outer: Draft | None) -> Step | None:
        """`{ a; b; } > f` writes with each of its commands."""
        inside = [command for command in self.commands[start:] if command.outer is outer]
        for command in inside if target.writes else ():
            command.writes = command.writes or target.writes
        for command in inside[:1] if target.reads or target.heredoc is not None else ():
            command.reads = command.reads or target.reads
            command.heredoc = target.heredoc if command.heredoc is None else command.heredoc
        return step if inside or step else self._run(target)

    def _assignments(self, node: Node, outer: Draft | None) -> Step:
        draft = Draft(self.pipes, False, outer)
        parts: list[Step] = []
        for child in [node] if node.type == "variable_assignment" else node.children:
            if child.type == "variable_assignment":
                parts = self._assign(child, draft, outer) or parts
        return Step("run", parts, draft)

    def _heredoc(self, node: Node, draft: Draft, rest: list[tuple[str, Step]], outer: Draft | None) -> None:
        operator = ""
        for child in node.children:
            kind = child.type
            if kind == "heredoc_body":
                body = self._raw(child)
                draft.heredoc = body if draft.heredoc is None else draft.heredoc
                if child.children:
                    self._substitutions(child, draft)
            elif kind == "file_redirect":
                self._file(child, draft)
            elif kind == "heredoc_redirect":
                self._heredoc(child, draft, rest, outer)
            elif kind in ("&&", "||", ";", "&"):
                operator = kind
            elif kind == "pipeline":
                number = draft.pipe if child.children and child.children[0].type in ("|", "|&") else self._next_pipe()
                rest.append((operator or "|", self._pipeline(child, number, False, outer)))
            elif kind in WORDS:
                draft.words.append(self._word(child, draft))
            elif kind not in ("<<", "<<-", "heredoc_start", "heredoc_end", "file_descriptor"):
                rest.append((operator, self._deeper([child], self._next_pipe(), False, outer)))
