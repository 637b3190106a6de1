"""The page's own files, in the two forms that they are shown in: served, or standing in a file of their own."""

from __future__ import annotations

from waterglass.page.inline import Frame, comparison_frame, report_frame
from waterglass.page.linker import LinkError, link_modules
from waterglass.page.onefile import data_block, write_whole
from waterglass.page.served import ServerFiles, server_files

__all__ = [
    "Frame",
    "LinkError",
    "ServerFiles",
    "comparison_frame",
    "data_block",
    "link_modules",
    "report_frame",
    "server_files",
    "write_whole",
]
