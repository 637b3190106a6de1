"""Whole texts by their places in the files: what memory does not hold, read when somebody asks for it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from waterglass.errors import WaterglassError
from waterglass.model import Event
from waterglass.prompts import Prompt
from waterglass.read import read_bytes
from waterglass.replies import Reply
from waterglass.rows import Row
from waterglass.schema import bodies


class BodyReader:
    """Reads from the files of one session; `paths` maps the keys of its files to where they lie."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = paths

    def record(self, file: str, offset: int, length: int) -> dict[str, Any] | None:
        """Return a record as it is written, None if it is gone since it was read."""
        try:
            return bodies.record_object(read_bytes(self._paths[file], offset, length))
        except WaterglassError:
            return None  # the row stays, its body is not there

    def _of(self, event: Event | None) -> dict[str, Any] | None:
        return self.record(event.file, event.offset, event.length) if event is not None else None

    def output(self, row: Row) -> str | None:
        """Return a row's output, None without a result."""
        return bodies.result_output(self._of(row.result), row.result.block)[0] if row.result is not None else None

    def input_and_output(self, row: Row) -> dict[str, Any]:
        """Return a row's `{input, output}`."""
        return {"input": bodies.call_input(self._of(row.call), row.call.block), "output": self.output(row)}

    def body(self, row: Row) -> dict[str, Any]:
        """Return a row's input, output, pictures and raw records."""
        call, result = self._of(row.call), self._of(row.result)
        output, images = (None, []) if row.result is None else bodies.result_output(result, row.result.block)
        return {
            "id": row.id,
            "input": bodies.call_input(call, row.call.block),
            "output": output,
            "outputBytes": len(output.encode("utf-8", "replace")) if output is not None else None,
            "patch": bodies.result_patch(result),
            "truncated": row.result is not None and row.result.result is not None and row.result.result.cut,
            "images": images,
            "raw": {"call": call, "result": result},
        }

    def find(self, rows: Sequence[Row], texts: Sequence[str], start: str | None, seconds: float) -> dict[str, Any]:
        """Look for texts, given in lower case, in the inputs and outputs of rows, from the last to the first.

        Begins at the row `start` and looks for `seconds` at most. Returns `{found, searched, unread, next}`: ids of
        rows for each text, how many rows were looked into, how many could not be read, and the id to go on from.
        """
        until = time.monotonic() + seconds
        at = len(rows) - 1
        if start is not None:
            at = next((i for i in range(at, -1, -1) if rows[i].id == start), at)
        found: list[list[str]] = [[] for _ in texts]
        first, unread = at, 0
        while at >= 0 and (at == first or time.monotonic() < until):
            row = rows[at]
            held = self._texts(row, texts)
            unread += held is None
            for ids, text in zip(found, texts, strict=True):
                if held is not None and any(text in part for part in held):
                    ids.append(row.id)
            at -= 1
        return {"found": found, "searched": first - at, "unread": unread, "next": rows[at].id if at >= 0 else None}

    def _texts(self, row: Row, texts: Sequence[str]) -> list[str] | None:
        """Return what a row's input and output say, in lower case: nothing of a record that cannot hold one of the
        texts. None where a record is gone."""
        said: list[str] = []
        for event in (row.call, row.result):
            if event is None:
                continue
            try:
                line = read_bytes(self._paths[event.file], event.offset, event.length)
            except WaterglassError:
                return None
            if not bodies.may_hold(line, texts):
                continue
            record = bodies.record_object(line)
            if event is row.call:
                said += bodies.strings_of(bodies.call_input(record, event.block))
            else:
                said.append(bodies.result_output(record, event.block)[0])
        return [text.lower() for text in said]

    def event_text(self, event: Event) -> str:
        """Return the whole text of an event, what memory holds of it where the file no longer has it."""
        found, _ = bodies.texts_of(self._of(event))
        return "\n".join(text for number, text in found if number == event.block) or event.text or ""

    def reply(self, reply: Reply) -> dict[str, Any]:
        """Return the whole text and thinking of a reply."""
        said: list[str] = []
        thoughts: list[str] = []
        for place in reply.parts:
            found, more = bodies.texts_of(self.record(*place))
            said.extend(text for _, text in found)
            thoughts.extend(thought for _, thought in more)
        return {"id": reply.id, "text": "\n".join(said), "thinking": "\n".join(thoughts) or None}

    def prompt(self, prompt: Prompt, events: Sequence[Event]) -> str:
        """Return the whole text of a prompt, without what the program wrote into the same record."""
        file, offset, length = prompt.place
        blocks = {
            e.block
            for e in events[prompt.order : prompt.order + 200]
            if e.offset == offset and e.file == file and e.kind in ("prompt", "queued", "queue")
        }
        found, _ = bodies.texts_of(self.record(file, offset, length))
        return "\n".join(text for number, text in found if number in blocks) or prompt.text
