"""Who looked at the program at work may have checked it: the metrics cannot tell, and accuse of nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.metrics.sessions import USUAL
from tests.metrics.story import SESSION, Story
from tests.transcripts import Transcript
from waterglass.metrics import read_trace, scorecard
from waterglass.metrics.files import kind_below
from waterglass.metrics.running import reports_run

Tell = Callable[[Story], Story]


def status(metric: str, story: Story, root: Path) -> str:
    trace = read_trace(story.session(root).view(), USUAL)
    return next(r.status for r in scorecard(trace, story.judged(), strict=True) if r.id == metric)


LOOKS: dict[str, Tell] = {
    "a request to the program": lambda s: s.run("curl -s http://localhost:8000/health", '{"ok": true}'),
    "a request by a name of this machine": lambda s: s.run("cd web && wget -qO- shop.local/cart | head -5", "<html>"),
    "a step in a browser": lambda s: s.call("mcp__playwright__browser_navigate", "ok", url="http://localhost:3000"),
    "the errors that an editor lists": lambda s: s.call("mcp__ide__getDiagnostics", "[]"),
    "a build by a server's tool": lambda s: s.call("mcp__xcode__build_sim", "ok", scheme="Shop"),
    "a cell that was run": lambda s: s.call("mcp__ide__executeCode", "3", code="add(1, 2)"),
    "a server that a timeout stopped": lambda s: s.run("timeout 9 npm run dev", "ready\nGET / 200", error=True),
    "a build of an image": lambda s: s.run("docker compose up --build -d", "Built"),
    "a look at what would change": lambda s: s.run("terraform plan", "1 to add"),
    "a deployment that builds": lambda s: s.run("vercel deploy", "https://shop.example.com"),
    "a program that is piped in": lambda s: s.run("cat src/parser.py | python3 -", "ok"),
    "a script that is sourced": lambda s: s.run("source src/start.sh", "ok"),
    "what a program in the background printed": lambda s: s.call("BashOutput", "Compiled", bash_id="b1"),
    "the log of a service that was started again": lambda s: s.run("docker restart shop", "shop").run(
        "docker logs shop --tail 5", "started"
    ),
    "the log in the same line": lambda s: s.run("docker compose up -d web && docker compose logs web", "started"),
}
NO_LOOKS: dict[str, Tell] = {
    "a request to somewhere else": lambda s: s.run("curl -s https://example.com/api", "{}"),
    "a request that failed": lambda s: s.run("curl -s http://localhost:8000/", "refused", error=True),
    "a server that was left in the background": lambda s: s.run("npm run dev > log.txt 2>&1 &", ""),
    "a server that crashed": lambda s: s.run("npm start", "Error: no port", error=True),
    "a filter in a pipe": lambda s: s.run("cat data.json | python3 -m json.tool | head -3", "{}"),
    "an image that is started": lambda s: s.run("docker compose up -d", "Started"),
    "an environment that is sourced": lambda s: s.run("source .venv/bin/activate", ""),
    "a log without a start": lambda s: s.run("docker logs shop --tail 5", "started long ago"),
    "a start without a look": lambda s: s.run("docker restart shop", "shop"),
    "an address that is only printed": lambda s: s.run("echo http://localhost:8000/", "http://localhost:8000/"),
    "a query to a database": lambda s: s.call("mcp__supabase__execute_sql", "[]", query="select 1"),
    "an issue of another server": lambda s: s.call("mcp__linear__get_issue", "ok", id="1"),
    "a tool of another server": lambda s: s.call("mcp__docs__search", "ok", query="localhost"),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("metric", ["earlyVictory", "verificationDensity"])
def test_a_look_at_the_program_after_the_last_edit_leaves_it_open(metric: str, look: Tell, tmp_path: Path) -> None:
    assert status(metric, look(Story().asks().edit()).ends(), tmp_path) == "unknown"


@pytest.mark.parametrize("look", NO_LOOKS.values(), ids=NO_LOOKS)
@pytest.mark.parametrize("metric", ["earlyVictory", "verificationDensity"])
def test_what_shows_nothing_of_the_program_excuses_nothing(metric: str, look: Tell, tmp_path: Path) -> None:
    assert status(metric, look(Story().asks().edit()).ends(), tmp_path) == "alert"


def test_a_look_before_the_last_edit_excuses_no_victory(tmp_path: Path) -> None:
    story = LOOKS["a request to the program"](Story().asks().edit()).edit().ends()
    assert status("earlyVictory", story, tmp_path) == "alert"


def test_a_script_that_failed_is_no_pass_but_something_ran(tmp_path: Path) -> None:
    story = Story().asks().edit("src/start.sh").run("./src/start.sh", "Exit code 1", error=True).ends()
    assert status("verificationDensity", story, tmp_path / "a") == "unknown"
    assert status("earlyVictory", story, tmp_path / "b") == "alert"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [("It still hangs at the second step", "unknown"), ("Now rename the method", "alert")],
)
def test_where_a_person_ran_the_program_nobody_can_say_that_nothing_ran(
    prompt: str, expected: str, tmp_path: Path
) -> None:
    story = Story().asks().edit().ends().asks(prompt).edit().ends()
    assert status("verificationDensity", story, tmp_path) == expected


def test_what_a_person_saw_before_the_first_edit_is_the_task_and_no_run(tmp_path: Path) -> None:
    story = Story().asks("It hangs at the second step, fix it").edit().ends()
    assert status("verificationDensity", story, tmp_path) == "alert"


@pytest.mark.parametrize(
    "prompt",
    [
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nfix it',
        "Failures:\n\n  1) Cart adds\n     Failure/Error: expect(x)",
        "here:\nFAIL src/cart.test.ts",
        "3 failed, 12 passed in 2.1s",
        "TypeError: x is undefined\n    at cart (src/cart.js:10:5)",
        "2025-03-01 10:00:00,123 1 ERROR shop: cannot start",
        "src/a.ts(3,1): error TS2304: Cannot find name",
        "it still doesn't work",
        "the page isn’t working",
        "no, it stays stuck at the start",
        "that option was also slow",
        "Nice, looks good. It looks better. Now the header",
        "When I select a list it shows nothing",
        "now I get an error page",
        "I tried it, same",
        "no funciona",
        "es geht immer noch nicht, das funktioniert noch nicht",
        "ne marche toujours pas",
        "не работает",
        "还是不行",
    ],
)
def test_a_report_of_a_run_is_understood(prompt: str) -> None:
    assert reports_run(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Now add a button",
        "Make sure that the page works on a phone",
        "Pass the argument through",
        "Add error handling to the cart",
        "Fix the tests",
        "It should show the date",
        "Explain how this works",
        "I see. Rename it",
        "continue",
        "Run the tests",
        "",
    ],
)
def test_a_wish_is_no_report_of_a_run(prompt: str) -> None:
    assert not reports_run(prompt)


@pytest.mark.parametrize("unit", ["\n", "a ", "at x", "this a ", "make sure ", "w.w", "1", "2025-03-01 10:00:00 x"])
def test_a_long_prompt_is_read_in_short_time(unit: str) -> None:
    prompt = unit * (1_000_000 // len(unit))
    started = time.perf_counter()
    reports_run(prompt)
    assert time.perf_counter() - started < 1


def test_a_document_that_holds_what_a_helper_wrote_is_not_the_code(tmp_path: Path) -> None:
    said = "I've added the findings of the helper to your document."
    helper = Story().asks("Write down how to draw maps").agent().write("src/map.ts").back().edit("maps.md").ends(said)
    assert status("earlyVictory", helper, tmp_path / "a") == "unknown"
    own = Story().asks("Write down how to draw maps").write("src/map.ts").edit("maps.md").ends(said)
    assert status("earlyVictory", own, tmp_path / "b") == "alert"
    code = Story().asks("Draw maps").agent().write("src/map.ts").back().ends()
    assert status("earlyVictory", code, tmp_path / "c") == "alert"


def test_the_agents_own_folder_holds_settings_also_as_the_root() -> None:
    assert kind_below("/code/home/.claude", "hooks/speak.sh") == "unchecked"
    assert kind_below("/code/home/.claude/", "hooks/speak.sh") == "unchecked"
    assert kind_below("/code/home/.claude", "/code/shop/start.sh") == "code"
    assert kind_below("/code/shop", "hooks/speak.sh") == "code"
    assert kind_below(None, "hooks/speak.sh") == "code"


def test_edits_in_the_agents_own_folder_want_no_check(tmp_path: Path) -> None:
    story = Story(Transcript(SESSION, cwd="/code/home/.claude")).asks().edit("hooks/speak.sh").ends()
    assert status("earlyVictory", story, tmp_path) == "ok"
