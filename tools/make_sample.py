"""Write the sample that the package carries: `python tools/make_sample.py`, or `--check` that it is up to date."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parent / "src" / "waterglass" / "sample" / "projects"
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]


def write_all(root: Path) -> None:
    """Write every invented session below `root`, a projects folder."""
    from sample_story import afternoon, pressmark

    for transcript in (afternoon.fixed_clock(), afternoon.search_speed(), pressmark.gallery(), pressmark.timetable()):
        transcript.write(root)


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def differences() -> list[str]:
    """Names of the files that are missing, stale or not made here; empty when the sample is up to date."""
    with tempfile.TemporaryDirectory() as folder:
        write_all(Path(folder))
        wanted, there = files(Path(folder)), files(PROJECTS)
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main(arguments: list[str]) -> int:
    if "--check" in arguments:
        stale = differences()
        for name in stale:
            print(f"not as made by tools/make_sample.py: {name}")
        return 1 if stale else 0
    shutil.rmtree(PROJECTS, ignore_errors=True)
    write_all(PROJECTS)
    print(f"{sum(map(len, files(PROJECTS).values())):,} bytes in {len(files(PROJECTS))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
