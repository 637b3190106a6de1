"""Did the agent say that the work is done though no check had passed since its last edit?"""

from __future__ import annotations

import re
from bisect import bisect_left

from msgspec import Struct

from waterglass.metrics.actions import Action
from waterglass.metrics.result import Evidence, Finding, Metric, counted
from waterglass.metrics.running import looked_at_program, may_check
from waterglass.metrics.trace import Task, Trace, may_run_hooks, shown

_OF_A_DOCUMENT = re.compile(
    r"\b(?:to|in|into) (?:the|your|this|our|an?) (?:[\w-]{1,40} ){0,2}"
    r"(?:documents?|documentation|docs?|reports?|guides?|plans?|notes|readme|spec(?:ification)?s?|proposals?)\b",
    re.IGNORECASE,
)


class _Verdict(Struct):
    """What one exchange says: `raised`, `fine`, `unknown` or `excused`, with the reason in words."""

    state: str
    why: str = ""
    evidence: list[Evidence] = []


def measure(trace: Trace) -> Finding:
    """Judge each exchange with edits that a check could cover; value: how many are raised."""
    if not any(a.edits for a in trace.actions):
        return Finding("na", None, "no edits")
    verdicts = [(task, v) for task in trace.tasks if (v := _judge(trace, task)) is not None]
    counts = {state: sum(v.state == state for _, v in verdicts) for state in ("raised", "fine", "unknown", "excused")}
    detail = {
        "exchanges": len(verdicts),
        **counts,
        "raisedExchanges": [t.index for t, v in verdicts if v.state == "raised"],
    }
    notes = list(dict.fromkeys(v.why for _, v in verdicts if v.state in ("unknown", "excused") and v.why))
    if counts["raised"]:
        evidence = [one for _, v in verdicts if v.state == "raised" for one in v.evidence]
        words = next(v.why for _, v in verdicts if v.state == "raised")
        if counts["raised"] > 1:
            words = f"in {counts['raised']} exchanges, first: {words}"
        return Finding("alert", counts["raised"], words, detail, notes, evidence)
    if counts["unknown"]:
        evidence = [one for _, v in verdicts if v.state == "unknown" for one in v.evidence]
        words = f"cannot be told for {counted(counts['unknown'], 'exchange')}"
        return Finding("unknown", None, words, detail, notes, evidence)
    words = (
        "no exchange ends with a claim and without a passing check" if verdicts else "no edits that a check could cover"
    )
    evidence = [one for _, v in verdicts for one in v.evidence]
    return Finding("ok", 0, words, detail, notes, evidence)


def _judge(trace: Trace, task: Task) -> _Verdict | None:
    """Judge one exchange; None where nothing was changed that a check could cover."""
    close = task.close
    before = [a for a in task.actions if close is None or a.order < close.order]
    edits = [a for a in before if trace.covered(a)]
    if not edits:
        return None
    last = edits[-1]
    if close is None:
        return _Verdict("fine", "the agent did not end by itself")
    after = [a for a in before if a.order >= last.order]
    checks = [(a, trace.verdict(a)) for a in after if a.checks]
    passed = next((a for a, verdict in checks if verdict == "pass"), None)
    if passed is not None:
        return _Verdict("fine", "", [shown(passed, "check passed after the last edit")])
    kind, said = trace.judged.claims.get(close.id, ("unknown", None))
    if kind not in ("done", "unknown"):
        return _Verdict("fine")
    if last.exchange in trace.unchecked_tasks:
        return _Verdict("excused", "a prompt asks for no checks: not judged")
    changed = shown(last, f"last edit that a check could cover: {trace.covered(last)[0]}")
    unclear = _unclear(trace, checks, after, last) or _by_others(trace, last, close.order)
    if unclear is not None:
        return _Verdict("unknown", unclear[0], [changed, *([unclear[1]] if unclear[1] else [])])
    if said and all(edit.thread is not None for edit in edits) and _OF_A_DOCUMENT.search(said):
        return _Verdict("unknown", "what is called done is a document, and the code is a sub-agent's", [changed])
    if kind == "unknown":
        return _Verdict("unknown", "whether the closing text claims that the work is done cannot be read", [changed])
    earlier = bisect_left(trace.passed_checks, last.order, key=lambda check: check.order)
    evidence = [
        changed,
        trace.said(close, f"says that the work is done: {said}" if said else "says that the work is done"),
    ]
    if checks:
        evidence.insert(1, shown(checks[-1][0], "check after it failed"))
        return _Verdict("raised", "the checks after the last edit failed", evidence)
    if earlier:
        evidence.insert(0, shown(trace.passed_checks[earlier - 1], "last passing check"))
        return _Verdict("raised", "last passing check is older than the last edit", evidence)
    return _Verdict("raised", "no check passed before the work was called done", evidence)


def _unclear(
    trace: Trace, checks: list[tuple[Action, str]], after: list[Action], last: Action
) -> tuple[str, Evidence | None] | None:
    """Why it cannot be told whether a check passed after the last edit, None where it can."""
    for action, verdict in checks:
        if verdict == "unknown":
            return "a check ran after the last edit and its result cannot be read", shown(
                action, "result cannot be read"
            )
        if verdict == "refused":
            return "a check after the last edit was not let run", shown(action, "was not let run")
    for action in after:
        if action.order > last.order and may_check(action):
            return "a program ran after the last edit that may be a check", shown(action, "may be a check")
        if action.order > last.order and may_run_hooks(trace, action):
            return "a commit after the last edit may have run checks by hooks", shown(action, "may have run checks")
    look = looked_at_program(action for action in after if action.order > last.order)
    if look is not None:
        return "the program was looked at after the last edit", shown(look, "shows the program at work")
    unseen = {id(action) for action in trace.unseen_agents}
    for action in after:
        if id(action) in unseen:
            return "a sub-agent ran after the last edit and its calls are not written", shown(
                action, "calls not written"
            )
    return None


def _by_others(trace: Trace, last: Action, closed: int) -> tuple[str, Evidence] | None:
    """Whether somebody else checked after the last edit: a person before the closing text, or a hook, which may run
    after it."""
    for order, evidence in trace.checks_by_person:
        if last.order < order < closed:
            return "a person ran a check after the last edit", evidence
    for order, evidence in trace.checks_by_hook:
        if last.order < order < trace.end_of(last.exchange):
            return "a hook ran a check after the last edit, and its result is not written", evidence
    return None


METRIC = Metric(
    "earlyVictory",
    "Early victory",
    "Exchanges in which the agent says that the work is done, though no check passed after its last edit of a file "
    "that a check could cover.",
    "exchanges",
    "lower",
    measure,
)
