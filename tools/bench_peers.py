"""Other programs that read the same files, measured in turn with ours where they are installed.

Each gets a home of its own, with the load files below the `.claude/projects` in it. What they do is not the same: what
is compared stands in the table.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench_running import run

PROGRAM = [sys.executable, "-m", "waterglass"]
SMALL = 10  # megabytes; a peer that takes minutes for more gets no more
_KINDS = ("inputTokens", "outputTokens", "cacheCreationTokens", "cacheReadTokens")
_OURS = ("input", "output", "cacheCreation", "cacheRead")


class Pair(NamedTuple):
    """One of our commands and one of a peer that answers the same question."""

    what: str
    ours: list[str]
    peer: list[str]
    afresh: bool = False  # both begin with an empty home, since they keep what they found


def on_one(file: Path, megabytes: int) -> Iterator[Pair]:
    """Name what is compared on one session; `{home}` stands for the peer's home."""
    if found := shutil.which("ccusage"):
        show = [*PROGRAM, "show", str(file), "--no-scorecard"]
        yield Pair("show : ccusage (tokens alone)", show, [found, "claude", "daily", "--offline", "--json"])
    if (found := shutil.which("claude-code-log")) and megabytes <= SMALL:
        report = [*PROGRAM, "report", str(file), "-o", "{home}/ours.html"]
        yield Pair("report : claude-code-log", report, [found, str(file), "-o", "{home}/theirs.html"])


def on_tree(root: Path) -> Iterator[Pair]:
    """Name what is compared on many sessions."""
    place = ["--root", str(root)]
    if found := shutil.which("ccusage"):
        ccusage = [found, "claude", "daily", "--offline", "--json"]
        yield Pair("list --json : ccusage (tokens alone)", [*PROGRAM, "list", "--json", *place], ccusage, True)
    if found := shutil.which("agentsview"):
        yield Pair("index, cold : agentsview sync", [*PROGRAM, "index", *place], [found, "sync"], True)


def measure(root: Path, pairs: Iterator[Pair], runs: int) -> None:
    """Run each pair in turn and print its line: seconds of both, how many times ours, and peak memory of both."""
    for pair in pairs:
        rows = []
        for turn in range(runs + 1):  # the first warms up
            with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as theirs:
                projects = Path(theirs, ".claude", "projects")
                projects.parent.mkdir()
                projects.symlink_to(root)
                peer = [part.replace("{home}", theirs) for part in pair.peer]
                ours = [part.replace("{home}", own) for part in pair.ours]
                rows.append((run(ours, Path(own)), run(peer, Path(theirs), AGENTSVIEW_NO_DAEMON="1")))
            if not turn:
                rows.clear()
        seconds, others = (statistics.median(row[side][0] for row in rows) for side in (0, 1))
        peaks = [max(row[side][1] for row in rows) for side in (0, 1)]
        ratio = statistics.median(theirs[0] / own[0] for own, theirs in rows)
        times = f"{seconds:>6.2f} : {others:>6.2f} s {ratio:>6.1f} x"
        print(f"{pair.what:<40} {times} {peaks[0]:>6.0f} : {peaks[1]:>5.0f} MiB", flush=True)


def reconcile(root: Path) -> None:
    """Print what both count of the same sessions, where ccusage is installed."""
    found = shutil.which("ccusage")
    if found is None:
        return
    with tempfile.TemporaryDirectory() as home:
        Path(home, ".claude").mkdir()
        Path(home, ".claude", "projects").symlink_to(root)
        env = {**os.environ, "HOME": home}
        env.pop("CLAUDE_CONFIG_DIR", None)
        theirs = json.loads(
            subprocess.run(
                [found, "claude", "daily", "--offline", "--json"], env=env, capture_output=True, check=True
            ).stdout
        )
        ours = json.loads(
            subprocess.run(
                [*PROGRAM, "list", "--json", "--root", str(root)], env=env, capture_output=True, check=True
            ).stdout
        )
    totals = theirs["totals"]
    for their_name, our_name in zip(_KINDS, _OURS, strict=True):
        own = sum(session["usage"][our_name] for session in ours["sessions"] if session.get("usage"))
        print(f"  {our_name:<14} {own:>15,} : {totals[their_name]:>15,}")
