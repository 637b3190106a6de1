"""The tide table again: the afternoon, and the days as whole sessions."""

from __future__ import annotations

from transcripts import UNSET, Call, Transcript

from .scene import Scene, Step, bash, edit, grep, read, write
from .tidepool import HOME, NEW_LOOP, PREDICT, TASKS, explore, fix, mend, survey, tests, todos


def afternoon(s: Scene) -> None:
    """After lunch: a background agent, a queued prompt, a compaction."""
    s.after(2.7 * 3600).t.command(
        "context", stdout=f"## Context Usage\n\n**Model:** claude-opus-5\n**Tokens:** {s.context / 1000:.1f}k / 200k"
    )
    s.after(41).t.prompt(
        "Back. Open a branch, write the changelog and a page on times, and look at southern stations too."
    )
    began = s.t.now
    s.do(bash("git switch -c instants", "Switched to a new branch 'instants'", 0.2, "Create a branch"))
    (docs,) = s.spawn(
        ("general-purpose", "Write changelog and page on times", "Write CHANGELOG and docs/times.md for the fix."),
        text="A sub-agent can write the prose while I check the southern half.",
        background=True,
    )
    s.t.at("+180ms").result(
        docs.started_by,
        [{"type": "text", "text": f"Async agent launched successfully.\nagentId: {docs.t.agent_id}"}],
        tool_use_result={
            "isAsync": True,
            "status": "async_launched",
            "agentId": docs.t.agent_id,
            "description": "Write changelog and page on times",
            "prompt": "Write CHANGELOG and docs/times.md for the fix.",
            "outputFile": f"{TASKS}/{docs.t.agent_id}.output",
        },
    )
    write_docs(docs)
    south(s)
    s.t.at(max(s.t.now, docs.t.now + 400))
    s.t.notification(
        str(docs.t.agent_id),
        'Agent "Write changelog and page on times" completed',
        call_id=docs.started_by,
        result="CHANGELOG.md and docs/times.md are written.",
    )
    s.do(bash("git diff --stat", " CHANGELOG.md  | 6 ++++++\n docs/times.md | 31 +++++++++", 0.2, "Look at the prose"))
    s.do(read(f"{HOME}/docs/times.md", "# Times\n\nAll computation is on instants (UTC).", grow=16_000))
    s.after(5).t.compact_boundary("auto", s.context, postTokens=9_412, durationMs=48_200)
    s.after(48.2).t.compact_summary(
        "This session is being continued from a previous conversation that ran out of context. The summary:\n"
        "1. Tide times were an hour off after 8 March because `heights` took the UTC offset once at midnight.\n"
        "2. Fixed in predict.py and stations.py; ics.py writes UTC; cache key is v2; 50 tests pass.\n"
        "3. Branch `instants`; changelog and docs/times.md written by a sub-agent.\n"
        "4. Open: commit the prose, test Lord Howe (a change of half an hour), open the pull request."
    )
    s.compacted(9_412)
    finish(s, began)


def write_docs(docs: Scene) -> None:
    docs.do(bash("git show --stat HEAD", " src/tidepool/predict.py | 9 +++---", 0.2), read(PREDICT, NEW_LOOP, start=10))
    docs.do(read(f"{HOME}/CHANGELOG.md", "# Changelog\n\n## 0.8.0\n- Six-minute steps"))
    docs.do(
        edit(f"{HOME}/CHANGELOG.md", "# Changelog\n", "# Changelog\n\n## Unreleased\n- Tides on days of change\n", at=1)
    )
    docs.after(38).do(write(f"{HOME}/docs/times.md", "# Times\n\nAll computation is on instants (UTC).\n"))
    docs.do(bash("uv run mkdocs build --strict", "INFO - Documentation built in 2.31 seconds", 5.8, "Build the docs"))
    docs.say("CHANGELOG.md and docs/times.md are written; the docs build without a warning.")


def south(s: Scene) -> None:
    s.do(
        grep(
            "Australia/|Pacific/|America/Santiago",
            "data/stations/60370.toml\ndata/stations/57580.toml",
            0.4,
            path="data",
        )
    )
    s.do(bash("uv run python tools/zones.py --south", "Australia/Lord_Howe changes by 30 minutes", 9.3, grow=2100))
    s.t.queue("enqueue", "Lord Howe is a good test case, please include it")
    s.do(
        read(
            f"{HOME}/data/stations/60370.toml", 'id = "60370"\nname = "Lord Howe Island"\nzone = "Australia/Lord_Howe"'
        )
    )
    s.t.queue("dequeue")
    s.t.attachment("queued_command", prompt="Lord Howe is a good test case, please include it", commandMode="prompt")
    s.do(
        edit(
            f"{HOME}/tests/test_clock_change.py",
            "EAST = ",
            'HOWE = ZoneInfo("Australia/Lord_Howe")\nEAST = ',
            at=8,
        ),
        text="Lord Howe moves its clocks by half an hour: a good case.",
    )
    case = '\n\ndef test_lord_howe_changes_by_half_an_hour():\n    day = list(heights(load("60370"), CHANGE, 25))\n'
    s.do(edit(f"{HOME}/tests/test_clock_change.py", '"16:30"]\n', '"16:30"]\n' + case, at=27))
    s.do(
        tests(
            "...                                      [100%]\n3 passed in 1.41s", 3.3, "-q tests/test_clock_change.py"
        )
    )
    s.do(
        Step(
            Call("Bash", {"command": "sed -n 1,400p data/harmonics/60370.csv", "description": "Look at the harmonics"}),
            "M2,0.612,301.2\nS2,0.171,322.8\nN2,0.133,284.9\n…",
            0.2,
            tool_use_result=UNSET,
            grow=31_000,
        )
    )
    s.do(bash("uv run python tools/compare.py --station 60370", "max |Δ| 0.02 m over 366 days", 47.5, grow=15_500))


def finish(s: Scene, began: int) -> None:
    s.do(
        bash("git status --short", " M tests/test_clock_change.py\n?? docs/times.md", 0.1),
        read(PREDICT, NEW_LOOP, start=10),
    )
    s.do(tests("...................................................  [100%]\n51 passed in 10.02s", 12.4))
    s.do(bash("git add CHANGELOG.md docs tests && git commit -qm 'Test both clock changes, explain times'", "", 0.4))
    s.do(
        bash(
            "git push -u origin instants && gh pr create --fill",
            "https://git.example.org/mira/tidepool/pulls/57",
            6.8,
            "Push and open a pull request",
        )
    )
    s.do(todos(4))
    s.say("Pull request 57 is open. 51 tests pass, among them Lord Howe with its half hour; the docs explain times.")
    s.t.system("turn_duration", durationMs=s.t.now - began, messageCount=61)


def fixed_clock() -> Transcript:
    """The whole day."""
    t = Transcript("5a3b1e00-71de-4f00-8a00-0000000000a1", cwd=HOME, version="2.1.220", branch="main")
    t.at("2026-03-10T09:12:04.120Z")
    s = Scene(t)
    for part in (explore, survey, fix, mend):
        part(s)
    t.title("Fix tide times around clock changes")
    afternoon(s)
    t.title("Fix tide times around clock changes")
    t.title("Tides after the clock change", "custom")
    return t


def search_speed() -> Transcript:
    """A short one that stops in the middle: the last call has no answer."""
    t = Transcript("0e4c7d92-71de-4f00-8a00-0000000000a2", cwd=HOME, version="2.1.228", branch="main")
    s = Scene(t.at("2026-03-11T16:40:30Z"), seed=11)
    t.prompt("Station search takes a second. Make it instant.")
    code = "def find(text):\n    return [s for s in load_all() if text.lower() in s.name.lower()]"
    s.do(
        bash("rg -n 'def find' src", "src/tidepool/search.py:9:def find(text):", 0.1),
        text="First a look at the search.",
    )
    s.do(read(f"{HOME}/src/tidepool/search.py", code, start=9))
    s.do(bash("uv run python -m timeit -n3 'find(\"port\")'", "3 loops, best of 5: 1.04 sec per loop", 16.2, "Time it"))
    s.do(
        edit(f"{HOME}/src/tidepool/search.py", "in load_all()", "in NAMES", at=10),
        text="It loads 1,184 files each time.",
    )
    s.do(bash("uv run pytest -q tests/test_search.py", "....   [100%]\n4 passed in 0.61s", 2.2, "Run the tests"))
    s.ask([Call("Bash", {"command": "uv run python tools/bench_search.py", "description": "Measure"})])
    t.title("Make station search instant")
    return t
