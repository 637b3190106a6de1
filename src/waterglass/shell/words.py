"""Words of a POSIX shell as the grammar of bash gives them: quotes taken off, the commands in substitutions read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from waterglass.shell.drafts import MAX_DEPTH, Draft, Step

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED = re.compile(r"\\(?:\r?\n|(.))", re.DOTALL)
_ESCAPED_IN_DOUBLE = re.compile(r"\\(?:\r?\n|([\"\\$`]))")
WORDS = frozenset(
    ("word", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation", "number", "expansion",
     "simple_expansion", "command_substitution", "process_substitution", "arithmetic_expansion", "brace_expression",
     "regex", "extglob_pattern", "string_content", "variable_name", "test_operator", "array")
)  # fmt: skip


class Words(ABC):
    """The part of the reader that reads words and redirections; what reads whole statements builds on it."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.commands: list[Draft] = []
        self.pipes = 0
        self.depth = 0

    @abstractmethod
    def _deeper(self, nodes: list[Node], pipe: int, piped: bool, outer: Draft | None) -> Step:
        """Read the statements of a substitution."""

    def _raw(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _next_pipe(self) -> int:
        self.pipes += 1
        return self.pipes

    def _plain(self, node: Node) -> str:
        text = self._raw(node)
        return _ESCAPED.sub(r"\1", text) if "\\" in text else text

    def _word(self, node: Node, draft: Draft, parts: list[Step] | None = None) -> str:
        """The text of a word without its quotes; commands in it are read and stand as `$()`, their steps in `parts`."""
        kind = node.type
        if kind == "word":
            return self._plain(node)
        if kind == "raw_string":
            return self._raw(node)[1:-1]
        if kind == "string":
            return self._string(node, draft, parts)
        if kind in ("command_substitution", "process_substitution"):
            step = self._deeper(node.children, self._next_pipe(), False, draft)
            if parts is not None:
                parts.append(step)
            return "$()"
        if kind == "ansi_c_string":
            return self._raw(node)[2:-1]
        if kind == "arithmetic_expansion":
            return "$(())"
        if kind in ("concatenation", "command_name", "translated_string") and self.depth < MAX_DEPTH:
            return self._joined_words(node, draft, parts)
        if node.child_count:
            self._substitutions(node, draft)
        return self._raw(node)

    def _joined_words(self, node: Node, draft: Draft, parts: list[Step] | None) -> str:
        self.depth += 1
        text = "".join(self._word(child, draft, parts) for child in node.children)
        self.depth -= 1
        return text

    def _string(self, node: Node, draft: Draft, parts: list[Step] | None) -> str:
        children = node.children
        # A quote that never closes stands in the tree with no width.
        end = node.end_byte - (len(children) > 1 and children[-1].start_byte < children[-1].end_byte)
        if len(children) > 2 and any(child.type == "command_substitution" for child in children):
            pieces: list[str] = []
            position = node.start_byte + 1
            for child in children:
                if child.type == "command_substitution":
                    pieces.append(self.source[position : child.start_byte].decode("utf-8", "replace"))
                    pieces.append(self._word(child, draft, parts))
                    position = child.end_byte
            pieces.append(self.source[position:end].decode("utf-8", "replace"))
            text = "".join(pieces)
        else:
            text = self.source[node.start_byte + 1 : end].decode("utf-8", "replace")
        return _ESCAPED_IN_DOUBLE.sub(r"\1", text) if "\\" in text else text

    def _substitutions(self, node: Node, draft: Draft) -> None:
        """Read the commands in the substitutions of a node of any kind."""
        if self.depth >= MAX_DEPTH:
            return
        self.depth += 1
        for child in node.named_children:
            if child.type in ("command_substitution", "process_substitution"):
                self._word(child, draft)
            elif child.child_count:
                self._substitutions(child, draft)
        self.depth -= 1

    def _assign(self, node: Node, draft: Draft, outer: Draft | None) -> list[Step]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return []
        taker = Draft(0, False, outer)  # no words: the variable takes the output
        parts: list[Step] = []
        draft.assigned.append((self._raw(name), self._word(value, taker, parts)))
        return parts

    def _file(self, node: Node, draft: Draft) -> None:
        operator, stream, target = "", "", ""
        for child in node.children:
            if child.type == "file_descriptor":
                stream = self._raw(child)
            elif not operator and child.type in (">", ">>", ">|", "&>", "&>>", ">&", "<", "<&", ">&-", "<&-"):
                operator = child.type
            elif not target:
                target = self._word(child, draft)
            else:
                draft.words.append(self._word(child, draft))  # "> f a b": what follows are arguments
        if operator == "<" and target:
            draft.reads.append(target)
        elif operator[-1:] in (">", "|", "&") and stream in ("", "1") and operator[:1] != "<":
            duplicates = operator == ">&" and (target.isdigit() or target == "-")
            if target and not duplicates:
                draft.writes.append(target)
