"""The page's own files, in the two forms that they are shown in: served module by module, or linked into one script."""

from __future__ import annotations

from waterglass.page.inline import Frame, report_frame
from waterglass.page.linker import LinkError, link_modules
from waterglass.page.served import ServerFiles, server_files

__all__ = ["Frame", "LinkError", "ServerFiles", "link_modules", "report_frame", "server_files"]
