"""The audit of a session's usage on a terminal: each counted reply with its lines, each other record with its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TextIO

from waterglass.cli.terminal import visible

LINES = 12  # of a reply's records; a reply has as many as it has blocks, and a doubled file may repeat them


def print_audit(document: dict[str, Any], stream: TextIO) -> None:
    """Print what `payload.audit` made."""

    def write(text: str) -> None:
        stream.write(visible(text) + "\n")

    records = document["records"]
    write(f"{len(document['replies']):,} API calls counted, from {records['counted']:,} reply records")
    write(f"  {'input':>12} {'cache write':>12} {'cache read':>12} {'output':>10}  reply, model, lines")
    for reply in document["replies"]:
        _reply(write, reply)
    _figures(write, document["sum"], "sum of these")
    _figures(write, document["total"], "usage as shown")
    write(
        "the sums agree" if document["agrees"] else "THE SUMS DIFFER: this is a fault of waterglass, please report it"
    )
    write("")
    write(f"{records['leftOut']:,} reply records left out")
    for rule, about in document["rules"].items():
        if about["records"]:
            write(f"  {rule}: {about['records']:,} ({about['why']})")
    for record in document["leftOut"]:
        write(f"    {record['file']}:{record['line']}  {record['rule']}  {record['replyId']}")


def _reply(write: Callable[[str], None], reply: dict[str, Any]) -> None:
    name = reply["replyId"] if reply["within"] is None else f"advisor of {reply['within']}"
    lines = _lines(reply["records"])
    _figures(write, reply["usage"], f"{name}  {reply['model'] or 'unknown model'}  {lines}")


def _figures(write: Callable[[str], None], usage: dict[str, Any], text: str) -> None:
    bound = "≥" if usage["outputIsLowerBound"] else ""
    output = f"{bound}{usage['output']:,}"
    write(f"  {usage['input']:>12,} {usage['cacheCreation']:>12,} {usage['cacheRead']:>12,} {output:>10}  {text}")


def _lines(records: Iterable[dict[str, Any]]) -> str:
    by_file: dict[str, list[int]] = {}
    for record in records:
        by_file.setdefault(record["file"], []).append(record["line"])
    return ", ".join(
        f"{file}:{','.join(map(str, lines[:LINES]))}{'…' if len(lines) > LINES else ''}"
        for file, lines in by_file.items()
    )
