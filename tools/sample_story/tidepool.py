"""The longest session: a tide table that is an hour off since the clocks changed. Here: the morning."""

from __future__ import annotations

from transcripts import Call

from .scene import Scene, Step, bash, edit, glob, grep, read, write

HOME = "/home/mira/code/tidepool"
TASKS = "/tmp/claude-1000/-home-mira-code-tidepool/tasks"
PREDICT = f"{HOME}/src/tidepool/predict.py"
OLD_LOOP = """    midnight = datetime(day.year, day.month, day.day)
    offset = station.zone.utcoffset(midnight)
    for step in range(hours * 10):
        local = midnight + timedelta(minutes=6 * step)
        yield local, station.height_at(local - offset)"""
NEW_LOOP = """    midnight = datetime(day.year, day.month, day.day, tzinfo=station.zone)
    start = midnight.astimezone(UTC)
    for step in range(hours * 10):
        instant = start + timedelta(minutes=6 * step)
        yield instant.astimezone(station.zone), station.height_at(instant)"""
PREDICT_TEXT = f'''"""Tide heights from harmonic constituents."""
from datetime import datetime, timedelta

from tidepool.stations import Station


def heights(station: Station, day, hours: int = 24):
    """Yield (local time, height in metres) every six minutes."""
{OLD_LOOP}


def extremes(station: Station, day):
    """High and low waters of a day."""
    curve = list(heights(station, day))
    for before, here, after in zip(curve, curve[1:], curve[2:]):
        if (here[1] - before[1]) * (after[1] - here[1]) < 0:
            yield here'''
STATIONS_TEXT = """@dataclass(frozen=True)
class Station:
    id: str
    name: str
    zone: ZoneInfo
    constituents: tuple[Constituent, ...]

    def height_at(self, when: datetime) -> float:
        hours = (when - EPOCH).total_seconds() / 3600
        return self.datum + sum(c.at(hours) for c in self.constituents)"""
TEST_TEXT = """from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tidepool.predict import extremes, heights
from tidepool.stations import load

EAST = ZoneInfo("America/New_York")


@pytest.fixture
def portland():
    return load("8418150")


def test_spring_forward_has_no_two_oclock(portland):
    times = [t for t, _ in heights(portland, date(2026, 3, 8), hours=23)]
    assert not any(t.hour == 2 for t in times)
    assert times[-1] == datetime(2026, 3, 8, 23, 54, tzinfo=EAST)


def test_high_water_after_the_change_matches_noaa(portland):
    highs = [t for t, h in extremes(portland, date(2026, 3, 9)) if h > 2]
    assert [f"{t:%H:%M}" for t in highs] == ["03:54", "16:30"]
"""
TODO = [
    ("Reproduce with a station in Maine", "Reproducing"),
    ("Fix the offset in predict.heights", "Fixing the offset"),
    ("Test both clock changes", "Testing clock changes"),
    ("Check the API and the cache keys", "Checking API and cache"),
]


def todos(done: int) -> Step:
    items = [
        {"content": text, "status": "completed" if n < done else "in_progress" if n == done else "pending"}
        | {"activeForm": active}
        for n, (text, active) in enumerate(TODO)
    ]
    text = "Todos have been modified successfully. Ensure that you continue to use the todo list."
    return Step(Call("TodoWrite", {"todos": items}), text, 0.01, tool_use_result={"oldTodos": [], "newTodos": items})


def tests(output: str, took: float, arguments: str = "-q") -> Step:
    return bash(f"uv run pytest {arguments}", output, took, "Run the tests", grow=900)


def explore(s: Scene) -> None:
    s.t.prompt("Tide times for Maine are an hour off in the app since Sunday. Find out why and fix it, with tests.")
    s.do(
        bash(
            "git log --oneline -8",
            "4be1f0c Load stations lazily\n91d02aa Cache predictions per day\ne07c6b3 Six-minute steps\n"
            "0c51f6e Station search by name\nb3377d1 First public API",
            0.21,
            "Show recent commits",
        ),
        grep(
            "utcoffset|tzinfo|ZoneInfo|localize",
            "src/tidepool/predict.py:11:    offset = station.zone.utcoffset(midnight)\n"
            "src/tidepool/stations.py:4:from zoneinfo import ZoneInfo\n"
            'src/tidepool/api.py:38:    day = date.fromisoformat(request.query_params["day"])\n'
            "src/tidepool/cache.py:19:    key = (station.id, day.isoformat())",
            output_mode="content",
            **{"-n": True},
        ),
        glob("**/*.py", [f"{HOME}/src/tidepool/{n}.py" for n in ("api", "cache", "predict", "stations", "units")]),
        text="I'll look at the history, at every place that touches time zones, and at the layout of the project.",
        thinking="Clocks changed on 8 March in the US. An hour off since Sunday: probably an offset taken once.",
    )
    s.do(read(PREDICT, PREDICT_TEXT, grow=2600))
    s.do(
        read(f"{HOME}/src/tidepool/stations.py", STATIONS_TEXT, start=22, grow=3100),
        read(
            f"{HOME}/src/tidepool/cache.py", "def get(station, day):\n    key = (station.id, day.isoformat())", start=18
        ),
        text="`heights` takes the UTC offset once, at midnight, and uses it for the whole day.",
    )
    s.do(todos(0))
    s.do(
        bash(
            "uv run python -c 'from tidepool import predict, stations; import datetime; "
            's = stations.load("8418150"); print(*predict.extremes(s, datetime.date(2026, 3, 9)), sep="\\n")\'',
            "(datetime.datetime(2026, 3, 9, 2, 54), 2.91)\n(datetime.datetime(2026, 3, 9, 9, 0), 0.21)\n"
            "(datetime.datetime(2026, 3, 9, 15, 30), 2.66)",
            1.9,
            "Print the extremes of 9 March for Portland",
        )
    )
    s.do(
        Step(
            Call(
                "WebFetch",
                {
                    "url": "https://tides.example.org/noaa/8418150/2026-03-09",
                    "prompt": "Which times of high and low water does the official table give for 9 March 2026?",
                },
            ),
            "The table lists high water at 3:54 AM (2.9 m) and 4:30 PM (2.7 m), low water at 10:00 AM and 10:12 PM, "
            "all in local daylight time.",
            4.6,
            tool_use_result={
                "bytes": 48211,
                "code": 200,
                "codeText": "OK",
                "result": "High water 3:54 AM and 4:30 PM.",
                "durationMs": 4570,
                "url": "https://tides.example.org/noaa/8418150/2026-03-09",
            },
            grow=1400,
        ),
        text="Ours says 02:54. I'll compare with the official table.",
    )


def survey(s: Scene) -> None:
    """Two sub-agents at once; one of them starts another."""
    api, data = s.spawn(
        (
            "Explore",
            "Map how times flow to the API",
            "Follow a time from predict.heights to the JSON. Where is it naive?",
        ),
        ("Explore", "Check station zones", "Which stations have a zone that changes clocks? Are any zones wrong?"),
        text="The bug is confirmed. Before I change the type of the times I want to know who depends on them.",
    )
    api.do(
        grep("heights\\(|extremes\\(", "src/tidepool/api.py:41\nsrc/tidepool/cache.py:27\nsrc/tidepool/ics.py:12"),
        read(
            f"{HOME}/src/tidepool/api.py", 'return JSONResponse({"highs": [t.isoformat() for t, _ in highs]})', start=41
        ),
    )
    api.do(read(f"{HOME}/src/tidepool/ics.py", 'line = f"DTSTART:{when:%Y%m%dT%H%M%S}"', start=12, took=0.04, grow=800))
    (deep,) = api.spawn(
        ("Explore", "Check fixtures for naive times", "List the tests and fixtures that hold times without an offset."),
        text="The calendar export writes floating times. The fixtures may rely on that.",
    )
    deep.do(glob("tests/**/*.json", [f"{HOME}/tests/data/portland.json", f"{HOME}/tests/data/kodiak.json"]))
    deep.do(
        bash("rg -n 'T\\d\\d:\\d\\d:\\d\\d\"' tests | wc -l", "212", 0.3, "Count times without an offset"),
        bash("rg -n '[+-]\\d\\d:\\d\\d\"' tests | wc -l", "0", 0.28, "Count times with an offset"),
    )
    deep.do(read(f"{HOME}/tests/data/portland.json", '{"day": "2026-01-04",\n "highs": ["2026-01-04T00:12:00"]}'))
    api.join(deep, "Explore", "All 212 times in tests/data are naive local times; none falls on a day of change.")
    api.do(bash("rg -n 'isoformat\\(\\)' src | head", "src/tidepool/api.py:41\nsrc/tidepool/cache.py:19", 0.2))
    data.do(bash("ls data/stations | wc -l && head -3 data/stations/8418150.toml", '1184\nid = "8418150"', 0.4))
    data.do(grep("^zone", "data/stations/8418150.toml:3", path=f"{HOME}/data/stations"))
    data.do(
        bash(
            "uv run python tools/zones.py --changing",
            "938 of 1184 stations change clocks\n0 unknown zones",
            11.4,
            "Count stations whose zone changes clocks",
        )
    )
    s.join(data, "Explore", "938 of 1,184 stations change clocks twice a year. No zone is wrong or unknown.")
    s.join(
        api,
        "Explore",
        "Times are naive local from `heights` to the JSON. Three callers: the API (isoformat), the cache (only its "
        "key) and the calendar export, which writes floating times. The fixtures hold 212 naive times.",
    )


def fix(s: Scene) -> None:
    server = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "backgroundTaskId": "b4k81xq2m"}
    s.do(
        Step(
            Call(
                "Bash", {"command": "make rebuild-cache", "description": "Rebuild the cache", "run_in_background": True}
            ),
            f"Command running in background with ID: b4k81xq2m. Output is being written to: {TASKS}/b4k81xq2m.output",
            0.12,
            tool_use_result=server,
        ),
        text="Rebuilding the prediction cache takes minutes; I start it now and write the tests meanwhile.",
    )
    rebuild = s.call_id
    s.do(write(f"{HOME}/tests/test_clock_change.py", TEST_TEXT))
    s.do(
        tests(
            "Exit code 1\nFF\n=== FAILURES ===\ntest_spring_forward_has_no_two_oclock\nE   assert not True\n"
            "test_high_water_after_the_change_matches_noaa\nE   AssertionError: assert ['02:54', '15:30'] == "
            "['03:54', '16:30']\n2 failed in 1.31s",
            3.4,
            "-q tests/test_clock_change.py",
        ),
        text="Both fail, as they should before the fix.",
    )
    s.do(todos(1))
    error = "String to replace not found in file.\nString: offset = station.zone.utcoffset(day)"
    s.do(
        Step(
            Call(
                "Edit",
                {
                    "file_path": PREDICT,
                    "old_string": "    offset = station.zone.utcoffset(day)",
                    "new_string": "    start = midnight.astimezone(UTC)",
                    "replace_all": False,
                },
            ),
            f"<tool_use_error>{error}</tool_use_error>",
            0.02,
            True,
            f"Error: {error}",
        )
    )
    s.do(read(PREDICT, OLD_LOOP, start=10))
    s.do(edit(PREDICT, OLD_LOOP, NEW_LOOP, at=10))
    s.do(
        edit(PREDICT, "from datetime import datetime, timedelta", "from datetime import UTC, datetime, timedelta", at=2)
    )
    s.do(
        tests(
            "Exit code 1\n.F\n=== FAILURES ===\ntest_high_water_after_the_change_matches_noaa\n"
            "E   TypeError: can't subtract offset-naive and offset-aware datetimes\n1 failed, 1 passed in 1.22s",
            3.1,
            "-q tests/test_clock_change.py",
        )
    )
    s.do(
        Step(
            Call("mcp__serena__find_symbol", {"name_path": "EPOCH", "relative_path": "src/tidepool"}),
            [{"type": "text", "text": '[{"name_path":"EPOCH","kind":"Constant","location":"stations.py:15"}]'}],
            0.84,
        ),
        Step(
            Call("mcp__serena__find_referencing_symbols", {"name_path": "EPOCH"}),
            [{"type": "text", "text": '[{"name_path":"Station/height_at","location":"stations.py:29"}]'}],
            1.27,
        ),
        text="`EPOCH` is naive. I'll see who else uses it.",
    )
    s.do(
        edit(
            f"{HOME}/src/tidepool/stations.py",
            "EPOCH = datetime(1983, 1, 1)",
            "EPOCH = datetime(1983, 1, 1, tzinfo=UTC)",
            at=15,
        )
    )
    s.do(
        tests(
            "..                                       [100%]\n2 passed in 1.19s", 3.0, "-q tests/test_clock_change.py"
        )
    )
    s.do(
        tests(
            "Exit code 1\n......F.....................F......\n"
            "FAILED tests/test_api.py::test_highs_are_isoformat - KeyError: '2026-01-04T00:12:00'\n"
            "FAILED tests/test_ics.py::test_event_starts - AssertionError\n2 failed, 48 passed in 9.80s",
            12.2,
        ),
        text="The new tests pass. Now everything.",
    )
    s.t.notification(
        "b4k81xq2m",
        'Background command "Rebuild the cache" completed (exit code 0)',
        call_id=rebuild,
    )
    s.do(todos(2))


def mend(s: Scene) -> None:
    s.do(
        read(f"{HOME}/tests/test_api.py", 'assert body["highs"][0] == "2026-01-04T00:12:00"', start=33, grow=1200),
        read(f"{HOME}/tests/test_ics.py", 'assert "DTSTART:20260104T001200" in text', start=18),
    )
    s.do(
        edit(
            f"{HOME}/src/tidepool/ics.py",
            'line = f"DTSTART:{when:%Y%m%dT%H%M%S}"',
            'line = f"DTSTART:{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"',
            at=12,
        ),
        edit(f"{HOME}/tests/test_ics.py", '"DTSTART:20260104T001200"', '"DTSTART:20260104T051200Z"', at=18),
        text="The export should write UTC: then no calendar has to guess.",
    )
    s.do(
        edit(
            f"{HOME}/tests/test_api.py",
            '"2026-01-04T00:12:00"',
            '"2026-01-04T00:12:00-05:00"',
            at=33,
        )
    )
    for name, old, new in (
        ("portland", "2026-01-04T00:12:00", "2026-01-04T00:12:00-05:00"),
        ("kodiak", "2026-01-04T09:48:00", "2026-01-04T09:48:00-09:00"),
    ):
        s.do(read(f"{HOME}/tests/data/{name}.json", f'"highs": ["{old}"]', start=2))
        s.do(edit(f"{HOME}/tests/data/{name}.json", f'"{old}"', f'"{new}"', at=2))
    s.do(tests("..................................................  [100%]\n50 passed in 9.74s", 12.0))
    denial = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to "
        "proceed."
    )
    s.do(
        Step(
            Call("Bash", {"command": "rm -rf .cache/harmonics", "description": "Delete the harmonics cache"}),
            denial,
            21.7,
            True,
            "User rejected tool use",
        ),
        text="The cached predictions are wrong for days of change. I'll clear them.",
    )
    s.t.at("+40ms").interrupt()
    s.after(33).t.prompt("Keep the harmonics, they take an hour to compute. Only the predictions per day are wrong.")
    s.do(
        edit(
            f"{HOME}/src/tidepool/cache.py",
            "key = (station.id, day.isoformat())",
            'key = ("v2", station.id, day.isoformat())',
            at=19,
        ),
        text="Then a new key does it: old entries are never found again.",
    )
    s.do(tests("...                                        [100%]\n3 passed in 0.9s", 2.4, "-q tests/test_cache.py"))
    s.do(todos(3))
    (call_id,) = s.ask([Call("Bash", {"command": "uv run pytest -q --slow", "description": "Run the slow tests too"})])
    s.after(74)
    s.t.result(call_id, "[Request interrupted by user for tool use]", is_error=True)
    s.t.at("+15ms").interrupt()
    s.after(12).t.prompt("Not the slow ones, they need the tide gauge simulator. Carry on, I am off to lunch.")
    s.do(bash("uv run ruff check src tests && uv run mypy src", "All checks passed!\nSuccess: no issues found", 6.1))
    s.do(
        bash("git add -A && git commit -qm 'Compute tides on instants, not on wall clocks'", "", 0.4, "Commit the fix"),
        bash("git status --short | head", "", 0.1),
    )
    hook = "PreToolUse:Bash hook error: [.hooks/no-push.sh]: Pushing to main is not allowed here, open a pull request."
    s.do(Step(Call("Bash", {"command": "git push origin main", "description": "Push"}), hook, 0.35, True))
    s.say(
        "The fix is committed, 50 tests pass. `heights` took the UTC offset once at midnight; it now walks over "
        "instants. Pushing to main is blocked by a hook, so I left the commit local."
    )
    s.t.system("turn_duration", durationMs=s.t.now - s.began_ms, messageCount=96)
