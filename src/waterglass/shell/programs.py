"""What one simple command does, by the table of programs."""

from __future__ import annotations

import re

from waterglass.shell.files import changed_files, has_flag, operand_files
from waterglass.shell.inline import judge_code
from waterglass.shell.table import programs
from waterglass.shell.verdict import CHECKS, FILTER, NONE, Verdict
from waterglass.shell.wrappers import first_operand, operands, program_name

_NOTHING: frozenset[str] = frozenset()
_NAME_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_SCRIPT_WORD = re.compile(r"[A-Za-z0-9]+")
# The word that tells may stand behind others: "sbt 'project core' test".
_ANYWHERE = ("ansible-playbook", "cmake", "unzip", "tar", "xcodebuild", "sbt", "clojure", "clj", "lein")
_NAME_FILTERS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-filter", "-include")


def judge(words: list[str], heredoc: str | None = None, reads: tuple[str, ...] = (), depth: int = 0) -> Verdict:
    """What the command made of `words` does; wrappers are already seen through.

    `heredoc` is its input, or `reads` names the files that its input comes from.
    """
    if not words or depth > 4:
        return NONE
    table = programs()
    name = program_name(words[0])
    name = table.aliases.get(name, name)
    if not table.idle_always.isdisjoint(words[1:]) or not table.idle_own.get(name, _NOTHING).isdisjoint(words[1:]):
        return NONE
    verdict = _by_switch(name, words)
    if verdict is None and name in table.interpreters:
        verdict = _interpreted(name, words, heredoc, depth)
    if verdict is None and name in table.word_heads:
        verdict = _by_words(name, words)
    if verdict is None and name in table.tasks:
        verdict = _by_tasks(name, words, depth)
    if verdict is None and name in table.alone:
        # "grep x < f" and "jq . < f" do what they do with the file as an operand.
        verdict = _by_name(name, [*words, *reads] if table.alone[name] in ("read", "search") else words, depth)
    if verdict is None:
        verdict = FILTER if name in table.filters else _script(words[0], words)
        if (
            verdict is NONE
            and len(words) > 1
            and words[1] in table.bare_tasks
            and words[0][:1] != "/"
            and "/" in words[0]
        ):
            verdict = Verdict((table.bare_tasks[words[1]],))  # "./x test", "bin/dev lint"
    if not verdict.acts or verdict.acts[0] not in CHECKS:
        return verdict
    idle_word = name in table.alone and len(words) > 1 and words[1] in table.idle_words
    idle = idle_word or table.idle_flags.intersection(words)
    return NONE if idle and name not in table.tasks else verdict


def _by_switch(name: str, words: list[str]) -> Verdict | None:
    # Of an interpreter only the first words are its own; "node x.js -c" gives "-c" to the script.
    table = programs()
    switches = table.switches.get(name)
    if switches is None:
        return None
    own = words[1:3] if name in table.interpreters else words[1:]
    act = next((act for flag, act in switches.items() if flag in own), None)
    if act is None:
        return None
    return Verdict((act,), tuple(words[-1:]) if name in table.interpreters else operand_files(name, words))


def _interpreted(name: str, words: list[str], heredoc: str | None, depth: int) -> Verdict | None:
    table = programs()
    if name in table.edits and has_flag(words[:3], table.edits[name]):
        return Verdict(("edit",), tuple(_after_code(words)))
    values, position = table.interpreters[name], 1
    while position < len(words):
        word = words[position]
        if word == "-m" and name.startswith("py"):
            return _module(words[position + 1 :], heredoc, depth)
        if word in ("-c", "-e", "--eval", "-p", "-E", "-r", "-ne", "-pe") and word not in values:
            if name in table.alone:
                return None
            return judge_code(" ".join(words[position + 1 : position + 2]))
        if word in values:
            position += 2
        elif word.startswith("-") and word != "-":
            position += 1
        else:
            break
    if position >= len(words) or words[position] in ("-", "/dev/stdin"):
        return judge_code(heredoc) if heredoc is not None else None if name in table.alone else FILTER
    if name in ("node", "php", "python", "ruby") and "/" in words[position]:
        tool = program_name(words[position]).removesuffix(".js").removesuffix(".mjs").removesuffix(".cjs")
        if any(f"/{folder}/" in f"/{words[position]}" for folder in ("node_modules", "vendor", "bin")):
            return judge([tool, *words[position + 1 :]], heredoc, (), depth + 1)
    script = program_name(words[position])
    if script in table.word_heads:
        return judge([script, *words[position + 1 :]], heredoc, (), depth + 1)
    return None if name in table.alone and name != "perl" else _script(words[position], words, run=True)


def _module(words: list[str], heredoc: str | None, depth: int) -> Verdict:
    """What `python -m` runs: a known program, or a module of the project's tests."""
    verdict = judge(words, heredoc, (), depth + 1)
    if verdict is NONE and words and words[0].partition(".")[0] in programs().test_folders:
        return Verdict(("test",))
    return verdict


def _after_code(words: list[str]) -> list[str]:
    """The files behind the program text of `ruby -i -pe '...' a b`."""
    start = next((i for i, word in enumerate(words) if word[:1] == "-" and word[-1:] == "e"), len(words))
    return [word for word in words[start + 2 :] if word[:1] != "-"]


def _by_words(name: str, words: list[str]) -> Verdict | None:
    table = programs()
    position = first_operand(words, table.values.get(name, _NOTHING))
    # The first word alone: sbt takes "testOnly a.B" as one.
    word = words[position].partition(" ")[0] if position < len(words) else "@none"
    key = f"{name} {word}"
    acts = table.words.get(name, {})
    if key in table.words:
        acts, position = table.words[key], first_operand(words, table.values.get(key, _NOTHING), position + 1)
        word = words[position] if position < len(words) else "@none"
    if name == "cargo" and word in ("xtask", "make"):
        return Verdict(tuple(_task_acts(" ".join(words[position + 1 : position + 2]))))
    act = acts.get(word) or acts.get("@else")
    if act is None and name in _ANYWHERE:
        act = next((acts[other] for other in words[1:] if other in acts), None)
        if (
            act is None
            and name == "xcodebuild"
            and len(words) > 1
            and "clean" not in words
            and not table.idle_flags.intersection(words)
        ):
            act = acts["@none"]
    if act is None:
        return None
    if name == "go" and word == "install" and any("@" in other for other in words[position + 1 :]):
        return NONE  # a tool, not this project
    if name == "git":
        return _git(word, words[position + 1 :])
    return _with_fixes(name, act, words, tuple(words[position + 1 :]))


def _with_fixes(name: str, act: str, words: list[str], rest: tuple[str, ...], looked: tuple[str, ...] = ()) -> Verdict:
    table = programs()
    files = tuple(word for word in rest if word[:1] != "-")
    if act == "read":
        return Verdict(("read",), files, "source")
    if act == "edit" and name in table.lookers and has_flag(words, table.look_flags):
        return Verdict(("lint",), files)
    if act in ("lint", "typecheck") and (
        has_flag(words, table.edits["any_lint"]) or (name in table.edits and has_flag(words, table.edits[name]))
    ):
        return Verdict((act, "edit"), files)
    return Verdict((act,), files, looked=looked)


def _git(word: str, rest: list[str]) -> Verdict:
    files = tuple(other for other in rest if other[:1] != "-")
    if word == "show":
        shown = any(":" in other for other in files)
        return Verdict(("read",), tuple(other.partition(":")[2] for other in files), "source") if shown else NONE
    if word == "checkout":
        return Verdict(("edit",), tuple(rest[rest.index("--") + 1 :])) if "--" in rest else NONE
    if word == "grep":
        return Verdict(("search",), tuple(rest[rest.index("--") + 1 :]) if "--" in rest else (), "source")
    if word == "ls-tree":
        files = files[1:]
    if word == "rm" and "--cached" in rest:
        return NONE
    if word == "restore" and "--staged" in rest and "--worktree" not in rest:
        return NONE
    if word in ("cat-file", "blame", "ls-files", "ls-tree"):
        return Verdict(("read",), files, "source")
    if word in ("apply", "am"):
        return NONE if "--check" in rest or "--stat" in rest else Verdict(("edit",), looked=files)
    return Verdict(("edit",), files)


def _by_tasks(name: str, words: list[str], depth: int) -> Verdict | None:
    table = programs()
    lead = table.tasks[name]
    if name == "nx":
        words = [
            word.partition("=")[2] if word.startswith(("--target=", "--targets=", "-t=")) else word for word in words
        ]
    found = operands(words, table.values.get(name, _NOTHING))
    explicit = bool(found) and words[found[0]] in lead
    found = found[explicit:]
    if not found:
        act = None if explicit or table.idle_flags.intersection(words) else table.without_task.get(name)
        return Verdict((act,)) if act else None
    task = words[found[0]]
    if not explicit and task in table.own and name not in table.several:
        return NONE
    if name in table.several:
        acts: list[str] = []
        for position in found:
            acts.extend(table.words.get(name, {}).get(words[position], "").split() or _task_acts(words[position]))
        return Verdict(tuple(dict.fromkeys(acts)))
    acts = _task_acts(task)
    if acts == ["edit"] and has_flag(words, table.task_looks):
        acts = ["lint"]  # "npm run format -- --check"
    if name in table.fallthrough and (not explicit or not acts):
        program = program_name(task)
        runs = program in table.word_heads or program in table.interpreters or program in table.tasks
        if runs or table.alone.get(program, "read") not in ("read", "search"):
            return judge(words[found[0] :], None, (), depth + 1)
        if not acts:
            return _script(task, words)
    if acts and has_flag(words, table.edits["any_lint"]) and acts[0] == "lint":
        acts.append("edit")
    return Verdict(tuple(acts))


def _task_acts(task: str) -> list[str]:
    table = programs()
    if len(task) > 100 or "=" in task:
        return []
    names = [
        word.lower() for word in _NAME_WORD.findall(task.replace("ts-check", "tscheck").replace("ts:check", "tscheck"))
    ]
    acts = [table.names.get(word) for word in names]
    if not names or acts[0] == "none":
        return []
    if "typecheck" in acts:
        return ["typecheck"]
    known = [act for act in acts if act and act != "none"]
    if not known:
        return []
    if "edit" in known:
        looks = [act for act in known if act == "lint"]
        if not looks:
            return ["edit"]
        return ["lint"] if table.name_looks.intersection(names) and "fix" not in names else ["lint", "edit"]
    return known[:1]


def _by_name(name: str, words: list[str], depth: int) -> Verdict:
    table = programs()
    act = table.alone[name]
    if act in CHECKS:
        return _with_fixes(name, act, words, tuple(words[1:]))
    if act == "edit":
        changed, looked = changed_files(name, words)
        return _with_fixes(name, act, words, changed, looked)
    if name in table.edits and has_flag(words, table.edits[name]):
        if name == "find":
            return Verdict(("search", "edit"), _roots(words))
        changed, looked = changed_files(name, words)
        return Verdict(("edit",), changed, looked=looked)
    if name == "find":
        return _find(words, depth)
    files = operand_files(name, words)
    if act == "search":
        if name in ("fd", "fdfind", "locate", "mdfind", "sg", "ast-grep", "comby"):
            return Verdict(("search",), files, "source")
        recursive = name in ("grep", "egrep", "fgrep", "zgrep") and has_flag(words, ("-r", "-R", "--recursive"))
        return Verdict(("search",), files, "source" if files or recursive else "grep")
    if name == "type" and files and not any(char in files[0] for char in "./\\"):
        return NONE  # of a POSIX shell: what a name stands for
    lists = name in ("ls", "dir", "tree", "exa", "eza", "lsd", "ll", "la", "get-childitem", "gci", "vdir")
    if name in ("get-childitem", "gci") and any(word.lower() in _NAME_FILTERS for word in words):
        return Verdict(("search",), files, "source")
    return Verdict(("read",), files, "source") if files or lists else FILTER


def _find(words: list[str], depth: int) -> Verdict:
    roots = _roots(words)
    for position, word in enumerate(words):
        if word in ("-exec", "-execdir", "-ok"):
            inner = judge(words[position + 1 :], None, (), depth + 1)
            return Verdict(("search", *(act for act in inner.acts if act != "search")), roots, "source")
    return Verdict(("search",), roots, "source")


def _roots(words: list[str]) -> tuple[str, ...]:
    return tuple(words[1 : next((i for i, word in enumerate(words) if i and word[:1] in "-(!\\"), len(words))])


def _script(path: str, words: list[str], run: bool = False) -> Verdict:
    """A script of the project: its name tells whether it is a test, a build or a linter; else nothing is known."""
    table = programs()
    base = path[max(path.rfind("/"), path.rfind("\\")) + 1 :]
    stem, dot, ending = base.rpartition(".")
    if not dot:
        stem, ending = base, ""
    in_shell = ending in table.shell_endings or (not ending and "/" in path)
    if not (in_shell or ending in table.script_endings or (run and not ending)):
        return NONE
    names = _SCRIPT_WORD.findall(stem[:200])
    if not ending and not all(word.lower() in table.bare_scripts for word in names):
        # "/tmp/entire-test" is as likely a program as a test; "./run_tests" is none.
        return NONE
    lowered = [word.lower() for word in names]
    if in_shell and table.whole_words.issuperset(lowered):
        act = next((table.whole_names[word] for word in lowered if word in table.whole_names), None)
        if act:
            return Verdict((act,), (path,))
    if table.runners.issuperset(lowered) and _folder_of(path) in table.test_folders:
        return Verdict(("test",), (path,))
    for word in names[:1] + names[-1:]:
        act = table.script_names.get(word.lower())
        if act == "test" or (act and in_shell):
            return Verdict((act,), (path,))
    return NONE


def _folder_of(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0].rpartition("/")[2].lower()
