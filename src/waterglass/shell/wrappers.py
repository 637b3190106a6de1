"""Seeing through what only starts another command: `sudo`, `timeout 5`, `uv run`, `docker exec`, `bash -c "..."`."""

from __future__ import annotations

from functools import lru_cache

from waterglass.shell.table import programs

# "a wrapper in a wrapper in ..." is real to three or four; the limit is for hostile lines.
MAX_WRAPPERS = 12
_CROSS_COMPILERS = ("-gcc", "-g++", "-clang", "-clang++")


def program_name(word: str) -> str:
    """The name of a program: without folders and `.exe`, in lower case; `python3.12` is `python`."""
    return _program_name(word[-200:])


@lru_cache(maxsize=2048)
def _program_name(word: str) -> str:
    name = word[max(word.rfind("/"), word.rfind("\\")) + 1 :].lower()
    if name.find("@") > 0:
        name = name[: name.find("@")]  # "npx eslint@9"
    if name.endswith((".exe", ".cmd", ".bat")):
        name = name[:-4]
    if name.endswith(_CROSS_COMPILERS):
        return name.rpartition("-")[2]  # "arm-none-eabi-gcc"
    if name[-1:].isdigit() and name not in programs().alone:
        bare = name.rstrip("0123456789.").rstrip("-")
        # "python3.12" and "gcc-13" are known without their version; "md5" is not "md".
        known = len(bare) > 2 and (bare in programs().interpreters or bare in programs().alone)
        return bare if known else name
    if name in ("gradlew", "mvnw"):
        return name[:-1]
    return name


def operands(words: list[str], values: frozenset[str], start: int = 1) -> list[int]:
    """Positions of the words that are neither options nor the value of one, in order; all after a `--` count."""
    found: list[int] = []
    position, count = start, len(words)
    while position < count:
        word = words[position]
        if word == "--":
            found.extend(range(position + 1, count))
            break
        if word in values:
            position += 2
            continue
        if not word.startswith("-") or word == "-":
            found.append(position)
        position += 1
    return found


def first_operand(words: list[str], values: frozenset[str], start: int = 1) -> int:
    """Position of the first operand, or the number of words when there is none; stops where `operands` would begin."""
    position, count = start, len(words)
    while position < count:
        word = words[position]
        if word == "--":
            return position + 1
        if word in values:
            position += 2
        elif word.startswith(("-", "+")) and len(word) > 1:
            position += 1
        else:
            return position
    return count


def unwrap(words: list[str]) -> tuple[list[str], list[str]]:
    """What really runs, and the wrappers seen through, outermost first. `words` is not changed."""
    seen: list[str] = []
    for _ in range(MAX_WRAPPERS):
        if not words:
            break
        name = program_name(words[0])
        if name not in programs().wrapper_heads:
            break
        inner = _inner(name, words)
        if inner is None:
            break
        seen.append(name)
        words = inner
    return words, seen


def _inner(name: str, words: list[str]) -> list[str] | None:
    table = programs()
    if name == "command" and words[1:2] and words[1] in ("-v", "-V"):
        return None
    key, position = name, 1
    nothing: frozenset[str] = frozenset()
    while key not in table.wrappers:
        # "docker -H x compose -f y exec": each word of the key may have options of its own before it.
        position = first_operand(words, table.values.get(key, nothing), position)
        if position >= len(words) or key.count(" ") > 2:
            return None
        key = f"{key} {words[position]}"
        position += 1
    skip, values = table.wrappers[key]
    for _ in range(skip):
        position = first_operand(words, values, position) + 1
    position = first_operand(words, values, position)
    rest = words[position:]
    while rest and "=" in rest[0] and rest[0].split("=", 1)[0].isidentifier():
        rest = rest[1:]
    if key in ("docker run", "podman run"):
        tool = _tool_image(words[position - 1])
        if tool and not (rest and program_name(rest[0]) in table.alone):
            return [tool, *rest]
    if name == "yarn" and "workspace" in key:
        # What follows is a script's name or a program, which yarn itself tells apart.
        return ["yarn", *rest] if rest else None
    return _without_command_option(rest)


def _tool_image(image: str) -> str | None:
    """The program that an image such as `koalaman/shellcheck:stable` is made of."""
    tool = image.rpartition("/")[2].partition(":")[0].partition("@")[0].lower()
    return tool if programs().alone.get(tool) in ("lint", "test", "typecheck") else None


def _without_command_option(rest: list[str]) -> list[str] | None:
    if rest and rest[0] in ("run", "--", "exec") and len(rest) > 1:
        rest = rest[1:]
    return rest or None


def is_bare_shell(words: list[str]) -> bool:
    """Whether this is a shell that takes its line from its input: `bash`, `bash -s`, `sh -e -`."""
    name = program_name(words[0])
    return name in ("bash", "sh", "zsh") and all(word.startswith("-") for word in words[1:])


def shell_text(words: list[str]) -> tuple[str, str] | None:
    """The shell line that a command carries (`bash -c "..."`, `ssh host "..."`), and its dialect: posix, powershell or
    cmd."""
    table = programs()
    name = program_name(words[0])
    options = table.shells.get(name)
    if options is None:
        return None
    dialect = "powershell" if name in ("powershell", "pwsh") else "cmd" if name == "cmd" else "posix"
    if "rest" in options:
        skip, values = table.shell_values[name]
        position = 1
        for _ in range(skip):
            position = first_operand(words, values, position) + 1
        return " ".join(words[position:]), "posix"
    for position, word in enumerate(words[1:], 1):
        clustered = "-c" in options and word[:1] == "-" and word[-1:] == "c" and word[1:].isalpha() and len(word) <= 5
        if (word in options or clustered) and position + 1 < len(words):
            rest = words[position + 1 :]
            return (rest[0] if dialect == "posix" else " ".join(rest)), dialect
        if not word.startswith(("-", "/")) and name not in ("su", "script"):
            break
    return None
