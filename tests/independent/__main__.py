"""Print what the second opinion counts over the sessions below some roots."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.independent.calls import calls_of, inline_roots, links_of, orphan_results
from tests.independent.ledger import ledger, owners
from tests.independent.tree import sessions
from tests.independent.words import branches, chain_breaks, prompts_of, title


def main(roots: list[str]) -> None:
    """Count per root and in all."""
    count: Counter[str] = Counter()
    for root in roots:
        found = sessions(Path(root))
        owner = owners(found)
        for session in found.values():
            count["sessions" if session.mains else "sessions without a main file"] += 1
            for lines in session.files:
                count["files"] += 1
                count["bytes"] += lines.size
                for name in ("physical", "blank", "skipped", "recovered", "repaired", "partial_tail"):
                    count[f"lines {name}"] += getattr(lines, name)
                count["records"] += len(lines.records)
            count["unique records"] += len(session.records)
            calls = calls_of(session)
            count["calls"] += len(calls)
            count["calls used again (#2)"] += sum("#" in c.row_id for c in calls)
            count["calls with a result"] += sum(c.paired for c in calls)
            count["orphan results"] += orphan_results(session)
            count["branches"] += branches(session)
            count["chain breaks"] += chain_breaks(session)
            for prompt in prompts_of(session):
                count[f"prompts {prompt.state}"] += 1
            count[f"title from {title(session)[1]}"] += 1
            for agent in session.agents:
                count[f"agent files internal={agent.internal} fork={agent.fork} parent={bool(session.mains)}"] += 1
            for link in links_of(session, calls):
                if session.mains:
                    count[f"genuine {link.agent.era}: by {link.way}"] += 1
                    if link.way in (None, "several prompts"):
                        print(f"{link.way}: {link.agent.path} {link.calls}")
            for record, alike in inline_roots(session, calls):
                count[f"inline roots with {min(len(alike), 2)} calls that ask the same"] += 1
                if len(alike) != 1:
                    print(f"inline: {session.id} {record.uuid} {alike}")
            spent = ledger(session, owner)
            for name, value in spent.total.as_dict().items():
                count[f"usage {name}"] += value
            count["usage inherited apiCalls"] += spent.inherited.apiCalls
    for name in sorted(count):
        print(f"{name}: {count[name]:,}")


main(sys.argv[1:])
