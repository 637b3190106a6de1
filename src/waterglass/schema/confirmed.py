"""What a reader of transcripts has to rely on, and whether the transcripts at hand bear it out."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from waterglass.schema.observed import Observed

# Every large set of files has torn and doubled records: of 203,264 real results 52 had no call, 171 calls several.
_EXCEPTIONS = 0.005
YES, PARTLY, NO, UNSEEN = "yes", "partly", "no", "not seen here"


class Confirmed(Struct, frozen=True):
    """One thing wanted: where it stands, whether that is so in these files, and the counts that say it.

    `confirmed` is yes (exceptions, which `counts` shows, are at most 0.5 %), partly, no (nothing is so), or not seen
    here (nothing to tell it by).
    """

    wanted: str
    fields: str
    confirmed: str
    counts: dict[str, int]


def confirm(observed: Observed, semantic: Mapping[str, int]) -> list[Confirmed]:
    """Return the table. `semantic` holds the calls of tools that search by meaning, by tool name: what a tool does is
    not a fact of the format."""
    return [
        _record_type(observed),
        _tool_name(observed),
        _tool_input(observed),
        _result(observed),
        _exit_code(observed),
        _correlation(observed),
        _timestamp(observed),
        _semantic(observed, semantic),
        _meta(observed),
    ]


def _verdict(good: int, bad: int) -> str:
    if not good:
        return NO if bad else UNSEEN
    return PARTLY if bad > _EXCEPTIONS * (good + bad) else YES


def _record_type(observed: Observed) -> Confirmed:
    by_type = {"user": 0, "assistant": 0, "other types": 0, "without a type": 0}
    for (name, _), tally in observed.kinds.found.items():
        group = name if name in ("user", "assistant") else "without a type" if name is None else "other types"
        by_type[group] += tally.count
    by_type["other types"] += observed.kinds.left_out
    odd = {"role differs": observed.roles["other"], "no role": observed.roles["absent"]}
    typed = sum(by_type.values()) - by_type["without a type"]
    verdict = _verdict(typed, by_type["without a type"] + sum(odd.values()))
    return Confirmed("record role/type", "type at the top; message.role says the same", verdict, by_type | odd)


def _blocks(observed: Observed, name: str) -> int:
    return sum(tally.count for (_, block), tally in observed.blocks.found.items() if block == name)


def _calls(observed: Observed) -> int:
    return observed.tools.total + observed.unnamed_calls


def _tool_name(observed: Observed) -> Confirmed:
    counts = {name: _blocks(observed, name) for name in ("tool_use", "server_tool_use")}
    counts |= {"distinct names": len(observed.tools.found), "without a name": observed.unnamed_calls}
    verdict = _verdict(observed.tools.total, observed.unnamed_calls)
    return Confirmed("tool name", "message.content[] of type tool_use: name", verdict, counts)


def _tool_input(observed: Observed) -> Confirmed:
    forms = observed.inputs
    verdict = _verdict(forms["object"], forms["other"] + forms["absent"])
    return Confirmed("tool input", "tool_use.input, an object", verdict, dict(forms))


def _result(observed: Observed) -> Confirmed:
    counts = {f"is_error {name}": count for name, count in observed.is_error.items()}
    good = sum(observed.is_error.values()) - observed.is_error["other"]
    fields = "message.content[] of type tool_result; an error only if is_error is true"
    return Confirmed("tool result / success", fields, _verdict(good, observed.is_error["other"]), counts)


def _exit_code(observed: Observed) -> Confirmed:
    counts = {"failed results with a code": observed.exit_codes, "failed results": observed.is_error["true"]}
    # A text, never a field: so it is confirmed in part at best.
    verdict = PARTLY if observed.exit_codes else NO if observed.is_error["true"] else UNSEEN
    return Confirmed("exit code", "no field; the text `Exit code N` before a failed result", verdict, counts)


def _correlation(observed: Observed) -> Confirmed:
    names = ("calls with one result", "with none", "with several", "results without a call")
    counts = {name: observed.pairing.counts[name] for name in names}
    counts |= {name: count for name, count in observed.pairing.counts.items() if name not in counts and count}
    good = counts["calls with one result"]
    # A call without a result is one that was cut short: it says nothing against the ids.
    verdict = _verdict(good, sum(counts.values()) - good - counts["with none"])
    fields = "tool_use.id = tool_result.tool_use_id, in the same file"
    return Confirmed("toolUseId correlation", fields, verdict, counts)


def _timestamp(observed: Observed) -> Confirmed:
    times = observed.times
    # Whole types of records have no time, and nothing in a transcript needs one of them: that is no deviation.
    verdict = _verdict(times["usual"], times["other form"] + times["unreadable"])
    return Confirmed("timestamp", "timestamp, as 2026-03-02T09:00:00.000Z", verdict, dict(times))


def _semantic(observed: Observed, semantic: Mapping[str, int]) -> Confirmed:
    verdict = YES if semantic else UNSEEN
    fields = "tool names such as LSP, mcp__serena__find_symbol"
    return Confirmed("semantic tool names", fields, verdict, {**semantic, "of all calls": _calls(observed)})


def _meta(observed: Observed) -> Confirmed:
    results = sum(observed.is_error.values())
    verdict = _verdict(observed.meta_results, results - observed.meta_results)
    counts = {"results with it": observed.meta_results, "results": results}
    return Confirmed("isMeta on tool results", "isMeta: true on the record", verdict, counts)
