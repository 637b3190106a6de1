"""How many edits were made per passing check."""

from __future__ import annotations

from waterglass.metrics.result import Finding, Metric, counted
from waterglass.metrics.running import looked_at_program, may_check, runs_unknown
from waterglass.metrics.trace import Trace, may_run_hooks, shown


def measure(trace: Trace) -> Finding:
    """Count edits that a check could cover and checks by their result; value: edits per passing check."""
    all_edits = [a for a in trace.actions if a.edits and not a.formats]
    edits = [a for a in all_edits if trace.covered(a)]
    checks = [(a, trace.verdict(a)) for a in trace.ran_checks]
    by = {result: [a for a, verdict in checks if verdict == result] for result in ("pass", "fail", "unknown")}
    passed = by["pass"]
    detail = {
        "edits": len(edits),
        "otherEdits": len(all_edits) - len(edits),
        "passingChecks": len(passed),
        "failingChecks": len(by["fail"]),
        "unreadChecks": len(by["unknown"]),
    }
    if not edits:
        return Finding("na", None, "no edits" if not all_edits else "no edits that a check could cover", detail)
    shares = counted(len(edits), "edit")
    evidence = [shown(a, f"check: {verdict}") for a, verdict in checks]
    if passed:
        value = round(len(edits) / len(passed), 2)
        each = f"{value:g} {'edit' if value == 1 else 'edits'}"
        words = f"{each} per passing check ({shares}, {counted(len(passed), 'passing check')})"
        status = "warn" if value > trace.settings.density_warn else "ok"
        return Finding(status, value, words, detail, [], evidence)
    evidence += [shown(a, "edit that a check could cover") for a in edits]
    if by["unknown"]:
        words = f"{shares}, {counted(len(checks), 'check')}, none of which can be read as passed"
        return Finding("unknown", None, words, detail, ["the result of a check cannot be read"], evidence)
    words = f"∞ ({shares}, no passing check)"
    if by["fail"]:
        return Finding("warn", None, words, detail, ["checks ran and none passed"], evidence)
    unclear = _unclear(trace, edits[0].order)
    if unclear:
        return Finding("na" if "asks" in unclear else "unknown", None, words, detail, [unclear], evidence)
    return Finding(
        "alert", None, words, detail, ["files were edited that a check could cover, and no check ran"], evidence
    )


def _unclear(trace: Trace, first: int) -> str:
    """Why the absence of checks says nothing; empty where it does."""
    if trace.unchecked_tasks:
        return "a prompt asks for no checks: not judged"
    if any(a.checks for a in trace.actions):
        return "a check was asked for and not let run"
    if any(a.order > first and may_run_hooks(trace, a) for a in trace.actions):
        return "a commit may have run checks by hooks"
    later = [a for a in trace.actions if a.order > first]
    if any(map(may_check, later)):
        return "a program ran after the first edit that may be a check"
    # It did not succeed, so it was no passing check; but who says that no check ran?
    if any(a.row.outcome == "error" and runs_unknown(a) for a in later):
        return "a program that may be a check failed after the first edit"
    if looked_at_program(later):
        return "the program was looked at after the first edit"
    if any(order > first for order, _ in trace.checks_by_person):
        return "a person ran a check after the first edit"
    if any(order > first for order, _ in trace.checks_by_hook):
        return "a hook ran a check after the first edit, and its result is not written"
    if any(order > first for order in trace.runs_by_person):
        return "a person ran the program after the first edit"
    if any(a.order > first for a in trace.unseen_agents):
        return "a sub-agent ran after the first edit and its calls are not written"
    return ""


METRIC = Metric(
    "verificationDensity",
    "Edits per passing check",
    "Calls that edit files that a check could cover (code; mark-up where checks ran), divided by the calls "
    "whose checks passed. Prose, plans, memory, generated and temporary files do not count.",
    "edits per passing check",
    "lower",
    measure,
)
