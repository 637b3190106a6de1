"""A page in a file of its own: its data packed in blocks, and the file on disk whole or not at all, never through a
link."""

from __future__ import annotations

import base64
import os
import secrets
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from waterglass.errors import WaterglassError
from waterglass.payload import encode

_GZIP = 16 + zlib.MAX_WBITS
_ANOTHER = "-o FILE with another name"


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
    _check(target, what)
    scratch = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(scratch, flags, 0o600), "wb") as stream:
            for part in parts:
                stream.write(part.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
            size = stream.tell()
        os.chmod(scratch, 0o666 & ~_umask())
        os.replace(scratch, target)
    except OSError as error:
        raise _refused(target, what, error) from error
    finally:
        scratch.unlink(missing_ok=True)
    return size


def _check(target: Path, what: str) -> None:
    try:
        mode = os.lstat(target).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refused(target, what, error) from error
    if stat.S_ISLNK(mode):
        over = "a link"
    elif stat.S_ISDIR(mode):
        over = "a folder"
    elif not stat.S_ISREG(mode):
        over = "something that is no file"
    elif target.name.lower().endswith((".jsonl", ".jsonl.gz")):
        over = "a transcript"
    else:
        return
    raise WaterglassError(f"will not write the {what} over {over}", str(target), _ANOTHER)


def _refused(target: Path, what: str, error: OSError) -> WaterglassError:
    return WaterglassError(
        f"cannot write the {what} ({error.strerror or error})", str(target), "-o FILE in a folder that you can write to"
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
