"""The audit of the ledger as a document."""

from __future__ import annotations

from collections import Counter
from typing import Any

from waterglass.audit import RULES, Audit, RecordPlace
from waterglass.model import Usage
from waterglass.payload.usage import usage_fields
from waterglass.usage import with_bound


def audit_fields(found: Audit, total: Usage) -> dict[str, Any]:
    """Return `{replies, leftOut, rules, records, sum, total, agrees}`; `sum` adds the replies listed, `total` is the
    payload's usage."""
    added = Usage()
    for one in found.counted:
        added += with_bound(one.call.usage, not one.call.stopped)
    rules = Counter(record.rule for record in found.left_out)
    return {
        "replies": [
            {
                "replyId": one.call.key,
                "within": one.call.within,
                "model": one.call.model,
                "agentId": one.call.agent_id,
                "file": one.call.file,
                "usage": usage_fields(with_bound(one.call.usage, not one.call.stopped)),
                "records": [_place(record) for record in one.records],
            }
            for one in found.counted
        ],
        "leftOut": [{"replyId": record.key, "rule": record.rule, **_place(record.place)} for record in found.left_out],
        "rules": {rule: {"records": rules[rule], "why": why} for rule, why in RULES.items()},
        "records": {
            "counted": sum(len(one.records) for one in found.counted if one.call.within is None),
            "leftOut": len(found.left_out),
        },
        "sum": usage_fields(added),
        "total": usage_fields(total),
        "agrees": added == total,
    }


def _place(record: RecordPlace) -> dict[str, Any]:
    return {"file": record.file, "line": record.line, "offset": record.offset}
