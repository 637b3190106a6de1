"""The tables of an export: their columns, which are named as in the payload, and the rows that go into them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waterglass.export.told import Told
from waterglass.payload import encode
from waterglass.payload.usage import usage_fields
from waterglass.session import Session
from waterglass.stats.facts import NO_TIME, QUARTER_MS, facts_of

VERSION = 2
_USAGE = dict.fromkeys(("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output"), "int")
_BOUND = {"outputIsLowerBound": "bool"}
_TIME = ("wallMs", "activeMs", "modelMs", "toolMs", "userMs", "idleMs")
_CALL = {
    "id": "text", "type": "text", "toolName": "text", "label": "text", "startTime": "int", "endTime": "int",
    "duration": "int", "openUntilMs": "int", "ackMs": "int", "status": "text", "outcome": "text", "background": "bool",
    "parentAgentId": "text", "agentId": "text", "startsAgentId": "text", "depth": "int", "messageId": "text",
    "model": "text", "category": "text", "acts": "texts", "targets": "texts", "inputTokens": "int",
    "outputTokens": "int", "contextFillPercent": "float", "isReread": "bool", "truncated": "bool",
    "outputChars": "int", "warnings": "texts",
}  # fmt: skip
_EVENT = {
    "id": "text", "seq": "int", "ms": "int", "type": "text", "uuid": "text", "parentUuid": "text", "agentId": "text",
    "messageId": "text", "toolUseId": "text", "text": "text", "thinking": "text", "warnings": "texts",
}  # fmt: skip
_SESSION = {
    "project": "text", "worktree": "text", "title": "text", "titleSource": "text", "state": "text", "startMs": "int",
    "endMs": "int", "models": "texts", "versions": "texts", "gitBranches": "texts", "slug": "text", "continues": "text",
}  # fmt: skip
_REPLY = {"ms": "int", "endMs": "int", "stopReason": "text", "exchange": "int"}
_METRIC = {
    "id": "text", "label": "text", "status": "text", "value": "float", "unit": "text", "better": "text",
    "display": "text", "notes": "texts", "detail": "json",
}  # fmt: skip
COLUMNS: dict[str, dict[str, str]] = {
    "sessions": {
        "session": "text",
        **_SESSION,
        "prompts": "int",
        "calls": "int",
        "errors": "int",
        "agents": "int",
        **_USAGE,
        **_BOUND,
        "usd": "float",
        "contextTokens": "int",
        "contextWindow": "int",
        **dict.fromkeys(_TIME, "int"),
        "bytes": "int",
        "records": "int",
        "skippedLines": "int",
    },
    "events": {
        "session": "text",
        **_EVENT,
        "tool": "text",
        "category": "text",
        "acts": "texts",
        "targets": "texts",
        "command": "text",
        "input": "json",
        "ok": "bool",
        "exitCode": "int",
        "isError": "bool",
        "result": "text",
    },
    "calls": {"session": "text", **_CALL},
    "replies": {
        "session": "text", "id": "text", "within": "text", "agentId": "text", "model": "text", **_REPLY, **_USAGE,
        **_BOUND, "counted": "bool",
    },
    "metrics": {"session": "text", **_METRIC},
    "activity": {
        "session": "text", "ms": "int", "toolName": "text", "model": "text", "prompts": "int", "compactions": "int",
        "calls": "int", "errors": "int", "durations": "ints", **_USAGE, **_BOUND, "usd": "float", "peakTokens": "int",
    },
}  # fmt: skip
"""Table, column, type: `text`, `texts` (a list), `int` (64 bits), `ints` (a list), `float` (64 bits), `bool`, `json`
(a text)."""

Row = dict[str, Any]


def session_row(told: Told) -> Row:
    """Return the one row of a session."""
    payload = told.payload
    session, usage, cost, context = payload["session"], payload["usage"], payload["cost"], payload["context"]
    return {
        "session": session["id"],
        **{name: session[name] for name in _SESSION},
        "prompts": sum(prompt["state"] != "unsent" for prompt in payload["prompts"]),
        "calls": len(told.rows),
        "errors": sum(row["outcome"] == "error" for row in told.rows),
        "agents": sum(agent["kind"] != "internal" for agent in payload["agents"]),
        **{name: usage[name] for name in (*_USAGE, *_BOUND)},
        "usd": cost["usd"] if cost else None,
        "contextTokens": context["tokens"],
        "contextWindow": context["window"],
        **{name: payload["time"][name] for name in _TIME},
        "bytes": payload["coverage"]["bytes"],
        "records": payload["coverage"]["records"],
        "skippedLines": payload["coverage"]["skippedLines"],
    }


def call_rows(told: Told) -> Iterator[Row]:
    """Yield a row for each call, in the order of the payload."""
    for row in told.rows:
        yield {"session": told.payload["session"]["id"], **{name: row[name] for name in _CALL}}


def reply_rows(told: Told) -> Iterator[Row]:
    """Yield a row for each counted API call, then one for each reply that is not counted: inherited, or no call.

    The sums over all rows are the session's usage.
    """
    session = told.payload["session"]["id"]
    replies = {reply["id"]: reply for reply in told.payload["replies"]}
    counted = set()
    for call in told.calls:
        counted.add(call["replyId"])
        reply = replies.get(call["within"] or call["replyId"], {})
        own = {"id": call["replyId"], "within": call["within"], "agentId": call["agentId"], "model": call["model"]}
        yield {"session": session, **own, **_times(reply), **call["usage"], "counted": True}
    for reply in told.payload["replies"]:
        if reply["id"] not in counted:
            own = {name: reply[name] for name in ("id", "agentId", "model")}
            none = dict.fromkeys(_USAGE, 0) | {"outputIsLowerBound": False}
            yield {"session": session, **own, **_times(reply), **none, "counted": False}


def _times(reply: dict[str, Any]) -> Row:
    return {name: reply.get(name) for name in _REPLY}


def metric_rows(told: Told) -> Iterator[Row]:
    """Yield a row for each of the six metrics."""
    for metric in told.payload["metrics"] or ():
        row = {name: metric[name] for name in _METRIC} | {"detail": _json(metric["detail"])}
        yield {"session": told.payload["session"]["id"], **row}


def activity_rows(session: Session) -> list[Row]:
    """Return what statistics count of a session, by the quarter of an hour in which it was, without its id: a row for
    all prompts and compactions, one for each tool that replies of a model called, one for each model's API calls and
    one for its fullest context.

    What a session has from another is left out: the sums over all sessions are those of `waterglass stats`.
    """
    facts = facts_of(session)
    rows: list[Row] = [
        {"ms": _start(quarter), "prompts": facts.prompts.get(quarter), "compactions": facts.compactions.get(quarter)}
        for quarter in {**facts.prompts, **facts.compactions}
    ]
    rows += [
        {"ms": _start(cell.quarter), "toolName": cell.tool, "model": cell.model, "calls": cell.calls,
         "errors": cell.errors, "durations": cell.spans}
        for cell in facts.calls
    ]  # fmt: skip
    rows += [
        {"ms": _start(cell.quarter), "model": cell.model, **usage_fields(cell.usage), "usd": cell.usd}
        for cell in facts.spent
    ]
    rows += [{"ms": _start(peak.quarter), "model": peak.model, "peakTokens": peak.tokens} for peak in facts.peaks]
    return rows


def _start(quarter: int) -> int | None:
    return None if quarter == NO_TIME else quarter * QUARTER_MS


def event_row(event: dict[str, Any], session: str) -> Row:
    """Return the row of an event."""
    tool, result = event["tool"] or {}, event["result"] or {}
    return {
        "session": session,
        **{name: event[name] for name in _EVENT},
        "tool": tool.get("name"),
        "category": tool.get("category"),
        "acts": tool.get("acts") or [],
        "targets": tool.get("targets") or [],
        "command": tool.get("command"),
        "input": _json(tool["input"]) if tool else None,
        "ok": result.get("ok"),
        "exitCode": result.get("exitCode"),
        "isError": result.get("isError"),
        "result": result.get("text"),
    }


def _json(value: Any) -> str:
    return encode(value).decode("utf-8")
