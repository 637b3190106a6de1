"""The scorecard worked out in two processes: the same result, whatever happens to the other one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import run_python
from tests.transcripts import Call, Transcript

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a second process is used on Linux only")

# In a process of its own, since only one without threads may fork. Prints how many processes were started for one
# session, whether the scorecard is the one of a single process, and which jobs the other process answered.
PROGRAM = """
import importlib, json, os, sys
other = importlib.import_module("waterglass.otherprocess")
judging = importlib.import_module("waterglass.judging")
scoring = importlib.import_module("waterglass.scoring")
session = importlib.import_module("waterglass.session")
judging.MANY = 10
other.os.sched_getaffinity = lambda _: {0, 1}
forked, answered, fork, value = [], set(), os.fork, other.Beside.value
def counted():
    forked.append(1)
    BROKEN
    return fork()
def failing(own, work):
    return lambda *given: work(*given) if os.getpid() == own else 1 / 0
def noted(self, name, otherwise):
    found = value(self, name, otherwise)
    answered.update(self._values)
    return found
os.fork, other.Beside.value = counted, noted
def told():
    return json.dumps(session.load("latest", [sys.argv[1]], now_ms=1).scorecard())
two = told()
started = len(forked)
try:
    raise SystemExit(f"a process is left: {os.waitpid(-1, os.WNOHANG)}")
except ChildProcessError:
    pass
other.may_fork = judging.may_fork = lambda: False
print(started, "same" if told() == two else "differs", *sorted(answered))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("Add the parser")
    for n in range(30):
        command = "pytest -q" if n % 3 == 0 else f"sed -i s/{n}/x/ src/a{n}.py"
        t.reply(f"step {n}", calls=[Call("Bash", {"command": command}, id=f"toolu_{n}")])
        t.result(f"toolu_{n}", "3 passed in 0.1s")
    t.reply("I've added the parser. All tests pass.", stop_reason="end_turn")
    t.write(tmp_path / "projects")
    return tmp_path / "projects"


@pytest.mark.parametrize(
    ("broken", "started", "answered"),
    [
        ("pass", "2", {"claims", "rows"}),
        ("raise BlockingIOError('no more processes')", "2", set()),
        ("own, work = os.getpid(), scoring._claims; scoring._claims = failing(own, work)", "2", {"rows"}),
    ],
    ids=["both work", "no process can be started", "the one for the texts fails"],
)
def test_a_session_judged_in_two_processes_has_the_scorecard_of_one(
    broken: str, started: str, answered: set[str], root: Path, child_environment: dict[str, str]
) -> None:
    done = run_python(["-c", PROGRAM.replace("BROKEN", broken), str(root)], cwd=root, env=child_environment)
    assert done.stdout.split()[:2] == [started, "same"], done.stderr
    assert {"claims", "rows"}.intersection(done.stdout.split()[2:]) == answered
