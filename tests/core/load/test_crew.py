"""Processes that read sessions for another one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

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
