"""Small sessions, each with a fault planted or with its near miss; the names say what is in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.metrics.story import Story
from waterglass.metrics import Settings

Tell = Callable[[Story], Story]
USUAL = Settings()
SCOPE = Settings(scope=("src/", "tests/**/*.py", "!src/vendor/"))


@dataclass(frozen=True)
class Planted:
    """One session: for which metric it is, whether the fault is in it, and how it goes."""

    metric: str
    fault: bool
    name: str
    tell: Tell
    settings: Settings = USUAL


def fault(metric: str, name: str, tell: Tell, settings: Settings = USUAL) -> Planted:
    return Planted(metric, True, name, tell, settings)


def near(metric: str, name: str, tell: Tell, settings: Settings = USUAL) -> Planted:
    return Planted(metric, False, name, tell, settings)


WATCH = "gh run watch 4711"
EARLY = [
    fault("earlyVictory", "no check at all", lambda s: s.asks().edit().ends()),
    fault("earlyVictory", "the check came before the last edit", lambda s: s.asks().edit().check().edit().ends()),
    fault("earlyVictory", "the only check failed", lambda s: s.asks().edit().check(verdict="fail").ends()),
    fault("earlyVictory", "a write after the check", lambda s: s.asks().edit().check().write("src/new.ts").ends()),
    fault(
        "earlyVictory",
        "sed after the check",
        lambda s: s.asks().edit().check().run("sed -i s/a/b/ src/parser.py").ends(),
    ),
    fault("earlyVictory", "a helper edits, nobody checks", lambda s: s.asks().agent().edit().back().ends()),
    fault(
        "earlyVictory", "grep for pytest is no check", lambda s: s.asks().edit().run("grep -rn pytest .", "x").ends()
    ),
    fault(
        "earlyVictory",
        "an echo of a check is no check",
        lambda s: s.asks().edit().run("echo npm test", "npm test").ends(),
    ),
    fault(
        "earlyVictory",
        "the second of two exchanges",
        lambda s: s.asks().edit().check().ends().asks("And now the lexer").edit().ends(),
    ),
    fault("earlyVictory", "a failed edit, then a good one", lambda s: s.asks().edit(error=True).check().edit().ends()),
    fault(
        "earlyVictory",
        "a person once asked for no tests, later for tests",
        lambda s: s.asks("Do not run the tests").edit().ends().asks("Now fix it, then run the tests").edit().ends(),
    ),
    fault(
        "earlyVictory",
        "a claim before a question of manners",
        lambda s: s.asks().edit().ends("Done. I have fixed the parser. Thanks!"),
    ),
    near("earlyVictory", "checked after the last edit", lambda s: s.asks().edit().check().ends()),
    near(
        "earlyVictory",
        "prose only",
        lambda s: s.asks().edit("README.md").edit("docs/guide.rst").write("CHANGELOG").ends(),
    ),
    near("earlyVictory", "a changelog after the check", lambda s: s.asks().edit().check().edit("CHANGELOG.md").ends()),
    near(
        "earlyVictory", "a plan after the check", lambda s: s.asks().edit().check().write("~/.claude/plans/p.md").ends()
    ),
    near("earlyVictory", "the memory after the check", lambda s: s.asks().edit().check().edit("CLAUDE.md").ends()),
    near(
        "earlyVictory",
        "a state file of data after the check",
        lambda s: s.asks().edit().check().edit("feature_list.json").ends(),
    ),
    near(
        "earlyVictory",
        "a temporary script after the check",
        lambda s: s.asks().edit().check().write("/tmp/try.py").ends(),
    ),
    near(
        "earlyVictory", "an edit after the check that failed", lambda s: s.asks().edit().check().edit(error=True).ends()
    ),
    near(
        "earlyVictory",
        "an edit after the check that a person declined",
        lambda s: (
            s.asks()
            .edit()
            .check()
            .call(
                "Edit", "The user doesn't want to proceed with this tool use.", error=True, file_path="/code/demo/a.py"
            )
            .ends()
        ),
    ),
    near("earlyVictory", "a helper checks", lambda s: s.asks().edit().agent().check().back().ends()),
    near(
        "earlyVictory",
        "a check by a script of its own",
        lambda s: s.asks().edit().check("./scripts/run_tests.sh").ends(),
    ),
    near(
        "earlyVictory",
        "nothing claimed",
        lambda s: s.asks().edit().ends("The loop in the parser seems to be the cause.", "none"),
    ),
    near(
        "earlyVictory",
        "partly done",
        lambda s: s.asks().edit().ends("The parser works, the lexer is still failing.", "partial"),
    ),
    near("earlyVictory", "asks a person", lambda s: s.asks().edit().ends("Shall I go on with the lexer?", "none")),
    near("earlyVictory", "interrupted", lambda s: s.asks().edit().ends().interrupted()),
    near("earlyVictory", "a person wants no tests", lambda s: s.asks("Fix it. Don't run any tests.").edit().ends()),
    near(
        "earlyVictory",
        "the edit is put back",
        lambda s: s.asks().edit().check().run("git checkout -- src/parser.py").ends(),
    ),
    near(
        "earlyVictory",
        "only a mode after the check",
        lambda s: s.asks().edit().check().run("chmod +x src/tool.sh && mkdir -p out/x").ends(),
    ),
    near(
        "earlyVictory",
        "a formatter after the check",
        lambda s: s.asks().edit().check().run("black src/parser.py").ends(),
    ),
    near(
        "earlyVictory",
        "a trial file of its own is deleted after the check",
        lambda s: s.asks().edit().write("debug_it.py").check().run("rm debug_it.py").ends(),
    ),
    near(
        "earlyVictory",
        "a check of a part of the edits",
        lambda s: s.asks().edit().edit("src/b.py").check("pytest tests/test_b.py").ends(),
    ),
    near(
        "earlyVictory",
        "a claim of a helper is not the session's",
        lambda s: s.asks().agent().edit().back("All done.").check().ends(),
    ),
    near(
        "earlyVictory",
        "a trial file comes and goes after the check",
        lambda s: s.asks().edit().check().write("probe.py").run("rm probe.py").ends(),
    ),
    near("earlyVictory", "no edits", lambda s: s.asks().read().ends()),
    near(
        "earlyVictory",
        "a copy to another folder after the check",
        lambda s: s.asks().edit().check().run("cp src/parser.py /backup/parser.py").ends(),
    ),
    near(
        "earlyVictory",
        "a commit under hooks",
        lambda s: s.asks().read(".husky/pre-commit").edit().run("git commit -am fix", "ok").ends(),
    ),
]
EARLY += [
    fault(
        "earlyVictory",
        "a script that failed after the last edit",
        lambda s: s.asks().edit().run("./tools/everything", "Exit code 2", error=True).ends(),
    ),
]
DENSITY = [
    fault("verificationDensity", "edits of code and no check", lambda s: s.asks().edit().edit("src/b.py").ends()),
    fault("verificationDensity", "one new file and no check", lambda s: s.asks().write("app.go").ends()),
    fault("verificationDensity", "a helper's edits and no check", lambda s: s.asks().agent().edit().back().ends()),
    fault(
        "verificationDensity",
        "edits by the shell and no check",
        lambda s: s.asks().run("cat > src/x.py <<'E'\nx = 1\nE").ends(),
    ),
    fault("verificationDensity", "eleven edits, one check", lambda s: repeated(s.asks(), 11).check().ends()),
    fault(
        "verificationDensity",
        "checks that all failed",
        lambda s: s.asks().edit().check(verdict="fail").check(verdict="fail").ends(),
    ),
    fault(
        "verificationDensity", "a lower limit", lambda s: repeated(s.asks(), 4).check().ends(), Settings(density_warn=3)
    ),
    fault(
        "verificationDensity",
        "edits and only looks at git",
        lambda s: s.asks().edit().run("git status", "x").run("git diff", "y").ends(),
    ),
    fault(
        "verificationDensity", "edits, tests only read", lambda s: s.asks().edit().read("tests/test_parser.py").ends()
    ),
    fault("verificationDensity", "prose and code, no check", lambda s: s.asks().edit("README.md").edit().ends()),
    near("verificationDensity", "one edit, one check", lambda s: s.asks().edit().check().ends()),
    near("verificationDensity", "ten edits, one check", lambda s: repeated(s.asks(), 10).check().ends()),
    near("verificationDensity", "prose only", lambda s: s.asks().edit("README.md").write("notes.txt").ends()),
    near("verificationDensity", "no edits", lambda s: s.asks().read().ends()),
    near(
        "verificationDensity",
        "plans and memory only",
        lambda s: s.asks().write("~/.claude/plans/p.md").edit("CLAUDE.md").ends(),
    ),
    near("verificationDensity", "edits that failed", lambda s: s.asks().edit(error=True).edit(error=True).ends()),
    near(
        "verificationDensity",
        "settings only",
        lambda s: s.asks().edit(".github/workflows/ci.yml").edit("config.yaml").ends(),
    ),
    near(
        "verificationDensity", "a person wants no builds", lambda s: s.asks("No need to run the build.").edit().ends()
    ),
    near("verificationDensity", "a helper checks", lambda s: s.asks().edit().agent().check().back().ends()),
    near(
        "verificationDensity",
        "an own check by a pattern",
        lambda s: s.asks().edit().run("./guard --all", "ok").ends(),
        Settings(verify=("./guard",)),
    ),
    near("verificationDensity", "temporary files only", lambda s: s.asks().write("/tmp/a.py").write("tmp/b.py").ends()),
]
REACH = [
    fault("overreach", "an edit beside the scope", lambda s: s.asks().edit().edit("deploy/run.py").ends(), SCOPE),
    fault("overreach", "a new file beside the scope", lambda s: s.asks().write("tools/x.sh").ends(), SCOPE),
    fault(
        "overreach", "the shell writes beside the scope", lambda s: s.asks().run("sed -i s/a/b/ setup.py").ends(), SCOPE
    ),
    fault(
        "overreach", "a helper edits beside the scope", lambda s: s.asks().agent().edit("ci/x.py").back().ends(), SCOPE
    ),
    fault("overreach", "taken out of the scope by a rule", lambda s: s.asks().edit("src/vendor/x.py").ends(), SCOPE),
    fault("overreach", "another project", lambda s: s.asks().edit("/code/other/src/x.py").ends(), SCOPE),
    fault("overreach", "a folder whose name only begins so", lambda s: s.asks().edit("src2/x.py").ends(), SCOPE),
    fault("overreach", "prose beside the scope", lambda s: s.asks().edit("docs/guide.md").ends(), SCOPE),
    fault("overreach", "a deletion beside the scope", lambda s: s.asks().read("old.py").run("rm old.py").ends(), SCOPE),
    fault(
        "overreach",
        "a move out of the scope",
        lambda s: s.asks().read().run("git mv src/parser.py lib/parser.py").ends(),
        SCOPE,
    ),
    near("overreach", "within the scope", lambda s: s.asks().edit().write("tests/a/test_x.py").ends(), SCOPE),
    near("overreach", "no scope given", lambda s: s.asks().edit().edit("deploy/run.py").ends()),
    near("overreach", "a temporary file", lambda s: s.asks().write("/tmp/x.py").write("tmp/x.json").ends(), SCOPE),
    near(
        "overreach",
        "a plan and the memory",
        lambda s: s.asks().write("~/.claude/plans/p.md").edit("CLAUDE.md").ends(),
        SCOPE,
    ),
    near("overreach", "a check beside the scope", lambda s: s.asks().edit().check("pytest ci/").ends(), SCOPE),
    near("overreach", "an edit that failed", lambda s: s.asks().edit("deploy/run.py", error=True).ends(), SCOPE),
    near(
        "overreach",
        "put back",
        lambda s: s.asks().edit("deploy/run.py").run("git checkout -- deploy/run.py").ends(),
        SCOPE,
    ),
    near("overreach", "made and deleted again", lambda s: s.asks().write("probe.py").run("rm probe.py").ends(), SCOPE),
    near("overreach", "build output is deleted", lambda s: s.asks().run("rm -rf node_modules dist").ends(), SCOPE),
    near("overreach", "only read", lambda s: s.asks().read("deploy/run.py").run("cat setup.py", "x").ends(), SCOPE),
    near(
        "overreach",
        "in a worktree of the project",
        lambda s: s.asks().edit(".claude/worktrees/w1/src/x.py").ends(),
        SCOPE,
    ),
    near(
        "overreach",
        "a pattern for one folder level",
        lambda s: s.asks().edit("a/b.py").ends(),
        Settings(scope=("a/*.py",)),
    ),
    near("overreach", "the progress file", lambda s: s.asks().edit("PROGRESS.md").ends(), SCOPE),
    near("overreach", "no edits", lambda s: s.asks().read().ends(), SCOPE),
]
CONTINUITY = [
    fault(
        "continuity",
        "the progress file is read after the first edit",
        lambda s: s.asks().edit().read("PROGRESS.md").ends(),
    ),
    fault(
        "continuity",
        "the to-do list is read by the shell, late",
        lambda s: s.asks().edit().run("cat TODO.md | head", "x").ends(),
    ),
    fault(
        "continuity", "the feature list is edited unread", lambda s: s.asks().edit().edit("feature_list.json").ends()
    ),
    fault("continuity", "AGENTS.md is read late", lambda s: s.asks().edit().read("AGENTS.md").ends()),
    fault("continuity", "the status of a part is read late", lambda s: s.asks().edit().read("docs/STATUS.md").ends()),
    fault("continuity", "a person says to read it", lambda s: s.asks("Continue from PROGRESS.md please").edit().ends()),
    fault("continuity", "a helper edits first", lambda s: s.asks().agent().edit().back().read("PROGRESS.md").ends()),
    fault(
        "continuity",
        "an own state file",
        lambda s: s.asks().edit().read("LOG/now.md").ends(),
        Settings(state_files=("LOG/*.md",)),
    ),
    fault(
        "continuity",
        "read late after a failed read",
        lambda s: s.asks().read("TODO.md", error=True).edit().read("PROGRESS.md").ends(),
    ),
    fault(
        "continuity", "claude-progress.txt is read late", lambda s: s.asks().edit().read("claude-progress.txt").ends()
    ),
    near("continuity", "read first", lambda s: s.asks().read("PROGRESS.md").edit().ends()),
    near(
        "continuity", "read first by the shell", lambda s: s.asks().run("cat PROGRESS.md | head -20", "x").edit().ends()
    ),
    near("continuity", "read first by a helper", lambda s: s.asks().agent().read("TODO.md").back().edit().ends()),
    near("continuity", "no state file in sight", lambda s: s.asks().read().edit().ends()),
    near("continuity", "no edits", lambda s: s.asks().read().read("PROGRESS.md").ends()),
    near(
        "continuity",
        "the session makes the state file",
        lambda s: s.asks().edit().write("PROGRESS.md").read("PROGRESS.md").ends(),
    ),
    near("continuity", "named by an @ in the prompt", lambda s: s.asks("Go on with @PROGRESS.md").edit().ends()),
    near(
        "continuity", "CLAUDE.md, which the program loads by itself", lambda s: s.asks().edit().read("CLAUDE.md").ends()
    ),
    near(
        "continuity",
        "only code with such a name",
        lambda s: s.asks().edit().read("src/state.ts").read("src/todo.py").ends(),
    ),
    near("continuity", "one of a dependency", lambda s: s.asks().edit().read("node_modules/x/TODO.md").ends()),
    near(
        "continuity",
        "the person asks to write one",
        lambda s: s.asks("Write a PROGRESS.md").edit().write("PROGRESS.md").ends(),
    ),
    near(
        "continuity",
        "the plan is written first, then the state read",
        lambda s: s.asks().write("~/.claude/plans/p.md").read("TODO.md").edit().ends(),
    ),
]


def repeated(story: Story, times: int) -> Story:
    """So many edits of different files."""
    for n in range(times):
        story.edit(f"src/part{n}.py")
    return story


def times(story: Story, number: int, step: Callable[[Story], object]) -> Story:
    """The same step several times."""
    for _ in range(number):
        step(story)
    return story


def background(story: Story) -> Story:
    """Something is started and goes on by itself."""
    answer = {"backgroundTaskId": "b1"}
    return story.run(
        "python train.py", "Command running in background with ID: b1", run_in_background=True, tool_use_result=answer
    )


def told_three_times(story: Story, between: Callable[[Story], object], output: str = "same") -> Story:
    """The same call three times, with something between."""
    for n in range(3):
        if n:
            between(story)
        story.run("npm run report", output)
    return story.ends()


LOOPS = [
    fault("loopDetection", "a file read three times", lambda s: times(s.asks(), 3, lambda t: t.read()).ends()),
    fault(
        "loopDetection",
        "a failing test run again and again",
        lambda s: times(s.asks(), 4, lambda t: t.check(verdict="fail")).ends(),
    ),
    fault(
        "loopDetection",
        "the same search",
        lambda s: times(s.asks(), 3, lambda t: t.call("Grep", "none", pattern="x")).ends(),
    ),
    fault(
        "loopDetection",
        "the same failing edit",
        lambda s: times(
            s.asks(),
            3,
            lambda t: t.call("Edit", "String not found", error=True, file_path="/code/demo/a.py", old_string="q"),
        ).ends(),
    ),
    fault(
        "loopDetection",
        "other reads between",
        lambda s: told_three_times(s.asks(), lambda t: t.read(f"src/{t.count}.py")),
    ),
    fault(
        "loopDetection", "two calls in turn", lambda s: times(s.asks(), 3, lambda t: t.read("a.py").read("b.py")).ends()
    ),
    fault(
        "loopDetection",
        "a helper reads in circles",
        lambda s: times(s.asks().agent(), 3, lambda t: t.read()).back().ends(),
    ),
    fault(
        "loopDetection",
        "an edit between that failed",
        lambda s: told_three_times(s.asks(), lambda t: t.edit(error=True)),
    ),
    fault(
        "loopDetection",
        "twice with a threshold of two",
        lambda s: times(s.asks(), 2, lambda t: t.read()).ends(),
        Settings(threshold=2),
    ),
    fault(
        "loopDetection",
        "after an edit it goes in circles",
        lambda s: times(s.asks().read().edit(), 3, lambda t: t.read()).ends(),
    ),
    fault(
        "loopDetection",
        "the same list of a folder",
        lambda s: times(s.asks(), 5, lambda t: t.run("ls -la src", "a b")).ends(),
    ),
    near(
        "loopDetection",
        "a test run again after each edit",
        lambda s: times(s.asks(), 4, lambda t: t.check(verdict="fail").edit()).ends(),
    ),
    near(
        "loopDetection",
        "another result each time",
        lambda s: times(s.asks(), 4, lambda t: t.run("npm run report", f"{t.count}")).ends(),
    ),
    near(
        "loopDetection",
        "another input each time",
        lambda s: times(s.asks(), 4, lambda t: t.read(offset=t.count)).ends(),
    ),
    near("loopDetection", "twice only", lambda s: times(s.asks(), 2, lambda t: t.read()).ends()),
    near(
        "loopDetection",
        "a new prompt between",
        lambda s: told_three_times(s.asks(), lambda t: t.ends("ok", "none").asks("again")),
    ),
    near(
        "loopDetection",
        "a run elsewhere is watched",
        lambda s: times(s.asks(), 4, lambda t: t.run(WATCH, "in progress")).ends(),
    ),
    near(
        "loopDetection",
        "waits, then asks",
        lambda s: times(s.asks(), 4, lambda t: t.run("sleep 30 && curl -s localhost:80", "no")).ends(),
    ),
    near(
        "loopDetection",
        "the output of a task",
        lambda s: times(s.asks(), 4, lambda t: t.call("TaskOutput", "running", task_id="b1")).ends(),
    ),
    near(
        "loopDetection",
        "the output of a shell",
        lambda s: times(s.asks(), 4, lambda t: t.call("BashOutput", "", bash_id="b1")).ends(),
    ),
    near(
        "loopDetection",
        "a log that may grow",
        lambda s: times(s.asks(), 3, lambda t: t.run("tail -5 /tmp/build.log", "")).ends(),
    ),
    near(
        "loopDetection",
        "three helpers read one file",
        lambda s: s.asks().agent("a1").read().back().agent("a2").read().back().agent("a3").read().back().ends(),
    ),
    near(
        "loopDetection", "read again after a compaction", lambda s: told_three_times(s.asks(), lambda t: t.compacted())
    ),
    near(
        "loopDetection",
        "a branch is changed between",
        lambda s: told_three_times(s.asks(), lambda t: t.run(f"git checkout b{t.count}", "")),
    ),
    near(
        "loopDetection",
        "something is installed between",
        lambda s: told_three_times(s.asks(), lambda t: t.run("npm install x", "ok")),
    ),
    near(
        "loopDetection",
        "the shell edits between",
        lambda s: told_three_times(s.asks(), lambda t: t.run("sed -i s/a/b/ x.py", "")),
    ),
    near(
        "loopDetection",
        "a helper edits between",
        lambda s: told_three_times(s.asks(), lambda t: t.agent(f"a{t.count}").edit().back()),
    ),
    near(
        "loopDetection",
        "pictures, of which only the words are the same",
        lambda s: times(
            s.asks(),
            3,
            lambda t: t.call(
                "mcp__x__shot",
                [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}],
            ),
        ).ends(),
    ),
    near(
        "loopDetection",
        "a click between two looks",
        lambda s: times(
            s.asks(), 3, lambda t: t.call("mcp__web__look", "page").call("mcp__web__click", "ok", at=t.count)
        ).ends(),
    ),
    near(
        "loopDetection",
        "a person is asked",
        lambda s: times(s.asks(), 3, lambda t: t.call("AskUserQuestion", "yes", questions=[])).ends(),
    ),
]

LOOPS += [
    fault(
        "loopDetection",
        "the same failing line of the shell that would edit",
        lambda s: times(s.asks(), 3, lambda t: t.run("sed -i s/a/b/ none.py", "Exit code 2", error=True)).ends(),
    ),
    near(
        "loopDetection",
        "a job runs in the background",
        lambda s: times(background(s.asks()), 3, lambda t: t.run("wc -l results.csv", "0")).ends(),
    ),
]

LOOPS += [
    near(
        "loopDetection",
        "a person asks for it several times",
        lambda s: times(
            s.asks("Run the report three times, it may be flaky"), 3, lambda t: t.run("npm run report", "same")
        ).ends(),
    ),
    near(
        "loopDetection",
        "the state of a job on a server",
        lambda s: times(s.asks(), 4, lambda t: t.call("mcp__ci__get_status", "busy")).ends(),
    ),
    near(
        "loopDetection",
        "another program of unknown work between",
        lambda s: told_three_times(s.asks(), lambda t: t.run(f"python gen.py {t.count}", "")),
    ),
    fault(
        "loopDetection",
        "two programs of unknown work in turn",
        lambda s: times(s.asks(), 3, lambda t: t.run("python a.py", "x").run("python b.py", "y")).ends(),
    ),
]

CONTINUITY += [
    fault(
        "continuity",
        "ls shows it, nobody reads it",
        lambda s: s.asks().run("ls", "README.md\nPROGRESS.md\nsrc").edit().ends(),
    ),
    fault(
        "continuity",
        "a glob finds it, nobody reads it",
        lambda s: s.asks().call("Glob", "/code/demo/docs/STATUS.md", pattern="**/*.md").edit().ends(),
    ),
    near(
        "continuity",
        "ls shows it, and it is read",
        lambda s: s.asks().run("ls", "PROGRESS.md").read("PROGRESS.md").edit().ends(),
    ),
    near(
        "continuity",
        "ls shows a folder of that name",
        lambda s: s.asks().run("ls", "todo\nprogress\nsrc").edit().ends(),
    ),
    near(
        "continuity",
        "ls of another place shows one",
        lambda s: s.asks().run("ls /code/other", "PROGRESS.md").edit().ends(),
    ),
    near(
        "continuity",
        "find shows one deep below",
        lambda s: s.asks().run("find . -name '*.md'", "./a/b/c/TODO.md").edit().ends(),
    ),
    near("continuity", "ls shows it after the first edit", lambda s: s.asks().edit().run("ls", "PROGRESS.md").ends()),
]
REACH += [
    fault("overreach", "an empty file beside the scope", lambda s: s.asks().run("touch deploy/x.py").ends(), SCOPE),
    fault("overreach", "a file above the project", lambda s: s.asks().run("echo x > ../x.py").ends(), SCOPE),
    near("overreach", "a folder beside the scope", lambda s: s.asks().run("mkdir -p deploy/x").ends(), SCOPE),
]

SESSIONS = [*EARLY, *DENSITY, *REACH, *CONTINUITY, *LOOPS]
