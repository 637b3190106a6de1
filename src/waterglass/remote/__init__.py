"""Transcripts and exports in other places than this machine's disk, by addresses that a person typed (`s3://…`)."""

from __future__ import annotations

from waterglass.remote.copies import Fetch, copied
from waterglass.remote.tree import Mirror, mirror, mirror_of_session
from waterglass.remote.urls import Place, failed, is_url, local_path, place_of, shown
from waterglass.remote.writing import put_file, refuse_target

__all__ = [
    "Fetch",
    "Mirror",
    "Place",
    "copied",
    "failed",
    "is_url",
    "local_path",
    "mirror",
    "mirror_of_session",
    "place_of",
    "put_file",
    "refuse_target",
    "shown",
]
