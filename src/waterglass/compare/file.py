"""A comparison as one self-contained HTML file: the document, and of each session what its waterfall needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from waterglass.compare.document import compare
from waterglass.errors import WaterglassError
from waterglass.page import comparison_frame, data_block
from waterglass.payload.fields import field_names
from waterglass.redact import Redactor

# What is not drawn is not in the file: a reader of the comparison gets no bodies, thinking, paths of files or evidence.
_PARTS = ("context", "compactions", "agents", "prompts", "replies", "exchanges", "marks", "table")
_SESSION = ("id", "title", "project", "state", "models", "startMs", "endMs")
_BLOCK = 256  # bodies that are looked through at a time
_LONGEST = 1_000_000  # characters of a body that are looked through, as many as a report holds
# Once, and again with what the first time has learned: a password may stand alone before a line names it.
_ATTEMPTS = 2


class Compared(Protocol):
    """What a comparison needs of a session."""

    def payload(self, now_ms: int | None = None, *, table: bool = False) -> dict[str, Any]:
        """Return the whole payload, with a `table`."""

    def row_fields(self, now_ms: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the fields of each row in the order of the table."""

    def bodies(self) -> Iterator[dict[str, Any]]:
        """Yield the bodies of the rows."""

    def reply_body(self, reply_id: str) -> dict[str, Any] | None:
        """Return the whole text of a reply."""

    def prompt_body(self, uuid: str) -> dict[str, Any] | None:
        """Return the whole text of a prompt."""


class Ends(Protocol):
    """Hides the beginnings of secrets at the ends of texts that were cut."""

    def hidden(self, value: Any) -> Any:
        """Return the value with them replaced."""


def comparison_parts(
    sessions: Sequence[Compared],
    redactor: Redactor,
    ends: Callable[[Mapping[str, str]], Ends],
    now_ms: int,
) -> Iterator[str]:
    """Yield the file piece by piece. Raises WaterglassError, before the first piece, where a secret would be in it.

    A session that stands in `sessions` more than once (as the same object) is in the file once. `ends` makes an
    `Ends` from the secrets that were found and what stands in their place. `now_ms` is the time that the file gives
    as its own.
    """
    distinct = list({id(one): one for one in sessions}.values())
    payloads = [one.payload(now_ms, table=True) for one in distinct]
    rows = [list(one.row_fields()) for one in distinct]
    shown = [next(n for n, other in enumerate(distinct) if other is one) for one in sessions]
    document = compare([payloads[n] for n in shown], [rows[n] for n in shown])
    redactor.own_keys |= field_names([document, *payloads]) | {"comparison", "payloads", "shown"}
    if redactor.level in ("secrets", "paths"):
        for one, payload in zip(distinct, payloads, strict=True):
            _learn(redactor, one, payload)
    for _ in range(_ATTEMPTS):
        before = redactor.counts.copy()
        data = {
            "comparison": redacted(document, redactor),
            "payloads": [redactor.value(_drawn(payload)) for payload in payloads],
            "shown": shown,
        }
        data = ends(redactor.replaced).hidden(data)
        left = _left(data, redactor)
        if not left:
            data["report"] = {"createdMs": now_ms, "redaction": _note(redactor, before)}
            frame = comparison_frame()
            return iter((frame.before, data_block("wg-head", data), frame.after))
    raise WaterglassError(
        f"a secret was still found in the comparison (kind: {', '.join(left)}), so it was not written",
        "",
        "--redact structure, and report the kind as a fault",
    )


def redacted(document: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    """Return a comparison's document with its texts redacted; names, units and words of ours stay at every level."""
    metrics = [{**one, "displays": [redactor.text(words) for words in one["displays"]]} for one in document["metrics"]]
    steps = [
        {**one, "partAt": one["partAt"] and {side: redactor.value(one["partAt"][side]) for side in ("a", "b")}}
        for one in document["steps"]
    ]
    return {**document, "sessions": redactor.value(document["sessions"]), "metrics": metrics, "steps": steps}


def _drawn(payload: dict[str, Any]) -> dict[str, Any]:
    drawn = {name: payload[name] for name in _PARTS}
    drawn["session"] = {name: payload["session"][name] for name in _SESSION}
    drawn["replies"] = [{**reply, "thinking": None} for reply in payload["replies"] or ()]
    return drawn


def _learn(redactor: Redactor, session: Compared, payload: dict[str, Any]) -> None:
    """Find the secrets of the whole session: what is drawn may hold one that only an output names, or half of one."""
    bodies = session.bodies()
    while block := list(islice(bodies, _BLOCK)):
        redactor.value([{"input": body["input"], "output": _cut(body["output"])} for body in block])
    for reply in payload["replies"] or ():
        if "textChars" in reply:
            redactor.value(_text(session.reply_body(reply["id"])))
    for prompt in payload["prompts"] or ():
        if "textChars" in prompt:
            redactor.value(_text(session.prompt_body(prompt["uuid"])))


def _cut(output: Any) -> Any:
    return output[:_LONGEST] if isinstance(output, str) else output


def _text(body: Mapping[str, Any] | None) -> Any:
    return _cut((body or {}).get("text"))


def _left(data: dict[str, Any], redactor: Redactor) -> list[str]:
    """The kinds of secrets that a second look finds in what was redacted."""
    checker = redactor.checker()
    if checker is None:
        return []
    checker.value(data)
    return sorted(checker.counts)


def _note(redactor: Redactor, before: Counter[str]) -> dict[str, Any]:
    """The redactor's note, with the counts of what is in the file alone."""
    return {**redactor.note(), "counts": dict(sorted((redactor.counts - before).items()))}
