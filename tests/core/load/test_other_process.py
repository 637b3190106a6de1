"""Half of a long file in a second process: the same result, whatever happens to that process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import run_python
from tests.transcripts import Call, Transcript

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a second process is used on Linux only")

# In a process of its own, since only one without threads may fork. Prints the payload with and without a second
# process.
PROGRAM = """
import importlib, json, sys
load = importlib.import_module("waterglass.load")
other = importlib.import_module("waterglass.otherprocess")
session = importlib.import_module("waterglass.session")
other.WORTH_IT = 1
other.os.sched_getaffinity = lambda _: {0, 1}
asked = []
class Counted(other.Beside):
    def __init__(self, jobs):
        asked.extend(jobs)
        BROKEN
        super().__init__(jobs)
load.Beside = Counted
def told(root):
    one = session.load("latest", [root], now_ms=1)
    return json.dumps([one.payload(table=True), one.transcripts[0].position.line, [e.id for e in one.events]])
two = told(sys.argv[1])
assert asked, "the second process was started"
other.WORTH_IT = 1 << 40
one = told(sys.argv[1])
assert len(asked) == 1, "and then not again"
print("same" if one == two else "differs", len(one))
"""
FAILS = "jobs = [job._replace(work=lambda: 1 / 0) for job in jobs]"
NO_ROOM = "other.os.fork = lambda: exec(\"raise BlockingIOError('no more processes')\")"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("go")
    for n in range(60):
        t.reply(f"step {n}", calls=[Call("Bash", {"command": f"echo {n}"}, id=f"toolu_{n}")])
        t.result(f"toolu_{n}", "é" * 100)
    t.write(tmp_path / "projects")
    main = next((tmp_path / "projects").rglob("*.jsonl"))
    with main.open("ab") as stream:
        stream.write(b'{"type":"user","half')
    return tmp_path / "projects"


@pytest.mark.parametrize(
    "broken",
    ["pass", FAILS, NO_ROOM],
    ids=["both halves are read", "the second process fails", "no process can be started"],
)
def test_a_file_read_in_two_processes_equals_the_file_read_in_one(
    broken: str, root: Path, child_environment: dict[str, str]
) -> None:
    program = PROGRAM.replace("BROKEN", broken)
    done = run_python(["-c", program, str(root)], cwd=root, env=child_environment)
    assert done.stdout.startswith("same"), done.stderr


THREADED = """
import _thread, importlib, sys, threading, time
other = importlib.import_module("waterglass.otherprocess")
other.WORTH_IT = 1
other.os.sched_getaffinity = lambda _: {0, 1}
alone = other.cut_in_two(sys.argv[1])
_thread.start_new_thread(time.sleep, (60,))
print(alone is not None, threading.active_count(), other.cut_in_two(sys.argv[1]))
"""


def test_a_process_with_a_thread_that_python_does_not_count_is_not_forked(
    root: Path, child_environment: dict[str, str], tmp_path: Path
) -> None:
    main = next(root.rglob("*.jsonl"))
    done = run_python(["-c", THREADED, str(main)], cwd=tmp_path, env=child_environment)
    assert (done.stdout, done.stderr) == ("True 1 None\n", "")
