"""The invented sessions that the package carries: something to look at before the first own session."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from waterglass.errors import WaterglassError

_PROJECTS = Path(__file__).resolve().parent / "projects"


def sample_root() -> Path:
    """The packaged projects folder: give it as a root like any other."""
    return _PROJECTS


def write_sample(target: Path) -> list[Path]:
    """Write the sample's files to `target/projects/` and return their paths, in order of name.

    Nothing that exists is overwritten: WaterglassError if `target` has anything in it, or cannot be written.
    """
    written: list[Path] = []
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise WaterglassError(
                "the folder is not empty", where=str(target), hint="name another one with -o, or empty it"
            )
        for source in _sources():
            path = target / "projects" / source.relative_to(_PROJECTS)
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as file:  # "x": a file that came up meanwhile is an error, not lost
                written.append(path)
                file.write(source.read_bytes())
                file.flush()
                os.fsync(file.fileno())
        return written
    except OSError as error:
        _remove(written, target)
        reason = error.strerror or type(error).__name__
        raise WaterglassError(
            f"the sample cannot be written ({reason})",
            where=str(target),
            hint="name a folder that you may write with -o",
        ) from error


def _sources() -> list[Path]:
    return sorted(path for path in _PROJECTS.rglob("*") if path.suffix in (".jsonl", ".json"))


def _remove(paths: list[Path], target: Path) -> None:
    """Remove what was written of a sample that cannot be finished: a part of it would be in the way of the next try."""
    for path in paths:
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == target:
                break
            with suppress(OSError):  # others lie in it
                folder.rmdir()
