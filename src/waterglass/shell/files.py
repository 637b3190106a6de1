"""Which operands of a program name files, and which of these it changes."""

from __future__ import annotations

from waterglass.shell.table import programs
from waterglass.shell.wrappers import operands

_NOTHING: frozenset[str] = frozenset()


def has_flag(words: list[str], flags: tuple[str, ...] | frozenset[str]) -> bool:
    """Whether one of `flags` is given, also as `--flag=x` and in a cluster such as `-ni`."""
    for word in words[1:]:
        if word[:1] != "-":
            continue
        if word in flags or word.partition("=")[0] in flags:
            return True
        if word[1:2] in ("M", "I"):
            continue  # "-Ilib" and "-MFile::Find" are no clusters
        # "-ni" and "-i.bak" hold "-i"; three letters are enough for what people write.
        if word[1:2].isalnum() and any(len(flag) == 2 and flag[1] in word[1:4] for flag in flags):
            return True
    return False


def operand_files(name: str, words: list[str]) -> tuple[str, ...]:
    """The operands that name files, as written."""
    table = programs()
    # An empty word is the suffix of macOS's "sed -i ''", no file.
    found = [words[position] for position in operands(words, table.values.get(name, _NOTHING)) if words[position]]
    if name in table.pattern_first and not has_flag(words, table.pattern_given):
        found = found[1:]
    if name in table.slash_options:
        found = [word for word in found if not word.startswith("/")]
    return tuple(found[name in table.skip_first :])


def changed_files(name: str, words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that a program that edits changes, and those that it only reads, as written."""
    table = programs()
    found = operand_files(name, words)
    option = table.into.get(name)
    if option is not None:
        into = _value(words, option)
        if into is not None:
            return (into,), tuple(word for word in found if word != into)
        if name not in table.last_changes:
            return found if name not in table.only_into else (), found if name in table.only_into else ()
    if name == "dd":
        return _after(words, "of="), _after(words, "if=")
    if name not in table.last_changes or len(found) < 2:
        return found, ()
    *sources, last = found
    if last[-1:] in ("/", "\\") or last in (".", ".."):
        folder = last.rstrip("/\\") or last
        last_files = tuple(f"{folder}/{_base(source)}" for source in sources)
    else:
        last_files = (last,)
    if name in table.removes_first:
        return (*sources, *last_files), ()
    return last_files, tuple(sources)


def _base(path: str) -> str:
    path = path.rstrip("/\\")
    return path[max(path.rfind("/"), path.rfind("\\")) + 1 :]


def _value(words: list[str], options: frozenset[str]) -> str | None:
    for position, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in options:
            return value if equals else words[position + 1] if position + 1 < len(words) else None
    return None


def _after(words: list[str], head: str) -> tuple[str, ...]:
    return tuple(word[len(head) :] for word in words if word.startswith(head))
