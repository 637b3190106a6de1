"""All of the payload but its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waterglass.context import Context
from waterglass.model import TEXT_KEPT, Coverage, Usage
from waterglass.payload.marks import payload_marks
from waterglass.payload.telemetry import telemetry_fields
from waterglass.payload.usage import usage_fields
from waterglass.schema.layout import project_of
from waterglass.timeline import IDLE_AFTER_MS
from waterglass.version import __version__
from waterglass.view import View

if TYPE_CHECKING:
    from waterglass.payload import shapes

PAYLOAD = 1  # raised when a field of the document changes its meaning or goes


def payload_head(
    view: View,
    session_id: str,
    files: list[shapes.File],
    coverage: Coverage,
    continues: str | None,
    lists: bool = True,
) -> dict[str, Any]:
    """Return the payload of contract.md without rows; `files` are `{path, kind, bytes}` in reading order.

    Without `lists` those of prompts, replies, exchanges and marks are null.
    """
    return {
        "payload": PAYLOAD,
        "generator": {"name": "waterglass", "version": __version__},
        "session": _session(view, session_id, files, continues),
        "coverage": coverage_fields(view, coverage),
        **(_lists(view) if lists else dict.fromkeys(("prompts", "replies", "exchanges", "marks"))),
        "agents": _agents(view),
        "usage": _usage(view),
        "cost": None,
        "context": _context(view.context),
        "compactions": _compactions(view),
        "time": _time(view),
        "telemetry": telemetry_fields(view.told) if view.told is not None else None,
        "metrics": None,
        "health": None,
    }


def _usage(view: View) -> shapes.WholeUsage:
    return {
        **usage_fields(view.ledger.total),
        "main": usage_fields(view.ledger.main),
        "agents": usage_fields(view.ledger.agents),
        "byModel": {model: usage_fields(usage) for model, usage in view.ledger.by_model.items()},
        "inherited": usage_fields(view.ledger.inherited),
    }


def _compactions(view: View) -> list[shapes.CompactionFields]:
    return [
        {
            "ms": e.ms,
            "trigger": e.detail_of("trigger"),
            "preTokens": e.detail_of("pre_tokens"),
            "postTokens": e.detail_of("post_tokens"),
            "agentId": e.agent_id,
        }
        for _, e in view.linked.index.marks
        if e.kind == "compaction"
    ]


def _time(view: View) -> shapes.TimeFields:
    time = view.time
    return {
        "wallMs": time.wall_ms,
        "activeMs": time.active_ms,
        "modelMs": time.model_ms,
        "toolMs": time.tool_ms,
        "userMs": time.user_ms,
        "idleMs": time.idle_ms,
        "toolBound": "exact" if time.tool_exact else "at_most",
        "permissionMs": time.permission_ms,
        "permissionBound": time.permission_bound,
        "idleAfterMs": IDLE_AFTER_MS,
    }


def _lists(view: View) -> dict[str, Any]:
    return {
        "prompts": _prompts(view),
        "replies": _replies(view),
        "exchanges": _exchanges(view),
        "marks": payload_marks(view),
    }


def _prompts(view: View) -> list[shapes.PromptFields]:
    out = []
    for p in view.prompts:
        fields: shapes.PromptFields = {"text": p.text, "ms": p.ms, "uuid": p.id, "state": p.state, "branch": p.branch}
        if p.text_chars > TEXT_KEPT:
            fields["textChars"] = p.text_chars
        out.append(fields)
    return out


def _exchanges(view: View) -> list[shapes.ExchangeFields]:
    return [
        {
            "prompt": e.prompt,
            "startMs": e.start_ms,
            "endMs": e.end_ms,
            "calls": e.calls,
            "errors": e.errors,
            "rowStart": e.row_start,
            "rowEnd": e.row_end,
        }
        for e in view.exchanges
    ]


def _session(view: View, session_id: str, files: list[shapes.File], continues: str | None) -> shapes.SessionFields:
    facts = view.linked.facts
    project, worktree = project_of(facts.cwd) if facts.cwd else (None, None)
    return {
        "id": session_id,
        "project": project,
        "worktree": worktree,
        "title": view.title,
        "titleSource": view.title_source,
        "state": view.state,
        "startMs": facts.first_ms,
        "endMs": facts.last_ms,
        "models": list(view.ledger.by_model),
        "versions": list(facts.versions),
        "gitBranches": list(facts.branches),
        "slug": next(iter(facts.slugs), None),
        "continues": continues,
        "files": files,
    }


def coverage_fields(view: View, coverage: Coverage) -> shapes.CoverageFields:
    """Return the contract's `coverage`: what was read, what was not, and what was odd."""
    linked = view.linked
    kept = linked.problems[: Coverage.MOST_PROBLEMS]
    problems = [*coverage.problems, *kept]
    return {
        "bytes": coverage.bytes,
        "physicalLines": coverage.physical_lines,
        "blankLines": coverage.blank_lines,
        "records": coverage.records,
        "uniqueRecords": coverage.records - linked.replays.records,
        "replayedRecords": linked.replays.records,
        "skippedLines": coverage.skipped_lines,
        "recoveredRecords": coverage.recovered_records,
        "repairedRecords": coverage.repaired_records,
        "partialTail": coverage.partial_tail,
        "degradedRecords": coverage.degraded_records,
        "unknownRecordTypes": coverage.unknown_record_types,
        "unknownBlockTypes": coverage.unknown_block_types,
        "orphanResults": linked.orphan_results,
        "chainBreaks": linked.chain_breaks,
        "branches": view.branches,
        "problemsLeftOut": coverage.problems_left_out + len(linked.problems) - len(kept),
        "problems": [
            {"code": p.code, "file": p.file, "line": p.line, "offset": p.offset, "message": p.message} for p in problems
        ],
    }


def _replies(view: View) -> list[shapes.ReplyFields]:
    rows = view.rows
    out = []
    for reply, exchange in zip(view.replies, view.reply_exchange, strict=True):
        indexes = view.reply_rows.get(reply.id, [])
        fields: shapes.ReplyFields = {
            "id": reply.id,
            "agentId": reply.agent_id,
            "model": reply.model,
            "ms": reply.ms,
            "endMs": reply.end_ms,
            "stopReason": reply.stop_reason,
            "text": reply.text,
            "thinking": reply.thinking,
            "thinkingWithheld": reply.thinking_withheld,
            "apiError": reply.api_error,
            "usage": usage_fields(reply.usage),
            "rowIds": [rows[n].id for n in indexes],
            "rowIndexes": indexes,
            "exchange": exchange,
        }
        if reply.text_chars > TEXT_KEPT:
            fields["textChars"] = reply.text_chars
        if reply.thinking_chars > TEXT_KEPT:
            fields["thinkingChars"] = reply.thinking_chars
        out.append(fields)
    return out


def _agents(view: View) -> list[shapes.AgentFields]:
    return [
        {
            "id": a.id,
            "kind": a.kind,
            "type": a.type,
            "name": a.name,
            "parent": a.parent,
            "depth": a.depth,
            "runs": a.runs,
            "startMs": a.start_ms,
            "endMs": a.end_ms,
            "contextTokens": view.contexts.get(a.id, Context()).tokens,
            "usage": usage_fields(view.ledger.by_agent.get(a.id, Usage())),
            "missing": a.missing,
        }
        for a in view.linked.agents
    ]


def _context(context: Context) -> shapes.ContextFields:
    return {
        "tokens": context.tokens,
        "window": context.window,
        "windowSource": context.window_source,
        "fillPercent": context.fill_percent,
        "peakTokens": context.peak_tokens,
        "series": [list(step) for step in context.series],
    }
