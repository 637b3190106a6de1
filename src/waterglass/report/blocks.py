"""The data blocks of a report: how much goes into one, and how it is packed."""

from __future__ import annotations

import base64
import zlib
from typing import Any

from waterglass.payload import encode

BLOCK = 256  # rows or texts a block: opening one unpacks no more than these
HEAD = "wg-head"  # the block that is written last
GZIP = 16 + zlib.MAX_WBITS


def packed(name: str, value: Any) -> str:
    """Return a data block: base64 holds no character that HTML could take for markup."""
    packer = zlib.compressobj(6, wbits=GZIP)
    data = packer.compress(encode(value)) + packer.flush()
    return f'<script type="text/plain" id="{name}">{base64.b64encode(data).decode("ascii")}</script>\n'
