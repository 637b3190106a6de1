"""Running whole commands for measuring them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
LOAD = CHECKOUT / ".make" / "bench"


def measured(command: list[str], against: list[str], runs: int) -> tuple[float, float, float]:
    """Return the median seconds, the median of the ratios, and the highest memory in MiB of the command's processes."""
    run(command)
    run(against)
    pairs = [(run(against)[0], run(command)) for _ in range(runs)]
    seconds = statistics.median(own for _, (own, _) in pairs)
    return seconds, statistics.median(own / base for base, (own, _) in pairs), max(peak for _, (_, peak) in pairs)


def run(command: list[str], given: Path | None = None, **more: str) -> tuple[float, float]:
    """Run a command with a HOME of its own, or that given, and `more` in its environment; return its seconds and its
    peak memory in MiB: that of the largest of its processes."""
    with tempfile.TemporaryDirectory() as own:
        env = {**os.environ, "HOME": str(given or own), "PYTHONPYCACHEPREFIX": str(LOAD / "bytecode"), **more}
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"):
            env.pop(name, None)
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        began = time.perf_counter()
        child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"failed with {child.returncode}: {' '.join(command)}")
        scale = 1 << 20 if sys.platform == "darwin" else 1 << 10  # ru_maxrss is in bytes there, in KiB elsewhere
        return seconds, usage.ru_maxrss / scale
