"""A page in a file of its own: its data packed in blocks, and the file on disk whole or not at all, never through a
link."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from waterglass.newfile import place_file, refuse_transcript, refused, scratch_file
from waterglass.payload import encode

_GZIP = 16 + zlib.MAX_WBITS


def data_block(name: str, value: Any) -> str:
    """Return a block of data for the page's script: base64 holds no character that HTML could take for markup."""
    packer = zlib.compressobj(6, wbits=_GZIP)
    data = packer.compress(encode(value)) + packer.flush()
    return f'<script type="text/plain" id="{name}">{base64.b64encode(data).decode("ascii")}</script>\n'


def write_whole(target: Path, parts: Iterable[str], what: str) -> int:
    """Write a file and return its size in bytes. Raises WaterglassError where that cannot be done.

    It is written to a new file beside it, which nobody else can read until it takes its name: a full disk leaves what
    was there before. A link, a folder, a device or a transcript of that name is refused. `what` names it in errors.
    """
    refuse_transcript(target, what)
    try:
        with scratch_file(target) as (path, stream):
            for part in parts:
                stream.write(part.encode("utf-8"))
            return place_file(path, stream, target)
    except OSError as error:
        raise refused(target, error, what) from error
