"""Reading `web/`: the page as it lies in the package."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

ENTRY = "main"


@cache
def modules() -> dict[str, str]:
    """Return the source of each module by its name (`axis` for `axis.js`, imported as `#axis`)."""
    folder = files("waterglass") / "web"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".js"))
    return {name.removesuffix(".js"): (folder / name).read_text("utf-8") for name in names}


@cache
def text_of(name: str) -> str:
    """Return the text of one of the other files: `index.html`, `page.css`, `site.css`."""
    return (files("waterglass") / "web" / name).read_text("utf-8")


def csp_hash(text: str) -> str:
    """Return the source expression that lets an inline script or style of exactly this text through: `sha256-…`."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
