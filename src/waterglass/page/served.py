"""The page for the server: its modules one by one, named by an import map."""

from __future__ import annotations

import json

from msgspec import Struct

from waterglass.page.sources import csp_hash, modules, text_of

_EMPTY_MAP = '<script type="importmap"></script>'


class ServerFiles(Struct, frozen=True):
    """All that the server hands out besides data: `files` maps URL paths to bytes and content type."""

    index: bytes
    files: dict[str, tuple[bytes, str]]
    import_map_hash: str  # what the content policy allows besides the server's own files


def server_files() -> ServerFiles:
    """Return the page's files; read once, so that no URL ever names a file on disk."""
    sources = modules()
    mapping = json.dumps({"imports": {f"#{name}": f"/static/{name}.js" for name in sources}}, separators=(",", ":"))
    index = text_of("index.html")
    assert _EMPTY_MAP in index, "the page has a place for the import map"
    index = index.replace(_EMPTY_MAP, f'<script type="importmap">{mapping}</script>')
    served = {
        f"/static/{name}.js": (text.encode("utf-8"), "text/javascript; charset=utf-8") for name, text in sources.items()
    }
    served["/static/page.css"] = (text_of("page.css").encode("utf-8"), "text/css; charset=utf-8")
    return ServerFiles(index.encode("utf-8"), served, csp_hash(mapping))
