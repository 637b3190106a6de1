"""Compressed copies of transcripts, in a folder that is read like any other."""

from __future__ import annotations

from waterglass.archive.run import Archived, archive

__all__ = ["Archived", "archive"]
