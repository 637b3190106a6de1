"""The table of programs, read once from `tables/programs.toml`, turned into look-ups."""

from __future__ import annotations

from functools import cache

# Beside this folder. Without pathlib, whose import costs more than reading the table.
_FILE = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/tables/programs.toml"


class Programs:
    """What each program does, by its name in lower case; the attributes mirror the tables of the file."""

    def __init__(self, text: str) -> None:
        import tomllib  # late: nothing is paid for it where no call is classified

        raw = tomllib.loads(text)
        self.alone = _inverted({act: words for act, words in raw["alone"].items() if act != "filter"})
        self.filters = frozenset(raw["alone"]["filter"].split())
        self.words = {program: _inverted(acts) for program, acts in raw["words"].items()}
        self.word_heads = frozenset(key.split()[0] for key in self.words)
        self.tasks = {program: frozenset(text.split()) for program, text in raw["tasks"].items()}
        several = raw["several"]
        self.several = frozenset(several["programs"].split())
        self.fallthrough = frozenset(several["fallthrough"].split())
        self.without_task = {key: act for key, act in several.items() if key not in ("programs", "fallthrough")}
        self.own = frozenset(raw["own"]["words"].split())
        self.names = _inverted({act: words for act, words in raw["names"].items() if act != "looks"})
        self.name_looks = frozenset(raw["names"]["looks"].split())
        self.look_flags = frozenset(raw["looks"]["flags"].split())
        self.task_looks = frozenset(raw["looks"]["task_flags"].split())
        self.lookers = frozenset(raw["looks"]["programs"].split())
        self.edits = {program: tuple(flags.split()) for program, flags in raw["edits"].items()}
        self.switches = {program: _inverted(acts) for program, acts in raw["switches"].items()}
        self.idle_flags = frozenset(raw["idle"]["flags"].split())
        self.idle_words = frozenset(raw["idle"]["words"].split())
        self.idle_always = frozenset(raw["idle"]["always"].split())
        self.idle_own = {program: frozenset(flags.split()) for program, flags in raw["idle_own"].items()}
        self.aliases: dict[str, str] = raw["aliases"]
        self.values = {program: frozenset(flags.split()) for program, flags in raw["values"].items()}
        self.pattern_first = frozenset(raw["pattern_first"]["programs"].split())
        self.pattern_given = tuple(raw["pattern_first"]["given"].split())
        files = raw["files"]
        self.last_changes = frozenset(files["last_changes"].split())
        self.removes_first = frozenset(files["removes_first"].split())
        self.skip_first = frozenset(files["skip_first"].split())
        self.slash_options = frozenset(files["slash_options"].split())
        self.only_into = frozenset(files["only_into"].split())
        self.into = {program: frozenset(flags.split()) for program, flags in raw["into"].items()}
        self.wrappers = {program: _wrapper(value) for program, value in raw["wrappers"].items()}
        self.wrapper_heads = frozenset(key.split()[0] for key in self.wrappers)
        self.shells = {program: frozenset(flags.split()) for program, flags in raw["shells"].items()}
        self.shell_values = {program: _wrapper(value) for program, value in raw["shell_values"].items()}
        self.interpreters = {program: frozenset(flags.split()) for program, flags in raw["interpreters"].items()}
        scripts = raw["scripts"]
        self.script_names = _inverted({act: scripts[act] for act in ("test", "lint", "build", "typecheck")})
        self.bare_scripts = frozenset({"run", "all", *self.script_names})
        self.whole_names = _inverted({"test": scripts["whole_test"], "lint": scripts["whole_lint"]})
        self.whole_words = frozenset({*self.bare_scripts, *self.whole_names, *scripts["whole_other"].split()})
        self.bare_tasks = {"test": "test", "tests": "test", "lint": "lint", "typecheck": "typecheck", "build": "build"}
        self.bare_scripts |= self.whole_words
        self.runners = frozenset(scripts["runners"].split())
        self.test_folders = frozenset(scripts["test_folders"].split())
        self.script_endings = frozenset(scripts["endings"].split())
        self.shell_endings = frozenset(scripts["shell_endings"].split())


def _text() -> str:
    with open(_FILE, encoding="utf-8") as stream:
        return stream.read()


@cache
def programs() -> Programs:
    """The table; the file is read at the first call."""
    return Programs(_text())


def _inverted(lists: dict[str, str]) -> dict[str, str]:
    return {word: act for act, words in lists.items() for word in words.split()}


def _wrapper(value: str) -> tuple[int, frozenset[str]]:
    skip, *options = value.split()
    return int(skip), frozenset(options)
