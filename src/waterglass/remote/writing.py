"""Files written elsewhere: whole when they are seen."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from waterglass.errors import WaterglassError
from waterglass.remote.urls import OBJECT_STORES, Place, failed, failed_at, shown
from waterglass.schema.layout import TRANSCRIPT

_TRIES = 8


def refuse_target(place: Place, roots: list[str]) -> None:
    """Raise WaterglassError where a file may not be written: over a folder or what may be a transcript, or as a
    `.jsonl` below one of the addresses where transcripts are looked for."""
    if place.path.endswith(TRANSCRIPT) and any(f"{place.url}/".startswith(f"{root.rstrip('/')}/") for root in roots):
        raise WaterglassError("will not write among the transcripts, it would be read as one", shown(place.url))
    try:
        place.system.invalidate_cache()
        if place.system.isdir(place.path):
            raise WaterglassError("will not write the export over a folder", shown(place.url), "-o URL of a file")
        if place.path.endswith(TRANSCRIPT) and place.system.exists(place.path):
            raise WaterglassError(
                "will not write the export over what may be a transcript", shown(place.url), "-o URL with another name"
            )
    except WaterglassError:
        raise
    except Exception as error:
        raise failed("cannot look at this address", place.url, error) from None


def put_file(place: Place, local: Path, path: str | None = None) -> None:
    """Write a finished local file to `path` (default: the place itself), in the place of what was there.

    Raises WaterglassError; then what was there is there still, or, where the file system replaces nothing, nothing.
    """
    target = place.path if path is None else path
    try:
        if place.scheme in OBJECT_STORES:
            place.system.put_file(str(local), target)
        else:
            _write_and_move(place, local, target)
    except Exception as error:
        raise failed_at("cannot write the export", place.address(target), error) from None


def _write_and_move(place: Place, local: Path, target: str) -> None:
    system = place.system
    folder = target.rpartition("/")[0]
    other = f"{folder}/.{secrets.token_hex(8)}.part"
    _make(system, folder)
    try:
        system.put_file(str(local), other)
        try:
            system.mv(other, target)
        except OSError:
            if not system.exists(target):
                raise
            system.rm_file(target)  # not all of them replace
            system.mv(other, target)
    except BaseException:
        with suppress(Exception):
            system.rm_file(other)
        raise


def _make(system: Any, folder: str) -> None:
    """Make a folder and those above it. Others may make the same ones at the same time."""
    for left in reversed(range(_TRIES)):
        try:
            system.makedirs(folder, exist_ok=True)
        except OSError:
            if not left:
                raise
        else:
            return
