"""Measure whole commands against the floor: `make bench`, or `python tools/bench.py --help`.

The floor is what reading the lines of the same file costs Python. Commands run in turn with it, so that a busy machine
slows both, and what is printed is the median of the ratios. Nothing is kept but the load files below `.make/bench`.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import bench_peers
import bench_redaction
from bench_running import CHECKOUT, LOAD, measured, run

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
    parser.add_argument("--tree", type=int, default=600, metavar="FILES", help="of the tree; 0 leaves it out")
    parser.add_argument("--runs", type=int, default=5, help="of each job, in turn with the floor")
    options = parser.parse_args()
    print(f"{'job':<34} {'seconds':>8} {'x floor':>8} {'peak MiB':>9}")
    for size in (int(text) for text in options.sizes.split(",") if text):
        file = load_file(options.corpus, size)
        for name, command in jobs(file):
            seconds, ratio, peak = measured(command, floor(file), options.runs)
            print(f"{f'{size} MB: {name}':<34} {seconds:>8.2f} {ratio:>8.1f} {peak:>9.0f}", flush=True)
        bench_peers.measure(file.parent.parent, bench_peers.on_one(file, size), min(options.runs, 3))
    if options.tree:
        root = load_tree(options.corpus, options.tree)
        measure_tree(root, options.runs)
        bench_peers.measure(root, bench_peers.on_tree(root), min(options.runs, 3))
        bench_peers.reconcile(root)
    bench_redaction.main(options.runs)


def measure_tree(root: Path, runs: int) -> None:
    """Print the jobs over many sessions: with a home of their own, so that each run finds what the last one left."""
    files = sorted(root.rglob("*.jsonl"))
    size = sum(file.stat().st_size for file in files)
    lines = f"import sys\nfor name in {[str(file) for file in files]!r}:\n    for line in open(name, 'rb'): pass"
    script = LOAD / "floor.py"
    script.write_text(lines)
    program = [sys.executable, "-m", "waterglass"]
    place = ["--root", str(root)]
    with tempfile.TemporaryDirectory() as folder:
        home, kept = Path(folder, "home"), Path(folder, "kept")
        index, cache = [*program, "index", *place], home / ".cache" / "waterglass" / "index.sqlite"

        def anew() -> None:
            shutil.rmtree(home, ignore_errors=True)
            shutil.rmtree(kept, ignore_errors=True)
            home.mkdir()

        def appended() -> None:
            with files[0].open("ab") as file:
                file.write(b'{"type":"user","message":{"role":"user","content":"one more line"}}\n')

        jobs: list[tuple[str, list[str], Callable[[], None]]] = [
            ("list, no index", [*program, "list", *place], anew),
            ("index, cold", index, anew),
            ("index, nothing new", index, lambda: None),
            ("index, one line more", index, appended),
            ("list", [*program, "list", *place], lambda: None),
            ("search", [*program, "search", "error", *place], lambda: None),
            ("stats", [*program, "stats", *place], lambda: None),
            ("archive", [*program, "archive", "--to", str(kept), *place], lambda: shutil.rmtree(kept, True)),
            ("archive, nothing new", [*program, "archive", "--to", str(kept), *place], lambda: None),
        ]
        print(f"{len(files)} files, {size / 1e6:.0f} MB")
        for name, command, before in jobs:
            rows = []
            for _ in range(runs):
                before()
                base, _ = run([sys.executable, str(script)], home)
                rows.append((base, *run(command, home)))
            seconds, ratio = statistics.median(r[1] for r in rows), statistics.median(r[1] / r[0] for r in rows)
            print(f"{name:<34} {seconds:>8.2f} {ratio:>8.1f} {max(r[2] for r in rows):>9.0f}", flush=True)
            if name == "index, cold":
                print(f"{'  the index':<34} {100 * cache.stat().st_size / size:>7.1f} % of the transcripts")


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


def sources_in(corpus: Path) -> list[Path]:
    """Return the sessions that are replayed."""
    sources = sorted(p for p in corpus.rglob("*.jsonl") if not p.name.startswith("agent-") and p.stat().st_size > 2_000)
    if not sources:
        raise SystemExit(f"no sessions below {corpus}")
    return sources


def load_tree(corpus: Path, files: int) -> Path:
    """Return a folder of so many sessions, made once: each is one replayed with fresh ids."""
    root = LOAD / f"tree{files}" / "projects"
    if root.exists():
        return root
    half, sources = root.with_name("part"), sources_in(corpus)
    shutil.rmtree(half, ignore_errors=True)
    clock = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    for turn in range(files):
        session = f"be9c{turn:04x}-0000-4000-8000-000000000002"
        path = half / f"-code-load{turn % 40}" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            clock = replay(sources[turn % len(sources)], out.write, turn, clock, 1 << 40, session)
    half.rename(root)
    return root


def load_file(corpus: Path, megabytes: int) -> Path:
    """Return a session of that size, made once: whole sessions replayed one after the other, with fresh ids."""
    path = LOAD / f"{megabytes}mb" / "-code-load" / f"{SESSION}.jsonl"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    sources = sources_in(corpus)
    half = path.with_suffix(".part")
    clock = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    with half.open("wb") as out:
        turn = 0
        while out.tell() < megabytes * 1_000_000:
            clock = replay(sources[turn % len(sources)], out.write, turn, clock, megabytes * 1_000_000 - out.tell())
            turn += 1
    half.rename(path)
    return path


def replay(source: Path, write: object, turn: int, clock: float, room: int, session: str = SESSION) -> float:
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
        line = _SESSION_ID.sub(b'"sessionId":"' + session.encode() + b'"', line)
        write(line)
        room -= len(line)
        if room <= 0:
            break
    return newest + _GAP_S


if __name__ == "__main__":
    main()
