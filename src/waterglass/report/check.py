"""The report read again as its reader will see it, each block unpacked: is there still a secret in it?"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from waterglass.redact import Redactor
from waterglass.report.blocks import BLOCK, GZIP, HEAD, packed
from waterglass.report.cuts import Beginnings

_DATA = re.compile(rb'<script type="text/plain" id="(wg-[a-z]+(?:-[0-9]+)?)">([A-Za-z0-9+/=]*)</script>\s*')
_PLAIN_ID = re.compile(r"[A-Za-z0-9_.#-]{1,80}")


class Leaks(NamedTuple):
    """Secrets that a report still holds: in which blocks, and of the first its kinds and its place in words."""

    blocks: frozenset[str]
    kinds: tuple[str, ...]
    where: str


def find_leaks(lines: Iterable[bytes], redactor: Redactor, only: Collection[str] | None = None) -> Leaks | None:
    """Return what is left in the lines of a report, or None. `only`: look into no block but these.

    `redactor` is the one that made the report: what it has learned on the way is looked for as well.
    """
    checker = redactor.checker()
    if checker is None:
        return None
    frame, found, ids = list[bytes](), list[tuple[str, int, tuple[str, ...]]](), list[Any]()
    for line in lines:
        block = _DATA.fullmatch(line)
        if block is None:
            frame.append(line)
            continue
        name = block[1].decode()
        if only is None or name in only or (found and name == HEAD):
            content = _unpacked(block[2])
            kinds = _kinds(content, checker)
            ids = content.get("table", {}).get("columns", {}).get("id", []) if name == HEAD else ids
            if kinds:  # of the first alone is said where it is
                found.append((name, 0 if found else _index(content, checker), kinds))
    # Around the data stands the page alone, whose words a user may be called by: `agents`.
    around = _kinds(b"\n".join(frame).decode("utf-8", "replace"), checker) if only is None else ()
    kinds = tuple(kind for kind in around if kind not in ("user", "host"))
    if not found:
        return Leaks(frozenset(), kinds, "the page around the data") if kinds else None
    name, index, kinds = found[0]
    return Leaks(frozenset(name for name, _, _ in found), kinds, _where(name, index, ids))


def mended(lines: Iterable[bytes], redactor: Redactor, blocks: Collection[str]) -> Iterator[bytes]:
    """Yield the lines of a report with these blocks redacted again, by the redactor that made it.

    It knows more at the end than it did when it wrote them: a password may stand alone before a line names it.
    """
    for line in lines:
        block = _DATA.fullmatch(line)
        name = block[1].decode() if block else ""
        if block is None or (name not in blocks and name != HEAD):
            yield line
            continue
        content = redactor.value(_unpacked(block[2]))
        if name == HEAD:  # the last of the blocks: now all is counted
            content = Beginnings(redactor.replaced).hidden(content)
            content["report"]["redaction"] = redactor.note()
        yield packed(name, content).encode("ascii")


def _unpacked(data: bytes) -> Any:
    return msgspec.json.decode(zlib.decompress(base64.b64decode(data), wbits=GZIP))


def _kinds(value: Any, checker: Redactor) -> tuple[str, ...]:
    before = checker.counts.copy()
    if isinstance(value, str):
        checker.text(value)
    else:
        checker.value(value)
    return tuple(sorted(checker.counts - before))


def _index(content: Any, checker: Redactor) -> int:
    """Which entry of a block, or which field of the head, holds the first secret."""
    parts = content if isinstance(content, list) else [{key: part} for key, part in content.items()]
    return next((n for n, part in enumerate(parts) if _kinds([part], checker)), 0)


def _where(name: str, index: int, ids: list[Any]) -> str:
    """A row by its number and, where that is a plain one, its id."""
    _, what, *number = name.split("-")
    if name == HEAD:
        return f"the head, field {index + 1}"
    entry = int(number[0]) * BLOCK + index
    if what != "rows":
        return f"text {entry + 1}"
    known = ids[entry] if entry < len(ids) else None
    return f"row {entry + 1} ({known})" if isinstance(known, str) and _PLAIN_ID.fullmatch(known) else f"row {entry + 1}"
