"""Compressed copies of transcripts, in a folder that is read like any other: what stays when the originals are deleted."""

from __future__ import annotations

from waterglass.archive.run import Archived, archive

__all__ = ["Archived", "archive"]
