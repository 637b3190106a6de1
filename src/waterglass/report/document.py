"""The report piece by piece: the page, the bodies in blocks, the payload last, since only then all is counted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Protocol

from waterglass.page import report_frame
from waterglass.payload.fields import field_names
from waterglass.redact import Redactor
from waterglass.report.blocks import BLOCK, HEAD, packed
from waterglass.report.cuts import MAX_BODY, Beginnings, cut, cut_input

# Characters of all blocks of bodies together. A session of 100 MB has less than a tenth of it; a browser opens ten
# times as much, slowly.
MAX_BODIES = 100_000_000
OF_BODIES = frozenset(
    {"input", "output", "outputBytes", "truncated", "imagesLeftOut", "reply", "prompt", "text", "thinking"}
    | {"patch", "oldStart", "newStart", "lines"}
)
LEFT_OUT = "Left out: with this the report would be too large to open. `waterglass serve` shows it."


class Reported(Protocol):
    """What a report needs of a session."""

    def payload(self, now_ms: int | None = None, *, table: bool = False) -> dict[str, Any]:
        """Return the whole payload, with a `table`."""

    def bodies(self) -> Iterator[dict[str, Any]]:
        """Yield the bodies of the rows in the order of the table."""

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return the whole text of a reply."""

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return the whole text of a prompt."""


def report_parts(session: Reported, redactor: Redactor, now_ms: int | None = None) -> Iterator[str]:
    """Yield the report piece by piece, so that no more than one block of bodies is in memory.

    `now_ms` is the time that the report gives as its own, in Unix milliseconds (default: now).
    """
    created = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    whole = session.payload(now_ms, table=True)
    texts = _cut_texts(whole)
    redactor.own_keys |= field_names(whole) | OF_BODIES
    payload = redactor.value(whole)  # first: at level "paths" it tells the user names that the bodies are searched for
    del whole
    frame = report_frame()
    yield frame.before
    size = left_out = 0
    for number, block in enumerate(_blocks(session.bodies())):
        if size < MAX_BODIES:
            part = packed(f"wg-rows-{number}", redactor.value([_body(body, redactor) for body in block]))
        else:
            part = packed(f"wg-rows-{number}", [_left_out(body) for body in block])
            left_out += len(block)
        size += len(part)
        yield part
    where: dict[str, int] = {}
    for number, block in enumerate(_blocks(texts)):
        entries = redactor.value([_text(session, kind, key, redactor) for kind, key in block])
        where |= {entry["reply"] or entry["prompt"]: number for entry in entries}
        yield packed(f"wg-texts-{number}", entries)
    payload = Beginnings(redactor.replaced).hidden(payload)
    payload["report"] = {"createdMs": created, "redaction": redactor.note(), "texts": where, "bodiesLeftOut": left_out}
    yield packed(HEAD, payload)
    yield frame.after


def _blocks(items: Iterable[Any]) -> Iterator[list[Any]]:
    iterator = iter(items)
    while block := list(islice(iterator, BLOCK)):
        yield block


def _cut_texts(payload: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what the payload holds only the beginning of, as (kind, id)."""
    replies = [("reply", r["id"]) for r in payload["replies"] or () if "textChars" in r or "thinkingChars" in r]
    return replies + [("prompt", p["uuid"]) for p in payload["prompts"] or () if "textChars" in p]


def _text(session: Reported, kind: str, key: str, redactor: Redactor) -> dict[str, Any]:
    body = session.reply_body(key) if kind == "reply" else session.prompt_body(key)
    found = body or {}
    text, thinking = found.get("text"), found.get("thinking")
    return {
        "reply": key if kind == "reply" else None,
        "prompt": key if kind == "prompt" else None,
        "text": cut_input(text, redactor) if isinstance(text, str) else None,
        "thinking": cut_input(thinking, redactor) if isinstance(thinking, str) else None,
    }


def _body(body: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    """Return the part of a row's body that a report holds: no raw records (they repeat it), no pictures (no rule can
    look into them); long texts cut."""
    output = body["output"]
    is_cut = isinstance(output, str) and len(output) > MAX_BODY
    return {
        "input": cut_input(body["input"], redactor),
        "output": cut(output, redactor) if isinstance(output, str) else output,
        "outputBytes": body["outputBytes"],
        "truncated": body["truncated"] or is_cut,
        "patch": _patch(body["patch"]),
        "imagesLeftOut": len(body["images"]),
    }


def _patch(hunks: list[dict[str, Any]] | None) -> list[dict[str, Any]] | None:
    """Return a change with its line numbers, None where it is very long: the input says it too."""
    return hunks if hunks and sum(len(line) for hunk in hunks for line in hunk["lines"]) <= MAX_BODY else None


def _left_out(body: dict[str, Any]) -> dict[str, Any]:
    """Return what stands for a body that is not in the report: a note where its output would be."""
    return {
        "input": {},
        "output": LEFT_OUT,
        "outputBytes": body["outputBytes"],
        "truncated": True,
        "patch": None,
        "imagesLeftOut": len(body["images"]),
    }
