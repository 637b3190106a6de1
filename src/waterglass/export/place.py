"""Where an export goes: a file or folder that is whole or not there, never written through a link or into what is
there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec

from waterglass import newfile
from waterglass.errors import WaterglassError
from waterglass.newfile import is_named_as_transcript, not_over

_WHAT, _OPTION = "export", "-o PATH"
_FIRST_LINE = 1 << 20  # bytes of an old file that are read to see what it is
_OWN_FIELDS = frozenset({"session", "id", "seq", "toolUseId", "warnings"})  # of the events that an export writes


def check_file(target: Path, roots: Iterable[str]) -> None:
    """Raise WaterglassError where a file may not be written: over a link, a folder, a device or a transcript, or as a
    `.jsonl` below one of the folders where transcripts are looked for."""
    if is_named_as_transcript(target):
        parent = os.path.realpath(target.parent)
        if any(_is_below(parent, os.path.realpath(root)) for root in roots):
            raise WaterglassError(
                "will not write among the transcripts, it would be read as one",
                str(target),
                f"{_OPTION} with another name",
            )
    if newfile.file_is_there(target, _WHAT, _OPTION) and is_named_as_transcript(target) and not _is_own(target):
        raise not_over("what may be a transcript", target, _WHAT, _OPTION)


def check_folder(target: Path) -> bool:
    """Return whether nothing is there yet but an empty folder. Raises WaterglassError where there is a link or a
    file."""
    mode = newfile.mode_of(target, _WHAT, _OPTION)
    if mode is None:
        return True
    if not stat.S_ISDIR(mode):
        raise not_over(newfile.said_of(mode), target, _WHAT, _OPTION)
    try:
        with os.scandir(target) as entries:
            return next(entries, None) is None
    except OSError as error:
        raise refused(target, error) from error


def refused(target: Path, error: OSError) -> WaterglassError:
    """Return the error for a target that the system does not let be written."""
    return newfile.refused(target, error, _WHAT, _OPTION)


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _is_own(target: Path) -> bool:
    """Is this a file of events or spans that an export wrote, and not a transcript?"""
    try:
        with open(target, "rb") as stream:
            first = stream.readline(_FIRST_LINE)
    except OSError as error:
        raise refused(target, error) from error
    if first.startswith((b'{"session":', b'{"resourceSpans":')):
        # A transcript's lines have neither; a very long first event is cut here and need not parse.
        return len(first) == _FIRST_LINE or _has_own_fields(first)
    return False


def _has_own_fields(line: bytes) -> bool:
    try:
        fields = set(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return False
    return fields >= _OWN_FIELDS or "resourceSpans" in fields
