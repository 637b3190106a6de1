"""Measure whole commands against the floor: `make bench`, or `python tools/bench.py --help`.

The floor is what reading the lines of the same file costs Python. Commands run in turn with it, so that a busy machine
slows both, and what is printed is the median of the ratios. Nothing is kept but the load files below `.make/bench`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
LOAD = CHECKOUT / ".make" / "bench"
CORPUS = CHECKOUT.parent / "shared" / "corpus"
SAMPLE = CHECKOUT / "src" / "waterglass" / "sample" / "projects"
SESSION = "be9c0000-0000-4000-8000-000000000001"

_IDS = re.compile(
    rb"\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:toolu|msg|req)_[0-9A-Za-z]{6,40})\b"
)
_SESSION_ID = re.compile(rb'"sessionId":"[^"]*"')
_TIME = re.compile(rb'"timestamp":"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z"')
_GAP_S = 600  # between two replayed sessions


def main() -> None:
    """Make the load files that are missing, run every job, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, default=CORPUS if CORPUS.is_dir() else SAMPLE, help="sessions to replay")
    parser.add_argument("--sizes", default="1,10,100", help="megabytes, with commas between")
    parser.add_argument("--runs", type=int, default=5, help="of each job, in turn with the floor")
    options = parser.parse_args()
    print(f"{'job':<34} {'seconds':>8} {'x floor':>8} {'peak MiB':>9}")
    for size in (int(text) for text in options.sizes.split(",")):
        file = load_file(options.corpus, size)
        for name, command in jobs(file):
            seconds, ratio, peak = measured(command, floor(file), options.runs)
            print(f"{f'{size} MB: {name}':<34} {seconds:>8.2f} {ratio:>8.1f} {peak:>9.0f}", flush=True)


def jobs(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Name what is measured on one session, and how it is run."""
    program = [sys.executable, "-m", "waterglass"]
    yield "floor (lines)", floor(file)
    yield "show", [*program, "show", str(file), "--no-scorecard"]
    yield "show --scorecard", [*program, "show", str(file), "--scorecard"]
    yield "show --json", [*program, "show", str(file), "--json"]
    yield "report", [*program, "report", str(file), "-o", str(LOAD / "report.html")]


def floor(file: Path) -> list[str]:
    """Return the command that only goes over the lines of a file."""
    return [sys.executable, "-c", f"for line in open({str(file)!r}, 'rb'): pass"]


def measured(command: list[str], against: list[str], runs: int) -> tuple[float, float, float]:
    """Return the median seconds, the median of the ratios, and the highest memory in MiB of the command's processes."""
    run(command)
    run(against)
    pairs = [(run(against)[0], run(command)) for _ in range(runs)]
    seconds = statistics.median(own for _, (own, _) in pairs)
    return seconds, statistics.median(own / base for base, (own, _) in pairs), max(peak for _, (_, peak) in pairs)


def run(command: list[str]) -> tuple[float, float]:
    """Run a command with a HOME of its own; return its seconds and its peak memory in MiB."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "PYTHONPYCACHEPREFIX": str(LOAD / "bytecode")}
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


def load_file(corpus: Path, megabytes: int) -> Path:
    """Return a session of that size, made once: whole sessions replayed one after the other, with fresh ids."""
    path = LOAD / f"{megabytes}mb" / "-code-load" / f"{SESSION}.jsonl"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    sources = sorted(p for p in corpus.rglob("*.jsonl") if not p.name.startswith("agent-") and p.stat().st_size > 2_000)
    if not sources:
        raise SystemExit(f"no sessions below {corpus}")
    half = path.with_suffix(".part")
    clock = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    with half.open("wb") as out:
        turn = 0
        while out.tell() < megabytes * 1_000_000:
            clock = replay(sources[turn % len(sources)], out.write, turn, clock, megabytes * 1_000_000 - out.tell())
            turn += 1
    half.rename(path)
    return path


def replay(source: Path, write: object, turn: int, clock: float, room: int) -> float:
    """Write a session's lines with the ids and times of its own turn; return when it ends."""
    assert callable(write)
    salt = turn.to_bytes(4, "big")
    shift: float | None = None
    newest = clock

    def fresh(match: re.Match[bytes]) -> bytes:
        digits = hashlib.blake2b(salt + match[0], digest_size=16).hexdigest().encode()
        if b"_" not in match[0][:6]:
            return b"-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        return match[0][: match[0].index(b"_") + 1] + digits

    def moved(match: re.Match[bytes]) -> bytes:
        nonlocal shift, newest
        at = datetime.fromisoformat(match[1].decode()).replace(tzinfo=UTC).timestamp()
        shift = clock - at if shift is None else shift
        newest = max(newest, at + shift)
        text = datetime.fromtimestamp(at + shift, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return b'"timestamp":"' + text.encode() + b'"'

    for line in source.read_bytes().splitlines(keepends=True):
        line = _IDS.sub(fresh, _TIME.sub(moved, line))
        line = _SESSION_ID.sub(b'"sessionId":"' + SESSION.encode() + b'"', line)
        write(line)
        room -= len(line)
        if room <= 0:
            break
    return newest + _GAP_S


if __name__ == "__main__":
    main()
