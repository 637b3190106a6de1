"""Where transcripts lie: from folders to sessions, and from what a person typed to one of them.

Reads names, sizes and times of files; of their content only what a list needs, the first and last 64 KiB.
"""

from __future__ import annotations

from waterglass.discover.find import beside, find, is_path, latest, nothing_found, resolve
from waterglass.discover.heads import Head, folder_project, index_title, most_common_project, read_head
from waterglass.discover.refs import Discovery, LookedIn, SessionRef, TranscriptFile, Unreadable
from waterglass.discover.roots import Roots, look_in, roots_from
from waterglass.discover.scan import Scan, again, discover, discover_folder

__all__ = [
    "Discovery",
    "Head",
    "LookedIn",
    "Roots",
    "Scan",
    "SessionRef",
    "TranscriptFile",
    "Unreadable",
    "again",
    "beside",
    "discover",
    "discover_folder",
    "find",
    "folder_project",
    "index_title",
    "is_path",
    "latest",
    "look_in",
    "most_common_project",
    "nothing_found",
    "read_head",
    "resolve",
    "roots_from",
]
