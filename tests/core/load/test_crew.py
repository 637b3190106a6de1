"""Processes that read sessions for another one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest

from waterglass.crew import Crew, Work, crew_of, processes, run_jobs

PROGRAM = """
import os, time
from waterglass.crew import processes
if __name__ == "__main__":
    print(processes(1).make().submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals here")
def test_a_process_of_a_crew_ends_with_the_one_that_hands_out_the_jobs_also_where_that_is_killed(
    child_environment: dict[str, str],
) -> None:
    given = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(given, stdout=subprocess.PIPE, text=True, env=child_environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_there(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait(30)
        until = time.monotonic() + 30
        while is_there(child) and time.monotonic() < until:
            time.sleep(0.05)
        assert not is_there(child)


def square(number: int) -> int:
    return number * number


def lost(number: int, why: str) -> int:
    return -number


def results(crew: Crew) -> dict[int, int]:
    return dict(run_jobs(iter(range(1, 6)), Work(square, lost), crew))


def refuse() -> None:
    raise RuntimeError("no process comes up here")


def no_queue() -> Executor:
    raise OSError(38, "Function not implemented")


class Full(ProcessPoolExecutor):
    """An executor on a machine that has no room for another process."""

    def submit(self, *_: object, **__: object) -> NoReturn:  # type: ignore[override]
        raise BlockingIOError(11, "Resource temporarily unavailable")


ALL = {1: 1, 2: 4, 3: 9, 4: 16, 5: 25}


def test_jobs_are_done_here_where_processes_end_before_they_can_do_any() -> None:
    assert results(processes(2, refuse)) == ALL


def test_jobs_are_done_here_where_no_executor_can_be_made() -> None:
    assert results(Crew(no_queue, 4)) == ALL


def test_jobs_are_done_here_where_no_process_can_be_started() -> None:
    assert results(Crew(lambda: Full(2), 4)) == ALL


def test_what_is_done_meanwhile_is_done_once_where_no_process_can_be_started() -> None:
    told: list[str] = []
    done = run_jobs(iter([3]), Work(square, lost), Crew(no_queue, 4), lambda: told.append("meanwhile"))
    assert (list(done), told) == ([(3, 9)], ["meanwhile"])


def test_an_executor_of_somebody_else_that_takes_nothing_is_told() -> None:
    with pytest.raises(BlockingIOError):
        results(crew_of(Full(2)))


def die_of_three(number: int) -> int:
    if number == 3:
        os._exit(9)
    return square(number)


def test_a_job_that_ends_its_process_is_the_only_one_that_is_lost() -> None:
    done = dict(run_jobs(iter(range(1, 6)), Work(die_of_three, lost), processes(2)))
    assert done == ALL | {3: -3}


UNGUARDED = """
from waterglass.crew import Work, processes, run_jobs
print(sorted(run_jobs(iter([-2, 3]), Work(abs, max), processes(1))))
"""


def test_a_program_that_starts_its_work_at_every_import_gets_its_answer_once(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=60, env=child_environment, check=True
    )
    assert done.stdout == "[(-2, 2), (3, 3)]\n"
    assert "if __name__ == '__main__'" in done.stderr
