"""The page for the server: one script, one style, one document, all from memory."""

from __future__ import annotations

from msgspec import Struct

from waterglass.page.linker import link_modules
from waterglass.page.sources import ENTRY, modules, text_of

SCRIPT = "/static/page.js"
FIRST_LIST = "/api/sessions?first=200"  # as sourceserver.js asks for it
# In the folder the page is a document with an import map, as the tests use it module by module.
_MODULES = '<script type="importmap"></script>\n<script type="module" src="/static/main.js"></script>'


class ServerFiles(Struct, frozen=True):
    """All that the server hands out besides data: `files` maps URL paths to bytes and content type."""

    index: bytes
    start: bytes
    """The same for the start page: it asks for the list before the script is there."""
    files: dict[str, tuple[bytes, str]]


def server_files() -> ServerFiles:
    """Return the page's files; read once, so that no URL ever names a file on disk.

    The modules are linked into one script: asked for one by one, they cost half of the time until the first row.
    """
    index = text_of("index.html")
    assert _MODULES in index, "the page names its modules where the script goes"
    index = index.replace(_MODULES, f'<script type="module" src="{SCRIPT}"></script>')
    script = link_modules(modules(), ENTRY).encode("utf-8")
    served = {SCRIPT: (script, "text/javascript; charset=utf-8")}
    for style in ("page.css", "site.css"):
        served[f"/static/{style}"] = (text_of(style).encode("utf-8"), "text/css; charset=utf-8")
    ahead = f'<link rel="preload" as="fetch" crossorigin href="{FIRST_LIST}">\n</head>'
    return ServerFiles(index.encode("utf-8"), index.replace("</head>", ahead).encode("utf-8"), served)
