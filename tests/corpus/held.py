"""Hold one session as the product reads it against the second opinion; every fault is a line of text under a code."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.corpus.commands import hold_commands, hold_list
from tests.corpus.faults import NOW_MS, Held
from tests.corpus.shapes import flat, hold_exchanges, hold_references, hold_table
from tests.independent.calls import Call, Link, calls_of, inline_roots, links_of, orphan_results
from tests.independent.later import Background, backgrounds, context_sizes, continues
from tests.independent.ledger import Ledger, Spent, ledger, owners
from tests.independent.tree import Session, sessions
from tests.independent.words import branches, chain_breaks, prompts_of, times, title

IDLE_MS = 30 * 60 * 1000
TEXT_KEPT = 2_000  # characters of a prompt in the payload


def hold_root(root: str, scratch: str) -> Held:
    """Hold every session below a root. Runs in a process of its own; `scratch` is a folder for reports."""
    held = Held()
    found = sessions(Path(root))
    owner = owners(found)
    for session in found.values():
        try:
            hold_session(held, session, owner, root)
        except Exception as error:  # what must not happen is what is reported
            held.fault("raised", f"{type(error).__name__}: {error}")
        hold_commands(held, session, root, Path(scratch))
    hold_list(held, found, root)
    return held


def hold_session(held: Held, session: Session, owner: dict[str, str], root: str) -> None:
    """Read one session with the product and note every difference; `owner` comes from `owners` of its root."""
    from waterglass.session import load

    held.sessions, held.current = held.sessions + 1, session.id
    spent = ledger(session, owner)
    loaded = load(session.id, roots=[root])
    payload = loaded.payload(NOW_MS)
    rows = list(flat(payload["rows"]))
    calls = calls_of(session)
    held.calls += len(calls)
    _rows(held, rows, calls)
    _agents(held, session, payload, rows, calls)
    _coverage(held, session, payload)
    _usage(held, session, payload, spent)
    _words(held, session, payload)
    _later(held, session, payload, owner)
    _background(held, rows, backgrounds(session, calls))
    _times(held, session, payload, rows)
    hold_table(held, loaded.payload(NOW_MS, table=True)["table"], rows)
    hold_exchanges(held, payload, rows)
    hold_references(held, payload, rows)


def _rows(held: Held, rows: list[dict[str, Any]], calls: list[Call]) -> None:
    want, have = {c.row_id for c in calls}, [r["id"] for r in rows]
    for id in sorted(want - set(have)):
        held.fault("row missing", id)
    for id in sorted(set(have) - want):
        held.fault("row too many", id)
    if len(have) != len(set(have)):
        held.fault("row twice", str(sorted({i for i in have if have.count(i) > 1})))
    by_id = {c.row_id: c for c in calls}
    above = {child["id"]: row for row in rows for child in row["children"]}
    for row in rows:
        call = by_id.get(row["id"])
        if call is None:
            continue
        if row["toolName"] != call.name or row["input"] != call.input:
            held.fault("row differs", f"{row['id']} {row['toolName']}")
        open_ = row["outcome"] in ("no_result", "running")
        # A background call stays open after its acknowledgement until it is notified.
        if call.paired and (row["output"] is None or (open_ and not row["background"])):
            held.fault("not paired", f"{row['id']} {row['toolName']} {row['outcome']}")
        if not call.paired and row["outcome"] not in ("no_result", "interrupted") and not row["background"]:
            held.fault("paired with nothing", f"{row['id']} {row['toolName']} {row['outcome']}")
        _row_times(held, row, call, above.get(row["id"]))
        _row_result(held, row, call)


def _row_times(held: Held, row: dict[str, Any], call: Call, above: dict[str, Any] | None) -> None:
    """A row has its records' times, but that a parent's bar holds its children, even where clocks ran back."""
    starts = {call.ms, above["startTime"] if above and call.ms is not None else call.ms}
    if row["startTime"] not in starts or (call.ms is not None and row["startTime"] < call.ms):
        held.fault("start differs", f"{row['id']} {row['startTime']} want {call.ms}")
    if row["duration"] is not None and row["duration"] < 0:
        held.fault("negative", row["id"])
    if row["outcome"] not in ("ok", "error") or row["background"] or call.result_ms is None or call.ms is None:
        return
    below = [c["endTime"] if c["endTime"] is not None else c["openUntilMs"] for c in row["children"]]
    ends = [call.result_ms, row["startTime"], *filter(None, below)]
    if row["endTime"] != max(ends):
        held.fault("end differs", f"{row['id']} {row['endTime']} want {max(ends)}")


def _row_result(held: Held, row: dict[str, Any], call: Call) -> None:
    if call.output is None:
        return
    if row["output"] != call.output:
        held.fault("output differs", f"{row['id']} {(row['output'] or '')[:60]!r} want {call.output[:60]!r}")
    if call.is_error and row["outcome"] == "ok":
        held.fault("outcome", f"{row['id']} {row['toolName']} is ok but its result is an error")
    if not call.is_error and row["outcome"] == "error" and not row["background"]:
        held.fault("outcome", f"{row['id']} {row['toolName']} is an error but its result is none")


def _agents(
    held: Held, session: Session, payload: dict[str, Any], rows: list[dict[str, Any]], calls: list[Call]
) -> None:
    links: list[Link] = links_of(session, calls)
    agents = {a["id"]: a for a in payload["agents"]}
    named = " ".join(f"{p['file']} {p['message']}" for p in payload["coverage"]["problems"])
    for link in links:
        agent = agents.get(link.agent.id)
        if agent is None:
            held.fault("agent missing", link.agent.path.name)
            continue
        right = agent["parent"] in link.calls if link.calls else agent["parent"] is None
        if session.mains:
            held.genuine += 1
            held.placed += right and bool(link.calls)
        if not right:
            held.fault("agent misplaced", f"{link.agent.id} under {agent['parent']} want {link.calls}")
        if agent["parent"] is None and link.agent.id not in named:
            held.fault("agent unnamed", f"{link.agent.id} has no parent and is no problem")
        if agent["kind"] not in ("spawned", "teammate"):
            held.fault("agent kind", f"{link.agent.id} is {agent['kind']}")
    for root, alike in inline_roots(session, calls):
        inline = agents.get(str(root.uuid), {"parent": "no agent"})
        held.genuine += 1
        held.placed += inline["parent"] in alike
        if inline["parent"] not in (alike or (None,)):
            held.fault("agent misplaced", f"{root.uuid} under {inline['parent']} want {alike}")
    for file in session.agents:
        if file.internal and agents.get(file.id, {}).get("kind") != "internal":
            held.fault("agent kind", f"{file.id} is not internal")
    for row in rows:
        own = agents.get(row["agentId"]) if row["agentId"] else None
        parent = own["parent"] if own else None
        if row["parentAgentId"] != parent:
            held.fault("row under another agent", f"{row['id']} {row['parentAgentId']} want {parent}")
        for child in row["children"]:
            if child["parentAgentId"] != row["id"]:
                held.fault("row under another agent", f"{child['id']} stands under {row['id']}")


def _coverage(held: Held, session: Session, payload: dict[str, Any]) -> None:
    unique, files = len(session.records), session.files
    records = sum(len(f.records) for f in files)
    want: dict[str, Any] = {
        "bytes": sum(f.size for f in files),
        "physicalLines": sum(f.physical for f in files),
        "blankLines": sum(f.blank for f in files),
        "skippedLines": sum(f.skipped for f in files),
        "records": records,
        "uniqueRecords": unique,
        "replayedRecords": records - unique,
        "recoveredRecords": sum(f.recovered for f in files),
        "repairedRecords": sum(f.repaired for f in files),
        "partialTail": any(f.partial_tail for f in files),
        "orphanResults": orphan_results(session),
        "chainBreaks": chain_breaks(session),
        "branches": branches(session),
    }
    for name, value in want.items():
        if payload["coverage"][name] != value:
            held.fault("bytes" if name == "bytes" else "coverage", f"{name} {payload['coverage'][name]} want {value}")
    sizes = sorted(p.stat().st_size for p in [p for p, _ in session.mains] + [a.path for a in session.agents])
    if sorted(f["bytes"] for f in payload["session"]["files"]) != sizes:
        held.fault("bytes", "session.files differ from the files' sizes")


def _usage(held: Held, session: Session, payload: dict[str, Any], spent: Ledger) -> None:
    usage = payload["usage"]

    def compare(what: str, have: dict[str, Any], want: Spent) -> None:
        off = {k: (have.get(k), v) for k, v in want.as_dict().items() if have.get(k) != v}
        if off:
            held.fault("usage", f"{what} (have, want): {off}")

    compare("total", usage, spent.total)
    compare("main", usage["main"], spent.main)
    compare("agents", usage["agents"], spent.agents)
    compare("inherited", usage["inherited"], spent.inherited)
    for model in {*usage["byModel"], *spent.by_model}:
        compare(model, usage["byModel"].get(model, {}), spent.by_model.get(model, Spent()))
    files = {a.id for a in session.agents}
    for agent in payload["agents"]:
        if agent["id"] in files:
            compare(f"agent {agent['id']}", agent["usage"], spent.by_agent.get(agent["id"], Spent()))


def _later(held: Held, session: Session, payload: dict[str, Any], owner: dict[str, str]) -> None:
    sizes = context_sizes(session)
    if payload["context"]["tokens"] != sizes[None]:
        held.fault("context", f"{payload['context']['tokens']} want {sizes[None]}")
    for agent in payload["agents"]:
        if agent["id"] in sizes and agent["contextTokens"] != sizes[agent["id"]]:
            held.fault("context", f"{agent['id']} {agent['contextTokens']} want {sizes[agent['id']]}")
    before = continues(session, owner)
    if before is not None and payload["session"]["continues"] != before:
        held.fault("continues", f"{payload['session']['continues']} want {before}")


def _background(held: Held, rows: list[dict[str, Any]], want: dict[str, Background]) -> None:
    for row in rows:
        mine = want.get(row["id"])
        if row["background"] != (mine is not None):
            held.fault("background", f"{row['id']} {row['toolName']} is {row['background']}")
        elif mine is not None and mine.ack_ms is not None:  # what was never acknowledged, an interrupt may have ended
            ends = (row["outcome"], row["endTime"], row["ackMs"])
            if ends != (mine.outcome, mine.end_ms, mine.ack_ms):
                held.fault("background", f"{row['id']} {ends} want {mine}")


def _words(held: Held, session: Session, payload: dict[str, Any]) -> None:
    want = [(p.state, p.text) for p in prompts_of(session)]
    have = [(p["state"], p["text"]) for p in payload["prompts"]]
    for states in (("sent", "queued"), ("unsent",)):
        mine = [text[:TEXT_KEPT] for state, text in want if state in states]
        theirs = [text[:TEXT_KEPT] for state, text in have if state in states]
        if mine != theirs:
            held.fault("prompts", f"{states}: {len(theirs)} want {len(mine)}; {first_difference(theirs, mine)}")
    text, source = title(session)
    if payload["session"]["titleSource"] != source:
        held.fault("title", f"from {payload['session']['titleSource']} want {source}")
    elif text is not None and source != "prompt" and payload["session"]["title"] != text:
        held.fault("title", f"{payload['session']['title']!r} want {text!r}")


def first_difference(have: list[str], want: list[str]) -> str:
    """The first place at which two lists part, short."""
    for n, (a, b) in enumerate(zip(have, want, strict=False)):
        if a != b:
            return f"at {n}: {a[:80]!r} want {b[:80]!r}"
    longer = have if len(have) > len(want) else want
    shorter = min(len(have), len(want))
    return f"at {shorter}: {longer[shorter][:80]!r} in one only" if len(longer) > shorter else ""


def _times(held: Held, session: Session, payload: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    start, end = times(session)
    have = (payload["session"]["startMs"], payload["session"]["endMs"])
    if have != (start, end):
        held.fault("times", f"{have} want {start}, {end}")
    time = payload["time"]
    if start is not None and end is not None:
        parts = time["modelMs"] + time["toolMs"] + time["userMs"] + time["idleMs"]
        if not time["wallMs"] == end - start == parts == time["activeMs"] + time["idleMs"]:
            held.fault("time parts", str(time))
        moments = sorted(r.ms for r in session.records if r.ms is not None)
        gaps = [(a, b) for a, b in pairwise(moments) if b - a > IDLE_MS]
        if time["idleMs"] < sum(b - a for a, b in gaps):
            held.fault("time parts", f"idleMs {time['idleMs']} is less than its gaps")
        tool = _tool_ms([r for r in rows if r["agentId"] is None and r["startTime"] is not None], gaps, end)
        if time["toolMs"] != tool:
            held.fault("time parts", f"toolMs {time['toolMs']} want {tool}")
    for row in rows:
        for child in row["children"]:
            _inside(held, row, child)


def _tool_ms(rows: list[dict[str, Any]], gaps: list[tuple[int, int]], last: int) -> int:
    """How long a call of the main thread was open, by looking at each moment where anything changes; gaps are idle."""
    changes: dict[int, int] = {}
    calls = [(row["startTime"], min(_open_until(row), last), 1) for row in rows]
    for begin, until, weight in [*calls, *((a, b, -len(rows)) for a, b in gaps)]:
        if until > begin:
            changes[begin] = changes.get(begin, 0) + weight
            changes[until] = changes.get(until, 0) - weight
    open_, total = 0, 0
    for here, after in pairwise(sorted(changes)):
        open_ += changes[here]
        total += after - here if open_ > 0 else 0
    return total


def _open_until(row: dict[str, Any]) -> int:
    """The end of a call for the ledger: a background call's is its acknowledgement."""
    if row["background"]:
        return int(row["startTime"] + (row["ackMs"] or 0))
    ends = row["endTime"] if row["endTime"] is not None else row["openUntilMs"]
    return int(ends if ends is not None else row["startTime"])


def _inside(held: Held, row: dict[str, Any], child: dict[str, Any]) -> None:
    bars = [(r["startTime"], r["endTime"] if r["endTime"] is not None else r["openUntilMs"]) for r in (row, child)]
    (start, end), (own_start, own_end) = bars
    early = None not in (start, own_start) and own_start < start
    late = None not in (end, own_end) and own_end > end
    if early or late:
        held.fault("child outside", f"{child['id']} {bars[1]} of {row['id']} {bars[0]} background={row['background']}")
