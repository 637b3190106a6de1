"""A scorecard and signals of health as the contract words them, made up."""

from __future__ import annotations

from typing import Any

from tests.browser import payloads


def metric(name: str, label: str, status: str, value: float | None, display: str, **more: Any) -> dict[str, Any]:
    """One MetricResult."""
    return {
        "id": name,
        "label": label,
        "explanation": f"What {label.lower()} measures, in a sentence of its own.",
        "status": status,
        "value": value,
        "unit": "",
        "better": "lower",
        "display": display,
        "detail": {},
        "notes": [],
        "evidence": [],
        **more,
    }


def six() -> list[dict[str, Any]]:
    """All six metrics, every status among them; evidence by row, by reply, and of what is not there."""
    evidence = [
        {"eventId": "main@1.0", "rowId": "toolu_00009", "replyId": None, "why": "the last edit"},
        {
            "eventId": "main@2.0",
            "rowId": "toolu_00007",
            "replyId": None,
            "why": "a check that failed, deep in an agent",
        },
        {"eventId": "main@3.0", "rowId": None, "replyId": "msg-r2", "why": "says that it is done"},
        {"eventId": "main@4.0", "rowId": "gone", "replyId": None, "why": "a call that is in no file"},
    ]
    return [
        metric("grepSemantic", "Text search", "unknown", None, "text search only; no semantic tool was seen"),
        metric(
            "earlyVictory",
            "Early victory",
            "alert",
            1,
            "last passing check is older than the last edit",
            unit="exchanges",
            evidence=evidence,
            detail={"exchanges": [{"prompt": 0, "claim": payloads.HOSTILE}]},
            notes=["One check could not be read " + payloads.HOSTILE],
        ),
        metric("verificationDensity", "Checks for edits", "warn", 12.5, "12.5 edits for each passing check"),
        metric("overreach", "Reach", "ok", 1.5, "3 files in 2 tasks; no scope was given", unit="files per task"),
        metric("continuity", "Continuity", "na", None, "no file was edited", better="higher"),
        metric("loopDetection", "Loops", "ok", 0, "no call was repeated with the same result", unit="loops"),
    ]


def signals() -> list[dict[str, Any]]:
    """Signals of health; one has no value."""
    return [
        {"id": "contextFill", "value": 42, "unit": "%", "basis": "84k of 200k, assumed", "rowIds": []},
        {
            "id": "reReads",
            "value": 1,
            "unit": "calls",
            "basis": "unchanged files read again",
            "rowIds": ["toolu_00005"],
        },
        {"id": "compactions", "value": 1, "unit": "compactions", "basis": "of the main thread", "rowIds": []},
        {"id": "errorRateFirstHalf", "value": 0.25, "unit": "share", "basis": "2 of 8 calls", "rowIds": []},
        {"id": "waiting", "value": None, "unit": "share", "basis": "not known", "rowIds": []},
    ]


def scored() -> dict[str, Any]:
    """The small session with a scorecard and health."""
    return payloads.small() | {"metrics": six(), "health": {"signals": signals(), "fillPercent": 42}}
